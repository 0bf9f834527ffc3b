//! How intervals are written beside the words that named them.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{ToSpan, ZonedDateTime};

use super::token::is_han;
use super::{MentionKind, find};
use crate::time::{Anchor, Happened, Precision, Timestamp};

/// Mentions that one bracket names at most.
const MAX_NAMED: usize = 4;

/// The text, word for word, with the dates of its relative time words in a bracket at its end:
/// `I ran yesterday. (yesterday: 2023-05-07)`, `我昨天跑步了（昨天：2023-05-07）`. At most four are named; without any
/// the text stays as it is.
#[must_use]
pub fn annotate(text: &str, anchor: &Anchor) -> String {
    let mut named: Vec<(String, Happened)> = Vec::new();
    for mention in find(text, anchor)
        .iter()
        .filter(|mention| mention.kind == MentionKind::Relative)
    {
        let Some(label) = text.get(mention.start..mention.end) else {
            continue;
        };
        // A word said twice means the same day both times.
        if named.iter().any(|(known, happened)| {
            known.eq_ignore_ascii_case(label) && *happened == mention.happened
        }) {
            continue;
        }
        named.push((label.to_owned(), mention.happened));
        if named.len() == MAX_NAMED {
            break;
        }
    }
    let Some((first, _)) = named.first() else {
        return text.to_owned();
    };
    let words = if first.chars().any(is_han) {
        &CHINESE
    } else {
        &ENGLISH
    };
    let list: Vec<String> = named
        .iter()
        .map(|(label, happened)| {
            format!(
                "{label}{}{}",
                words.colon,
                written(happened, &anchor.zone, words)
            )
        })
        .collect();
    let space = if text.ends_with(char::is_whitespace) {
        ""
    } else {
        words.space
    };
    format!(
        "{text}{space}{}{}{}",
        words.open,
        list.join(words.between),
        words.close
    )
}

/// The interval in ISO notation in that zone, as coarse as it is known: `2023-05-07`, `2023-05-01 to 2023-05-07`,
/// `2022-05`, `2022-06 to 2022-08`, `2022`, `2023-05-07 evening`, `2023-05-07 19:30`.
#[must_use]
pub fn format_happened(happened: &Happened, zone: &TimeZone) -> String {
    written(happened, zone, &ENGLISH)
}

struct Words {
    open: &'static str,
    close: &'static str,
    space: &'static str,
    colon: &'static str,
    between: &'static str,
    to: &'static str,
    /// Before 5, before 11, before 12 o'clock, before 18, until midnight, through the night.
    parts: [&'static str; 6],
}

const ENGLISH: Words = Words {
    open: "(",
    close: ")",
    space: " ",
    colon: ": ",
    between: "; ",
    to: " to ",
    parts: [
        "early morning",
        "morning",
        "noon",
        "afternoon",
        "evening",
        "night",
    ],
};

const CHINESE: Words = Words {
    open: "（",
    close: "）",
    space: "",
    colon: "：",
    between: "；",
    to: " 至 ",
    parts: ["凌晨", "上午", "中午", "下午", "晚上", "夜间"],
};

fn written(happened: &Happened, zone: &TimeZone, words: &Words) -> String {
    let local = |at: Timestamp| at.to_jiff().to_zoned_datetime(zone.clone());
    let (from, to) = (local(happened.from), local(happened.to));
    match happened.precision {
        Precision::Minute => from.strftime("%Y-%m-%d %H:%M").to_string(),
        Precision::DayPart => format!("{} {}", from.date(), words.parts[part(&from, &to)]),
        _ => {
            let last = local(Timestamp(happened.to.0.saturating_sub(1))).date();
            days(from.date(), last, happened.precision, words.to)
        }
    }
}

fn part(from: &ZonedDateTime, to: &ZonedDateTime) -> usize {
    match from.hour() {
        0..=4 => 0,
        5..=10 => 1,
        11 => {
            if to.hour() > 12 {
                2
            } else {
                1
            }
        }
        12..=17 => 3,
        _ if to.date() > from.date() && to.hour() >= 3 => 5,
        _ => 4,
    }
}

/// Both days included; whole months and years are named as such where the precision is no finer.
fn days(from: Date, last: Date, precision: Precision, to: &str) -> String {
    let next = last.saturating_add(1.day());
    let whole_months = precision >= Precision::Month && from.day() == 1 && next.day() == 1;
    let whole_years =
        precision >= Precision::Year && whole_months && from.month() == 1 && next.month() == 1;
    let name = |date: Date| {
        if whole_years {
            format!("{:04}", date.year())
        } else if whole_months {
            format!("{:04}-{:02}", date.year(), date.month())
        } else {
            date.to_string()
        }
    };
    let (first, end) = (name(from), name(last));
    if first == end {
        first
    } else {
        format!("{first}{to}{end}")
    }
}
