//! Distilling: a batch of dated turns becomes notes and facts.
//!
//! Two distillers produce the same values: a language model through three calls ([`prompts`], [`reader`]) and the
//! built-in rules ([`builtin`]). What follows from them is decided in [`crate::consolidate`].

pub mod builtin;
pub mod prompts;
pub mod reader;

use serde::{Deserialize, Serialize};

use crate::id::SourceId;
use crate::memory::Slot;
use crate::source::{Role, Turn};
use crate::time::{Anchor, Happened, Timestamp};

/// The languages that prompts, slots and rules exist in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Chinese.
    Zh,
}

impl Language {
    /// The name in configurations.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh",
        }
    }

    /// The language that most letters of a text belong to; `None` without letters of either.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        let (mut han, mut latin) = (0_usize, 0_usize);
        for c in text.chars() {
            match c {
                '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => han += 1,
                'a'..='z' | 'A'..='Z' => latin += 1,
                _ => {}
            }
        }
        // One Han character carries about as much as a Latin word.
        match (han, latin) {
            (0, 0) => None,
            _ if han * 6 >= latin => Some(Self::Zh),
            _ => Some(Self::En),
        }
    }
}

/// A turn of a batch with its place and its time.
#[derive(Debug, Clone, PartialEq)]
pub struct DatedTurn {
    /// The source that it is part of.
    pub source: SourceId,
    /// Its place in the source, from 0.
    pub index: u32,
    /// What was said.
    pub turn: Turn,
    /// When, and in which zone the speaker's days begin. The source's own time where the turn has none that can be
    /// read.
    pub anchor: Anchor,
}

impl DatedTurn {
    /// What stands in the brackets of the text form: the turn's own time in the caller's words, else the anchor's date.
    #[must_use]
    pub fn date_text(&self) -> String {
        match self.turn.created_at.as_deref().map(str::trim) {
            Some(own) if !own.is_empty() => own.to_owned(),
            _ => self.anchor.at.date_slashed(&self.anchor.zone),
        }
    }

    /// `[date] name: content`: the text form of one turn.
    #[must_use]
    pub fn line(&self) -> String {
        format!(
            "[{}] {}: {}",
            self.date_text(),
            self.turn.display_name(),
            self.turn.content
        )
    }

    /// Whether the user of the memory speaks.
    #[must_use]
    pub fn is_user(&self) -> bool {
        self.turn.role == Role::User
    }
}

/// Words that something rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The source.
    pub source: SourceId,
    /// The turn inside it, where it is known.
    pub turn: Option<u32>,
    /// Who spoke.
    pub speaker: Option<String>,
    /// When.
    pub said_at: Timestamp,
}

/// One line of notes: what becomes a gist.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// The line, beginning with `- `.
    pub text: String,
    /// Who said it.
    pub speaker: Option<String>,
    /// When it was said.
    pub said_at: Timestamp,
    /// When it happened, as far as the words tell.
    pub happened: Option<Happened>,
    /// The words it rests on.
    pub origins: Vec<Origin>,
}

/// A new fact about the user for one slot.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// Where it belongs.
    pub slot: Slot,
    /// What is new, without the slot's names.
    pub value: String,
    /// When it was said.
    pub said_at: Timestamp,
    /// The words it rests on.
    pub origins: Vec<Origin>,
}

/// What to do with a fact, given the slot's current content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Keep what is there and add the fact.
    Append,
    /// The slot's content is this text now.
    Update(String),
    /// Nothing new.
    Abort,
}

/// A tag on an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventTag {
    /// The tag's name, normalised.
    pub tag: String,
    /// Its value.
    pub value: String,
}

/// Something in a model's answer that could not be used. Kept with the job, so that nothing is lost without a sign.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Defect {
    /// Where: `entry_notes`, `extract`, `merge`, `tag`.
    pub stage: String,
    /// One sentence without user text.
    pub message: String,
}

/// What a distiller made of one window.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Distilled {
    /// The notes as one text; becomes the event. Empty: nothing worth keeping was said.
    pub notes: String,
    /// The lines of the notes.
    pub lines: Vec<Note>,
    /// New facts, each with its verdict.
    pub facts: Vec<(Fact, Verdict)>,
    /// Tags; `None` when the project has none configured.
    pub tags: Option<Vec<EventTag>>,
    /// What could not be used.
    pub defects: Vec<Defect>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_of_mixed_text_is_that_of_its_letters() {
        assert_eq!(Language::of_text("我在杭州做前端"), Some(Language::Zh));
        assert_eq!(
            Language::of_text("我用 Rust 和 TypeScript"),
            Some(Language::Zh)
        );
        assert_eq!(
            Language::of_text("I live in 杭州 with my sister and her dog"),
            Some(Language::En)
        );
        assert_eq!(Language::of_text("123 !?"), None);
    }
}
