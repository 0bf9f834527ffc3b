//! What the user is called.

use super::gazetteer::{Known, look_up};
use super::lexicon::{
    ADJECTIVE_TAILS, ADVERBS, MONTHS, NAMES_LIKE_ADJECTIVES, NATIONALITIES, NOT_MY_NAME, NOT_NAMES,
    POINTING, PROFESSIONS,
};
use super::token::{Cursor, Token};
use super::value::{capitals, unquoted};
use crate::distil::builtin::field::{Field, Finding};

/// Longest name, words.
const NAME_WORDS_MAX: usize = 3;

/// "call me …".
pub(super) fn call_me(cursor: Cursor<'_, '_>) -> Option<Finding> {
    let mut cursor = cursor;
    let name = name(&mut cursor, 2)?;
    let ends = cursor.peek().is_none_or(|token| {
        token.is(&["for", "instead", "from", "please", "and", "by", "now", "or"])
    });
    ends.then(|| Finding::is(Field::Nickname, name))
}

/// "I am called Anna", "I'm Anna" where this can be nothing but a name.
pub(super) fn i_am_called(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    let is_called = cursor.eat(&["called", "named"]);
    let greets = cursor
        .all
        .first()
        .is_some_and(|token| token.is(&["hi", "hello", "hey", "hiya", "greetings"]));
    let mut ahead = cursor;
    let Some(name) = name(&mut ahead, 2) else {
        return;
    };
    let words = cursor.all.get(cursor.at..ahead.at).unwrap_or_default();
    let ends = ahead.peek().is_none_or(|token| {
        token.is(&["and"]) || ((is_called || greets) && token.is(&["from", "by", "but"]))
    });
    if ends && (is_called || words.iter().all(|token| could_be_name(token, greets))) {
        found.push(Finding::is(Field::Name, name));
    }
}

/// Whether a capitalised word behind "I'm" is a name rather than a people, a place, a state or a kind of work.
fn could_be_name(token: &Token<'_>, greets: bool) -> bool {
    let word = token.low.as_str();
    let listed = token.is(NOT_NAMES)
        || token.is(POINTING)
        || token.is(ADVERBS)
        || token.is(NATIONALITIES)
        || token.is(PROFESSIONS)
        || look_up(word) != Known::No
        || token.is(MONTHS);
    let has_people = word.split('-').any(|part| NATIONALITIES.contains(&part));
    let is_adjective = !greets
        && !NAMES_LIKE_ADJECTIVES.contains(&word)
        && ADJECTIVE_TAILS.iter().any(|tail| word.ends_with(tail));
    token.is_title_case() && !listed && !has_people && !is_adjective && word.chars().count() > 1
}

/// A name: capitalised words, a quotation, or a single word in small letters that ends the clause.
fn name<'a>(cursor: &mut Cursor<'_, 'a>, words_max: usize) -> Option<&'a str> {
    const NEVER: &[&str] = &[
        "later",
        "back",
        "now",
        "tomorrow",
        "today",
        "maybe",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ];
    let first = cursor.peek()?;
    if first.is(NEVER) || first.is(&["a", "an", "the", "not", "my", "i"]) {
        return None;
    }
    capitals(
        cursor,
        words_max,
        &[
            "de", "van", "von", "der", "al", "bin", "la", "da", "di", ".",
        ],
    )
    .filter(|name| name.chars().any(char::is_alphabetic))
}

/// What follows "my name is".
pub(super) fn own_name(cursor: Cursor<'_, '_>) -> Option<Finding> {
    let mut cursor = cursor;
    let first = cursor.peek()?;
    if first.is(NOT_MY_NAME) {
        return None;
    }
    if first.is_quotation() {
        return unquoted(first.text).map(|name| Finding::is(Field::Name, name));
    }
    if let Some(name) = name(&mut cursor, NAME_WORDS_MAX) {
        let ends = cursor.peek().is_none_or(|token| {
            token.is(&[
                "and", "but", "from", "not", "btw", "so", "i", "because", "nice",
            ])
        });
        return ends.then(|| Finding::is(Field::Name, name));
    }
    // In small letters: one word, and nothing after it but another clause.
    let single = cursor
        .ahead(1)
        .is_none_or(|token| token.is(&["and", "btw"]));
    let plain = first.is_word()
        && first.low.chars().all(char::is_alphabetic)
        && !first.low.ends_with("ed")
        && !first.low.ends_with("ing");
    (single && plain && !first.is(&["a", "an", "the", "my", "i"]))
        .then(|| Finding::is(Field::Name, first.text))
}
