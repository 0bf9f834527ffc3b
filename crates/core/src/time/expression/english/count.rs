//! Counted time: "two weeks ago", "in three days", "the past month", "a week before Christmas".

use super::{English, Hit};
use crate::time::Precision;
use crate::time::expression::amount::{Amount, amount_from, elapsed, stretch};
use crate::time::expression::calendar::{Rel, Unit, When, plus_days, shift};
use crate::time::expression::lexicon;
use crate::time::expression::tense::Tense;

/// "A few" of something.
const FEW: (i64, i64) = (2, 4);
/// "Several" of something.
const SEVERAL: (i64, i64) = (3, 6);

impl English<'_> {
    /// Any counted expression that begins at `at`.
    pub(super) fn counted(&self, at: usize) -> Option<Hit> {
        self.in_amount(at)
            .or_else(|| self.past_stretch(at))
            .or_else(|| self.amount_away(at))
            .or_else(|| self.unit_beside(at))
    }

    /// A number in digits or words, "a", "a couple of", "a few", "2 to 3": its bounds and the index after it.
    fn quantity(&self, at: usize) -> Option<((i64, i64), usize)> {
        let (low, next) = self.plain_quantity(at)?;
        let to = if self.one_of(next, &["to", "or"]) || self.mark(next, "-") {
            next + 1
        } else {
            return Some((low, next));
        };
        match self.plain_quantity(to) {
            Some((high, after)) if low.0 < high.1 => Some(((low.0, high.1), after)),
            _ => None,
        }
    }

    fn plain_quantity(&self, at: usize) -> Option<((i64, i64), usize)> {
        let token = self.at(at)?;
        if let Some(value) = token.number() {
            // "1.5 years": the part behind the point is no number of its own.
            let broken = token.glued
                && self.before(at, 1).is_some_and(|mark| {
                    matches!(mark.text, "." | "," | "-" | "/" | ":" | "$" | "£" | "€")
                });
            return (!broken && (1..=9999).contains(&value)).then_some(((value, value), at + 1));
        }
        let article = self.one_of(at, &["a", "an", "the"]);
        if article || self.one_of(at, &["couple", "few", "several"]) {
            let word = if article { at + 1 } else { at };
            let of = |index: usize| {
                if self.is(index, "of") {
                    index + 1
                } else {
                    index
                }
            };
            if self.is(word, "couple") {
                return Some(((2, 2), of(word + 1)));
            }
            if self.is(word, "few") {
                return Some((FEW, word + 1));
            }
            if self.is(word, "several") {
                return Some((SEVERAL, word + 1));
            }
            return (article && !token.is("the")).then_some(((1, 1), at + 1));
        }
        if let Some(tens) = lexicon::tens(token.text) {
            let word = if self.mark(at + 1, "-") {
                at + 2
            } else {
                at + 1
            };
            let ones = self
                .at(word)
                .and_then(|token| lexicon::small_number(token.text))
                .filter(|ones| *ones < 10);
            return Some(match ones {
                Some(ones) => ((tens + ones, tens + ones), word + 1),
                None => ((tens, tens), at + 1),
            });
        }
        lexicon::small_number(token.text).map(|value| ((value, value), at + 1))
    }

    /// A quantity with its unit, "half a year" and "a year and a half" included.
    fn amount(&self, at: usize) -> Option<(Amount, usize)> {
        if self.is(at, "half") && self.one_of(at + 1, &["a", "an"]) {
            let (n, unit) = if self.is(at + 2, "year") {
                (6, Unit::Month)
            } else if self.is(at + 2, "hour") {
                (30, Unit::Minute)
            } else {
                return None;
            };
            return Some((
                Amount {
                    low: n,
                    high: n,
                    unit,
                },
                at + 3,
            ));
        }
        let ((low, high), next) = self.quantity(at)?;
        let word = self.at(next)?;
        if word.is("fortnight") || word.is("fortnights") {
            return Some((
                Amount {
                    low: low * 2,
                    high: high * 2,
                    unit: Unit::Week,
                },
                next + 1,
            ));
        }
        let unit = lexicon::unit(word.text)?;
        let next = next + 1;
        let and_half = self.is(next, "and") && self.is(next + 1, "a") && self.is(next + 2, "half");
        match unit {
            Unit::Year if and_half => Some((
                Amount {
                    low: low * 12 + 6,
                    high: high * 12 + 6,
                    unit: Unit::Month,
                },
                next + 3,
            )),
            _ if and_half => None,
            _ => Some((Amount { low, high, unit }, next)),
        }
    }

    /// "In two weeks": ahead, unless a cue near it speaks of the past ("we built it in two weeks").
    fn in_amount(&self, at: usize) -> Option<Hit> {
        if !self.is(at, "in") {
            return None;
        }
        let (amount, mut end) = self.amount(at + 1)?;
        if matches!(
            amount.unit,
            Unit::Minute | Unit::Weekday(_) | Unit::Season(_) | Unit::Night | Unit::Weekend
        ) {
            return None;
        }
        let one = amount.low == 1 && self.one_of(at + 1, &["a", "an", "one"]);
        if one
            && (amount.unit == Unit::Day
                || self
                    .before(at, 1)
                    .is_some_and(|word| word.one_of(&["once", "twice", "times", "time"])))
        {
            return None;
        }
        let possessive = self.mark(end, "'") || self.mark(end, "’");
        let time = if possessive && self.is(end + 1, "s") {
            end + 2
        } else {
            end + usize::from(possessive)
        };
        if possessive && !self.is(time, "time") {
            return None;
        }
        if possessive {
            end = time + 1;
        }
        if self.one_of(
            end,
            &["of", "ago", "or", "and", "to", "before", "after", "from"],
        ) || self.tense(at, end) == Some(Tense::Past)
        {
            return None;
        }
        let when = self.away(amount, Tense::Future)?;
        Some(Hit {
            first: at,
            end,
            when,
            fixed: false,
        })
    }

    /// "The past two weeks", "the last few months", "the next three days", "the past year".
    fn past_stretch(&self, at: usize) -> Option<Hit> {
        if !self.one_of(at, &["the", "these", "this", "my", "our"]) {
            return None;
        }
        let tense = if self.one_of(at + 1, &["last", "past"]) {
            Tense::Past
        } else if self.one_of(at + 1, &["next", "coming"]) {
            Tense::Future
        } else {
            return None;
        };
        let (amount, end) = match self.at(at + 2).and_then(|token| {
            lexicon::unit(token.text).map(|unit| (unit, token.text.ends_with(['s', 'S'])))
        }) {
            // "The last week of May" and "the next year" of a story are no stretch up to now.
            Some((unit @ (Unit::Week | Unit::Month | Unit::Year | Unit::Decade), false))
                if self.is(at, "the") =>
            {
                let leads = self.before(at, 1).is_some_and(|word| {
                    word.one_of(&["in", "over", "during", "within", "for", "throughout"])
                });
                if !leads && !self.is(at + 1, "past") {
                    return None;
                }
                (
                    Amount {
                        low: 1,
                        high: 1,
                        unit,
                    },
                    at + 3,
                )
            }
            Some(_) => return None,
            None => self.amount(at + 2)?,
        };
        if self.one_of(end, &["of", "before", "after"]) {
            return None;
        }
        let piece = stretch(self.now.date, amount, tense)?;
        Some(Hit {
            first: at,
            end,
            when: When::Civil(piece),
            fixed: false,
        })
    }

    /// "Two weeks ago", "3 days before Christmas", "a week from Friday".
    fn amount_away(&self, at: usize) -> Option<Hit> {
        let (amount, next) = self.amount(at)?;
        let whole = amount.unit.precision() >= Precision::Day;
        if self.one_of(next, &["ago", "back"]) {
            if self.is(next, "back")
                && self.one_of(next + 1, &["to", "and", "at", "in", "from", "on", "with"])
            {
                return None;
            }
            let days = [("yesterday", -1), ("today", 0)]
                .iter()
                .find(|(word, _)| whole && self.is(next + 1, word));
            // "Two years ago today" is a day.
            if let Some((_, offset)) = days.filter(|_| amount.low == amount.high) {
                let date = shift(plus_days(self.now.date, *offset)?, amount.unit, -amount.low)?;
                return self.day_hit(at, next + 2, date);
            }
            return Some(Hit {
                first: at,
                end: next + 1,
                when: self.away(amount, Tense::Past)?,
                fixed: false,
            });
        }
        if !whole {
            return None;
        }
        if self.is(next, "from") && self.is(next + 1, "now") {
            return Some(Hit {
                first: at,
                end: next + 2,
                when: self.away(amount, Tense::Future)?,
                fixed: false,
            });
        }
        let (tense, target) = self.side(next)?;
        let lead = if self.is(next, "from") {
            "away"
        } else {
            "until"
        };
        self.beside(at, amount, tense, self.target(target, lead)?)
    }

    /// "Before", "prior to", "after", "from": the direction and the index after it.
    fn side(&self, at: usize) -> Option<(Tense, usize)> {
        if self.is(at, "before") {
            return Some((Tense::Past, at + 1));
        }
        if self.is(at, "prior") && self.is(at + 1, "to") {
            return Some((Tense::Past, at + 2));
        }
        self.one_of(at, &["after", "from", "following"])
            .then_some((Tense::Future, at + 1))
    }

    /// "The week before 9 June", "the Friday after Christmas", "the day before yesterday", "the week before last".
    fn unit_beside(&self, at: usize) -> Option<Hit> {
        // "Last weekend before 10 April" is the weekend before it.
        let word = if self.one_of(at, &["the", "a", "last"]) {
            at + 1
        } else {
            at
        };
        let unit = self.at(word).and_then(|token| {
            lexicon::unit(token.text).filter(|_| !token.text.ends_with(['s', 'S']))
        })?;
        if matches!(unit, Unit::Minute | Unit::Hour) {
            return None;
        }
        let (tense, target) = self.side(word + 1).filter(|_| !self.is(word + 1, "from"))?;
        let rel = if self.is(target, "last") {
            Some(Rel::Last)
        } else {
            self.is(target, "next").then_some(Rel::Next)
        };
        let alone = self.at(target + 1).is_none_or(|token| {
            lexicon::unit(token.text).is_none() && lexicon::month(token.text).is_none()
        });
        match (rel, tense) {
            (Some(Rel::Last), Tense::Past) | (Some(Rel::Next), Tense::Future) if alone => {
                let piece = amount_from(
                    self.now.date,
                    Amount {
                        low: 2,
                        high: 2,
                        unit,
                    },
                    tense,
                )?;
                Some(Hit {
                    first: at,
                    end: target + 1,
                    when: When::Civil(piece),
                    fixed: false,
                })
            }
            _ => self.beside(
                at,
                Amount {
                    low: 1,
                    high: 1,
                    unit,
                },
                tense,
                self.target(target, "until")?,
            ),
        }
    }

    fn beside(&self, first: usize, amount: Amount, tense: Tense, base: Hit) -> Option<Hit> {
        let When::Civil(piece) = base.when else {
            return None;
        };
        let day = if tense == Tense::Past {
            piece.first_day()
        } else {
            piece.last_day()
        };
        let found = amount_from(day, amount, tense)?;
        Some(Hit {
            first,
            end: base.end,
            when: When::Civil(found),
            fixed: base.fixed,
        })
    }

    /// An amount before or after the anchor. Hours and minutes are counted in elapsed time, days and more on the calendar.
    fn away(&self, amount: Amount, tense: Tense) -> Option<When> {
        elapsed(self.now.at, amount, tense)
            .or_else(|| amount_from(self.now.date, amount, tense).map(When::Civil))
    }
}
