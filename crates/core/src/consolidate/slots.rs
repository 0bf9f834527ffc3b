//! The slots of a profile while a plan is made: which states follow the one that is stored.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Setting, Summary, UPDATE_HITS, indexed, provenance};
use crate::change::{ChangeSet, IndexEntry, Indexed, Revised};
use crate::distil::{Fact, Origin, Verdict};
use crate::id::MemoryId;
use crate::memory::{Kind, Memory, Reason, Times};
use crate::time::message;

/// A slot while the plan is made.
#[derive(Default)]
pub(super) struct Working {
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
    /// A slot as it is stored.
    pub(super) fn of(stored: Option<Memory>) -> Self {
        Self {
            stored,
            ..Self::default()
        }
    }

    fn current(&self) -> Option<&Memory> {
        self.states
            .last()
            .map(|state| &state.memory)
            .or(self.stored.as_ref())
    }
}

/// Applies facts to the working slots and returns the record of it for the event (`profile_delta`).
pub(super) fn apply_facts(
    slots: &mut BTreeMap<String, Working>,
    facts: &[(Fact, Verdict)],
    setting: &mut Setting<'_>,
) -> Vec<Value> {
    let mut delta = Vec::new();
    // What changes in one moment stays in the order in which it was said.
    let mut place = slots
        .values()
        .fold(0_u32, |sum, slot| sum + u32::from(!slot.states.is_empty()));
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
            if let Some(last) = working.states.last_mut() {
                last.memory.ordinal = place;
                place = place.saturating_add(1);
            }
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
        // News from before what is known does not replace it; the words are in the event.
        (_, Some(current)) if is_older(fact, current, setting) => return None,
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

/// Whether a fact was said before the current state began to hold. A message that only has a date was said at some time
/// of that day.
fn is_older(fact: &Fact, current: &Memory, setting: &Setting<'_>) -> bool {
    let latest = message::latest(fact.said_at, setting.zone);
    current.times.valid_from.is_some_and(|from| latest < from)
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

pub(super) fn finish_slot(
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
