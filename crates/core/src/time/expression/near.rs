//! Months, seasons and days that a text names without their year.

use jiff::civil::Date;

use super::calendar::{Piece, Rel, Season, Unit, month, season, shift};
use super::tense::Tense;

/// The season "last", "this" or "next" names. The last one is the most recent that is not going on; "this" is the
/// one that is going on, or that of the anchor's year.
pub(super) fn season_rel(date: Date, which: Season, rel: Rel) -> Option<Piece> {
    let around = |offset: i16| season(date.year().checked_add(offset)?, which);
    match rel {
        Rel::Last => [0, -1, -2]
            .into_iter()
            .filter_map(around)
            .find(|piece| piece.to.date() <= date),
        Rel::Next => [0, 1]
            .into_iter()
            .filter_map(around)
            .find(|piece| piece.first_day() > date),
        Rel::This => [0, -1]
            .into_iter()
            .filter_map(around)
            .find(|piece| piece.contains(date))
            .or_else(|| around(0)),
    }
}

/// The season that a text without a year means.
pub(super) fn season_near(date: Date, which: Season, tense: Tense) -> Option<Piece> {
    let around = |offset: i16| season(date.year().checked_add(offset)?, which);
    match tense {
        Tense::Past => [0, -1]
            .into_iter()
            .filter_map(around)
            .find(|piece| piece.first_day() <= date),
        Tense::Future => [-1, 0, 1]
            .into_iter()
            .filter_map(around)
            .find(|piece| piece.to.date() > date),
    }
}

/// The month "last", "this" or "next" names; the anchor's own month is neither last nor next.
pub(super) fn month_rel(date: Date, which: i8, rel: Rel) -> Option<Piece> {
    let year = match rel {
        Rel::Last if which >= date.month() => date.year().checked_sub(1)?,
        Rel::Next if which <= date.month() => date.year().checked_add(1)?,
        Rel::Last | Rel::This | Rel::Next => date.year(),
    };
    month(year, which)
}

/// The month that a text without a year means: the anchor's own, or the nearest in the direction of the tense.
pub(super) fn month_near(date: Date, which: i8, tense: Tense) -> Option<Piece> {
    let rel = match tense {
        _ if which == date.month() => Rel::This,
        Tense::Past => Rel::Last,
        Tense::Future => Rel::Next,
    };
    month_rel(date, which, rel)
}

/// The day of the year that a text without a year means: the anchor's own, or the nearest in the direction of the tense.
pub(super) fn day_near(date: Date, month: i8, day: i8, tense: Tense) -> Option<Date> {
    // Eight years are enough to meet a 29 February, even over 1900.
    (0..=8_i16)
        .filter_map(|distance| {
            let year = match tense {
                Tense::Past => date.year().checked_sub(distance)?,
                Tense::Future => date.year().checked_add(distance)?,
            };
            Date::new(year, month, day).ok()
        })
        .find(|found| match tense {
            Tense::Past => *found <= date,
            Tense::Future => *found >= date,
        })
}

/// The day of the month that a text without a month means.
pub(super) fn month_day_near(date: Date, day: i8, tense: Tense) -> Option<Date> {
    let step = if tense == Tense::Past { -1 } else { 1 };
    (0..=3)
        .filter_map(|distance| {
            let month = shift(date.first_of_month(), Unit::Month, step * distance)?;
            Date::new(month.year(), month.month(), day).ok()
        })
        .find(|found| {
            if tense == Tense::Past {
                *found <= date
            } else {
                *found >= date
            }
        })
}
