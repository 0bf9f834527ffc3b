//! The built-in distiller's place in the pipeline, and the profile as it stands while windows are judged in a row.

use std::collections::BTreeMap;

use mneme_core::config::ProfileConfig;
use mneme_core::consolidate;
use mneme_core::distil::{DatedTurn, Distilled, Fact, Language, Verdict, builtin};
use mneme_core::memory::{Memory, Slot};

use crate::project::Settings;

/// What each slot holds, by its key.
#[derive(Debug, Clone, Default)]
pub(crate) struct Current {
    slots: BTreeMap<String, String>,
}

impl Current {
    pub(crate) fn of(profile: &[Memory]) -> Self {
        let slots = profile
            .iter()
            .filter_map(|m| m.slot.as_ref().map(|slot| (slot.key(), m.content.clone())))
            .collect();
        Self { slots }
    }

    pub(crate) fn get(&self, slot: &Slot) -> Option<&str> {
        self.slots.get(&slot.key()).map(String::as_str)
    }

    /// What the facts of one window make of it.
    pub(crate) fn apply(&mut self, facts: &[(Fact, Verdict)]) {
        for (fact, verdict) in facts {
            let key = fact.slot.key();
            match verdict {
                Verdict::Abort => {}
                Verdict::Update(text) if text.trim().is_empty() => {}
                Verdict::Update(text) => {
                    self.slots.insert(key, text.clone());
                }
                Verdict::Append => match self.slots.get_mut(&key) {
                    Some(content) if consolidate::holds(content, &fact.value) => {}
                    Some(content) => {
                        content.push(';');
                        content.push_str(&fact.value);
                    }
                    None => {
                        self.slots.insert(key, fact.value.clone());
                    }
                },
            }
        }
    }
}

/// Reads and judges a window by rules, off the async workers.
pub(crate) async fn distil(
    turns: Vec<DatedTurn>,
    current: &Current,
    settings: &Settings,
) -> Distilled {
    let current = current.clone();
    let language = settings.language;
    let work = move || day_by_day(&turns, current, language);
    let mut distilled = match tokio::task::spawn_blocking(work).await {
        Ok(distilled) => distilled,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    };
    if settings.strict {
        distilled
            .facts
            .retain(|(fact, _)| ProfileConfig::allows(&settings.topics, &fact.slot));
    }
    if !settings.tags.is_empty() {
        // Rules do not guess moods.
        distilled.tags = Some(Vec::new());
    }
    distilled
}

/// One event for the window, but facts source by source and day by day, so that a slot that changes between two days
/// keeps both states.
fn day_by_day(turns: &[DatedTurn], mut current: Current, language: Language) -> Distilled {
    let day = |turn: &DatedTurn| (turn.source, turn.anchor.at.date_iso(&turn.anchor.zone));
    let mut whole = Distilled::default();
    for part in turns.chunk_by(|a, b| day(a) == day(b)) {
        let holds = |slot: &Slot| current.get(slot).map(str::to_owned);
        let distilled = builtin::distil(part, &holds, language);
        current.apply(&distilled.facts);
        if !whole.notes.is_empty() && !distilled.notes.is_empty() {
            whole.notes.push('\n');
        }
        whole.notes.push_str(&distilled.notes);
        whole.lines.extend(distilled.lines);
        whole.facts.extend(distilled.facts);
        whole.defects.extend(distilled.defects);
    }
    whole
}
