//! Numbers with separators and dates, each in one canonical spelling.

use jiff::civil::Date;

use super::{Token, word};

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// Numbers of so many digits in groups are telephone and card numbers, and also written without the groups.
const GROUPED_DIGITS_MIN: usize = 7;

/// A day of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Day(Date);

impl Day {
    /// The terms under which a day is found; the first is the day itself.
    pub(super) fn terms(self) -> Vec<String> {
        let (year, month) = (self.0.year(), self.0.month());
        let name = usize::try_from(month - 1)
            .ok()
            .and_then(|index| MONTHS.get(index))
            .copied()
            .unwrap_or_default();
        vec![
            format!("{year:04}-{month:02}-{:02}", self.0.day()),
            format!("{year:04}-{month:02}"),
            format!("{year:04}"),
            word::stemmed(name),
            format!("{year}年"),
            format!("{month}月"),
            self.0.day().to_string(),
        ]
    }
}

/// Whether a piece is digits with separators between them, and nothing else.
pub(super) fn is_number(piece: &str) -> bool {
    let digit = |letter: char| letter.is_ascii_digit();
    piece.starts_with(digit)
        && piece.ends_with(digit)
        && piece
            .chars()
            .all(|letter| digit(letter) || matches!(letter, '.' | ',' | ':' | '/' | '-'))
}

/// The terms of a number.
pub(super) fn tokens(number: &str, tokens: &mut Vec<Token>) {
    if let Some(day) = day(number) {
        return day_tokens(day, tokens);
    }
    if let Some((year, month)) = month(number) {
        tokens.push(Token::both(&format!("{year}-{month:0>2}")));
        return tokens.push(Token::document(year));
    }
    if in_thousands(number) {
        return tokens.push(Token::both(&number.replace(',', "")));
    }
    tokens.push(Token::both(number));
    let groups: Vec<&str> = number
        .split(['-', '/', ','])
        .filter(|group| !group.is_empty())
        .collect();
    if groups.len() > 1 {
        let digits = groups.concat();
        if digits.len() >= GROUPED_DIGITS_MIN
            && number
                .chars()
                .all(|letter| letter.is_ascii_digit() || letter == '-')
        {
            tokens.push(Token::both(&digits));
        }
        tokens.extend(groups.into_iter().map(Token::both));
    }
}

/// A day is asked for as a whole; documents are also found by its parts.
pub(super) fn day_tokens(day: Day, tokens: &mut Vec<Token>) {
    let mut terms = day.terms().into_iter();
    tokens.extend(terms.next().map(|whole| Token::both(&whole)));
    tokens.extend(terms.map(|part| Token::document(&part)));
}

/// `2023-05-07`, `2023/5/7` or `2023.5.7`.
pub(super) fn day(text: &str) -> Option<Day> {
    ['-', '/', '.'].into_iter().find_map(|separator| {
        let mut parts = text.split(separator);
        let (year, month, day) = (year(parts.next()?)?, parts.next()?, parts.next()?);
        let short = |part: &str| {
            matches!(part.len(), 1 | 2) && part.bytes().all(|letter| letter.is_ascii_digit())
        };
        if parts.next().is_some() || !short(month) || !short(day) {
            return None;
        }
        Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
            .ok()
            .map(Day)
    })
}

/// `2023-05` or `2023/5`.
fn month(text: &str) -> Option<(&str, &str)> {
    let (first, month) = text.split_once(['-', '/'])?;
    let known = month.len() <= 2 && matches!(month.parse::<u8>(), Ok(1..=12));
    known.then_some((year(first)?, month))
}

fn year(text: &str) -> Option<&str> {
    (text.len() == 4
        && text.starts_with(['1', '2'])
        && text.bytes().all(|letter| letter.is_ascii_digit()))
    .then_some(text)
}

/// `1,299` or `12,345,678.90`.
fn in_thousands(number: &str) -> bool {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |text: &str| text.bytes().all(|letter| letter.is_ascii_digit());
    let mut groups = whole.split(',');
    let first = groups
        .next()
        .is_some_and(|group| matches!(group.len(), 1..=3) && digits(group));
    let mut count = 0_usize;
    let rest = groups.all(|group| {
        count += 1;
        group.len() == 3 && digits(group)
    });
    first && rest && count > 0 && digits(fraction)
}
