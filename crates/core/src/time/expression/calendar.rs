//! Intervals of the civil calendar, before they meet a time zone.
//!
//! Everything is computed on dates and wall-clock times and becomes moments only at the end, so that a day is a
//! day even when the clocks change in it, and a month ends where the calendar says.

use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::tz::TimeZone;
use jiff::{Span, ToSpan};

use crate::time::{Anchor, Happened, Precision, Timestamp};

/// The anchor as the calendar sees it.
#[derive(Debug, Clone)]
pub(super) struct Now {
    /// The moment itself.
    pub(super) at: Timestamp,
    /// The anchor's day in the anchor's zone.
    pub(super) date: Date,
    /// The hour of that day.
    pub(super) hour: i8,
}

impl Now {
    pub(super) fn new(anchor: &Anchor) -> Self {
        let local = anchor.at.to_jiff().to_zoned_datetime(anchor.zone.clone());
        Self {
            at: anchor.at,
            date: local.date(),
            hour: local.hour(),
        }
    }
}

/// A half-open interval of wall-clock time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Piece {
    pub(super) from: DateTime,
    pub(super) to: DateTime,
    pub(super) precision: Precision,
}

impl Piece {
    /// Whole days, `to` excluded.
    pub(super) fn days(from: Date, to: Date, precision: Precision) -> Self {
        Self {
            from: from.at(0, 0, 0, 0),
            to: to.at(0, 0, 0, 0),
            precision,
        }
    }

    /// The day on which it begins.
    pub(super) fn first_day(&self) -> Date {
        self.from.date()
    }

    /// The last day of which a part belongs to it.
    pub(super) fn last_day(&self) -> Date {
        if self.to.time() == Time::midnight() && self.to > self.from {
            self.to.date().yesterday().unwrap_or(self.to.date())
        } else {
            self.to.date()
        }
    }

    pub(super) fn contains(&self, date: Date) -> bool {
        self.first_day() <= date && date <= self.last_day()
    }

    /// The interval as moments in that zone; none outside the years 1 to 9999.
    pub(super) fn happened(&self, zone: &TimeZone) -> Option<Happened> {
        if self.from.year() < 1 {
            return None;
        }
        let from = instant(zone, self.from)?;
        // A named minute is one minute long even when the clocks change in it.
        let to = if self.precision == Precision::Minute {
            from.plus_seconds(60)
        } else {
            instant(zone, self.to)?
        };
        (from < to).then_some(Happened {
            from,
            to,
            precision: self.precision,
        })
    }
}

/// A resolved expression before the zone is applied.
#[derive(Debug, Clone, Copy)]
pub(super) enum When {
    /// On the calendar.
    Civil(Piece),
    /// Counted in elapsed time.
    Exact {
        from: Timestamp,
        to: Timestamp,
        precision: Precision,
    },
}

/// A wall-clock time as a moment: the earlier of two, and after a gap when the clocks skip it.
pub(in crate::time) fn instant(zone: &TimeZone, at: DateTime) -> Option<Timestamp> {
    zone.to_ambiguous_timestamp(at)
        .compatible()
        .ok()
        .map(Timestamp::from_jiff)
}

/// A part of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// 0 to 5 o'clock.
    Dawn,
    /// 5 to 12.
    Morning,
    /// 11 to 13.
    Noon,
    /// 12 to 18.
    Afternoon,
    /// 18 to 24.
    Evening,
    /// 18 to 6 of the next day.
    Night,
}

/// A season of the northern half of the earth, by whole months.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::time) enum Season {
    /// March to May.
    Spring,
    /// June to August.
    Summer,
    /// September to November.
    Autumn,
    /// December to February; named after the year of its December.
    Winter,
}

/// What can be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::time) enum Unit {
    Minute,
    Hour,
    Day,
    Night,
    Week,
    Weekend,
    Month,
    Quarter,
    Year,
    Decade,
    Weekday(Weekday),
    Season(Season),
}

impl Unit {
    pub(super) fn precision(self) -> Precision {
        match self {
            Self::Minute => Precision::Minute,
            Self::Hour | Self::Night => Precision::DayPart,
            Self::Day | Self::Weekday(_) => Precision::Day,
            Self::Week | Self::Weekend => Precision::Week,
            Self::Month => Precision::Month,
            Self::Quarter | Self::Season(_) => Precision::Season,
            Self::Year => Precision::Year,
            Self::Decade => Precision::Era,
        }
    }
}

/// "Last", "this", "next".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rel {
    Last,
    This,
    Next,
}

impl Rel {
    pub(super) fn step(self) -> i64 {
        match self {
            Self::Last => -1,
            Self::This => 0,
            Self::Next => 1,
        }
    }
}

fn span(unit: Unit, n: i64) -> Option<Span> {
    match unit {
        Unit::Minute | Unit::Hour => None,
        Unit::Day | Unit::Night => Span::new().try_days(n).ok(),
        Unit::Week | Unit::Weekend | Unit::Weekday(_) => Span::new().try_weeks(n).ok(),
        Unit::Month => Span::new().try_months(n).ok(),
        Unit::Quarter => Span::new().try_months(n.checked_mul(3)?).ok(),
        Unit::Year | Unit::Season(_) => Span::new().try_years(n).ok(),
        Unit::Decade => Span::new().try_years(n.checked_mul(10)?).ok(),
    }
}

/// The date moved by n units of a day or more; a day that the month does not have becomes its last.
pub(super) fn shift(date: Date, unit: Unit, n: i64) -> Option<Date> {
    date.checked_add(span(unit, n)?).ok()
}

/// The date moved by n days.
pub(super) fn plus_days(date: Date, n: i64) -> Option<Date> {
    shift(date, Unit::Day, n)
}

pub(super) fn day(date: Date) -> Option<Piece> {
    Some(Piece::days(date, date.tomorrow().ok()?, Precision::Day))
}

pub(super) fn day_part(date: Date, part: Part) -> Option<Piece> {
    let next = date.tomorrow().ok()?;
    let (from, to) = match part {
        Part::Dawn => (date.at(0, 0, 0, 0), date.at(5, 0, 0, 0)),
        Part::Morning => (date.at(5, 0, 0, 0), date.at(12, 0, 0, 0)),
        Part::Noon => (date.at(11, 0, 0, 0), date.at(13, 0, 0, 0)),
        Part::Afternoon => (date.at(12, 0, 0, 0), date.at(18, 0, 0, 0)),
        Part::Evening => (date.at(18, 0, 0, 0), next.at(0, 0, 0, 0)),
        Part::Night => (date.at(18, 0, 0, 0), next.at(6, 0, 0, 0)),
    };
    Some(Piece {
        from,
        to,
        precision: Precision::DayPart,
    })
}

/// One minute of a day.
pub(super) fn minute(date: Date, time: Time) -> Option<Piece> {
    let from = date.to_datetime(time);
    Some(Piece {
        from,
        to: from.checked_add(1.minute()).ok()?,
        precision: Precision::Minute,
    })
}

/// The Monday of the week that contains the date.
pub(super) fn monday(date: Date) -> Option<Date> {
    plus_days(date, -i64::from(date.weekday().to_monday_zero_offset()))
}

pub(super) fn week(date: Date) -> Option<Piece> {
    let monday = monday(date)?;
    Some(Piece::days(monday, plus_days(monday, 7)?, Precision::Week))
}

/// Saturday and Sunday of the week that contains the date.
pub(super) fn weekend(date: Date) -> Option<Piece> {
    let monday = monday(date)?;
    Some(Piece::days(
        plus_days(monday, 5)?,
        plus_days(monday, 7)?,
        Precision::Week,
    ))
}

/// That weekday of the week that contains the date.
pub(super) fn weekday_in_week(date: Date, weekday: Weekday) -> Option<Date> {
    plus_days(monday(date)?, i64::from(weekday.to_monday_zero_offset()))
}

fn months(first: Date, count: i64, precision: Precision) -> Option<Piece> {
    Some(Piece::days(
        first,
        shift(first, Unit::Month, count)?,
        precision,
    ))
}

pub(super) fn month(year: i16, month: i8) -> Option<Piece> {
    months(Date::new(year, month, 1).ok()?, 1, Precision::Month)
}

pub(super) fn season(year: i16, season: Season) -> Option<Piece> {
    let first = match season {
        Season::Spring => 3,
        Season::Summer => 6,
        Season::Autumn => 9,
        Season::Winter => 12,
    };
    months(Date::new(year, first, 1).ok()?, 3, Precision::Season)
}

/// A quarter of a year, 1 to 4.
pub(super) fn quarter(year: i16, quarter: i8) -> Option<Piece> {
    let first = quarter.checked_sub(1)?.checked_mul(3)?.checked_add(1)?;
    months(Date::new(year, first, 1).ok()?, 3, Precision::Season)
}

/// The first or second half of a year.
pub(super) fn half_year(year: i16, second: bool) -> Option<Piece> {
    months(
        Date::new(year, if second { 7 } else { 1 }, 1).ok()?,
        6,
        Precision::Season,
    )
}

pub(super) fn year(year: i16) -> Option<Piece> {
    months(Date::new(year, 1, 1).ok()?, 12, Precision::Year)
}

/// The calendar unit that contains the date.
pub(super) fn unit_at(date: Date, unit: Unit) -> Option<Piece> {
    match unit {
        Unit::Minute | Unit::Hour | Unit::Season(_) => None,
        Unit::Day | Unit::Weekday(_) => day(date),
        Unit::Night => day_part(date, Part::Night),
        Unit::Week => week(date),
        Unit::Weekend => weekend(date),
        Unit::Month => month(date.year(), date.month()),
        Unit::Quarter => quarter(date.year(), (date.month() - 1) / 3 + 1),
        Unit::Year => year(date.year()),
        // "Ten years ago" named in decades is a rough word: a year to either side.
        Unit::Decade => {
            let first = Date::new(date.year().checked_sub(1)?, 1, 1).ok()?;
            months(first, 36, Precision::Era)
        }
    }
}

/// The n-th weekday strictly before (n < 0) or after (n > 0) the date.
pub(super) fn nth_weekday(date: Date, weekday: Weekday, n: i32) -> Option<Date> {
    date.nth_weekday(n, weekday).ok()
}

/// A part of a month or year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
    /// The first third: "early".
    Early,
    /// The second third: "mid".
    Mid,
    /// The last third: "late".
    Late,
    /// "The beginning of": of a year its first two months.
    Start,
    /// "The end of": of a year its last two months.
    End,
}

/// The part of a month (thirds of ten days) or year (thirds of four months); none of anything else.
pub(super) fn share(piece: &Piece, share: Share) -> Option<Piece> {
    let first = piece.first_day();
    let from_to = |from: Date, to: Date, precision| Some(Piece::days(from, to, precision));
    match piece.precision {
        Precision::Month => {
            let (tenth, twentieth) = (plus_days(first, 10)?, plus_days(first, 20)?);
            match share {
                Share::Early | Share::Start => from_to(first, tenth, Precision::Month),
                Share::Mid => from_to(tenth, twentieth, Precision::Month),
                Share::Late | Share::End => from_to(twentieth, piece.to.date(), Precision::Month),
            }
        }
        Precision::Year => {
            let (skip, count) = match share {
                Share::Early => (0, 4),
                Share::Mid => (4, 4),
                Share::Late => (8, 4),
                Share::Start => (0, 2),
                Share::End => (10, 2),
            };
            months(shift(first, Unit::Month, skip)?, count, Precision::Season)
        }
        _ => None,
    }
}
