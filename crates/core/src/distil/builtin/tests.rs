//! Tests of the whole distiller.

mod acceptance;
mod chinese;
mod english;
mod gists;
mod properties;
mod verdicts;

use std::collections::HashMap;

use jiff::tz::TimeZone;
use uuid::Uuid;

use super::distil;
use crate::distil::{DatedTurn, Distilled, Language, Verdict};
use crate::id::SourceId;
use crate::memory::Slot;
use crate::source::{Role, Turn};
use crate::time::{Anchor, Timestamp};

fn anchor() -> Anchor {
    Anchor {
        at: Timestamp::parse_rfc3339("2023-05-08T13:56:00Z").expect("valid"),
        zone: TimeZone::UTC,
    }
}

fn said_by(role: Role, alias: Option<&str>, content: &str) -> DatedTurn {
    let turn = Turn {
        role,
        alias: alias.map(str::to_owned),
        content: content.to_owned(),
        created_at: None,
    };
    DatedTurn {
        source: SourceId(Uuid::nil()),
        index: 0,
        turn,
        anchor: anchor(),
    }
}

fn said(content: &str) -> DatedTurn {
    said_by(Role::User, None, content)
}

fn numbered(turns: Vec<DatedTurn>) -> Vec<DatedTurn> {
    turns
        .into_iter()
        .zip(0..)
        .map(|(turn, index)| DatedTurn { index, ..turn })
        .collect()
}

/// Distils with nothing known.
fn fresh(turns: &[DatedTurn]) -> Distilled {
    distil(turns, &|_| None, Language::En)
}

/// `topic::sub_topic=value` of each fact of one user turn.
fn facts(content: &str) -> Vec<String> {
    let turns = [said(content)];
    fresh(&turns)
        .facts
        .into_iter()
        .map(|(fact, _)| {
            format!(
                "{}::{}={}",
                fact.slot.topic, fact.slot.sub_topic, fact.value
            )
        })
        .collect()
}

/// Asserts what user turns fill.
fn check(table: &[(&str, &[&str])]) {
    let wrong: Vec<String> = table
        .iter()
        .filter_map(|(text, expected)| {
            let found = facts(text);
            (found != *expected)
                .then(|| format!("{text:?}\n  found    {found:?}\n  expected {expected:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Asserts that user turns fill no slot.
fn fills_nothing(texts: &[&str]) {
    let wrong: Vec<String> = texts
        .iter()
        .map(|text| (text, facts(text)))
        .filter(|(_, found)| !found.is_empty())
        .map(|(text, found)| format!("{text:?} gave {found:?}"))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// What slots hold after batch upon batch, the way that consolidation applies verdicts.
#[derive(Default)]
struct Profile(HashMap<String, String>);

impl Profile {
    fn hears(&mut self, contents: &[&str]) -> Vec<(String, Verdict)> {
        let turns = numbered(contents.iter().map(|content| said(content)).collect());
        let distilled = distil(
            &turns,
            &|slot| self.0.get(&slot.key()).cloned(),
            Language::En,
        );
        distilled
            .facts
            .into_iter()
            .map(|(fact, verdict)| {
                match &verdict {
                    Verdict::Append => {
                        let held = self.0.entry(fact.slot.key()).or_default();
                        *held = if held.is_empty() {
                            fact.value.clone()
                        } else {
                            format!("{held};{}", fact.value)
                        };
                    }
                    Verdict::Update(text) => drop(self.0.insert(fact.slot.key(), text.clone())),
                    Verdict::Abort => {}
                }
                (
                    format!(
                        "{}::{}={}",
                        fact.slot.topic, fact.slot.sub_topic, fact.value
                    ),
                    verdict,
                )
            })
            .collect()
    }

    fn holds(&self, topic: &str, sub_topic: &str) -> Option<&str> {
        self.0
            .get(&Slot::new(topic, sub_topic).key())
            .map(String::as_str)
    }
}
