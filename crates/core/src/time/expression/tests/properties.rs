use std::time::{Duration, Instant};

use jiff::tz::TimeZone;
use proptest::prelude::*;

use super::{annotate, find};
use crate::time::{Anchor, Precision, Timestamp};

/// Pieces that make time expressions, so that random joins of them reach deep into the grammar.
const PIECES: [&str; 84] = [
    "yesterday",
    "last",
    "this",
    "next",
    "week",
    "weekend",
    "Friday",
    "May",
    "may",
    "the",
    "8th",
    "of",
    "2023",
    "-",
    "05",
    "08",
    "/",
    "two",
    "days",
    "ago",
    "in",
    "on",
    "since",
    "before",
    "after",
    "at",
    "7",
    "pm",
    ":",
    "30",
    "morning",
    "night",
    "Christmas",
    "eve",
    "early",
    "late",
    "end",
    "a",
    "few",
    "couple",
    "half",
    "and",
    "year",
    "years",
    "summer",
    "Q",
    "3",
    "tonight",
    "will",
    "went",
    ".",
    ",",
    " ",
    "\n",
    "上",
    "周",
    "三",
    "天",
    "前",
    "后",
    "去年",
    "年",
    "月",
    "日",
    "号",
    "底",
    "初",
    "夏天",
    "个",
    "半",
    "几",
    "昨天",
    "晚上",
    "点",
    "从",
    "以来",
    "过去",
    "节",
    "圣诞节",
    "十",
    "9999",
    "0001",
    "é",
    "🙂",
];

fn anchors() -> impl Strategy<Value = Anchor> {
    let zones = prop::sample::select(vec![
        "UTC",
        "America/New_York",
        "Asia/Shanghai",
        "Pacific/Apia",
        "Australia/Lord_Howe",
        "Africa/Monrovia",
    ]);
    (
        prop_oneof![
            Just(i64::MIN),
            Just(i64::MAX),
            any::<i64>(),
            -62_135_596_800_000_000..=253_402_200_000_000_000_i64
        ],
        zones,
    )
        .prop_map(|(at, zone)| Anchor {
            at: Timestamp(at),
            zone: TimeZone::get(zone).expect("in the database"),
        })
}

fn texts() -> impl Strategy<Value = String> {
    let joined = (
        prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..24),
        any::<bool>(),
    )
        .prop_map(|(pieces, spaced)| pieces.join(if spaced { " " } else { "" }));
    prop_oneof![1 => "\\PC{0,80}", 3 => joined]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn mentions_are_in_order_apart_and_on_borders(text in texts(), anchor in anchors()) {
        let mut end = 0;
        for mention in find(&text, &anchor) {
            prop_assert!(mention.start >= end && mention.start < mention.end && mention.end <= text.len());
            prop_assert!(text.is_char_boundary(mention.start) && text.is_char_boundary(mention.end));
            prop_assert!(mention.happened.from < mention.happened.to);
            if mention.happened.precision == Precision::Minute {
                prop_assert_eq!(mention.happened.to.0 - mention.happened.from.0, 60_000_000);
            }
            end = mention.end;
        }
    }

    #[test]
    fn annotation_only_appends(text in texts(), anchor in anchors()) {
        let annotated = annotate(&text, &anchor);
        prop_assert!(annotated.starts_with(&text));
        let relative = find(&text, &anchor).iter().any(|mention| mention.kind == super::super::MentionKind::Relative);
        prop_assert_eq!(annotated.len() > text.len(), relative);
    }

    /// What is around a text does not change what is found in its own sentence.
    #[test]
    fn sentences_are_read_alone(text in texts(), anchor in anchors()) {
        let alone = find(&text, &anchor);
        let shifted = find(&format!("Fine!\n{text}"), &anchor);
        prop_assert_eq!(alone.len(), shifted.len());
        for (one, other) in alone.iter().zip(&shifted) {
            prop_assert_eq!((one.start + 6, one.happened), (other.start, other.happened));
        }
    }
}

/// The anchor's moment alone decides: writing it with another offset changes nothing when the zone is the same.
#[test]
fn the_moment_and_the_zone_decide() {
    let zone = TimeZone::get("America/New_York").expect("in the database");
    let at = |text: &str| Anchor {
        at: Timestamp::parse_rfc3339(text).expect("valid"),
        zone: zone.clone(),
    };
    assert_eq!(
        find("last night", &at("2026-06-02T00:30:00Z")),
        find("last night", &at("2026-06-01T13:30:00-11:00"))
    );
}

/// Long texts without sentence ends, and texts that almost match everywhere, take time in proportion.
#[test]
fn long_texts_take_linear_time() {
    let anchor = Anchor {
        at: Timestamp(1_683_554_160_000_000),
        zone: TimeZone::UTC,
    };
    for seed in [
        "yesterday ",
        "two ",
        "the day before ",
        "since ",
        "early late ",
        "on the ",
        "May ",
        "2023-",
        "前",
        "上周",
        "三",
        "从",
        "的",
        "a",
        "1",
        "x ",
    ] {
        let time = |bytes: usize| {
            let text = seed.repeat(bytes / seed.len());
            let start = Instant::now();
            let _ = annotate(&text, &anchor);
            start.elapsed()
        };
        let (short, long) = (time(10_000), time(80_000));
        // Eight times the text; a quadratic scan would take sixty-four times as long.
        assert!(
            long < short * 32 + Duration::from_millis(200),
            "{seed:?}: {short:?} and {long:?}"
        );
    }
}
