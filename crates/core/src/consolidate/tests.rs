//! Plans over small profiles.

use proptest::prelude::*;

use super::*;
use crate::distil::{Fact, Verdict};
use crate::id::SourceId;
use crate::memory::Reason;
use crate::memory::Slot;

fn origin() -> Origin {
    Origin {
        source: SourceId(Uuid::from_u128(9)),
        turn: Some(0),
        speaker: Some("user".into()),
        said_at: Timestamp(5),
    }
}

fn fact(sub: &str, value: &str) -> Fact {
    Fact {
        slot: Slot::new("basic_info", sub),
        value: value.into(),
        said_at: Timestamp(5),
        origins: vec![origin()],
    }
}

fn window(facts: Vec<(Fact, Verdict)>) -> Distilled {
    let line = Note {
        text: "- said so".into(),
        speaker: None,
        said_at: Timestamp(5),
        happened: None,
        origins: vec![origin()],
    };
    Distilled {
        notes: "- said so".into(),
        lines: vec![line],
        facts,
        tags: None,
        defects: vec![],
    }
}

fn run(profile: &[Memory], windows: &[Distilled]) -> (ChangeSet, Summary) {
    let mut counter = 100_u128;
    let mut next = || {
        counter += 1;
        Uuid::from_u128(counter)
    };
    plan(
        profile,
        windows,
        &mut Setting {
            now: Timestamp(10),
            zone: &TimeZone::UTC,
            scope: SubScope::default(),
            next_id: &mut next,
        },
    )
}

fn stored(sub: &str, content: &str) -> Memory {
    let (change, _) = run(&[], &[window(vec![(fact(sub, content), Verdict::Append)])]);
    change
        .add
        .into_iter()
        .map(|i| i.memory)
        .find(|m| m.kind == Kind::Profile)
        .expect("a slot")
}

#[test]
fn new_facts_become_slots_with_an_event() {
    let (change, summary) = run(&[], &[window(vec![(fact("name", "Gus"), Verdict::Append)])]);
    assert_eq!(
        (
            summary.added.len(),
            summary.updated.len(),
            summary.events.len(),
            summary.gists
        ),
        (1, 0, 1, 1)
    );
    let event = change
        .add
        .iter()
        .find(|i| i.memory.kind == Kind::Event)
        .expect("an event");
    assert_eq!(
        event.memory.data["profile_delta"],
        json!([{"content": "Gus", "attributes": {"topic": "basic_info", "sub_topic": "name"}}])
    );
    assert_eq!(event.memory.data["event_tags"], Value::Null);
}

#[test]
fn b01_the_same_value_again_is_only_confirmed() {
    let name = stored("name", "Ana");
    for verdict in [
        Verdict::Append,
        Verdict::Update("ana.".into()),
        Verdict::Abort,
    ] {
        let (change, summary) = run(
            std::slice::from_ref(&name),
            &[window(vec![(fact("name", "Ana"), verdict)])],
        );
        assert!(change.revise.is_empty() && summary.updated.is_empty());
        assert_eq!(change.confirm, [name.id]);
    }
}

#[test]
fn b07_an_update_leaves_one_revision_and_counts_hits() {
    let age = stored("job", "5 years at G");
    let (change, summary) = run(
        std::slice::from_ref(&age),
        &[window(vec![(
            fact("job", "6 years at G"),
            Verdict::Update("6 years at G".into()),
        )])],
    );
    assert_eq!(summary.updated, [age.id]);
    let next = &change.revise[0].next.memory;
    assert_eq!(
        (
            next.content.as_str(),
            next.revision,
            &next.data[UPDATE_HITS]
        ),
        ("6 years at G", 2, &json!(1))
    );
    assert_eq!(change.revise[0].reason, Reason::Superseded);
}

#[test]
fn facts_of_two_windows_make_one_state() {
    let foods = stored("foods", "tea");
    let first = window(vec![(fact("foods", "rice"), Verdict::Append)]);
    let second = window(vec![(fact("foods", "noodles"), Verdict::Append)]);
    let (change, summary) = run(std::slice::from_ref(&foods), &[first, second]);
    assert_eq!(summary.events.len(), 2);
    assert_eq!(change.revise.len(), 1);
    assert_eq!(change.revise[0].next.memory.content, "tea;rice;noodles");
}

#[test]
fn what_held_in_between_stays_in_the_history() {
    let said = |day: i64, value: &str| {
        let mut fact = fact("city", value);
        fact.said_at = Timestamp(day);
        (fact, Verdict::Update(value.into()))
    };
    let (change, summary) = run(
        &[],
        &[window(vec![
            said(1, "Lisbon"),
            said(2, "Porto"),
            said(3, "Faro"),
        ])],
    );
    assert_eq!((summary.added.len(), summary.updated.len()), (1, 0));
    let slot = change
        .add
        .iter()
        .find(|i| i.memory.kind == Kind::Profile)
        .expect("a slot");
    assert_eq!(
        (slot.memory.content.as_str(), slot.memory.revision),
        ("Lisbon", 1)
    );
    let states: Vec<(&str, u32)> = change
        .revise
        .iter()
        .map(|r| (r.next.memory.content.as_str(), r.next.memory.revision))
        .collect();
    assert_eq!(states, [("Porto", 2), ("Faro", 3)]);
    assert!(change.revise[1].next.index.embed_text.is_some());
    assert!(change.revise[0].next.index.embed_text.is_none());
}

#[test]
fn nothing_said_makes_no_event() {
    let (change, summary) = run(&[], &[Distilled::default()]);
    assert_eq!(
        (change, summary),
        (ChangeSet::default(), Summary::default())
    );
}

#[test]
fn f10_a_line_that_is_too_long_becomes_several_gists() {
    let mut long = window(vec![]);
    long.lines[0].text = format!("- {}", "A sentence. ".repeat(2000));
    let (change, summary) = run(&[], &[long]);
    let gists: Vec<&Memory> = change
        .add
        .iter()
        .map(|i| &i.memory)
        .filter(|m| m.kind == Kind::Gist)
        .collect();
    assert_eq!(summary.gists as usize, gists.len());
    assert!(gists.len() > 2);
    assert!(
        gists
            .iter()
            .all(|g| g.content.len() <= MEMORY_BYTES_MAX && g.content.starts_with("- "))
    );
    let sentences: usize = gists
        .iter()
        .map(|g| g.content.matches("A sentence.").count())
        .sum();
    assert_eq!(sentences, 2000);
}

#[test]
fn empty_updates_never_blank_a_slot() {
    let name = stored("name", "Ana");
    let (change, _) = run(
        std::slice::from_ref(&name),
        &[window(vec![(
            fact("name", "x"),
            Verdict::Update("  ".into()),
        )])],
    );
    assert!(change.revise.is_empty());
}

proptest! {
    #[test]
    fn one_current_state_per_slot(ops in proptest::collection::vec((0_u8..3, "[ab]", "[a-c]{0,2}"), 0..12)) {
        let facts = ops.into_iter().map(|(verb, sub, value)| {
            let verdict = match verb { 0 => Verdict::Append, 1 => Verdict::Update(value.clone()), _ => Verdict::Abort };
            (fact(&sub, &value), verdict)
        }).collect();
        let mut name = stored("a", "x");
        name.id = MemoryId(Uuid::from_u128(1));
        let (change, _) = run(std::slice::from_ref(&name), &[window(facts)]);
        let mut keys: Vec<String> = change.add.iter().map(|i| &i.memory).chain(change.revise.iter().map(|r| &r.next.memory)).filter_map(|m| m.slot.as_ref().map(Slot::key)).collect();
        keys.sort();
        keys.dedup();
        let ids: std::collections::BTreeSet<MemoryId> = change.add.iter().map(|i| &i.memory).chain(change.revise.iter().map(|r| &r.next.memory)).filter(|m| m.slot.is_some()).map(|m| m.id).collect();
        prop_assert_eq!(keys.len(), ids.len());
        prop_assert!(change.add.iter().chain(change.revise.iter().map(|r| &r.next)).all(|i| !i.memory.content.trim().is_empty()));
    }
}

#[test]
fn older_news_does_not_replace_what_is_known() {
    const NOON: i64 = 43_200 * 1_000_000;
    const DAY: i64 = 2 * NOON;
    let said = |at: i64, value: &str| {
        let mut fact = fact("city", value);
        fact.said_at = Timestamp(at);
        (fact, Verdict::Update(value.into()))
    };
    let (change, _) = run(&[], &[window(vec![said(10 * DAY + 1, "Porto")])]);
    let slots = change.add.into_iter().map(|i| i.memory);
    let porto = slots
        .filter(|m| m.kind == Kind::Profile)
        .collect::<Vec<_>>();
    let mut porto = porto;
    porto[0].id = MemoryId(Uuid::from_u128(1));
    for (at, changes) in [
        (9 * DAY + 1, false),
        (10 * DAY, false),
        (10 * DAY + 2, true),
        // Only dated: some time of that day, perhaps later than what is known.
        (10 * DAY + NOON, true),
        (9 * DAY + NOON, false),
    ] {
        let (change, _) = run(&porto, &[window(vec![said(at, "Lisbon")])]);
        assert_eq!(!change.revise.is_empty(), changes, "{at}");
        assert!(
            change.add.iter().any(|i| i.memory.kind == Kind::Gist),
            "the words are kept"
        );
    }
}
