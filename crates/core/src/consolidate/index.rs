//! What the indexes keep of a memory: its terms, and the text that its vector is made of.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use serde_json::Value;

use crate::analyze;
use crate::change::{IndexEntry, Indexed};
use crate::distil::EventTag;
use crate::memory::{Kind, Memory};

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

/// What a memory's vector is made of: an event's notes with its delta and tags, a slot's line,
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
