//! Holidays on a fixed day of the year.

use jiff::civil::Date;

use super::{English, Hit};
use crate::time::expression::calendar::{Rel, day};
use crate::time::expression::near::day_near;
use crate::time::expression::tense::Tense;

/// A holiday on a fixed day of the year.
#[derive(Debug, Clone, Copy)]
pub(super) struct Holiday {
    pub(super) month: i8,
    pub(super) day: i8,
    /// Index after its name.
    pub(super) end: usize,
}

impl English<'_> {
    pub(super) fn holiday_with_year(&self, at: usize) -> Option<Hit> {
        let holiday = self.holiday(at)?;
        let of = if self.is(holiday.end, "of") || self.mark(holiday.end, ",") {
            holiday.end + 1
        } else {
            holiday.end
        };
        let named = self.year_number(of)?;
        self.fixed(
            at,
            of + 1,
            day(Date::new(named, holiday.month, holiday.day).ok()?)?,
        )
    }

    /// A holiday on a fixed day that begins at `at`.
    pub(super) fn holiday(&self, at: usize) -> Option<Holiday> {
        let quote = |index: usize| self.mark(index, "'") || self.mark(index, "’");
        if self.one_of(at, &["christmas", "xmas"]) {
            let (day, end) = if self.is(at + 1, "eve") {
                (24, at + 2)
            } else {
                (
                    25,
                    if self.is(at + 1, "day") {
                        at + 2
                    } else {
                        at + 1
                    },
                )
            };
            let other = [
                "tree", "trees", "dinner", "party", "gift", "gifts", "present", "presents", "card",
                "cards", "shopping", "lights", "carol", "carols", "market", "markets", "music",
                "movie", "movies", "season", "break", "holidays",
            ];
            return (!self.one_of(end, &other)).then_some(Holiday {
                month: 12,
                day,
                end,
            });
        }
        if self.is(at, "new") && self.one_of(at + 1, &["year", "years"]) {
            let s = if quote(at + 2) && self.is(at + 3, "s") {
                at + 4
            } else {
                at + 2
            };
            if self.is(s, "eve") {
                return Some(Holiday {
                    month: 12,
                    day: 31,
                    end: s + 1,
                });
            }
            return self.is(s, "day").then_some(Holiday {
                month: 1,
                day: 1,
                end: s + 1,
            });
        }
        if self.is(at, "valentine")
            && quote(at + 1)
            && self.is(at + 2, "s")
            && self.is(at + 3, "day")
        {
            return Some(Holiday {
                month: 2,
                day: 14,
                end: at + 4,
            });
        }
        self.is(at, "halloween").then_some(Holiday {
            month: 10,
            day: 31,
            end: at + 1,
        })
    }

    /// "Last Christmas": the nearest before the anchor; "this" is that of the anchor's year.
    pub(super) fn holiday_rel(&self, holiday: &Holiday, rel: Rel) -> Option<Date> {
        let today = self.now.date;
        match rel {
            Rel::Last => day_near(
                today.yesterday().ok()?,
                holiday.month,
                holiday.day,
                Tense::Past,
            ),
            Rel::This => Date::new(today.year(), holiday.month, holiday.day).ok(),
            Rel::Next => day_near(
                today.tomorrow().ok()?,
                holiday.month,
                holiday.day,
                Tense::Future,
            ),
        }
    }
}
