//! Relative names: "yesterday", "tonight", "last week", "this Friday", "next summer", "last May".

use jiff::civil::Weekday;

use super::{English, Hit};
use crate::time::expression::calendar::{
    Part, Piece, Rel, Unit, When, day, day_part, nth_weekday, plus_days, shift, unit_at,
    weekday_in_week, weekend,
};
use crate::time::expression::lexicon;
use crate::time::expression::near::{month_rel, season_rel};
use crate::time::expression::tense::Tense;

impl English<'_> {
    /// A relative expression that begins at `at`.
    pub(super) fn relative(&self, at: usize) -> Option<Hit> {
        self.day_word(at)
            .or_else(|| self.related(at))
            .or_else(|| self.share_of(at))
    }

    fn day_word(&self, at: usize) -> Option<Hit> {
        let token = self.at(at)?;
        let date = self.now.date;
        let offset = if token.is("yesterday") {
            -1
        } else if token.is("today") {
            0
        } else if token.one_of(&["tomorrow", "tmrw"]) {
            1
        } else if token.is("tonight") {
            return self.civil(at, at + 1, self.night_of_now(at, Part::Evening)?);
        } else if token.is("last") && self.is(at + 1, "night") && !self.is(at + 2, "of") {
            return self.civil(at, at + 2, day_part(plus_days(date, -1)?, Part::Night)?);
        } else if token.is("this") {
            let (part, end) = self.part_of_day(at + 1).filter(|(_, end)| *end == at + 2)?;
            return self.civil(at, end, day_part(date, part)?);
        } else {
            return None;
        };
        self.day_hit(at, at + 1, plus_days(date, offset)?)
    }

    /// "Tonight" after midnight, told in the past tense, is the night that has not ended.
    fn night_of_now(&self, at: usize, part: Part) -> Option<Piece> {
        if self.now.hour < 4 && self.tense(at, at + 1) == Some(Tense::Past) {
            return day_part(plus_days(self.now.date, -1)?, Part::Night);
        }
        day_part(self.now.date, part)
    }

    /// "Last", "this", "next", "this past", "this coming": which, and the index after it.
    fn rel(&self, at: usize) -> Option<(Rel, usize)> {
        if self.one_of(at, &["this", "the"]) && self.is(at + 1, "past") {
            return Some((Rel::Last, at + 2));
        }
        if self.one_of(at, &["this", "the"]) && self.one_of(at + 1, &["coming", "upcoming"]) {
            return Some((Rel::Next, at + 2));
        }
        if self.is(at, "last") {
            return Some((Rel::Last, at + 1));
        }
        if self.is(at, "this") {
            return Some((Rel::This, at + 1));
        }
        self.one_of(at, &["next", "upcoming"])
            .then_some((Rel::Next, at + 1))
    }

    /// "Last week", "this Friday", "next summer", "last May", "last May 8th".
    fn related(&self, at: usize) -> Option<Hit> {
        let (rel, name) = self.rel(at)?;
        let token = self.at(name)?;
        // "The last week of the trip": last of something else.
        let end = name + 1;
        if self.is(end, "of") {
            return None;
        }
        // "The next week", "the next day" belong to a story.
        if rel == Rel::Next && self.before(at, 1).is_some_and(|word| word.is("the")) {
            return None;
        }
        if let Some(weekday) = lexicon::weekday_token(token) {
            let spoken = if self.one_of(at + 1, &["past", "coming", "upcoming"])
                || self.is(at, "upcoming")
            {
                Spoken::Nearest
            } else {
                Spoken::Plain
            };
            return self.day_hit(at, end, self.weekday_rel(at, end, weekday, rel, spoken)?);
        }
        if let Some(month) = lexicon::month(token.text) {
            return self.related_month(at, name, month, rel);
        }
        if let Some(season) = lexicon::season(token.text) {
            if self.ordinary_season_use(name) {
                return None;
            }
            return self.civil(at, end, season_rel(self.now.date, season, rel)?);
        }
        if let Some(holiday) = self.holiday(name) {
            let date = self.holiday_rel(&holiday, rel)?;
            return self.civil(at, holiday.end, day(date)?);
        }
        if token.text.ends_with(['s', 'S']) {
            return None;
        }
        match lexicon::unit(token.text)? {
            Unit::Weekend => self.civil(at, end, self.weekend_rel(at, end, rel)?),
            unit @ (Unit::Week | Unit::Month | Unit::Quarter | Unit::Year | Unit::Decade) => self
                .civil(
                    at,
                    end,
                    unit_at(shift(self.now.date, unit, rel.step())?, unit)?,
                ),
            _ => None,
        }
    }

    /// "Last May", perhaps with a day. "This may be" and "this march" are no months.
    fn related_month(&self, at: usize, name: usize, month: i8, rel: Rel) -> Option<Hit> {
        let token = self.at(name)?;
        if rel == Rel::This && lexicon::month_is_ambiguous(token) && !token.capital() {
            return None;
        }
        let piece = month_rel(self.now.date, month, rel)?;
        let dated = crate::time::expression::written::named_date(self.tokens, name);
        match dated.and_then(|dated| Some((dated, dated.day.filter(|_| dated.year.is_none())?))) {
            Some((dated, number)) => {
                let date = jiff::civil::Date::new(piece.first_day().year(), month, number).ok()?;
                self.civil(at, dated.next, day(date)?)
            }
            None if dated.is_some() => None,
            None => self.civil(at, name + 1, piece),
        }
    }

    /// The day that a weekday with "last", "this" or "next" means.
    ///
    /// "Last Friday" is the nearest one before the anchor's day. "This Friday" is the one of the running week, and when
    /// that has passed the coming one, unless the sentence is in the past tense. "Next Friday" is the one of the next
    /// week from Monday on; "this coming Friday" the nearest.
    fn weekday_rel(
        &self,
        at: usize,
        end: usize,
        weekday: Weekday,
        rel: Rel,
        spoken: Spoken,
    ) -> Option<jiff::civil::Date> {
        let today = self.now.date;
        match rel {
            Rel::Last => nth_weekday(today, weekday, -1),
            Rel::Next if spoken == Spoken::Nearest => nth_weekday(today, weekday, 1),
            Rel::Next => weekday_in_week(plus_days(today, 7)?, weekday),
            Rel::This => {
                let date = weekday_in_week(today, weekday)?;
                match self.tense(at, end) {
                    Some(Tense::Past) if date > today => nth_weekday(today, weekday, -1),
                    Some(Tense::Past) => Some(date),
                    _ if date < today => plus_days(date, 7),
                    _ => Some(date),
                }
            }
        }
    }

    /// The weekend that is meant. "This weekend" told in the past tense before it has come is the last one.
    pub(super) fn weekend_rel(&self, at: usize, end: usize, rel: Rel) -> Option<Piece> {
        let this = weekend(self.now.date)?;
        let past = rel == Rel::This
            && this.first_day() > self.now.date
            && self.tense(at, end) == Some(Tense::Past);
        let step = if past { -1 } else { rel.step() };
        weekend(plus_days(this.first_day(), 7 * step)?)
    }

    pub(super) fn civil(&self, first: usize, end: usize, piece: Piece) -> Option<Hit> {
        Some(Hit {
            first,
            end,
            when: When::Civil(piece),
            fixed: false,
        })
    }
}

/// Whether "next" was strengthened to the nearest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spoken {
    Plain,
    Nearest,
}
