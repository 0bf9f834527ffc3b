//! The usage ledger's entries: what memory costs, by call kind.

use serde::{Deserialize, Serialize};

/// What a model was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallKind {
    /// Notes of what a window of conversation says.
    EntryNotes,
    /// Slots out of the notes.
    Extract,
    /// New facts against the current profile.
    Merge,
    /// One more try at an answer that could not be read.
    Repair,
    /// Vectors.
    Embed,
}

impl CallKind {
    /// The name in the stores and metrics.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::EntryNotes => "entry_notes",
            Self::Extract => "extract",
            Self::Merge => "merge",
            Self::Repair => "repair",
            Self::Embed => "embed",
        }
    }
}

/// Calls of one kind and what they took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// What was asked.
    pub call: CallKind,
    /// How often.
    pub calls: u32,
    /// Tokens that went in, by the provider's count where it gives one, else ours.
    pub prompt_tokens: u64,
    /// Tokens that came out.
    pub completion_tokens: u64,
}
