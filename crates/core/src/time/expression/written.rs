//! Written-out dates and clock times on tokens: what message headings and running text have in common.

use jiff::civil::{Date, Time};

use super::lexicon;
use super::token::{Kind, Token};

/// A day, month and year as far as they were written, and the index after them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::time) struct Named {
    pub(in crate::time) year: Option<i16>,
    pub(in crate::time) month: i8,
    pub(in crate::time) day: Option<i8>,
    /// The day was an ordinal: "8th".
    pub(in crate::time) ordinal: bool,
    /// Index of the month's name.
    pub(in crate::time) name: usize,
    pub(in crate::time) next: usize,
}

/// A clock time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::time) struct Clock {
    pub(in crate::time) time: Time,
    /// Morning or afternoon is beyond doubt: "pm" was written, or the hour has passed noon.
    pub(in crate::time) sure: bool,
    pub(in crate::time) next: usize,
}

fn mark(tokens: &[Token<'_>], at: usize, text: &str) -> bool {
    tokens.get(at).is_some_and(|token| token.text == text)
}

fn glued(tokens: &[Token<'_>], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| token.glued)
}

/// A number of so many digits.
pub(in crate::time) fn number(
    tokens: &[Token<'_>],
    at: usize,
    digits: std::ops::RangeInclusive<usize>,
) -> Option<i64> {
    let token = tokens.get(at)?;
    if token.kind != Kind::Number || !digits.contains(&token.digits()) {
        return None;
    }
    token.number()
}

/// `2023-05-08`, `2023/5/8`, `2023.05.08`, without spaces.
pub(in crate::time) fn numeric_date(tokens: &[Token<'_>], at: usize) -> Option<(Date, usize)> {
    let separator = tokens.get(at + 1)?.text;
    let tight = (at + 1..at + 5).all(|index| glued(tokens, index));
    if !matches!(separator, "-" | "/" | ".") || !mark(tokens, at + 3, separator) || !tight {
        return None;
    }
    let year = number(tokens, at, 4..=4)?;
    let month = number(tokens, at + 2, 1..=2)?;
    let day = number(tokens, at + 4, 1..=2)?;
    Some((date(year, month, day)?, at + 5))
}

/// `2023-05` or `2023/05`, without spaces and with nothing more behind it.
pub(in crate::time) fn numeric_month(tokens: &[Token<'_>], at: usize) -> Option<(i16, i8, usize)> {
    let separator = tokens.get(at + 1)?.text;
    if !matches!(separator, "-" | "/") || !glued(tokens, at + 1) || !glued(tokens, at + 2) {
        return None;
    }
    if glued(tokens, at + 3)
        && tokens.get(at + 3).is_some_and(|after| {
            matches!(after.text, "-" | "/" | "_" | ":") || after.kind == Kind::Word
        })
    {
        return None;
    }
    let year = number(tokens, at, 4..=4)?;
    let month = number(tokens, at + 2, 2..=2).filter(|month| (1..=12).contains(month))?;
    Some((i16::try_from(year).ok()?, i8::try_from(month).ok()?, at + 3))
}

/// A date of the years 1 to 9999.
pub(in crate::time) fn date(year: i64, month: i64, day: i64) -> Option<Date> {
    let year = i16::try_from(year).ok().filter(|year| *year >= 1)?;
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

/// `8`, `8th`: a day of a month, whether it was an ordinal, and the index after it.
pub(in crate::time) fn month_day(tokens: &[Token<'_>], at: usize) -> Option<(i8, bool, usize)> {
    let day = number(tokens, at, 1..=2).filter(|day| (1..=31).contains(day))?;
    let suffixed = glued(tokens, at + 1)
        && tokens
            .get(at + 1)
            .is_some_and(|token| token.one_of(&["st", "nd", "rd", "th"]));
    Some((
        i8::try_from(day).ok()?,
        suffixed,
        if suffixed { at + 2 } else { at + 1 },
    ))
}

/// A year in four digits, perhaps after a comma.
fn year_after(tokens: &[Token<'_>], at: usize) -> Option<(i16, usize)> {
    let at = if mark(tokens, at, ",") { at + 1 } else { at };
    let year = number(tokens, at, 4..=4).filter(|year| *year >= 1)?;
    // "May 8, 2023:..." is a year, "May 8, 1000,000" and "May 2023-05" are not.
    let goes_on = glued(tokens, at + 1)
        && tokens
            .get(at + 1)
            .is_some_and(|after| after.kind == Kind::Word || after.text == "_")
        || glued(tokens, at + 1)
            && glued(tokens, at + 2)
            && tokens
                .get(at + 2)
                .is_some_and(|after| after.kind == Kind::Number);
    if goes_on {
        return None;
    }
    Some((i16::try_from(year).ok()?, at + 1))
}

/// The month's name at that index, its dot ("Sept.") swallowed.
fn month_name(tokens: &[Token<'_>], at: usize) -> Option<(i8, usize)> {
    let token = tokens.get(at)?;
    let month = lexicon::month(token.text)?;
    let short = token.text.len() <= 4 && mark(tokens, at + 1, ".") && glued(tokens, at + 1);
    Some((month, if short { at + 2 } else { at + 1 }))
}

/// The index after an optional token.
fn skip(tokens: &[Token<'_>], at: usize, found: bool) -> usize {
    if found && at < tokens.len() {
        at + 1
    } else {
        at
    }
}

fn is(tokens: &[Token<'_>], at: usize, word: &str) -> bool {
    tokens.get(at).is_some_and(|token| token.is(word))
}

/// `8 May 2023`, `8th of May`, `May 8th, 2023`, `May 2022`; a mere month's name is none.
pub(in crate::time) fn named_date(tokens: &[Token<'_>], at: usize) -> Option<Named> {
    if month_day(tokens, at).is_some() {
        day_before_month(tokens, at)
    } else {
        month_before_day(tokens, at)
    }
}

/// `8 May 2023`, `8th of May`, `8-May-2023`.
fn day_before_month(tokens: &[Token<'_>], at: usize) -> Option<Named> {
    let dash = |index: usize| mark(tokens, index, "-") && glued(tokens, index);
    let (day, ordinal, next) = month_day(tokens, at)?;
    let name = skip(tokens, next, is(tokens, next, "of"));
    let name = skip(tokens, name, dash(name));
    let (month, next) = month_name(tokens, name)?;
    let year = year_after(tokens, skip(tokens, next, dash(next)));
    let next = year.map_or(next, |(_, after)| after);
    Some(Named {
        year: year.map(|(year, _)| year),
        month,
        day: Some(day),
        ordinal,
        name,
        next,
    })
}

/// `May 8th, 2023`, `May the 8th`, `May 2022`.
fn month_before_day(tokens: &[Token<'_>], at: usize) -> Option<Named> {
    let (month, next) = month_name(tokens, at)?;
    let the = skip(tokens, next, is(tokens, next, "the"));
    if let Some((day, ordinal, after)) =
        month_day(tokens, the).filter(|(_, ordinal, _)| *ordinal || the == next)
    {
        let year = year_after(tokens, after);
        if year.is_none() && goes_on(tokens, after) {
            return None;
        }
        let next = year.map_or(after, |(_, after)| after);
        return Some(Named {
            year: year.map(|(year, _)| year),
            month,
            day: Some(day),
            ordinal,
            name: at,
            next,
        });
    }
    let (year, next) = year_after(tokens, skip(tokens, next, is(tokens, next, "of")))?;
    Some(Named {
        year: Some(year),
        month,
        day: None,
        ordinal: false,
        name: at,
        next,
    })
}

/// "May 8:30" is no day, "May 8.5" neither, and "May 10-12" is more than one.
fn goes_on(tokens: &[Token<'_>], after: usize) -> bool {
    let tight = glued(tokens, after) && glued(tokens, after + 1);
    let joined = tokens
        .get(after)
        .is_some_and(|token| matches!(token.text, ":" | "." | "-" | "/" | "%"));
    tight
        && joined
        && tokens
            .get(after + 1)
            .is_some_and(|token| token.kind == Kind::Number)
}

/// "am", "p.m." and the index after it; true for the afternoon.
fn half_of_day(tokens: &[Token<'_>], at: usize) -> Option<(bool, usize)> {
    let token = tokens.get(at)?;
    if token.one_of(&["am", "pm"]) {
        return Some((token.is("pm"), at + 1));
    }
    let dotted = token.one_of(&["a", "p"])
        && mark(tokens, at + 1, ".")
        && tokens.get(at + 2).is_some_and(|m| m.is("m") && m.glued);
    if !dotted {
        return None;
    }
    let end = if mark(tokens, at + 3, ".") && glued(tokens, at + 3) {
        at + 4
    } else {
        at + 3
    };
    Some((token.is("p"), end))
}

/// `7pm`, `1:56 p.m.`, `13:56`, `13:56:07.25`, `noon`.
pub(in crate::time) fn clock(tokens: &[Token<'_>], at: usize) -> Option<Clock> {
    if tokens.get(at)?.one_of(&["noon", "midday"]) {
        return Some(Clock {
            time: Time::new(12, 0, 0, 0).ok()?,
            sure: true,
            next: at + 1,
        });
    }
    let hour = number(tokens, at, 1..=2)?;
    let (mut minute, mut second, mut nanos, mut next) = (None, 0, 0, at + 1);
    let part = |index: usize| {
        if mark(tokens, index, ":") && glued(tokens, index) && glued(tokens, index + 1) {
            number(tokens, index + 1, 2..=2)
        } else {
            None
        }
    };
    if let Some(read) = part(next) {
        minute = Some(read);
        next += 2;
        if let Some(read) = part(next) {
            second = read;
            next += 2;
            if let Some((read, after)) = fraction(tokens, next) {
                (nanos, next) = (read, after);
            }
        }
    }
    let half = half_of_day(tokens, next);
    if minute.is_none() && half.is_none() {
        return None;
    }
    let hour24 = match half {
        Some((afternoon, _)) if (1..=12).contains(&hour) => {
            hour % 12 + if afternoon { 12 } else { 0 }
        }
        Some(_) => return None,
        None => hour,
    };
    // A leap second is the last of its minute.
    let second = if second == 60 { 59 } else { second };
    let time = Time::new(
        i8::try_from(hour24).ok()?,
        i8::try_from(minute.unwrap_or(0)).ok()?,
        i8::try_from(second).ok()?,
        nanos,
    )
    .ok()?;
    let sure = half.is_some() || hour > 12 || hour == 0 || second != 0;
    Some(Clock {
        time,
        sure,
        next: half.map_or(next, |(_, after)| after),
    })
}

/// `.25` behind seconds, as nanoseconds.
fn fraction(tokens: &[Token<'_>], at: usize) -> Option<(i32, usize)> {
    if !(mark(tokens, at, ".") || mark(tokens, at, ","))
        || !glued(tokens, at)
        || !glued(tokens, at + 1)
    {
        return None;
    }
    let token = tokens.get(at + 1)?;
    let value = number(tokens, at + 1, 1..=9)?;
    let scale = 10_i64.pow(9_u32.checked_sub(u32::try_from(token.digits()).ok()?)?);
    Some((i32::try_from(value * scale).ok()?, at + 2))
}
