//! The English names of months, weekdays, seasons and numbers.

use jiff::civil::Weekday;

use super::calendar::{Season, Unit};
use super::token::Token;

const MONTHS: [(&str, i8); 24] = [
    ("january", 1),
    ("february", 2),
    ("march", 3),
    ("april", 4),
    ("may", 5),
    ("june", 6),
    ("july", 7),
    ("august", 8),
    ("september", 9),
    ("october", 10),
    ("november", 11),
    ("december", 12),
    ("jan", 1),
    ("feb", 2),
    ("mar", 3),
    ("apr", 4),
    ("jun", 6),
    ("jul", 7),
    ("aug", 8),
    ("sep", 9),
    ("sept", 9),
    ("oct", 10),
    ("nov", 11),
    ("dec", 12),
];

const WEEKDAYS: [(&str, Weekday); 18] = [
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
    ("mon", Weekday::Monday),
    ("tue", Weekday::Tuesday),
    ("tues", Weekday::Tuesday),
    ("wed", Weekday::Wednesday),
    ("thu", Weekday::Thursday),
    ("thur", Weekday::Thursday),
    ("thurs", Weekday::Thursday),
    ("fri", Weekday::Friday),
    ("sat", Weekday::Saturday),
    ("sun", Weekday::Sunday),
    ("weds", Weekday::Wednesday),
];

const NUMBERS: [(&str, i64); 19] = [
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("thirteen", 13),
    ("fourteen", 14),
    ("fifteen", 15),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
];

const TENS: [(&str, i64); 8] = [
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
];

const UNITS: [(&str, Unit); 14] = [
    ("minute", Unit::Minute),
    ("min", Unit::Minute),
    ("hour", Unit::Hour),
    ("hr", Unit::Hour),
    ("day", Unit::Day),
    ("night", Unit::Night),
    ("week", Unit::Week),
    ("wk", Unit::Week),
    ("weekend", Unit::Weekend),
    ("month", Unit::Month),
    ("quarter", Unit::Quarter),
    ("year", Unit::Year),
    ("yr", Unit::Year),
    ("decade", Unit::Decade),
];

fn lookup<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    // Every name is short: a long word is none of them, and is not compared with each.
    if word.len() > 10 {
        return None;
    }
    table
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(word))
        .map(|(_, value)| *value)
}

/// The month of that name or usual short form, 1 to 12.
pub(in crate::time) fn month(word: &str) -> Option<i8> {
    lookup(&MONTHS, word)
}

/// The weekday of that name or usual short form.
pub(in crate::time) fn weekday(word: &str) -> Option<Weekday> {
    lookup(&WEEKDAYS, word)
}

/// The season of that name.
pub(super) fn season(word: &str) -> Option<Season> {
    const SEASONS: [(&str, Season); 5] = [
        ("spring", Season::Spring),
        ("summer", Season::Summer),
        ("fall", Season::Autumn),
        ("autumn", Season::Autumn),
        ("winter", Season::Winter),
    ];
    lookup(&SEASONS, word)
}

/// A number word below twenty.
pub(super) fn small_number(word: &str) -> Option<i64> {
    lookup(&NUMBERS, word)
}

/// A multiple of ten as a word.
pub(super) fn tens(word: &str) -> Option<i64> {
    lookup(&TENS, word)
}

/// A unit of time in singular or plural; a weekday or season counts too ("two Fridays ago").
pub(super) fn unit(word: &str) -> Option<Unit> {
    let stem = word.strip_suffix(['s', 'S']).unwrap_or(word);
    lookup(&UNITS, stem)
        .or_else(|| full_weekday(stem).map(Unit::Weekday))
        .or_else(|| season(stem).map(Unit::Season))
}

/// The weekday of that name, short forms left out.
fn full_weekday(word: &str) -> Option<Weekday> {
    weekday(word).filter(|_| word.len() >= 6)
}

/// The weekday that this token names. Short forms that are words of their own count only with a capital letter.
pub(super) fn weekday_token(token: &Token<'_>) -> Option<Weekday> {
    let day = weekday(token.text)?;
    (token.text.len() >= 6 || token.capital()).then_some(day)
}

/// Whether the month's name is also an ordinary word or a given name, so that a mere preposition is not context enough.
pub(super) fn month_is_ambiguous(token: &Token<'_>) -> bool {
    token.one_of(&[
        "may", "march", "april", "june", "august", "mar", "jan", "dec", "sep", "jun",
    ])
}
