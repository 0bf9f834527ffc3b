//! A project's profile configuration: which slots there are, in which language, and what events are about.
//!
//! The text is YAML with Memobase's keys. It is checked at the door: a text that is accepted can always
//! be used, and an error says what is wrong and where.

mod read;
mod slots;

pub use read::{ConfigError, parse};
pub use slots::built_in;

use crate::distil::Language;
use crate::memory::{Slot, normalise_heading};

/// A sub-topic of the profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubTopic {
    /// Its name, normalised.
    pub name: String,
    /// What belongs there.
    pub description: Option<String>,
    /// How it is to be updated.
    pub update_description: Option<String>,
    /// Judge its values even when the project does not validate.
    pub validate_value: bool,
}

/// A topic of the profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topic {
    /// Its name, normalised.
    pub topic: String,
    /// What belongs there.
    pub description: Option<String>,
    /// Its sub-topics; without any, every sub-topic is allowed.
    pub sub_topics: Vec<SubTopic>,
}

/// A tag that events can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagSpec {
    /// Its name, normalised.
    pub name: String,
    /// What it says.
    pub description: Option<String>,
}

/// A profile configuration as read. `None` means: the server's default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProfileConfig {
    /// The language of prompts, slots and contexts.
    pub language: Option<Language>,
    /// Replaces all slots.
    pub overwrite: Option<Vec<Topic>>,
    /// Added to the built-in slots; not used beside `overwrite`.
    pub additional: Vec<Topic>,
    /// Only configured slots may be stored.
    pub strict: Option<bool>,
    /// New slots are judged before they are stored.
    pub validate: Option<bool>,
    /// What events are about.
    pub event_theme: Option<String>,
    /// Tags of events.
    pub event_tags: Option<Vec<TagSpec>>,
}

impl ProfileConfig {
    /// The topics in force.
    #[must_use]
    pub fn topics(&self, language: Language) -> Vec<Topic> {
        match &self.overwrite {
            Some(topics) if !topics.is_empty() => topics.clone(),
            _ => built_in(language)
                .into_iter()
                .chain(self.additional.iter().cloned())
                .collect(),
        }
    }

    /// The specification of a slot, if it is one of the configured ones.
    #[must_use]
    pub fn sub_topic(topics: &[Topic], slot: &Slot) -> Option<SubTopic> {
        let (topic, sub) = (
            normalise_heading(&slot.topic),
            normalise_heading(&slot.sub_topic),
        );
        topics
            .iter()
            .filter(|t| t.topic == topic)
            .flat_map(|t| &t.sub_topics)
            .find(|s| s.name == sub)
            .cloned()
    }

    /// Whether strict mode lets a slot in: it is configured, or its topic is and names no sub-topics.
    #[must_use]
    pub fn allows(topics: &[Topic], slot: &Slot) -> bool {
        let (topic, sub) = (
            normalise_heading(&slot.topic),
            normalise_heading(&slot.sub_topic),
        );
        topics
            .iter()
            .filter(|t| t.topic == topic)
            .any(|t| t.sub_topics.is_empty() || t.sub_topics.iter().any(|s| s.name == sub))
    }
}
