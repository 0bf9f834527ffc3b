//! Dates by name or number that need no preposition: "8 May 2023", "2023-05-08", "May 8th", "summer 2021".

use jiff::civil::Date;

use super::{English, Hit};
use crate::time::expression::calendar::{
    Piece, Rel, Unit, When, day, month, quarter, season, shift,
};
use crate::time::expression::lexicon;
use crate::time::expression::near::day_near;
use crate::time::expression::tense::speaks_of_birth;
use crate::time::expression::token::Kind;
use crate::time::expression::written::{
    month_day, named_date, number, numeric_date, numeric_month,
};

/// Things that are counted: "in 2000 words" is no year.
pub(super) const COUNTED: [&str; 22] = [
    "words",
    "steps",
    "people",
    "dollars",
    "meters",
    "metres",
    "miles",
    "km",
    "kilometers",
    "calories",
    "square",
    "feet",
    "copies",
    "pages",
    "pieces",
    "rows",
    "tokens",
    "users",
    "points",
    "euros",
    "percent",
    "games",
];

impl English<'_> {
    /// A date that needs no preposition.
    pub(super) fn written(&self, at: usize) -> Option<Hit> {
        let token = self.at(at)?;
        match token.kind {
            Kind::Number => self.numeric(at).or_else(|| self.day_and_month(at)),
            Kind::Word if token.is("the") => self
                .day_and_month(at + 1)
                .filter(|_| self.ordinal(at + 1))
                .map(|hit| Hit { first: at, ..hit }),
            Kind::Word => self
                .day_and_month(at)
                .or_else(|| self.name_in_year(at))
                .or_else(|| self.season_with_year(at))
                .or_else(|| self.holiday_with_year(at))
                .or_else(|| self.quarter_with_year(at))
                .or_else(|| self.weekday_with_part(at)),
            Kind::Han | Kind::Mark => None,
        }
    }

    /// "April next year", "summer of last year".
    fn name_in_year(&self, at: usize) -> Option<Hit> {
        let token = self.at(at)?;
        let of = if self.is(at + 1, "of") {
            at + 2
        } else {
            at + 1
        };
        let rel = [
            ("last", Rel::Last),
            ("this", Rel::This),
            ("next", Rel::Next),
        ];
        let (_, rel) = rel
            .iter()
            .find(|(word, _)| self.is(of, word) && self.is(of + 1, "year"))?;
        let named = shift(self.now.date, Unit::Year, rel.step())?.year();
        let piece = match (lexicon::month(token.text), lexicon::season(token.text)) {
            (Some(_), _) if lexicon::month_is_ambiguous(token) && !token.capital() => return None,
            (Some(which), _) => month(named, which)?,
            (None, Some(which)) => season(named, which)?,
            (None, None) => return None,
        };
        self.civil(at, of + 2, piece)
    }

    fn ordinal(&self, at: usize) -> bool {
        month_day(self.tokens, at).is_some_and(|(_, ordinal, _)| ordinal)
    }

    /// `2023-05-08` and `2023-05`, unless they are a part of something longer.
    fn numeric(&self, at: usize) -> Option<Hit> {
        let token = self.at(at)?;
        let inside = token.glued
            && self.before(at, 1).is_some_and(|before| {
                before.kind == Kind::Word
                    || matches!(before.text, "-" | "/" | "." | ":" | "#" | "=")
            });
        if inside {
            return None;
        }
        if let Some((date, end)) = numeric_date(self.tokens, at) {
            let after = self.at(end).filter(|after| after.glued);
            let time = after.is_some_and(|after| after.is("t"))
                && self
                    .at(end + 1)
                    .is_some_and(|token| token.kind == Kind::Number);
            let longer = after.is_some_and(|after| after.kind == Kind::Word && !time)
                || after.is_some_and(|after| matches!(after.text, "-" | "/" | "." | ":"))
                    && self
                        .at(end + 1)
                        .is_some_and(|next| next.glued && next.kind == Kind::Number);
            return if longer {
                None
            } else {
                self.fixed(at, end, day(date)?)
            };
        }
        let (year, number, end) =
            numeric_month(self.tokens, at).filter(|(year, _, _)| plausible(i64::from(*year)))?;
        self.fixed(at, end, month(year, number)?)
    }

    /// "8 May 2023", "May 8th", "May 2022". Without a year it is the nearest one in the direction of the tense.
    fn day_and_month(&self, at: usize) -> Option<Hit> {
        let dated = named_date(self.tokens, at)?;
        let name = self.at(dated.name)?;
        if self
            .at(at)
            .is_some_and(|token| token.kind == Kind::Number && token.glued)
            && self.before(at, 1).is_some_and(|before| {
                before.kind != Kind::Mark || matches!(before.text, "." | "-" | "/" | ":")
            })
        {
            return None;
        }
        // "You may 5 times", "march 10 miles": lower-case words need an ordinal or a year to be months.
        if lexicon::month_is_ambiguous(name)
            && !name.capital()
            && dated.year.is_none()
            && !dated.ordinal
        {
            let led = self
                .before(at, 1)
                .is_some_and(|word| word.one_of(&["on", "by", "since", "until", "till", "from"]));
            if !led
                || self
                    .at(dated.next)
                    .is_some_and(|after| after.kind == Kind::Word && after.one_of(&COUNTED))
            {
                return None;
            }
        }
        match (dated.year, dated.day) {
            (Some(year), Some(number)) => self.fixed(
                at,
                dated.next,
                day(Date::new(year, dated.month, number).ok()?)?,
            ),
            (Some(year), None) => {
                // "29 February 2023" is no day, and so no February either.
                let numbered = self.before(at, 1).is_some_and(|before| {
                    before.kind == Kind::Number || before.one_of(&["st", "nd", "rd", "th"])
                });
                if !plausible(i64::from(year)) || numbered {
                    return None;
                }
                self.fixed(at, dated.next, month(year, dated.month)?)
            }
            (None, Some(number)) => {
                if speaks_of_birth(self.tokens, at, dated.next) {
                    return None;
                }
                let date = day_near(
                    self.now.date,
                    dated.month,
                    number,
                    self.tense_or_past(at, dated.next),
                )?;
                self.day_hit(at, dated.next, date)
            }
            (None, None) => None,
        }
    }

    fn season_with_year(&self, at: usize) -> Option<Hit> {
        let which = lexicon::season(self.at(at)?.text)?;
        let of = if self.is(at + 1, "of") {
            at + 2
        } else {
            at + 1
        };
        let named = self.year_number(of)?;
        self.fixed(at, of + 1, season(named, which)?)
    }

    /// "Q3 2023".
    fn quarter_with_year(&self, at: usize) -> Option<Hit> {
        let which = number(self.tokens, at + 1, 1..=1)
            .filter(|n| (1..=4).contains(n) && self.is(at, "q"))?;
        let named = self.year_number(at + 2)?;
        self.fixed(at, at + 3, quarter(named, i8::try_from(which).ok()?)?)
    }

    /// "Friday night", where "Friday" alone would need a preposition.
    fn weekday_with_part(&self, at: usize) -> Option<Hit> {
        let token = self.at(at)?;
        let weekday = lexicon::weekday_token(token).filter(|_| token.capital())?;
        let (_, end) = self.part_of_day(at + 1).filter(|(_, end)| *end == at + 2)?;
        if self.recurs(at) {
            return None;
        }
        self.day_hit(at, at + 1, self.weekday_near(at, end, weekday)?)
    }

    pub(super) fn recurs(&self, at: usize) -> bool {
        self.before(at, 1).is_some_and(|word| {
            word.one_of(&[
                "every", "each", "any", "some", "most", "black", "good", "ash", "happy", "super",
            ])
        })
    }

    /// A year in digits that is likely to be one.
    pub(super) fn year_number(&self, at: usize) -> Option<i16> {
        let value = number(self.tokens, at, 4..=4).filter(|value| plausible(*value))?;
        let after = self.at(at + 1).filter(|after| after.glued);
        let goes_on = after.is_some_and(|after| {
            after.kind == Kind::Word || after.text == "%" || after.text == "$"
        }) || after
            .is_some_and(|after| matches!(after.text, "-" | "/" | "." | "," | ":"))
            && self
                .at(at + 2)
                .is_some_and(|next| next.glued && next.kind == Kind::Number);
        if goes_on {
            None
        } else {
            i16::try_from(value).ok()
        }
    }

    pub(super) fn fixed(&self, first: usize, end: usize, piece: Piece) -> Option<Hit> {
        Some(Hit {
            first,
            end,
            when: When::Civil(piece),
            fixed: true,
        })
    }
}

/// Years that a bare number of four digits is likely to mean.
pub(super) fn plausible(year: i64) -> bool {
    (1800..=2199).contains(&year)
}
