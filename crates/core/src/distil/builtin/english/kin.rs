//! The people and animals of the user.

use super::clause::is_border;
use super::lexicon::{ADVERBS, KIN, MONTHS, NATIONALITIES, NOT_NAMES, PETS, number_word};
use super::token::{Cursor, Token};
use super::value::title;
use crate::distil::builtin::field::{Field, Finding};

/// What may stand between "my" and the word for a relative.
const WHICH: &[&str] = &[
    "older", "younger", "elder", "little", "big", "twin", "dear", "lovely", "beloved", "sweet",
    "oldest", "youngest", "eldest", "good", "close",
];

/// Steps over the word for a relative or friend.
fn kin(cursor: &mut Cursor<'_, '_>) -> Option<Field> {
    cursor.skip(WHICH);
    if cursor.phrase("best friend") {
        return Some(Field::Relation {
            kin: "best_friend",
            only: true,
        });
    }
    let &(kin, only) = KIN
        .iter()
        .find(|(word, _)| cursor.peek().is_some_and(|token| token.low == *word))?;
    cursor.at += 1;
    Some(Field::Relation { kin, only })
}

/// The same relation where more than one thing may be said of it.
fn as_list(field: Field) -> Field {
    match field {
        Field::Relation { kin, .. } => Field::Relation { kin, only: false },
        other => other,
    }
}

/// A first name, with the second one where there is one.
fn person<'a>(cursor: &mut Cursor<'_, 'a>) -> Option<&'a str> {
    let is_name = |token: &Token<'_>| {
        token.is_title_case()
            && token.low.chars().all(char::is_alphabetic)
            && !token.is(NOT_NAMES)
            && !token.is(MONTHS)
            && !token.is(NATIONALITIES)
    };
    let start = cursor.at;
    while cursor.at < start + 2 && cursor.peek().is_some_and(is_name) {
        cursor.at += 1;
    }
    (cursor.at > start).then(|| cursor.slice(start, cursor.at))
}

/// "my wife is called Anna", "my sister Anna is a nurse", "my wife's name is Anna", "my dog is named Rex".
pub(super) fn my(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    if let Some(pet) = cursor.peek().filter(|token| token.is(PETS)) {
        cursor.at += 1;
        found.extend(
            called(&mut cursor)
                .map(|name| Finding::is(Field::Pets, format!("{name} ({})", pet.text))),
        );
        return;
    }
    let Some(field) = kin(&mut cursor) else {
        return;
    };
    if let Some(name) = called(&mut cursor) {
        found.push(Finding::is(field, name));
        return;
    }
    let mut ahead = cursor;
    let name = person(&mut ahead);
    if name.is_some() {
        cursor = ahead;
    }
    let work = does(&mut cursor);
    match (name, work) {
        (Some(name), Some(work)) => found.push(Finding::is(field, format!("{name} ({work})"))),
        (None, Some(work)) => found.push(Finding::is(as_list(field), work)),
        // A name alone is found in passing.
        _ => {}
    }
}

/// "is called Anna", "'s name is Anna".
fn called<'a>(cursor: &mut Cursor<'_, 'a>) -> Option<&'a str> {
    let mut ahead = *cursor;
    let fits = ahead.any_phrase(&[
        "is called",
        "is named",
        "'s name is",
        "'s called",
        "'s named",
        "called",
        "named",
    ]);
    let name = fits.then(|| person(&mut ahead)).flatten()?;
    cursor.at = ahead.at;
    Some(name)
}

/// "is a nurse", "works as a nurse".
fn does(cursor: &mut Cursor<'_, '_>) -> Option<String> {
    if !cursor.any_phrase(&["is a", "is an", "works as a", "works as an"]) {
        return None;
    }
    let work = title(cursor, true)?;
    cursor
        .peek()
        .is_none_or(|token| token.is(&["and", "in", "at", "for", "with", "who", "from", "but"]))
        .then_some(work)
}

/// "I have two kids", "I have a dog named Rex", "I have a sister called Anna".
pub(super) fn i_do(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    if !cursor.any_phrase(&["have got", "have", "adopted", "got"]) {
        return;
    }
    cursor.skip(ADVERBS);
    let count = cursor.peek().filter(|token| {
        token
            .number()
            .or_else(|| number_word(&token.low))
            .is_some_and(|count| count < 50)
    });
    let has_article = cursor.eat(&["a", "an"]);
    cursor.at += usize::from(count.is_some());
    let start = cursor.at;
    if let Some(count) = count
        && cursor.skip(&[
            "kids",
            "children",
            "beautiful",
            "lovely",
            "wonderful",
            "young",
            "small",
            "little",
            "grown",
        ])
    {
        let says_kids = cursor
            .all
            .get(cursor.at - 1)
            .is_some_and(|token| token.is(&["kids", "children"]));
        let is_all = cursor.peek().is_none_or(|token| {
            !token.is(&["in", "at", "from", "over", "to"]) && !token.is(&["'s"])
        });
        if says_kids && is_all {
            found.push(Finding::is(Field::Children, count.text));
            return;
        }
        cursor.at = start;
    }
    if !has_article && count.is_none() {
        return;
    }
    let mut ahead = cursor;
    if let Some(field) = kin(&mut ahead) {
        ahead.any_phrase(&["who is", "whose name is"]);
        found.extend(called(&mut ahead).map(|name| Finding::is(as_list(field), name)));
        return;
    }
    let mut counted = count.is_some();
    // "a cat named Luna and a dog named Max"
    while let Some(after) = pets(cursor, counted, found) {
        cursor = after;
        if !cursor.eat(&["and"]) {
            return;
        }
        counted = cursor
            .peek()
            .is_some_and(|token| token.number().or_else(|| number_word(&token.low)).is_some());
        cursor.at += usize::from(counted);
        if !counted && !cursor.eat(&["a", "an"]) {
            return;
        }
    }
}

/// "dog named Rex", "two cats", with at most two words in front: "small black dog".
/// Gives the place behind them.
fn pets<'t, 'a>(
    cursor: Cursor<'t, 'a>,
    counted: bool,
    found: &mut Vec<Finding>,
) -> Option<Cursor<'t, 'a>> {
    let mut cursor = cursor;
    let start = if counted { cursor.at - 1 } else { cursor.at };
    let first = cursor.at;
    while cursor.at < first + 3 && !cursor.peek().is_some_and(|token| token.is(PETS)) {
        if cursor.peek().is_none_or(|token| {
            !token.is_word()
                || token.is(&[
                    "hot", "toy", "stuffed", "friend", "with", "of", "for", "the", "in", "allergy",
                    "about",
                ])
        }) {
            return None;
        }
        cursor.at += 1;
    }
    if !cursor.eat(PETS) {
        return None;
    }
    cursor.eat(&["pig", "pigs", "dog", "dogs", "cat", "cats"]);
    let ends = cursor.peek().is_none_or(|token| {
        token.is(&[
            "and", "named", "called", "at", "too", "now", "who", "whose", "from", "but",
        ])
    });
    let is_pet = called(&mut cursor).is_some() || ends;
    is_pet.then(|| {
        found.push(Finding::is(Field::Pets, cursor.slice(start, cursor.at)));
        cursor
    })
}

/// Names that stand beside the word for a person anywhere in a statement: "I went there with my sister Anna".
pub(super) fn named_in_passing(sentence: Cursor<'_, '_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for at in 0..sentence.end {
        let mut cursor = Cursor { at, ..sentence };
        let starts = at == 0
            || !sentence
                .all
                .get(at - 1)
                .is_some_and(|token| token.is(&["not", "like"]));
        if !starts || !cursor.eat(&["my"]) {
            continue;
        }
        if let Some(pet) = cursor.peek().filter(|token| token.is(PETS)) {
            cursor.at += 1;
            found.extend(
                person(&mut cursor)
                    .map(|name| Finding::is(Field::Pets, format!("{name} ({})", pet.text))),
            );
            continue;
        }
        let Some(field) = kin(&mut cursor) else {
            continue;
        };
        // "my wife, Anna, …" names her; "my wife, Anna and I" might list.
        let apposed = cursor.peek().is_some_and(|token| token.is(&[","]));
        cursor.at += usize::from(apposed);
        let Some(name) = person(&mut cursor) else {
            continue;
        };
        let closes = cursor
            .peek()
            .is_none_or(|token| token.is(&[","]) || (is_border(token) && !token.is(&["(", "-"])));
        let mut next = cursor;
        let is_titled = next.any_phrase(&["is a", "is an", "works as a", "works as an"])
            && title(&mut next, true).is_some();
        if (!apposed || closes) && !is_titled {
            found.push(Finding::is(field, name));
        }
    }
    found
}
