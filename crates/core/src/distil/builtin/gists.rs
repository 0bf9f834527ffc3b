//! Gists: what people said, word for word, dated.

use super::chunk::chunks;
use super::small_talk::says_nothing;
use crate::distil::{DatedTurn, Note};
use crate::limits::GIST_CHARS_MAX;
use crate::source::Role;
use crate::time::expression::{annotate, find};
use crate::time::message;

/// Longest name and longest date of a gist, characters. Both come from outside.
const LABEL_CHARS_MAX: usize = 80;

/// The gists of one turn, whose content without foreign blocks is `text`. None for what assistants, systems and tools
/// say, and none where nothing is said.
pub(super) fn gists(turn: &DatedTurn, text: &str) -> Vec<Note> {
    if !matches!(turn.turn.role, Role::User | Role::Other) || says_nothing(text) {
        return Vec::new();
    }
    let label = format!(
        "- [{}] {}: ",
        date(turn),
        one_line(&super::speaker_of(turn), LABEL_CHARS_MAX)
    );
    chunks(text, GIST_CHARS_MAX)
        .into_iter()
        .map(|chunk| one_line(chunk, GIST_CHARS_MAX))
        .filter(|line| line.chars().any(|c| !c.is_whitespace()))
        .map(|line| note(&label, &line, turn))
        .collect()
}

fn note(label: &str, line: &str, turn: &DatedTurn) -> Note {
    // In a story's time, "yesterday" is no day of ours.
    let mentions = if is_story_time(turn) {
        Vec::new()
    } else {
        find(line, &turn.anchor)
    };
    let text = if mentions.is_empty() {
        format!("{label}{line}")
    } else {
        format!("{label}{}", annotate(line, &turn.anchor))
    };
    // The most exactly dated thing; the first one of several.
    let happened = mentions
        .into_iter()
        .map(|mention| mention.happened)
        .min_by_key(|happened| happened.precision);
    Note {
        text,
        speaker: Some(super::speaker_of(turn)),
        said_at: turn.anchor.at,
        happened,
        origins: vec![super::origin_of(turn)],
    }
}

/// The date of a turn: its day, or the caller's own words where these are no date that can be read.
fn date(turn: &DatedTurn) -> String {
    match turn.turn.created_at.as_deref() {
        Some(own) if is_story_time(turn) => one_line(own.trim(), LABEL_CHARS_MAX),
        _ => turn.anchor.at.date_iso(&turn.anchor.zone),
    }
}

/// Whether the caller gave a time that cannot be read as a date.
fn is_story_time(turn: &DatedTurn) -> bool {
    let own = turn.turn.created_at.as_deref().map(str::trim);
    own.is_some_and(|own| !own.is_empty() && message::read(own, &turn.anchor.zone).is_none())
}

/// The text on one line: line breaks are blanks, ends are trimmed, nothing beyond `chars_max`.
fn one_line(text: &str, chars_max: usize) -> String {
    let is_break = |c: char| {
        matches!(
            c,
            '\n' | '\r' | '\u{2028}' | '\u{2029}' | '\u{85}' | '\u{b}' | '\u{c}'
        )
    };
    text.trim()
        .chars()
        .take(chars_max)
        .map(|c| if is_break(c) { ' ' } else { c })
        .collect()
}
