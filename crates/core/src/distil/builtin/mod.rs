//! The built-in distiller: what users said as dated gists, and profile slots by conservative rules.
//!
//! It needs no language model. It must be right rather than clever: a slot is filled only by a plain statement of the
//! user about themselves, never by a question, a hypothesis, a quotation, the assistant, or by what is said about
//! other people. When in doubt the words stay in the gists, where recall finds them, and no slot is touched.
//!
//! The way of a turn: [`own_block`] takes our own context out; [`gists`] keeps all words; [`speech`] picks what the user
//! says about themselves; [`english`] and [`chinese`] read sentences into [`field::Finding`]s; [`ledger`] weighs these
//! against what the slots hold.
//!
//! Slots of English sentences carry the English names, slots of Chinese sentences the Chinese names ([`field`] has all
//! of them): the built-in profile slots where these fit, and beside them `basic_info::nickname`, `basic_info::hometown`,
//! `work::tenure`, `interest::hobbies`, `interest::likes`, `interest::dislikes`, `interest::favorite_color`,
//! `health::allergies`, `health::diet`, `health::dietary_restrictions`, `life::pets`, `relations::<kin>` and their
//! Chinese mirror.

mod chinese;
mod chunk;
mod english;
mod field;
mod gists;
mod items;
mod ledger;
mod own_block;
mod sentence;
mod small_talk;
mod speech;
#[cfg(test)]
mod tests;

use std::ops::Range;

use super::{DatedTurn, Distilled, Language, Origin};
use crate::memory::Slot;
use crate::source::Role;
use field::Finding;
use ledger::Ledger;

/// Distils a window of turns without a language model.
///
/// The result depends on the arguments alone. `current` gives what a slot holds now; facts found earlier in the same
/// call count as well. There is at most one fact per slot: several things of one list slot are joined with `; `.
/// `language_default` decides for sentences that have letters of neither language.
///
/// There are no defects and no tags; a caller whose project has tags configured sets these to an empty list.
#[must_use]
pub fn distil(
    turns: &[DatedTurn],
    current: &dyn Fn(&Slot) -> Option<String>,
    language_default: Language,
) -> Distilled {
    let mut lines = Vec::new();
    let mut ledger = Ledger::new(current);
    for turn in turns {
        let text = own_block::strip(&turn.turn.content);
        lines.extend(gists::gists(turn, &text));
        if turn.turn.role == Role::User {
            for paragraph in speech::own_words(&text) {
                read_paragraph(&paragraph, language_default, &mut |finding, language| {
                    ledger.enter(finding, language, turn);
                });
            }
        }
    }
    let notes = lines
        .iter()
        .map(|note| note.text.as_str())
        .collect::<Vec<_>>()
        .join("\n");
    Distilled {
        notes,
        lines,
        facts: ledger.facts(),
        tags: None,
        defects: Vec::new(),
    }
}

/// Reads the sentences of a paragraph in order.
fn read_paragraph(
    paragraph: &str,
    language_default: Language,
    enter: &mut dyn FnMut(Finding, Language),
) {
    let quoted = sentence::quotations(paragraph);
    let mut start = 0;
    let mut next_quotation = 0;
    let mut chinese = chinese::Reader::default();
    for text in sentence::sentences(paragraph) {
        let range = start..start + text.len();
        start = range.end;
        while quoted
            .get(next_quotation)
            .is_some_and(|quotation| quotation.end <= range.start)
        {
            next_quotation += 1;
        }
        let inside = quoted
            .iter()
            .skip(next_quotation)
            .take_while(|quotation| quotation.start < range.end);
        let inside: Vec<Range<usize>> = inside
            .map(|quotation| {
                quotation.start.max(range.start) - range.start
                    ..quotation.end.min(range.end) - range.start
            })
            .collect();
        if text.chars().any(sentence::is_foreign) {
            chinese = chinese::Reader::default();
            continue;
        }
        let text = sentence::without_asking_tail(text);
        match grammar(text).unwrap_or(language_default) {
            Language::En => {
                chinese = chinese::Reader::default();
                english::read(text, &inside)
                    .into_iter()
                    .for_each(|finding| enter(finding, Language::En));
            }
            Language::Zh => chinese
                .read(text, &inside)
                .into_iter()
                .for_each(|finding| enter(finding, Language::Zh)),
        }
    }
}

/// The language whose grammar a sentence follows: words of the other one may stand in it as names.
fn grammar(text: &str) -> Option<Language> {
    let speaks_english = text
        .split(|c: char| !c.is_ascii_alphabetic())
        .any(|word| matches!(word, "I" | "i" | "my" | "My"));
    match (text.contains('我'), speaks_english) {
        (true, false) => Some(Language::Zh),
        (false, true) => Some(Language::En),
        _ => Language::of_text(text),
    }
}

/// The name of a speaker: the alias, else the role.
fn speaker_of(turn: &DatedTurn) -> String {
    match turn.turn.alias.as_deref().map(str::trim) {
        Some(alias) if !alias.is_empty() => alias.to_owned(),
        _ => turn.turn.role.as_str().to_owned(),
    }
}

/// The words of a turn as the ground of what follows from them.
fn origin_of(turn: &DatedTurn) -> Origin {
    Origin {
        source: turn.source,
        turn: Some(turn.index),
        speaker: Some(speaker_of(turn)),
        said_at: turn.anchor.at,
    }
}
