//! What the patterns take out of a sentence: names, places, firms, kinds of work.

use super::gazetteer::{Known, NOT_PLACES, PLACE_CUES, look_up};
use super::lexicon::{NOT_AT_WORK, POINTING, PROFESSION_TAILS, PROFESSIONS};
use super::token::{Cursor, Token};
use crate::distil::builtin::field::Field;

/// Longest kind of work, words.
const TITLE_WORDS_MAX: usize = 6;

/// What may follow a name or a place that is complete.
#[rustfmt::skip]
const FOLLOWERS: &[&str] = &[
    "a", "after", "again", "alone", "an", "and", "as", "at", "atm", "because", "before", "but",
    "by", "currently", "during", "for", "from", "here", "in", "last", "my", "near", "now", "on",
    "right", "rn", "since", "so", "these", "this", "three", "to", "today", "together", "too", "two",
    "until", "when", "where", "which", "while", "who", "with", "without", "yesterday", "about",
    "almost", "area", "myself", "permanently", "full", "full-time", "part-time", "over", "not",
    "recently", "then", "though", "that", "also", "is", "has", "anymore", "any", "all", "most",
    "lol",
];

/// Words that end a kind of work.
#[rustfmt::skip]
const TITLE_ENDS: &[&str] = &[
    "at", "in", "for", "with", "from", "who", "that", "which", "by", "on", "since", "and", "or",
    "but", "when", "where", "while", "specializing", "working", "living", "based", "currently",
    "now", "here", "because", "so", "as", "to", "during", "these", "right", "too", "myself", "of",
    "last", "this", "next", "yesterday", "today", "recently", "again", "until", "before", "after",
];

/// Whether the clause ends here or goes on with a word that leaves a name as it is.
pub(super) fn is_complete(cursor: Cursor<'_, '_>) -> bool {
    cursor
        .peek()
        .is_none_or(|token| token.is(FOLLOWERS) || token.number().is_some())
}

/// A run of capitalised words, at most `max`, or a quotation. The cursor moves behind it.
pub(super) fn capitals<'a>(
    cursor: &mut Cursor<'_, 'a>,
    max: usize,
    joints: &[&str],
) -> Option<&'a str> {
    let start = cursor.at;
    if cursor.peek()?.is_quotation() {
        cursor.at += 1;
        return unquoted(cursor.slice(start, cursor.at));
    }
    let is_part = |token: &Token<'_>| token.is_capital() && !token.is(&["i", "am"]);
    while cursor.at < start + max {
        let joins = cursor.peek().is_some_and(|token| token.is(joints))
            && cursor.at > start
            && cursor.ahead(1).is_some_and(is_part);
        if !joins && !cursor.peek().is_some_and(is_part) {
            break;
        }
        cursor.at += 1 + usize::from(joins);
    }
    (cursor.at > start).then(|| cursor.slice(start, cursor.at))
}

/// A quotation without its signs, if it is short enough to be a title.
pub(super) fn unquoted(text: &str) -> Option<&str> {
    let inner = text
        .trim_matches(|c: char| {
            matches!(
                c,
                '"' | '“' | '”' | '「' | '」' | '『' | '』' | '«' | '»' | '`'
            )
        })
        .trim()
        .trim_end_matches([',', '.']);
    (!inner.is_empty()
        && inner.split_whitespace().count() <= super::object::OBJECT_WORDS_MAX
        && !inner.contains('\n'))
    .then_some(inner)
}

/// A place. A name that no list knows must be capitalised in a sentence that knows small letters; with `strict` the
/// sentence must also speak of places.
pub(super) fn place(cursor: &mut Cursor<'_, '_>, strict: bool) -> Option<(Field, String)> {
    if let Some(found) = listed_place(cursor) {
        return Some(found);
    }
    let shouts = !cursor.sentence.chars().any(char::is_lowercase);
    let cued = cursor.all.iter().any(|token| token.is(PLACE_CUES));
    if shouts || (strict && !cued) || cursor.peek()?.is_quotation() || cursor.peek()?.is(NOT_PLACES)
    {
        return None;
    }
    let mut ahead = *cursor;
    let name = capitals(
        &mut ahead,
        4,
        &["of", "de", "la", "del", "upon", "da", "do", "am", "-"],
    )?;
    if !is_complete(ahead) || ahead.peek().is_some_and(|token| token.is(&["'s"])) {
        return None;
    }
    cursor.at = ahead.at;
    Some((Field::City, name.to_owned()))
}

/// The longest run of up to four words here that the lists know.
fn listed_place(cursor: &mut Cursor<'_, '_>) -> Option<(Field, String)> {
    for count in (1..=4).rev() {
        let words = cursor.rest().get(..count).unwrap_or_default();
        let name = words
            .iter()
            .map(|token| token.low.as_str())
            .collect::<Vec<_>>()
            .join(" ");
        let known = if words.is_empty() {
            Known::No
        } else {
            look_up(&name)
        };
        // "us" and "nice" are words too; "la" is an article.
        let is_word = matches!(
            name.as_str(),
            "us" | "nice" | "la" | "sf" | "turkey" | "cork" | "rio"
        ) && !words.iter().all(Token::is_capital);
        if known == Known::No || is_word {
            continue;
        }
        let start = cursor.at + usize::from(name.starts_with("the ") && known == Known::Country);
        let ahead = Cursor {
            at: cursor.at + count,
            ..*cursor
        };
        if !is_complete(ahead) {
            return None;
        }
        cursor.at = ahead.at;
        let field = if known == Known::Country {
            Field::Country
        } else {
            Field::City
        };
        return Some((field, cursor.slice(start, ahead.at).to_owned()));
    }
    None
}

/// A firm, an office, a school: capitalised words.
pub(super) fn organisation(cursor: &mut Cursor<'_, '_>) -> Option<String> {
    const NONE: &[&str] = &[
        "home",
        "night",
        "christmas",
        "easter",
        "mom",
        "dad",
        "god",
        "i",
        "least",
        "first",
        "last",
        "once",
        "monday",
        "friday",
        "sunday",
    ];
    let mut ahead = *cursor;
    ahead.eat(&["the"]);
    if ahead.peek()?.is(NONE) {
        return None;
    }
    let name = capitals(&mut ahead, 5, &["of", "&", "for", "the"])?;
    if ahead.peek().is_some_and(|token| token.is(&["'s"])) {
        return None;
    }
    cursor.at = ahead.at;
    Some(name.to_owned())
}

/// A kind of work, without its article. With `known_only` its head must be one that the lists know.
pub(super) fn title(cursor: &mut Cursor<'_, '_>, known_only: bool) -> Option<String> {
    const NOT_TITLES: &[&str] = &[
        "team",
        "unit",
        "pair",
        "whole",
        "result",
        "hobby",
        "favor",
        "favour",
        "matter",
        "volunteer",
        "group",
        "family",
        "couple",
        "kid",
    ];
    let start = cursor.at;
    let mut ahead = *cursor;
    while ahead.peek().is_some_and(|token| {
        (token.is_word() || token.is(&["/", "&", "-"])) && !token.is(TITLE_ENDS)
    }) && ahead.at < start + TITLE_WORDS_MAX
    {
        ahead.at += 1;
    }
    let last = ahead.at.checked_sub(1).filter(|last| *last >= start)?;
    let words = cursor.all.get(start..ahead.at).unwrap_or_default();
    let head = cursor.all.get(last)?;
    let known = |word: &str| {
        PROFESSIONS.contains(&word)
            || PROFESSION_TAILS
                .iter()
                .any(|tail| word.len() > tail.len() && word.ends_with(tail))
    };
    if (known_only && !known(&head.low))
        || words
            .iter()
            .any(|token| token.is(NOT_AT_WORK) || token.is(POINTING) || token.is(NOT_TITLES))
    {
        return None;
    }
    if ahead.any_phrase(&[
        "at heart",
        "in training",
        "in another",
        "for a day",
        "at home",
    ]) {
        return None;
    }
    // "professor of history" names the work; "CEO of Acme" names the firm as well, which stays for the caller.
    let of_field = ahead.peek().is_some_and(|token| token.is(&["of"]))
        && ahead
            .ahead(1)
            .is_some_and(|token| token.is_word() && !token.is_capital() && !token.is(POINTING));
    if of_field
        && !ahead
            .ahead(1)
            .is_some_and(|token| token.is(&["the", "a", "an", "my", "two", "three"]))
    {
        ahead.at += 2;
    }
    cursor.at = ahead.at;
    Some(cursor.slice(start, ahead.at).to_owned())
}
