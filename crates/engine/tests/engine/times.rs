//! When things happened, by the words of the message and by its own time and zone.

use jiff::tz::TimeZone;
use mneme_core::memory::Memory;
use mneme_core::time::{Precision, Timestamp};
use mneme_engine::Options;
use mneme_testkit::{Answer, Step};
use serde_json::json;

use crate::common::{House, Plan, done};

async fn gist_of(house: &House, messages: serde_json::Value, part: &str) -> Memory {
    house.chat(&house.owner, messages).await;
    done(house.settle().await);
    let gists = house.gists().await;
    gists
        .iter()
        .find(|gist| gist.content.contains(part))
        .unwrap_or_else(|| panic!("{part} in {gists:?}"))
        .clone()
}

fn at(text: &str) -> Timestamp {
    Timestamp::parse_rfc3339(text).unwrap()
}

/// From, to and precision.
fn happened(memory: &Memory) -> Option<(Timestamp, Timestamp, Precision)> {
    memory
        .times
        .happened
        .map(|interval| (interval.from, interval.to, interval.precision))
}

#[tokio::test(flavor = "multi_thread")]
async fn d01_yesterday_is_the_day_before_the_message_not_before_the_import() {
    let house = House::rules().await;
    let gist = gist_of(&house, json!([{"role": "user", "content": "yesterday I went to the store", "created_at": "2023-05-07"}]), "store").await;
    let day = (
        at("2023-05-06T00:00:00Z"),
        at("2023-05-07T00:00:00Z"),
        Precision::Day,
    );
    assert_eq!(happened(&gist), Some(day));
    assert!(gist.content.contains("2023-05-06"), "{}", gist.content);
    // A date without a time of day stands for its noon.
    assert_eq!(gist.times.mentioned_at, Some(day.1.plus_seconds(43_200)));
}

#[tokio::test(flavor = "multi_thread")]
async fn d03_without_a_time_the_words_are_anchored_at_our_receipt() {
    let house = House::rules().await;
    let gist = gist_of(
        &house,
        json!([{"role": "user", "content": "yesterday I went to the store"}]),
        "store",
    )
    .await;
    assert_eq!(happened(&gist).unwrap().0, at("2026-11-28T00:00:00Z"));
}

#[tokio::test(flavor = "multi_thread")]
async fn d05_a_message_with_its_own_zone_does_not_mind_ours() {
    let mut found = Vec::new();
    for zone in [
        TimeZone::UTC,
        TimeZone::fixed(jiff::tz::offset(-11)),
        TimeZone::fixed(jiff::tz::offset(13)),
    ] {
        let options = Options {
            zone,
            ..Options::default()
        };
        let house = House::built(Plan {
            model: false,
            options,
            ..Plan::default()
        })
        .await;
        let gist = gist_of(&house, json!([{"role": "user", "content": "yesterday I went to the store", "created_at": "2026-03-10T09:21:00Z"}]), "store").await;
        found.push((gist.times.clone(), gist.content));
    }
    assert_eq!((&found[0], &found[0]), (&found[1], &found[2]));
    assert_eq!(
        found[0].0.happened.unwrap().from,
        at("2026-03-09T00:00:00Z")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn d06_an_evening_stays_on_its_own_day_and_in_the_evening() {
    let house = House::rules().await;
    let gist = gist_of(&house, json!([{"role": "user", "content": "I met Ana tonight", "created_at": "2026-06-01T19:00:00-05:00"}]), "Ana").await;
    let (from, to, precision) = happened(&gist).unwrap();
    let evening = at("2026-06-01T18:00:00-05:00");
    assert!(
        from <= evening && evening < to && to <= at("2026-06-02T06:00:00-05:00"),
        "{from} {to}"
    );
    assert_eq!(precision, Precision::DayPart);
    assert!(gist.content.contains("[2026-06-01]"), "{}", gist.content);
    assert_eq!(gist.times.mentioned_at, Some(at("2026-06-02T00:00:00Z")));
}

#[tokio::test(flavor = "multi_thread")]
async fn d10_a_fact_has_the_date_of_its_own_message_not_of_the_flush() {
    for model in [false, true] {
        let house = House::built(Plan {
            model,
            ..Plan::default()
        })
        .await;
        let messages = json!([
            {"role": "user", "content": "I signed the lease.", "created_at": "2026-03-09 23:50"},
            {"role": "user", "content": "I cannot sleep.", "created_at": "2026-03-10 00:10"},
        ]);
        let gist = gist_of(&house, messages, "lease").await;
        assert_eq!(
            gist.times.mentioned_at,
            Some(at("2026-03-09T23:50:00Z")),
            "model: {model}"
        );
        assert!(gist.content.contains("2026-03-09"), "{}", gist.content);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_models_marks_tell_when_something_was_said_from_when_it_happened() {
    let house = House::model().await;
    let notes = "- Went to the store [mention 2023/05/07] [happened 2023/05/06] // event\n\
        - Likes tea [mention 2023/05/07] // info\n\
        - Moved to Oslo in 2019 [mention 2023/05/07] // event\n\
        - Sold the boat [mention May 7, 2023; happened 2023-05-01] // event";
    house
        .llm
        .script(Step::EntryNotes, [Answer::Text(notes.to_owned())], false);
    house
        .chat(
            &house.owner,
            json!([{"role": "user", "content": "news", "created_at": "2023-05-07T10:00:00Z"}]),
        )
        .await;
    done(house.settle().await);
    let gists = house.gists().await;
    let of = |part: &str| {
        happened(
            gists
                .iter()
                .find(|gist| gist.content.contains(part))
                .unwrap(),
        )
        .map(|found| (found.0.to_string(), found.2))
    };
    assert_eq!(
        of("store"),
        Some(("2023-05-06T00:00:00.000000Z".to_owned(), Precision::Day))
    );
    assert_eq!(of("tea"), None, "being said is no happening");
    assert_eq!(
        of("Oslo"),
        Some(("2019-01-01T00:00:00.000000Z".to_owned(), Precision::Year))
    );
    assert_eq!(
        of("boat"),
        Some(("2023-05-01T00:00:00.000000Z".to_owned(), Precision::Day))
    );
    let day = at("2023-05-07T00:00:00Z");
    assert!(gists.iter().all(|gist| {
        gist.times
            .mentioned_at
            .is_some_and(|said| said >= day && said < day.plus_seconds(86_400))
    }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_date_of_a_story_is_kept_in_its_own_words() {
    let house = House::rules().await;
    let gist = gist_of(&house, json!([{"role": "user", "content": "We reached the castle.", "created_at": "third age, year 12"}]), "castle").await;
    assert!(
        gist.content.contains("[third age, year 12]"),
        "{}",
        gist.content
    );
    assert_eq!(gist.times.mentioned_at, Some(at(crate::common::NOON)));
}
