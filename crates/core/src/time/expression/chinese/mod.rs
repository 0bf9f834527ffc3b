//! Chinese time expressions. There are no spaces to cut at, so the rules also look at the characters around a match:
//! 目前天气 holds no 前天.

mod count;
pub(in crate::time) mod cursor;
mod dates;
mod week;

use jiff::civil::Date;

use self::cursor::{Cursor, HALVES, Half, clock_time};
use super::amount::since;
use super::calendar::{Now, Part, Piece, When, day, day_part, minute, plus_days};
use super::tense::{Tense, tense};
use super::token::Token;
use crate::time::Precision;

/// An expression over the bytes `start..end` of the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) when: When,
    pub(super) fixed: bool,
}

/// What a rule has read: the piece, and whether it named its year.
#[derive(Debug, Clone, Copy)]
struct Read {
    piece: Piece,
    fixed: bool,
}

/// The rules over one text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chinese<'a> {
    /// The folded text.
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Token<'a>],
    pub(super) now: &'a Now,
}

/// A rule: reads at the cursor what begins with that token.
type Rule<'a> = fn(&Chinese<'a>, &mut Cursor<'_>, usize) -> Option<Read>;

/// Days counted from the anchor's, longer words first.
const DAYS: [(&str, i64); 14] = [
    ("大前天", -3),
    ("前天", -2),
    ("昨天", -1),
    ("昨日", -1),
    ("今天", 0),
    ("今日", 0),
    ("明天", 1),
    ("明日", 1),
    ("大后天", 3),
    ("后天", 2),
    ("前晚", -2),
    ("昨儿", -1),
    ("今儿", 0),
    ("明儿", 1),
];

/// Words that hold a day and a part of it.
const DAY_PARTS: [(&str, i64, Part, Half); 11] = [
    ("今早", 0, Part::Morning, Half::Before),
    ("今晨", 0, Part::Morning, Half::Before),
    ("今晚", 0, Part::Evening, Half::Evening),
    ("昨晚", -1, Part::Night, Half::Evening),
    ("昨夜", -1, Part::Night, Half::Evening),
    ("明早", 1, Part::Morning, Half::Before),
    ("明晨", 1, Part::Morning, Half::Before),
    ("明晚", 1, Part::Evening, Half::Evening),
    ("今夜", 0, Part::Evening, Half::Evening),
    ("昨早", -1, Part::Morning, Half::Before),
    ("昨午", -1, Part::Noon, Half::Noon),
];

impl<'a> Chinese<'a> {
    /// The expression that begins at the token, if one does.
    pub(super) fn read(&self, token: usize) -> Option<Found> {
        let start = self.tokens.get(token)?.start;
        let mut cursor = Cursor::new(self.text, start);
        let lead = cursor.eat_any(&["自从", "自", "从"]);
        if lead && !self.sees_since(cursor) {
            return None;
        }
        if let Some((when, end)) = self.elapsed(cursor) {
            return Some(Found {
                start,
                end,
                when,
                fixed: false,
            });
        }
        let mut read = self.expression(&mut cursor, token)?;
        if let Some(shifted) = self.beside(&mut cursor, &read.piece) {
            read.piece = shifted;
        }
        if cursor.eat_any(&["以来", "至今"]) || lead && cursor.eat_any(&["开始", "起"]) {
            read.piece = since(self.now.date, &read.piece)?;
        }
        Some(Found {
            start,
            end: cursor.at,
            when: When::Civil(read.piece),
            fixed: read.fixed,
        })
    }

    /// Whether what follows 从 is a since-expression, seen from the words that end one close by.
    fn sees_since(&self, cursor: Cursor<'_>) -> bool {
        let mut ahead = cursor;
        for _ in 0..12 {
            if ahead.sees("以来") || ahead.sees("至今") || ahead.sees("开始") || ahead.sees("起")
            {
                return true;
            }
            let Some(c) = ahead.next() else { return false };
            ahead.at += c.len_utf8();
        }
        false
    }

    fn expression(&self, cursor: &mut Cursor<'_>, token: usize) -> Option<Read> {
        let start = *cursor;
        let rules: [Rule<'a>; 7] = [
            Self::day_word,
            Self::year_word,
            Self::related,
            Self::counted,
            Self::dated,
            Self::weekday,
            Self::holiday,
        ];
        for rule in rules {
            *cursor = start;
            if let Some(read) = rule(self, cursor, token) {
                return Some(read);
            }
        }
        None
    }

    /// 昨天, 前天晚上, 今晚, 明天下午三点.
    fn day_word(&self, cursor: &mut Cursor<'_>, token: usize) -> Option<Read> {
        for (word, offset, part, half) in DAY_PARTS {
            if cursor.eat(word) {
                let tonight = offset == 0
                    && part == Part::Evening
                    && self.now.hour < 4
                    && self.tense(token, *cursor) == Some(Tense::Past);
                let date = plus_days(self.now.date, if tonight { -1 } else { offset })?;
                if cursor.sees("会") {
                    return None;
                }
                cursor.eat("上");
                let piece = self
                    .clock_on(cursor, date, Some(half))
                    .or_else(|| day_part(date, part))?;
                return Some(Read {
                    piece,
                    fixed: false,
                });
            }
        }
        let before = *cursor;
        let (_, offset) = DAYS.iter().find(|(word, _)| cursor.eat(word))?;
        if self.no_day_word(before, *cursor) {
            return None;
        }
        let date = plus_days(self.now.date, *offset)?;
        if before.sees("前晚") {
            return Some(Read {
                piece: day_part(date, Part::Night)?,
                fixed: false,
            });
        }
        Some(Read {
            piece: self.part_on(cursor, date)?,
            fixed: false,
        })
    }

    /// Whether the characters around make it another word: 目前|天气, 然后|天黑, 说明|天气, 先天后天.
    fn no_day_word(&self, before: Cursor<'_>, after: Cursor<'_>) -> bool {
        if before.sees("前天") {
            return before.previous_in("目以之从先跟面眼空史当生");
        }
        if before.sees("后天") {
            return before.previous_in("然以之最日先事")
                || before.follows("先天")
                || after.next_in("性");
        }
        if before.sees("明天") {
            return before.previous_in("表证聪文发透光黎")
                || before.previous_in("说声") && after.next_in("气");
        }
        before.sees("明日") && before.previous_in("表证聪文发透光")
    }

    /// The day, or the part of it and the clock time that stand behind.
    fn part_on(&self, cursor: &mut Cursor<'_>, date: Date) -> Option<Piece> {
        let whole = *cursor;
        cursor.eat("的");
        cursor.space();
        let halves = *cursor;
        if let Some(half) = cursor.eat_map(&HALVES) {
            if let Some(piece) = self.clock_on(cursor, date, Some(half)) {
                return Some(piece);
            }
            let part = match half {
                Half::Before if halves.sees("凌晨") => Part::Dawn,
                Half::Before => Part::Morning,
                Half::Noon => Part::Noon,
                Half::After => Part::Afternoon,
                Half::Evening if halves.sees("夜") => Part::Night,
                Half::Evening => Part::Evening,
            };
            return day_part(date, part);
        }
        if let Some(piece) = self.clock_on(cursor, date, None) {
            return Some(piece);
        }
        *cursor = whole;
        day(date)
    }

    fn clock_on(&self, cursor: &mut Cursor<'_>, date: Date, half: Option<Half>) -> Option<Piece> {
        let before = *cursor;
        cursor.space();
        let piece = cursor
            .clock()
            .and_then(|(hour, minutes)| minute(date, clock_time(hour, minutes, half)?));
        if piece.is_none() {
            *cursor = before;
        }
        piece
    }

    /// Where the sentence looks around an expression that begins with that token and ends before the cursor.
    fn tense(&self, token: usize, cursor: Cursor<'_>) -> Option<Tense> {
        tense(self.tokens, token, self.token_after(token, cursor))
    }

    fn tense_or_past(&self, token: usize, cursor: Cursor<'_>) -> Tense {
        self.tense(token, cursor).unwrap_or(Tense::Past)
    }

    /// The first token that the cursor has not passed.
    fn token_after(&self, token: usize, cursor: Cursor<'_>) -> usize {
        (token..)
            .find(|index| {
                self.tokens
                    .get(*index)
                    .is_none_or(|token| token.start >= cursor.at)
            })
            .unwrap_or(token)
    }

    /// Only a day or a finer time has a day before it.
    fn is_day(piece: &Piece) -> bool {
        piece.precision == Precision::Day
    }
}
