//! Counted units on the calendar: what lies an amount away, and stretches up to the anchor.

use jiff::civil::Date;

use super::calendar::{
    Piece, Rel, Unit, When, day, monday, nth_weekday, season, shift, unit_at, weekend,
};
use super::near::season_rel;
use super::tense::Tense;
use crate::time::{MICROS_PER_SECOND, Precision, Timestamp};

/// How many of a unit: exactly, or between two numbers ("a few").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Amount {
    pub(super) low: i64,
    pub(super) high: i64,
    pub(super) unit: Unit,
}

/// The calendar unit that lies an amount before or after the date; a vague amount spans all the units it may mean.
pub(super) fn amount_from(date: Date, amount: Amount, tense: Tense) -> Option<Piece> {
    let sign = if tense == Tense::Past { -1 } else { 1 };
    let near = nth_unit(date, amount.unit, sign * amount.low)?;
    if amount.low == amount.high {
        return Some(near);
    }
    let far = nth_unit(date, amount.unit, sign * amount.high)?;
    let precision = match amount.unit.precision() {
        Precision::Minute | Precision::DayPart => Precision::DayPart,
        Precision::Day => Precision::Week,
        Precision::Week => Precision::Month,
        Precision::Month => Precision::Season,
        Precision::Season | Precision::Year | Precision::Era => Precision::Era,
    };
    Some(Piece {
        from: near.from.min(far.from),
        to: near.to.max(far.to),
        precision,
    })
}

fn nth_unit(date: Date, unit: Unit, n: i64) -> Option<Piece> {
    match unit {
        Unit::Weekday(weekday) => day(nth_weekday(date, weekday, i32::try_from(n).ok()?)?),
        Unit::Season(which) => {
            let (rel, rest) = if n < 0 {
                (Rel::Last, n + 1)
            } else {
                (Rel::Next, n - 1)
            };
            let near = season_rel(date, which, rel)?.first_day();
            season(shift(near, Unit::Year, rest)?.year(), which)
        }
        // From the Monday, so that "two weekends ago" on a Sunday does not count the one that is going on; and the first
        // one after a weekday is that of its own week.
        Unit::Weekend => {
            let running = date.weekday().to_monday_zero_offset() >= 5;
            weekend(shift(
                monday(date)?,
                Unit::Week,
                if n > 0 && !running { n - 1 } else { n },
            )?)
        }
        _ => unit_at(shift(date, unit, n)?, unit),
    }
}

/// The time from an amount ago until the end of the anchor's day, or from the anchor's day for an amount.
pub(super) fn stretch(date: Date, amount: Amount, tense: Tense) -> Option<Piece> {
    let precision = amount.unit.precision();
    if precision < Precision::Day {
        return None;
    }
    match tense {
        Tense::Past => Some(Piece::days(
            shift(date, amount.unit, -amount.high)?,
            date.tomorrow().ok()?,
            precision,
        )),
        Tense::Future => Some(Piece::days(
            date,
            shift(date.tomorrow().ok()?, amount.unit, amount.high)?,
            precision,
        )),
    }
}

/// From the beginning of the piece until the end of the anchor's day.
pub(super) fn since(date: Date, piece: &Piece) -> Option<Piece> {
    let to = date.tomorrow().ok()?.at(0, 0, 0, 0);
    (piece.from < to).then_some(Piece {
        from: piece.from,
        to,
        precision: piece.precision,
    })
}

/// The moment that lies some minutes or hours away; none for longer units.
pub(super) fn elapsed(at: Timestamp, amount: Amount, tense: Tense) -> Option<When> {
    let seconds = match amount.unit {
        Unit::Minute => 60,
        Unit::Hour => 3600,
        _ => return None,
    };
    let sign = if tense == Tense::Past { -1 } else { 1 };
    let away = |count: i64| at.plus_seconds(sign * count * seconds);
    let (near, far) = (away(amount.low), away(amount.high));
    if amount.unit == Unit::Minute && amount.low == amount.high {
        let step = 60 * MICROS_PER_SECOND;
        let from = Timestamp(near.0.div_euclid(step).checked_mul(step)?);
        return Some(When::Exact {
            from,
            to: from.plus_seconds(60),
            precision: Precision::Minute,
        });
    }
    // "Two hours ago" is right within half an hour.
    let slack = seconds / 2;
    let (from, to) = (
        near.min(far).plus_seconds(-slack),
        near.max(far).plus_seconds(slack),
    );
    Some(When::Exact {
        from,
        to,
        precision: Precision::DayPart,
    })
}
