//! Tables of sentences and what is found in them, and properties that hold for any text.

mod chinese;
mod english;
mod properties;
mod zones;

use jiff::tz::TimeZone;

use super::{annotate, find, format_happened, query_interval};
use crate::time::{Anchor, Precision, Timestamp};

/// A message's time in RFC 3339; its days begin where the text's offset says, or in the named zone.
fn anchor(at: &str, zone: &str) -> Anchor {
    Anchor {
        at: Timestamp::parse_rfc3339(at).expect("valid"),
        zone: TimeZone::get(zone).expect("in the database"),
    }
}

/// Everything that is found: `yesterday=2023-05-07 | last week=2023-05-01 to 2023-05-07`.
fn found(text: &str, anchor: &Anchor) -> String {
    let list: Vec<String> = find(text, anchor)
        .iter()
        .map(|mention| {
            format!(
                "{}={}",
                &text[mention.start..mention.end],
                format_happened(&mention.happened, &anchor.zone)
            )
        })
        .collect();
    list.join(" | ")
}

/// Checks a whole table and names every row that fails.
fn check(anchor: &Anchor, table: &[(&str, &str)]) {
    let wrong: Vec<String> = table
        .iter()
        .filter_map(|(text, expected)| {
            let actual = found(text, anchor);
            (actual != *expected)
                .then(|| format!("{text:?}\n  expected {expected:?}\n  found    {actual:?}"))
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {} rows:\n{}",
        wrong.len(),
        table.len(),
        wrong.join("\n")
    );
}

#[test]
fn annotation_keeps_the_text_and_adds_one_bracket() {
    let monday = anchor("2023-05-08T13:56:00Z", "UTC");
    let table = [
        (
            "I went to a support group yesterday and it was so powerful.",
            "I went to a support group yesterday and it was so powerful. (yesterday: 2023-05-07)",
        ),
        (
            "We moved last week",
            "We moved last week (last week: 2023-05-01 to 2023-05-07)",
        ),
        (
            "I ran it last May.",
            "I ran it last May. (last May: 2022-05)",
        ),
        (
            "Last year was hard.",
            "Last year was hard. (Last year: 2022)",
        ),
        ("On 8 May 2023 we met.", "On 8 May 2023 we met."),
        ("Nothing to date here.", "Nothing to date here."),
        (
            "yesterday, and again yesterday\n",
            "yesterday, and again yesterday\n(yesterday: 2023-05-07)",
        ),
        ("我昨天去了医院。", "我昨天去了医院。（昨天：2023-05-07）"),
        (
            "上周搬家，去年夏天结婚",
            "上周搬家，去年夏天结婚（上周：2023-05-01 至 2023-05-07；去年夏天：2022-06 至 2022-08）",
        ),
        ("昨晚很冷", "昨晚很冷（昨晚：2023-05-07 夜间）"),
        ("", ""),
    ];
    for (text, expected) in table {
        assert_eq!(annotate(text, &monday), expected);
    }
    let many = "yesterday today tomorrow last week next week last year";
    assert_eq!(annotate(many, &monday).matches(": ").count(), 4);
}

#[test]
fn questions_ask_about_their_most_specific_time() {
    let monday = anchor("2023-05-08T13:56:00Z", "UTC");
    let asked = |text: &str| {
        query_interval(text, &monday).map(|happened| format_happened(&happened, &monday.zone))
    };
    for (text, expected) in [
        ("What did Ana do last May?", Some("2022-05")),
        ("去年夏天我们去了哪里？", Some("2022-06 to 2022-08")),
        ("上周三谁来过？", Some("2023-05-03")),
        (
            "What happened in 2022, on 3 July 2022 exactly?",
            Some("2022-07-03"),
        ),
        ("Where was she in March 2021?", Some("2021-03")),
        ("What is her name?", None),
        (
            "What has he done since March?",
            Some("2023-03-01 to 2023-05-08"),
        ),
    ] {
        assert_eq!(asked(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn precision_is_that_of_the_words() {
    let monday = anchor("2023-05-08T13:56:00Z", "UTC");
    for (text, expected) in [
        ("yesterday at 7pm", Precision::Minute),
        ("last night", Precision::DayPart),
        ("two days ago", Precision::Day),
        ("a few days ago", Precision::Week),
        ("last weekend", Precision::Week),
        ("early May", Precision::Month),
        ("last quarter", Precision::Season),
        ("last winter", Precision::Season),
        ("two years ago", Precision::Year),
        ("a few years ago", Precision::Era),
        ("半年前", Precision::Month),
        ("几年前", Precision::Era),
    ] {
        assert_eq!(
            query_interval(text, &monday).map(|happened| happened.precision),
            Some(expected),
            "{text}"
        );
    }
}
