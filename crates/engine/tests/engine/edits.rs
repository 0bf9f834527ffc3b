//! Memories that are edited, listed and forgotten by hand.

use mneme_core::id::{MemoryId, UserId, UserKey};
use mneme_core::memory::{Kind, Reason, Slot};
use mneme_core::ports::Memories;
use mneme_engine::ErrorKind;
use mneme_engine::api::{Attributes, EventPatch, EventQuery};
use serde_json::json;
use uuid::Uuid;

use crate::common::House;

async fn add(house: &House, topic: &str, sub_topic: &str, content: &str) -> MemoryId {
    house
        .engine
        .add_slot(
            &house.owner,
            Slot::new(topic, sub_topic),
            content.to_owned(),
            Attributes::new(),
        )
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn filling_a_filled_slot_keeps_its_id_and_leaves_a_revision() {
    let house = House::rules().await;
    let first = add(&house, "work", "title", "baker").await;
    house.clock.advance_seconds(60);
    let again = add(&house, "Work", "Title", "painter").await;
    assert_eq!(first, again);
    let slot = house.slot("work", "title").await.unwrap();
    assert_eq!(
        (slot.content.as_str(), slot.revision, slot.slot),
        ("painter", 2, Some(Slot::new("Work", "Title")))
    );
    let revisions = house.store.revisions(&house.owner, first).await.unwrap();
    assert_eq!(
        (
            revisions.len(),
            revisions[0].content.as_str(),
            revisions[0].reason
        ),
        (1, "baker", Reason::Edited)
    );
    let found: Vec<String> = house
        .recall("baker or painter")
        .await
        .into_iter()
        .map(|hit| hit.memory.content)
        .collect();
    assert_eq!(found, ["painter"], "the old state is history");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_moves_a_memory_but_never_onto_another() {
    let house = House::rules().await;
    let title = add(&house, "work", "title", "baker").await;
    add(&house, "work", "company", "Acme").await;
    let moved = Some((Slot::new("work", "company"), Attributes::new()));
    let error = house
        .engine
        .edit_slot(&house.owner, title, "painter".to_owned(), moved)
        .await
        .unwrap_err();
    assert_eq!(error.kind, ErrorKind::Conflict);
    assert_eq!(
        house.slots().await,
        ["work::company: Acme", "work::title: baker"],
        "nothing has changed"
    );
    let moved = Some((Slot::new("work", "craft"), Attributes::new()));
    assert!(
        house
            .engine
            .edit_slot(&house.owner, title, "painter".to_owned(), moved)
            .await
            .unwrap()
    );
    assert_eq!(
        house.slots().await,
        ["work::company: Acme", "work::craft: painter"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_cannot_be_edited_or_forgotten() {
    let house = House::rules().await;
    let nothing = MemoryId(Uuid::from_u128(1));
    let nobody = UserKey {
        user: UserId::from_name("nobody"),
        ..house.owner.clone()
    };
    assert!(
        !house
            .engine
            .edit_slot(&house.owner, nothing, "x".to_owned(), None)
            .await
            .unwrap()
    );
    assert!(
        !house
            .engine
            .edit_event(
                &house.owner,
                nothing,
                EventPatch {
                    event_tip: Some("- x".to_owned()),
                    ..EventPatch::default()
                }
            )
            .await
            .unwrap()
    );
    assert!(
        !house
            .engine
            .forget(&house.owner, Kind::Profile, nothing)
            .await
            .unwrap()
    );
    let error = house
        .engine
        .add_slot(
            &nobody,
            Slot::new("a", "b"),
            "c".to_owned(),
            Attributes::new(),
        )
        .await
        .unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotFound);
    let slot = add(&house, "work", "title", "baker").await;
    assert!(
        !house
            .engine
            .forget(&house.owner, Kind::Event, slot)
            .await
            .unwrap(),
        "another kind"
    );
    // The same id under another user is nothing.
    let other = house.user().await;
    assert!(
        !house
            .engine
            .forget(&other, Kind::Profile, slot)
            .await
            .unwrap()
    );
    assert_eq!(house.slots().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn c05_what_is_forgotten_is_gone_from_recall_at_once() {
    let house = House::rules().await;
    house.learn("I keep three goats in Bergen.").await;
    add(&house, "life", "pets", "three goats").await;
    let found = house.recall("three goats").await;
    assert_eq!(found.len(), 2);
    for hit in found {
        assert!(
            house
                .engine
                .forget(&house.owner, hit.memory.kind, hit.memory.id)
                .await
                .unwrap()
        );
        assert!(
            house
                .recall("three goats")
                .await
                .iter()
                .all(|other| other.memory.id != hit.memory.id)
        );
        assert!(
            !house
                .engine
                .forget(&house.owner, hit.memory.kind, hit.memory.id)
                .await
                .unwrap()
        );
    }
    assert!(house.recall("three goats").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn c09_l12_what_was_forgotten_does_not_come_back_with_its_source() {
    let house = House::rules().await;
    house.learn("I keep three goats. My name is Gus.").await;
    for kind in [Kind::Profile, Kind::Gist] {
        for hit in house
            .recall("Gus")
            .await
            .into_iter()
            .filter(|hit| hit.memory.kind == kind)
        {
            assert!(
                house
                    .engine
                    .forget(&house.owner, kind, hit.memory.id)
                    .await
                    .unwrap()
            );
        }
    }
    house.learn("I keep three goats. My name is Gus.").await;
    assert_eq!(house.slot("basic_info", "name").await, None);
    house.learn("By the way, my name is Gus.").await;
    assert_eq!(
        house.slot("basic_info", "name").await.unwrap().content,
        "Gus",
        "other words may say it anew"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn new_notes_of_an_event_bring_new_gists() {
    let house = House::rules().await;
    house.learn("I keep three goats in Bergen.").await;
    let event = house.events().await.remove(0);
    let patch = EventPatch {
        event_tip: Some("- two horses in Oslo\nno line\n- a boat".to_owned()),
        ..EventPatch::default()
    };
    assert!(
        house
            .engine
            .edit_event(&house.owner, event.id, patch)
            .await
            .unwrap()
    );
    let edited = house.events().await.remove(0);
    assert_eq!(
        (edited.id, edited.revision, &edited.data["profile_delta"]),
        (event.id, 2, &event.data["profile_delta"])
    );
    let gists: Vec<String> = house
        .gists()
        .await
        .into_iter()
        .map(|gist| gist.content)
        .collect();
    assert_eq!(gists, ["- two horses in Oslo", "- a boat"]);
    let found: Vec<String> = house
        .recall("goats or horses")
        .await
        .into_iter()
        .map(|hit| hit.memory.content)
        .collect();
    assert!(
        found[0].contains("horses") && found.iter().all(|text| !text.contains("goats")),
        "{found:?}"
    );

    let patch = EventPatch {
        profile_delta: Some(vec![json!({"content": "c", "attributes": {}})]),
        ..EventPatch::default()
    };
    assert!(
        house
            .engine
            .edit_event(&house.owner, event.id, patch)
            .await
            .unwrap()
    );
    let edited = house.events().await.remove(0);
    assert_eq!(
        (
            edited.content.contains("horses"),
            edited.revision,
            edited.data["profile_delta"][0]["content"].as_str()
        ),
        (true, 3, Some("c"))
    );
    assert_eq!(
        house.gists().await.len(),
        2,
        "the notes stayed, and so did their gists"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_listed_newest_first_within_count_tokens_and_days() {
    let house = House::rules().await;
    for words in ["I keep three goats.", "I sold a boat.", "I bought a horse."] {
        house.learn(words).await;
        house.clock.advance_seconds(86_400);
    }
    let list = async |topk, max_token_size, days| {
        let query = EventQuery {
            topk,
            max_token_size,
            days,
        };
        house
            .engine
            .events(&house.owner, &query)
            .await
            .unwrap()
            .into_iter()
            .map(|event| event.content)
            .collect::<Vec<_>>()
    };
    let all = list(10, None, None).await;
    assert!(
        all.len() == 3 && all[0].contains("horse") && all[2].contains("goats"),
        "{all:?}"
    );
    assert_eq!(list(2, None, None).await, all[..2]);
    assert_eq!(list(0, None, None).await.len(), 0);
    let tokens: Vec<i64> = house
        .events()
        .await
        .iter()
        .map(|event| i64::from(event.tokens))
        .collect();
    assert!(tokens.iter().all(|&count| count > 3), "{tokens:?}");
    assert_eq!(list(10, Some(tokens[0] + tokens[1]), None).await, all[..2]);
    assert_eq!(
        list(10, Some(tokens[0] + tokens[1] - 1), None).await,
        all[..1]
    );
    assert_eq!(list(10, Some(0), None).await.len(), 0);
    assert_eq!(list(10, None, Some(2)).await, all[..2]);
}
