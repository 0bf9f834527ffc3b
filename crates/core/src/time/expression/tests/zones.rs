//! Days begin where the message was said, and are as long as its clocks make them.

use jiff::tz::TimeZone;

use super::{anchor, check, found};
use crate::time::expression::query_interval;
use crate::time::{Anchor, Timestamp};

const HOUR: i64 = 3_600_000_000;

fn fixed(at: &str, hours: i8) -> Anchor {
    Anchor {
        at: Timestamp::parse_rfc3339(at).expect("valid"),
        zone: TimeZone::fixed(jiff::tz::offset(hours)),
    }
}

#[test]
fn an_imported_message_counts_from_its_own_day() {
    let imported = anchor("2023-05-07T10:00:00Z", "UTC");
    check(
        &imported,
        &[("yesterday I went to the store", "yesterday=2023-05-06")],
    );
}

#[test]
fn an_evening_west_of_greenwich_stays_on_its_day() {
    let evening = fixed("2026-06-01T19:00:00-05:00", -5);
    check(
        &evening,
        &[
            ("met Ana tonight", "tonight=2026-06-01 evening"),
            ("today", "today=2026-06-01"),
            ("昨天", "昨天=2026-05-31"),
        ],
    );
}

#[test]
fn either_side_of_midnight_has_its_own_yesterday() {
    let before = fixed("2026-06-01T23:50:00+02:00", 2);
    let after = fixed("2026-06-02T00:10:00+02:00", 2);
    assert_eq!(found("today", &before), "today=2026-06-01");
    assert_eq!(found("today", &after), "today=2026-06-02");
    assert_eq!(found("yesterday", &after), "yesterday=2026-06-01");
    assert_eq!(
        found("half an hour ago we saw 20 minutes ago", &after),
        "half an hour ago=2026-06-01 23:40 | 20 minutes ago=2026-06-01 23:50"
    );
    assert_eq!(found("tonight was fun", &after), "tonight=2026-06-01 night");
    assert_eq!(
        found("tonight will be fun", &after),
        "tonight=2026-06-02 evening"
    );
}

#[test]
fn the_same_moment_in_two_zones_has_two_yesterdays() {
    let at = "2026-03-10T09:21:00Z";
    assert_eq!(
        found("yesterday", &anchor(at, "UTC")),
        "yesterday=2026-03-09"
    );
    assert_eq!(
        found("yesterday", &anchor(at, "Pacific/Midway")),
        "yesterday=2026-03-08"
    );
}

#[test]
fn days_of_changing_clocks_have_their_true_length() {
    let length = |at: &str, zone: &str, words: &str| {
        let happened = query_interval(words, &anchor(at, zone)).expect("an interval");
        (happened.to.0 - happened.from.0) / HOUR
    };
    assert_eq!(
        length("2023-03-13T12:00:00-04:00", "America/New_York", "yesterday"),
        23
    );
    assert_eq!(
        length("2023-11-06T12:00:00-05:00", "America/New_York", "yesterday"),
        25
    );
    assert_eq!(
        length("2023-03-13T12:00:00-04:00", "America/New_York", "last week"),
        7 * 24 - 1
    );
    // In Beirut and Havana the clocks change at midnight itself.
    assert_eq!(
        length("2022-03-28T12:00:00+03:00", "Asia/Beirut", "yesterday"),
        23
    );
    assert_eq!(
        length("2022-11-07T12:00:00-05:00", "America/Havana", "yesterday"),
        25
    );
    assert_eq!(
        length("2023-03-12T12:00:00-04:00", "America/New_York", "today"),
        23
    );
}

#[test]
fn a_day_that_a_zone_skipped_is_none() {
    // Samoa had no 30 December 2011.
    assert_eq!(
        found(
            "yesterday",
            &anchor("2011-12-31T12:00:00+14:00", "Pacific/Apia")
        ),
        ""
    );
}

#[test]
fn a_skipped_minute_is_a_minute() {
    let happened = query_interval(
        "yesterday at 2:30 am",
        &anchor("2023-03-13T12:00:00-04:00", "America/New_York"),
    )
    .expect("an interval");
    assert_eq!(happened.from.to_string(), "2023-03-12T07:30:00.000000Z");
    assert_eq!(happened.to.0 - happened.from.0, HOUR / 60);
}

#[test]
fn the_ends_of_the_calendar_hold() {
    for at in [
        i64::MIN,
        i64::MAX,
        Timestamp::from_jiff(jiff::Timestamp::MIN).0,
        Timestamp::from_jiff(jiff::Timestamp::MAX).0,
    ] {
        for zone in ["UTC", "Pacific/Kiritimati", "Pacific/Midway"] {
            let edge = Anchor {
                at: Timestamp(at),
                zone: TimeZone::get(zone).expect("in the database"),
            };
            for text in [
                "yesterday tomorrow last week next year in May two decades ago 5 minutes ago",
                "上周 明年 去年夏天 大后天 三十年前 2分钟后",
                "in 100 years since March",
            ] {
                let _ = found(text, &edge);
            }
        }
    }
}
