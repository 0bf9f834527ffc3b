//! Names that only a preposition makes a time: "in May", "on Friday", "over the weekend", "in 2022", "on the 8th".

use jiff::civil::{Date, Weekday};

use super::dates::{COUNTED, plausible};
use super::{English, Hit};
use crate::time::Precision;
use crate::time::expression::calendar::{Piece, Rel, Season, nth_weekday, year};
use crate::time::expression::lexicon;
use crate::time::expression::near::{day_near, month_day_near, month_near, season_near};
use crate::time::expression::tense::{Tense, speaks_of_birth};
use crate::time::expression::token::{Kind, Token};
use crate::time::expression::written::{month_day, number};

/// Prepositions behind which a bare month, weekday, season, holiday or year is one.
const PREPOSITIONS: [&str; 18] = [
    "in",
    "on",
    "by",
    "until",
    "till",
    "before",
    "after",
    "during",
    "from",
    "around",
    "of",
    "through",
    "for",
    "over",
    "at",
    "throughout",
    "back",
    "year",
];

/// Words that go on after a day of the month, where any other noun would be what is numbered.
const AFTER_A_DAY: [&str; 22] = [
    "and", "we", "i", "he", "she", "they", "it", "you", "my", "our", "the", "at", "for", "with",
    "but", "when", "to", "in", "after", "before", "because", "so",
];

impl English<'_> {
    /// "On Friday": the nearest day strictly before the anchor's, or after it when the sentence looks ahead.
    pub(super) fn weekday_near(&self, first: usize, end: usize, weekday: Weekday) -> Option<Date> {
        let step = if self.tense_or_past(first, end) == Tense::Past {
            -1
        } else {
            1
        };
        nth_weekday(self.now.date, weekday, step)
    }

    /// "In May", "on Friday", "over the weekend", "in 2022", "on the 8th"; the preposition stays outside.
    pub(super) fn after_preposition(&self, at: usize) -> Option<Hit> {
        let token = self.at(at)?;
        let preposition = PREPOSITIONS.iter().find(|word| token.is(word))?;
        let the = self.is(at + 1, "the");
        let name = if the { at + 2 } else { at + 1 };
        if self.is(name, "weekend")
            && the
            && self.one_of(at, &["over", "on", "at", "during", "for", "through"])
        {
            if self.one_of(name + 1, &["of", "after", "before", "prior"]) {
                return None;
            }
            return self.plain_weekend(name);
        }
        if the
            && self.is(at, "on")
            && let Some(hit) = self.day_of_month(name)
        {
            return Some(hit);
        }
        if let Some(hit) = self.decade(name).filter(|_| the) {
            return Some(hit);
        }
        // "In May 2022", "on the Sunday before 25 October" are read from the next word on.
        if self.written(name).is_some()
            || self.relative(name).is_some()
            || self.counted(at + 1).is_some()
        {
            return None;
        }
        self.bare(name, preposition).map(|hit| self.with_time(hit))
    }

    /// "The weekend" of no name: the last one, the running one, or the coming one when the sentence looks ahead.
    fn plain_weekend(&self, at: usize) -> Option<Hit> {
        let running = self.now.date.weekday().to_monday_zero_offset() >= 5;
        let rel = match self.tense_or_past(at, at + 1) {
            Tense::Past if !running => Rel::Last,
            Tense::Past | Tense::Future => Rel::This,
        };
        self.civil(at, at + 1, self.weekend_rel(at, at + 1, rel)?)
    }

    /// "On the 8th", unless something else is numbered: "on the 8th floor".
    fn day_of_month(&self, at: usize) -> Option<Hit> {
        let (number, ordinal, end) = month_day(self.tokens, at)?;
        let numbered = self
            .at(end)
            .is_some_and(|after| after.kind == Kind::Word && !after.one_of(&AFTER_A_DAY));
        if !ordinal || numbered {
            return None;
        }
        let date = month_day_near(self.now.date, number, self.tense_or_past(at, end))?;
        self.day_hit(at, end, date)
    }

    /// "The 1990s"; "the 1900s" may be a century.
    fn decade(&self, at: usize) -> Option<Hit> {
        let first = number(self.tokens, at, 4..=4)
            .filter(|year| plausible(*year) && year % 10 == 0 && year % 100 != 0)?;
        if !self
            .at(at + 1)
            .is_some_and(|token| token.glued && token.is("s"))
        {
            return None;
        }
        let from = Date::new(i16::try_from(first).ok()?, 1, 1).ok()?;
        let to = Date::new(i16::try_from(first + 10).ok()?, 1, 1).ok()?;
        self.fixed(at, at + 2, Piece::days(from, to, Precision::Era))
    }

    /// A name that only its preposition makes a time; "away" stands for the "from" of "a week from Friday".
    pub(super) fn bare(&self, at: usize, preposition: &str) -> Option<Hit> {
        let token = self.at(at)?;
        if let Some(named) = self.year_number(at) {
            let fits = !matches!(preposition, "on" | "over" | "at" | "for" | "back");
            let counted = self.at(at + 1).is_some_and(|after| after.one_of(&COUNTED));
            return if fits && !counted {
                self.fixed(at, at + 1, year(named)?)
            } else {
                None
            };
        }
        if let Some(weekday) = lexicon::weekday_token(token) {
            return self.bare_weekday(at, token, weekday, preposition);
        }
        if let Some(which) = lexicon::month(token.text) {
            return self.bare_month(at, token, which, preposition);
        }
        if let Some(which) = lexicon::season(token.text) {
            return self.bare_season(at, which, preposition);
        }
        let holiday = self.holiday(at)?;
        if preposition == "of" || preposition == "in" {
            return None;
        }
        let tense = if preposition == "since" {
            Tense::Past
        } else {
            self.tense_or_past(at, holiday.end)
        };
        self.day_hit(
            at,
            holiday.end,
            day_near(self.now.date, holiday.month, holiday.day, tense)?,
        )
    }

    fn bare_weekday(
        &self,
        at: usize,
        token: &Token<'_>,
        weekday: Weekday,
        preposition: &str,
    ) -> Option<Hit> {
        if !matches!(
            preposition,
            "on" | "by" | "until" | "till" | "before" | "after" | "from" | "for" | "since" | "away"
        ) {
            return None;
        }
        let short = token.text.len() < 6
            && self
                .at(at + 1)
                .is_some_and(|after| after.kind == Kind::Word && after.is("is"));
        // "From Monday to Friday" recurs.
        let range =
            preposition == "from" && self.one_of(at + 1, &["to", "through", "till", "until"]);
        if short || range {
            return None;
        }
        let date = match preposition {
            "since" => nth_weekday(self.now.date, weekday, -1),
            "away" => nth_weekday(self.now.date, weekday, 1),
            _ => self.weekday_near(at, at + 1, weekday),
        };
        self.day_hit(at, at + 1, date?)
    }

    fn bare_month(
        &self,
        at: usize,
        token: &Token<'_>,
        which: i8,
        preposition: &str,
    ) -> Option<Hit> {
        let plain = matches!(
            preposition,
            "in" | "since" | "until" | "till" | "during" | "throughout" | "through"
        );
        let of_time = preposition == "of"
            && self.before(at, 2).is_some_and(|word| {
                word.one_of(&[
                    "beginning",
                    "start",
                    "middle",
                    "end",
                    "week",
                    "weekend",
                    "month",
                    "half",
                    "day",
                    "part",
                ])
            });
        // Months that are also names or words ("with May", "of march") need more than just any preposition.
        let other = matches!(
            preposition,
            "by" | "before" | "after" | "from" | "around" | "for"
        ) && token.capital()
            && !lexicon::month_is_ambiguous(token);
        if !(plain || of_time || other) || speaks_of_birth(self.tokens, at, at + 1) {
            return None;
        }
        let follows = self
            .at(at + 1)
            .filter(|_| !token.capital() && lexicon::month_is_ambiguous(token));
        if follows.is_some_and(|after| {
            after.one_of(&[
                "be", "have", "not", "also", "of", "on", "with", "past", "to",
            ])
        }) {
            return None;
        }
        let tense = if preposition == "since" {
            Tense::Past
        } else {
            self.tense_or_past(at, at + 1)
        };
        self.civil(at, at + 1, month_near(self.now.date, which, tense)?)
    }

    /// "In the summer" is general ("I swim in the summer") unless the sentence says when.
    fn bare_season(&self, at: usize, which: Season, preposition: &str) -> Option<Hit> {
        if !matches!(
            preposition,
            "in" | "over"
                | "during"
                | "since"
                | "until"
                | "till"
                | "throughout"
                | "after"
                | "before"
        ) {
            return None;
        }
        if self.ordinary_season_use(at) || speaks_of_birth(self.tokens, at, at + 1) {
            return None;
        }
        let tense = if preposition == "since" {
            Tense::Past
        } else {
            self.tense(at, at + 1)?
        };
        self.civil(at, at + 1, season_near(self.now.date, which, tense)?)
    }

    /// "Spring water", "fall down", "the fall of Rome".
    pub(super) fn ordinary_season_use(&self, at: usize) -> bool {
        let of_time = self.is(at + 1, "of") && self.year_number(at + 2).is_none();
        of_time
            || self.one_of(
                at + 1,
                &[
                    "water",
                    "onion",
                    "onions",
                    "roll",
                    "rolls",
                    "cleaning",
                    "break",
                    "down",
                    "apart",
                    "behind",
                    "off",
                    "asleep",
                    "through",
                    "boot",
                    "framework",
                    "mattress",
                    "from",
                    "olympics",
                    "sports",
                    "games",
                ],
            )
    }
}
