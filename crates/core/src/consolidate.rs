//! Consolidation: what the windows of a batch said, against what we knew, becomes a change set.
//!
//! Pure: the same profile, windows, time and ids give the same change set. A changed slot leaves a revision; a value
//! that is said again only moves `updated_at`; facts of one batch that meet in one slot become one state.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::analyze;
use crate::buffer;
use crate::change::{ChangeSet, IndexEntry, Indexed, Revised};
use crate::distil::{Distilled, EventTag, Fact, Note, Origin, Verdict};
use crate::id::{MemoryId, SubScope};
use crate::limits::MEMORY_BYTES_MAX;
use crate::memory::{Kind, Memory, Provenance, Reason, Times};
use crate::time::Timestamp;

/// The attribute that counts how often a slot was hit (the name is Memobase's).
pub const UPDATE_HITS: &str = "update_hits";

/// What a plan did, for the caller.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// The events that were made, one for each window with notes.
    pub events: Vec<MemoryId>,
    /// Profile memories that are new.
    pub added: Vec<MemoryId>,
    /// Profile memories that have a new state.
    pub updated: Vec<MemoryId>,
    /// Gists that are new.
    pub gists: u32,
}

/// Where and when a plan is made.
pub struct Setting<'a> {
    /// Now.
    pub now: Timestamp,
    /// The zone of dates in index terms.
    pub zone: &'a TimeZone,
    /// Agent and session of what is new.
    pub scope: SubScope,
    /// Fresh ids.
    pub next_id: &'a mut dyn FnMut() -> Uuid,
}

/// A slot while the plan is made.
#[derive(Default)]
struct Working {
    /// The state in the store, if there is one.
    stored: Option<Memory>,
    /// The states that follow it, each of which held from when it was said.
    states: Vec<State>,
    /// Words that said again what the slot holds.
    confirmed_by: Vec<Origin>,
}

/// A state of a slot that the plan makes.
struct State {
    memory: Memory,
    reason: Reason,
    origins: Vec<Origin>,
}

impl Working {
    fn current(&self) -> Option<&Memory> {
        self.states
            .last()
            .map(|state| &state.memory)
            .or(self.stored.as_ref())
    }
}

/// Plans what a batch does: one event with its gists for each window that has notes, and the slots.
pub fn plan(
    profile: &[Memory],
    windows: &[Distilled],
    setting: &mut Setting<'_>,
) -> (ChangeSet, Summary) {
    let mut slots: BTreeMap<String, Working> = profile
        .iter()
        .filter_map(|memory| {
            let key = memory.slot.as_ref()?.key();
            let stored = Some(memory.clone());
            Some((
                key,
                Working {
                    stored,
                    ..Working::default()
                },
            ))
        })
        .collect();
    let mut change = ChangeSet::default();
    let mut summary = Summary::default();
    for window in windows {
        let delta = apply_facts(&mut slots, &window.facts, setting);
        add_event(&mut change, &mut summary, window, delta, setting);
    }
    for working in slots.into_values() {
        finish_slot(&mut change, &mut summary, working, setting);
    }
    (change, summary)
}

/// Applies facts to the working slots and returns the record of it for the event (`profile_delta`).
fn apply_facts(
    slots: &mut BTreeMap<String, Working>,
    facts: &[(Fact, Verdict)],
    setting: &mut Setting<'_>,
) -> Vec<Value> {
    let mut delta = Vec::new();
    for (fact, verdict) in facts {
        let content = match verdict {
            Verdict::Abort => {
                if let Some(working) = slots.get_mut(&fact.slot.key()) {
                    working.confirmed_by.extend(fact.origins.iter().cloned());
                }
                continue;
            }
            Verdict::Update(text) => text.trim(),
            Verdict::Append => fact.value.trim(),
        };
        if content.is_empty() {
            continue;
        }
        let working = slots.entry(fact.slot.key()).or_default();
        if let Some(recorded) = change_slot(working, fact, verdict, content, setting) {
            delta.push(json!({"content": recorded, "attributes": {"topic": fact.slot.topic, "sub_topic": fact.slot.sub_topic}}));
        }
    }
    delta
}

/// Gives a slot its next state. Returns what the event records, or `None` when nothing changed.
fn change_slot(
    working: &mut Working,
    fact: &Fact,
    verdict: &Verdict,
    content: &str,
    setting: &mut Setting<'_>,
) -> Option<String> {
    let (next, recorded, reason) = match (verdict, working.current()) {
        (_, None) => {
            let memory = new_slot(fact, content, setting);
            working.states.push(State {
                memory,
                reason: Reason::Superseded,
                origins: fact.origins.clone(),
            });
            return Some(content.to_owned());
        }
        // Guards against models that append what is there already.
        (Verdict::Append, Some(current)) if holds(&current.content, content) => {
            working.confirmed_by.extend(fact.origins.iter().cloned());
            return None;
        }
        (Verdict::Append, Some(current)) => (
            format!("{};{content}", current.content),
            content.to_owned(),
            Reason::Extended,
        ),
        (_, Some(current)) if same(&current.content, content) => {
            working.confirmed_by.extend(fact.origins.iter().cloned());
            return None;
        }
        (_, Some(_)) => (content.to_owned(), fact.value.clone(), Reason::Superseded),
    };
    push_state(working, fact, next, reason, setting);
    Some(recorded)
}

/// A slot that is only added to, or that changes twice in one moment, has one new state; otherwise each change is a
/// state of its own, so that what held in between stays in the history.
fn push_state(
    working: &mut Working,
    fact: &Fact,
    content: String,
    reason: Reason,
    setting: &Setting<'_>,
) {
    if let Some(last) = working.states.last_mut()
        && (reason == Reason::Extended || last.memory.times.valid_from == Some(fact.said_at))
    {
        last.memory.content = content;
        last.memory.times.mentioned_at = Some(fact.said_at);
        last.origins.extend(fact.origins.iter().cloned());
        return;
    }
    let Some(current) = working.current() else {
        return;
    };
    let mut memory = current.clone();
    memory.content = content;
    memory.times.mentioned_at = Some(fact.said_at);
    memory.times.valid_from = Some(fact.said_at);
    memory.updated_at = setting.now;
    memory.revision = current.revision.saturating_add(1);
    let hits = current.data.get(UPDATE_HITS).and_then(Value::as_i64);
    memory.data.insert(
        UPDATE_HITS.to_owned(),
        json!(hits.unwrap_or(0).saturating_add(1)),
    );
    working.states.push(State {
        memory,
        reason,
        origins: fact.origins.clone(),
    });
}

fn new_slot(fact: &Fact, content: &str, setting: &mut Setting<'_>) -> Memory {
    Memory {
        id: MemoryId((setting.next_id)()),
        kind: Kind::Profile,
        scope: setting.scope.clone(),
        slot: Some(fact.slot.clone()),
        parent: None,
        ordinal: 0,
        content: content.to_owned(),
        data: Map::new(),
        speaker: None,
        times: Times {
            mentioned_at: Some(fact.said_at),
            happened: None,
            valid_from: Some(fact.said_at),
            valid_to: None,
            recorded_at: setting.now,
        },
        updated_at: setting.now,
        importance: 0.5,
        tokens: 0,
        revision: 1,
    }
}

/// Equal but for case, blanks and a closing stop.
fn same(a: &str, b: &str) -> bool {
    let plain = |text: &str| {
        text.split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .trim_end_matches(['.', '。', '!', '！'])
            .to_lowercase()
    };
    plain(a) == plain(b)
}

/// Whether a slot's content has the value as one of its parts.
#[must_use]
pub fn holds(content: &str, value: &str) -> bool {
    same(content, value) || content.split([';', '；']).any(|part| same(part, value))
}

fn finish_slot(
    change: &mut ChangeSet,
    summary: &mut Summary,
    working: Working,
    setting: &Setting<'_>,
) {
    let Some(current) = working.current() else {
        return;
    };
    let (id, last) = (current.id, current.revision);
    for origin in &working.confirmed_by {
        change.provenance.push(provenance(id, last, origin));
    }
    if working.states.is_empty() {
        if !working.confirmed_by.is_empty() {
            change.confirm.push(id);
        }
        return;
    }
    match working.stored {
        None => summary.added.push(id),
        Some(_) => summary.updated.push(id),
    }
    for State {
        memory,
        reason,
        origins,
    } in working.states
    {
        for origin in &origins {
            change
                .provenance
                .push(provenance(id, memory.revision, origin));
        }
        let is_new = memory.revision == 1;
        let next = if memory.revision == last {
            indexed(memory, setting.zone)
        } else {
            // Replaced in the same breath: not worth an index entry.
            Indexed {
                memory,
                index: IndexEntry::default(),
            }
        };
        if is_new {
            change.add.push(next);
        } else {
            change.revise.push(Revised { next, reason });
        }
    }
}

fn add_event(
    change: &mut ChangeSet,
    summary: &mut Summary,
    window: &Distilled,
    delta: Vec<Value>,
    setting: &mut Setting<'_>,
) {
    if window.notes.trim().is_empty() {
        return;
    }
    let id = MemoryId((setting.next_id)());
    let said: Vec<Timestamp> = window.lines.iter().map(|line| line.said_at).collect();
    let mut data = Map::new();
    data.insert("profile_delta".to_owned(), Value::Array(delta));
    data.insert(
        "event_tags".to_owned(),
        window.tags.as_ref().map_or(Value::Null, |tags| json!(tags)),
    );
    let event = Memory {
        id,
        kind: Kind::Event,
        scope: setting.scope.clone(),
        slot: None,
        parent: None,
        ordinal: u32::try_from(summary.events.len()).unwrap_or(u32::MAX),
        content: window.notes.clone(),
        data,
        speaker: None,
        times: Times {
            mentioned_at: said.iter().min().copied(),
            happened: None,
            valid_from: None,
            valid_to: None,
            recorded_at: setting.now,
        },
        updated_at: setting.now,
        importance: 0.5,
        tokens: 0,
        revision: 1,
    };
    change.add.push(indexed(event, setting.zone));
    summary.events.push(id);
    for (ordinal, line) in window.lines.iter().flat_map(bounded).enumerate() {
        let gist = gist(id, ordinal, &line, setting);
        for origin in &line.origins {
            change.provenance.push(provenance(gist.id, 1, origin));
        }
        change.add.push(indexed(gist, setting.zone));
        summary.gists += 1;
    }
}

/// A line that is longer than a memory may be becomes several, so that each can be embedded and none is cut.
fn bounded(line: &Note) -> Vec<Note> {
    if line.text.len() <= MEMORY_BYTES_MAX {
        return vec![line.clone()];
    }
    let text = line.text.strip_prefix("- ").unwrap_or(&line.text);
    buffer::split_text(text, MEMORY_BYTES_MAX - 2)
        .into_iter()
        .map(|piece| Note {
            text: format!("- {}", piece.trim()),
            ..line.clone()
        })
        .collect()
}

fn gist(event: MemoryId, ordinal: usize, line: &Note, setting: &mut Setting<'_>) -> Memory {
    Memory {
        id: MemoryId((setting.next_id)()),
        kind: Kind::Gist,
        scope: setting.scope.clone(),
        slot: None,
        parent: Some(event),
        ordinal: u32::try_from(ordinal).unwrap_or(u32::MAX),
        content: line.text.clone(),
        data: Map::new(),
        speaker: line.speaker.clone(),
        times: Times {
            mentioned_at: Some(line.said_at),
            happened: line.happened,
            valid_from: None,
            valid_to: None,
            recorded_at: setting.now,
        },
        updated_at: setting.now,
        importance: 0.5,
        tokens: 0,
        revision: 1,
    }
}

/// The gists of notes that somebody edited: the lines that begin with `- `.
pub fn gists_of_notes(event: &Memory, notes: &str, setting: &mut Setting<'_>) -> Vec<Indexed> {
    let said_at = event.times.mentioned_at.unwrap_or(event.times.recorded_at);
    notes
        .lines()
        .map(str::trim)
        .filter(|line| {
            line.starts_with('-') && line.trim_matches(['-', ' ']).chars().next().is_some()
        })
        .enumerate()
        .map(|(ordinal, text)| {
            let line = Note {
                text: text.to_owned(),
                speaker: None,
                said_at,
                happened: None,
                origins: Vec::new(),
            };
            let mut memory = gist(event.id, ordinal, &line, setting);
            // They stand in the timeline where their event does.
            memory.times.recorded_at = event.times.recorded_at;
            indexed(memory, setting.zone)
        })
        .collect()
}

fn provenance(memory: MemoryId, revision: u32, origin: &Origin) -> Provenance {
    Provenance {
        memory,
        revision,
        source: origin.source,
        turn: origin.turn,
        speaker: origin.speaker.clone(),
        said_at: Some(origin.said_at),
    }
}

/// A memory with its index entry: terms of what it says, who said it and when; the text that its vector is made of.
#[must_use]
pub fn indexed(memory: Memory, zone: &TimeZone) -> Indexed {
    let embed_text = embed_text(&memory);
    let terms = match memory.kind {
        // Events are found through their gists.
        Kind::Event => BTreeMap::new(),
        Kind::Profile => {
            analyze::index_terms(None, None, &memory.context_line().replace(['_', ':'], " "))
        }
        _ => {
            let date = memory.times.mentioned_at.map(|at| at.date_iso(zone));
            analyze::index_terms(memory.speaker.as_deref(), date.as_deref(), &memory.content)
        }
    };
    let length = terms
        .values()
        .fold(0_u32, |sum, &count| sum.saturating_add(count));
    Indexed {
        memory,
        index: IndexEntry {
            terms,
            length,
            vector: None,
            embed_text: Some(embed_text),
        },
    }
}

/// What a memory's vector is made of: an event's notes with its delta and tags (contract §4 step 7), a slot's line,
/// else the text.
fn embed_text(memory: &Memory) -> String {
    match memory.kind {
        Kind::Event => {
            let mut text = memory.content.clone();
            for item in memory
                .data
                .get("profile_delta")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
            {
                let attribute = |key: &str| {
                    item.pointer(&format!("/attributes/{key}"))
                        .and_then(Value::as_str)
                        .unwrap_or_default()
                };
                let content = item
                    .get("content")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                text.push_str(&format!(
                    "\n- {}::{}: {content}",
                    attribute("topic"),
                    attribute("sub_topic")
                ));
            }
            let tags: Vec<EventTag> = memory
                .data
                .get("event_tags")
                .filter(|tags| tags.is_array())
                .and_then(|tags| serde_json::from_value(tags.clone()).ok())
                .unwrap_or_default();
            for tag in tags {
                text.push_str(&format!("\n- {}::{}", tag.tag, tag.value));
            }
            text
        }
        Kind::Profile => memory.slot.as_ref().map_or_else(
            || memory.content.clone(),
            |slot| {
                format!(
                    "{} {}: {}",
                    slot.topic.replace('_', " "),
                    slot.sub_topic.replace('_', " "),
                    memory.content
                )
            },
        ),
        Kind::Gist => memory
            .content
            .strip_prefix("- ")
            .unwrap_or(&memory.content)
            .to_owned(),
        _ => memory.content.clone(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::id::SourceId;
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
}
