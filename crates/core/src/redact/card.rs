//! Card numbers: 13 to 19 digits in a usual grouping, of an issuer's range, with a right check digit.

use super::{Found, Kind, chars};

/// How the digits of a card are grouped in print.
const GROUPINGS: &[&[usize]] = &[
    &[4, 4, 4, 4, 3],
    &[4, 4, 4, 4],
    &[4, 6, 5],
    &[4, 6, 4],
    &[6, 13],
];

/// A run of digits: its first byte and the byte after it.
type Group = (usize, usize);

pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    let groups = Groups { text, at: 0 };
    let mut recent: Vec<Group> = Vec::new();
    for group in groups {
        if recent
            .last()
            .is_some_and(|last| separator(text, *last, group).is_none())
        {
            flush(text, &recent, found);
            recent.clear();
        }
        recent.push(group);
    }
    flush(text, &recent, found);
}

/// Runs of digits, in order.
struct Groups<'t> {
    text: &'t str,
    at: usize,
}

impl Iterator for Groups<'_> {
    type Item = Group;

    fn next(&mut self) -> Option<Group> {
        let bytes = self.text.as_bytes();
        let rest = bytes.get(self.at..)?;
        let start = self.at + rest.iter().position(u8::is_ascii_digit)?;
        let length = bytes
            .get(start..)?
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        self.at = start + length;
        Some((start, self.at))
    }
}

/// The single space or hyphen between two groups, if nothing else stands there.
fn separator(text: &str, left: Group, right: Group) -> Option<u8> {
    match text.as_bytes().get(left.1..right.0)? {
        [sign @ (b' ' | b'-')] => Some(*sign),
        _ => None,
    }
}

/// Looks for cards in groups that follow each other closely.
fn flush(text: &str, groups: &[Group], found: &mut Vec<Found>) {
    let mut index = 0;
    while let Some(rest) = groups.get(index..).filter(|rest| !rest.is_empty()) {
        let used = card(text, rest, index.checked_sub(1).map(|left| groups[left]));
        if used > 0 {
            let span = (rest[0].0, rest[used - 1].1);
            found.push(Found::new(span.0, span.1, Kind::Card));
        }
        index += used.max(1);
    }
}

/// How many of the groups, from the first on, are one card; 0 for none.
fn card(text: &str, groups: &[Group], left: Option<Group>) -> usize {
    let whole: &[usize] = &[groups[0].1 - groups[0].0];
    for grouping in GROUPINGS.iter().copied().chain([whole]) {
        let Some(used) = groups.get(..grouping.len()) else {
            continue;
        };
        let fits = used
            .iter()
            .zip(grouping)
            .all(|(group, len)| group.1 - group.0 == *len);
        if !fits {
            continue;
        }
        let mut signs = used
            .windows(2)
            .map(|pair| separator(text, pair[0], pair[1]));
        let sign = signs.next().flatten();
        if signs.any(|other| other != sign) {
            continue;
        }
        // A hyphen glues a number to its neighbours; a space does not.
        let right = groups.get(grouping.len());
        let (first, last) = (used[0], used[used.len() - 1]);
        let glued = left.is_some_and(|left| separator(text, left, first) == Some(b'-'))
            || right.is_some_and(|right| separator(text, last, *right) == Some(b'-'));
        if !glued && stands_alone(text, first.0, last.1) && is_card(text, first.0, last.1) {
            return used.len();
        }
    }
    0
}

/// Whether the number is no part of a word, path, decimal, price or international phone number.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let left = chars::before(text, start)
        .is_none_or(|c| !chars::is_word(c) && !"-.+#/@$€£¥%&".contains(c));
    let mut after = text.get(end..).unwrap_or_default().chars();
    let right = match after.next() {
        Some('.' | ',') => !after.next().is_some_and(|c| c.is_ascii_digit()),
        Some(c) => !chars::is_word(c) && !"-@%/".contains(c),
        None => true,
    };
    left && right
}

fn is_card(text: &str, start: usize, end: usize) -> bool {
    let digits: Vec<u8> = text
        .get(start..end)
        .unwrap_or_default()
        .bytes()
        .filter(u8::is_ascii_digit)
        .map(|byte| byte - b'0')
        .collect();
    is_issued(&digits) && !is_citizen(&digits) && luhn(&digits)
}

/// Whether an issuer has numbers of that beginning and length.
fn is_issued(digits: &[u8]) -> bool {
    let head = |n: usize| {
        digits
            .iter()
            .take(n)
            .fold(0u32, |sum, digit| sum * 10 + u32::from(*digit))
    };
    match digits.len() {
        13 | 16 | 19 if head(1) == 4 => true,
        14 => matches!(head(2), 30 | 36 | 38 | 39),
        15 => matches!(head(2), 34 | 37),
        16 => matches!(head(2), 35 | 50..=69) || matches!(head(4), 2221..=2720),
        17 | 18 => head(2) == 62,
        19 => matches!(head(2), 60 | 62 | 64 | 65),
        _ => false,
    }
}

/// Whether 18 digits are a Chinese citizen's number: a birthday in its middle.
fn is_citizen(digits: &[u8]) -> bool {
    let two = |at: usize| match digits.get(at..at + 2) {
        Some([tens, ones]) => tens * 10 + ones,
        _ => 0,
    };
    digits.len() == 18
        && matches!(two(6), 19 | 20)
        && matches!(two(10), 1..=12)
        && matches!(two(12), 1..=31)
}

/// The check digit's rule: every second digit from the right is doubled, and the sum ends in 0.
fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(index, digit)| match (index % 2, u32::from(*digit)) {
            (0, digit) => digit,
            (_, digit @ 0..=4) => digit * 2,
            (_, digit) => digit * 2 - 9,
        })
        .sum();
    sum.is_multiple_of(10)
}
