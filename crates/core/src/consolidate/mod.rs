//! Consolidation: what the windows of a batch said, against what we knew, becomes a change set.
//!
//! Pure: the same profile, windows, time and ids give the same change set. A changed slot leaves a revision; a value
//! that is said again only moves `updated_at`; facts of one batch that meet in one slot become one state.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};
use uuid::Uuid;

mod index;
mod slots;
#[cfg(test)]
mod tests;

pub use index::indexed;
pub use slots::holds;

use crate::buffer;
use crate::change::{ChangeSet, Indexed};
use crate::distil::{Distilled, Note, Origin};
use crate::id::{MemoryId, SubScope};
use crate::limits::MEMORY_BYTES_MAX;
use crate::memory::{Kind, Memory, Provenance, Times};
use crate::time::Timestamp;
use slots::{Working, apply_facts, finish_slot};

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
            Some((key, Working::of(stored)))
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
