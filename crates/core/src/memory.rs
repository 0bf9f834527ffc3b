//! Memories: the atomic things that we know.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::id::{MemoryId, SourceId, SubScope};
use crate::time::{Happened, Timestamp};

/// What a memory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The current content of one slot of the user's profile.
    Profile,
    /// Something that happened: the notes of one batch.
    Event,
    /// A single-sentence searchable part of an event.
    Gist,
    /// Knowledge that the user works with.
    Knowledge,
    /// A habit or way of acting.
    Behavior,
    /// A skill of the user or agent.
    Skill,
    /// What is known about using a tool.
    Tool,
    /// A fact of the typed store.
    Fact,
    /// A preference of the typed store.
    Preference,
    /// A summary of a session.
    Summary,
    /// A turn kept as it was said.
    Raw,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 11] = [
        Self::Profile,
        Self::Event,
        Self::Gist,
        Self::Knowledge,
        Self::Behavior,
        Self::Skill,
        Self::Tool,
        Self::Fact,
        Self::Preference,
        Self::Summary,
        Self::Raw,
    ];

    /// The name in the stores and on the native wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Profile => "profile",
            Self::Event => "event",
            Self::Gist => "gist",
            Self::Knowledge => "knowledge",
            Self::Behavior => "behavior",
            Self::Skill => "skill",
            Self::Tool => "tool",
            Self::Fact => "fact",
            Self::Preference => "preference",
            Self::Summary => "summary",
            Self::Raw => "raw",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// A slot of the profile. Shown as it was given, compared by [`Slot::key`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Slot {
    /// The wider heading.
    pub topic: String,
    /// The narrower heading.
    pub sub_topic: String,
}

impl Slot {
    /// A slot under these headings, as given.
    #[must_use]
    pub fn new(topic: impl Into<String>, sub_topic: impl Into<String>) -> Self {
        Self {
            topic: topic.into(),
            sub_topic: sub_topic.into(),
        }
    }

    /// A slot whose headings are written the way that distilled slots are: lower case, trimmed, blanks as `_`.
    #[must_use]
    pub fn normalised(topic: &str, sub_topic: &str) -> Self {
        Self {
            topic: normalise_heading(topic),
            sub_topic: normalise_heading(sub_topic),
        }
    }

    /// What makes two slots the same: "Basic Info"/"Name" and `basic_info`/`name` are one slot, and a user has one
    /// current memory in it.
    #[must_use]
    pub fn key(&self) -> String {
        format!(
            "{}\u{1f}{}",
            normalise_heading(&self.topic),
            normalise_heading(&self.sub_topic)
        )
    }
}

/// Lower case, trimmed, runs of blanks as one `_`.
#[must_use]
pub fn normalise_heading(text: &str) -> String {
    text.to_lowercase()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join("_")
}

/// The four times of a memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// When it was said: the time of the message that says so.
    pub mentioned_at: Option<Timestamp>,
    /// When it happened, with its precision.
    pub happened: Option<Happened>,
    /// From when it holds. `None`: for as long as we know.
    pub valid_from: Option<Timestamp>,
    /// Until when it holds. `None`: still.
    pub valid_to: Option<Timestamp>,
    /// When we stored this memory (its first revision).
    pub recorded_at: Timestamp,
}

/// One memory in its current state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Its id in every dialect.
    pub id: MemoryId,
    /// What it is.
    pub kind: Kind,
    /// Agent and session.
    pub scope: SubScope,
    /// The slot; set exactly for [`Kind::Profile`].
    pub slot: Option<Slot>,
    /// The event that a gist belongs to.
    pub parent: Option<MemoryId>,
    /// The place among what was stored in the same moment, from 0: the lines of an event, the slots of a batch.
    pub ordinal: u32,
    /// The text. For an event: its notes.
    pub content: String,
    /// What a dialect keeps beside the text: extra attributes of a profile memory, `profile_delta` and `event_tags`
    /// of an event.
    pub data: Map<String, Value>,
    /// Who said it, by name, where that is known.
    pub speaker: Option<String>,
    /// The four times.
    pub times: Times,
    /// When the current revision was stored.
    pub updated_at: Timestamp,
    /// 0 to 1.
    pub importance: f32,
    /// How many o200k tokens it takes in a context (a slot: as `topic::sub_topic: content`).
    pub tokens: u32,
    /// 1 for the first state, then counted up.
    pub revision: u32,
}

impl Memory {
    /// The line that a profile memory is in a context: `topic::sub_topic: content`. Always one line, so that no content
    /// can write a line of the template's own.
    #[must_use]
    pub fn context_line(&self) -> String {
        let line = match &self.slot {
            Some(slot) => format!("{}::{}: {}", slot.topic, slot.sub_topic, self.content),
            None => self.content.clone(),
        };
        if line.contains(['\n', '\r']) {
            line.split(['\n', '\r'])
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join(" ")
        } else {
            line
        }
    }
}

/// An earlier state of a memory, kept with who replaced it, when and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Revision {
    /// The memory.
    pub memory: MemoryId,
    /// The number of the earlier state.
    pub revision: u32,
    /// Its text.
    pub content: String,
    /// Its slot, if it was a profile memory.
    pub slot: Option<Slot>,
    /// Its data.
    pub data: Map<String, Value>,
    /// Its times; `valid_to` is when the next state began to hold.
    pub times: Times,
    /// When the next state was stored.
    pub replaced_at: Timestamp,
    /// Why it was replaced.
    pub reason: Reason,
}

/// Why a memory changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// A later message says something else.
    Superseded,
    /// A later message adds to it.
    Extended,
    /// Somebody edited it through an API.
    Edited,
    /// Its slots were tidied up.
    Organised,
}

impl Reason {
    /// The name in the stores.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Superseded => "superseded",
            Self::Extended => "extended",
            Self::Edited => "edited",
            Self::Organised => "organised",
        }
    }

    /// The reason of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [
            Self::Superseded,
            Self::Extended,
            Self::Edited,
            Self::Organised,
        ]
        .into_iter()
        .find(|reason| reason.as_str() == name)
    }
}

/// Which words a memory rests on. Kept after the source's own text is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The memory.
    pub memory: MemoryId,
    /// The revision that these words brought about.
    pub revision: u32,
    /// The source.
    pub source: SourceId,
    /// The turn inside it, from 0; `None` when the whole source is meant.
    pub turn: Option<u32>,
    /// Who said so.
    pub speaker: Option<String>,
    /// When.
    pub said_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_meet_whatever_their_spelling() {
        assert_eq!(
            Slot::new("Basic Info", " Name").key(),
            Slot::new("basic_info", "name").key()
        );
        assert_ne!(Slot::new("a", "b_c").key(), Slot::new("a_b", "c").key());
    }

    #[test]
    fn o07_no_content_can_write_a_line_of_the_template() {
        let mut memory =
            crate::context::tests_support::slot("a", "b", "x\n---\n# Memory\r\n## Past Events:");
        assert_eq!(memory.context_line().lines().count(), 1);
        memory.slot = None;
        assert_eq!(memory.context_line().lines().count(), 1);
    }

    #[test]
    fn names_round_trip() {
        for kind in Kind::ALL {
            assert_eq!(Kind::parse(kind.as_str()), Some(kind));
        }
    }
}
