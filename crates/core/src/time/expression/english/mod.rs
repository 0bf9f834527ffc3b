//! English time expressions: a small grammar over tokens. Every rule looks at a bounded number of tokens.

mod bare;
mod count;
mod dates;
mod holiday;
mod named;
mod share;

use jiff::civil::Date;

use super::amount::since;
use super::calendar::{Now, Part, When, day, day_part, minute};
use super::tense::{self, Tense};
use super::token::Token;
use super::written::clock;
use crate::time::Precision;

/// An expression over the tokens `first..end`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    pub(super) first: usize,
    pub(super) end: usize,
    pub(super) when: When,
    /// It names its year, so that no anchor is needed.
    pub(super) fixed: bool,
}

/// The grammar over one text.
#[derive(Debug, Clone, Copy)]
pub(super) struct English<'a> {
    pub(super) tokens: &'a [Token<'a>],
    pub(super) now: &'a Now,
}

impl<'a> English<'a> {
    /// The expression that begins at that token, if one does.
    pub(super) fn read(&self, at: usize) -> Option<Hit> {
        self.clock_first(at)
            .or_else(|| self.since_when(at))
            .or_else(|| self.counted(at))
            .or_else(|| self.phrase(at))
            .or_else(|| self.after_preposition(at))
    }

    /// What may stand behind "before", "after" or "since": an expression, or a bare name as behind the preposition `lead`.
    fn target(&self, at: usize, lead: &str) -> Option<Hit> {
        let the = if self.is(at, "the") { at + 1 } else { at };
        self.phrase(at).or_else(|| self.bare(the, lead))
    }

    /// "Since March": until the end of the anchor's day.
    fn since_when(&self, at: usize) -> Option<Hit> {
        if !self.is(at, "since") {
            return None;
        }
        let base = self
            .counted(at + 1)
            .or_else(|| self.target(at + 1, "since"))?;
        let When::Civil(piece) = base.when else {
            return None;
        };
        let piece = since(self.now.date, &piece)?;
        Some(Hit {
            first: at,
            end: base.end,
            when: When::Civil(piece),
            fixed: base.fixed,
        })
    }

    /// An expression that needs no preposition, with the part of day and clock time that stand beside it.
    fn phrase(&self, at: usize) -> Option<Hit> {
        let hit = self.relative(at).or_else(|| self.written(at))?;
        Some(self.with_time(hit))
    }

    fn with_time(&self, hit: Hit) -> Hit {
        let hit = self.with_part(hit).unwrap_or(hit);
        self.with_clock(hit).unwrap_or(hit)
    }

    /// "Yesterday morning", "last Friday night", "8 May in the evening".
    fn with_part(&self, hit: Hit) -> Option<Hit> {
        let date = Self::day_of(&hit)?;
        let (part, end) = self.part_of_day(hit.end)?;
        Some(Hit {
            end,
            when: When::Civil(day_part(date, part)?),
            ..hit
        })
    }

    fn part_of_day(&self, at: usize) -> Option<(Part, usize)> {
        let at = if self.is(at, "in") && self.is(at + 1, "the") {
            at + 2
        } else {
            at
        };
        let word = self.at(at)?;
        let part = if word.is("morning") {
            Part::Morning
        } else if word.is("afternoon") {
            Part::Afternoon
        } else if word.is("evening") {
            Part::Evening
        } else if word.is("night") {
            Part::Night
        } else {
            return None;
        };
        Some((part, at + 1))
    }

    /// "Yesterday at 7pm": a clock time right behind a day or a part of one.
    fn with_clock(&self, hit: Hit) -> Option<Hit> {
        let When::Civil(piece) = hit.when else {
            return None;
        };
        let comma = if self.mark(hit.end, ",") {
            hit.end + 1
        } else {
            hit.end
        };
        let at = if self.one_of(comma, &["at", "around", "about"]) {
            comma + 1
        } else {
            comma
        };
        let glued_t = self
            .at(at)
            .is_some_and(|token| token.is("t") && token.glued);
        let at = if glued_t { at + 1 } else { at };
        let half = match piece.precision {
            Precision::DayPart => Some(piece.from.hour() >= 12),
            _ => None,
        };
        let date = Self::day_of(&hit).or_else(|| half.map(|_| piece.first_day()))?;
        if let Some(read) = clock(self.tokens, at) {
            let mut time = read.time;
            if !read.sure && !glued_t {
                // "Tonight at 8:30" says which half of the day; "yesterday at 8:30" does not.
                let afternoon = half?;
                if afternoon && time.hour() < 12 {
                    time = time.with().hour(time.hour() + 12).build().ok()?;
                }
            }
            return Some(Hit {
                end: read.next,
                when: When::Civil(minute(date, time)?),
                ..hit
            });
        }
        // "Tonight at 8".
        let hour = super::written::number(self.tokens, at, 1..=2)
            .filter(|hour| (1..=11).contains(hour))?;
        if at == comma
            || self
                .at(at + 1)
                .is_some_and(|token| token.glued && token.text == ":")
        {
            return None;
        }
        let hour = i8::try_from(hour).ok()? + if half? { 12 } else { 0 };
        let time = jiff::civil::Time::new(hour, 0, 0, 0).ok()?;
        Some(Hit {
            end: at + 1,
            when: When::Civil(minute(date, time)?),
            ..hit
        })
    }

    /// "At 7pm yesterday", "1:56 pm on 8 May, 2023".
    fn clock_first(&self, at: usize) -> Option<Hit> {
        let start = if self.is(at, "at") { at + 1 } else { at };
        let read = clock(self.tokens, start).filter(|read| read.sure)?;
        let comma = if self.mark(read.next, ",") {
            read.next + 1
        } else {
            read.next
        };
        let hit = if self.is(comma, "on") {
            self.phrase(comma + 1)
                .or_else(|| self.after_preposition(comma))?
        } else {
            self.relative(comma).or_else(|| self.written(comma))?
        };
        let When::Civil(piece) = hit.when else {
            return None;
        };
        let date = Self::day_of(&hit)
            .or_else(|| (piece.precision == Precision::DayPart).then(|| piece.first_day()))?;
        Some(Hit {
            first: at,
            end: hit.end,
            when: When::Civil(minute(date, read.time)?),
            fixed: hit.fixed,
        })
    }

    /// The day of an expression that is exactly one.
    fn day_of(hit: &Hit) -> Option<Date> {
        match hit.when {
            When::Civil(piece)
                if piece.precision == Precision::Day && piece.first_day() == piece.last_day() =>
            {
                Some(piece.first_day())
            }
            When::Civil(_) | When::Exact { .. } => None,
        }
    }

    fn day_hit(&self, first: usize, end: usize, date: Date) -> Option<Hit> {
        Some(Hit {
            first,
            end,
            when: When::Civil(day(date)?),
            fixed: false,
        })
    }

    fn at(&self, at: usize) -> Option<&'a Token<'a>> {
        self.tokens.get(at)
    }

    fn before(&self, at: usize, back: usize) -> Option<&'a Token<'a>> {
        at.checked_sub(back)
            .and_then(|index| self.tokens.get(index))
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.at(at).is_some_and(|token| token.is(word))
    }

    fn one_of(&self, at: usize, words: &[&str]) -> bool {
        self.at(at).is_some_and(|token| token.one_of(words))
    }

    fn mark(&self, at: usize, text: &str) -> bool {
        self.at(at).is_some_and(|token| token.text == text)
    }

    /// Where the sentence looks around the tokens `first..end`.
    fn tense(&self, first: usize, end: usize) -> Option<Tense> {
        tense::tense(self.tokens, first, end)
    }

    /// The same, with the past where nothing says otherwise.
    fn tense_or_past(&self, first: usize, end: usize) -> Tense {
        self.tense(first, end).unwrap_or(Tense::Past)
    }
}
