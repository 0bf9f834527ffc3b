//! Where the user lives and comes from.

use super::lexicon::ADVERBS;
use super::token::Cursor;
use super::value::place;
use crate::distil::builtin::field::{Field, Finding};

/// "I live in …", "I moved to …", "I was born in …", "I no longer live in …".
pub(super) fn i_do(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    if cursor.phrase("no longer live in") {
        found.extend(place(&mut cursor, true).map(|(field, name)| Finding::was_only(field, name)));
        return;
    }
    if cursor.any_phrase(&["do not live in", "left"]) {
        found.extend(place(&mut cursor, true).map(|(field, name)| Finding::is_not(field, name)));
        return;
    }
    cursor.eat(&["have"]);
    cursor.skip(ADVERBS);
    if cursor.any_phrase(&[
        "live in",
        "reside in",
        "live near",
        "been living in",
        "been based in",
        "settled in",
        "settled down in",
    ]) {
        cursor.any_phrase(&["the city of", "beautiful", "sunny", "downtown"]);
        found.extend(residence(&mut cursor, false));
    } else if cursor.any_phrase(&["lived in"]) {
        // "I lived in Oslo" is over; "I have lived in Oslo since 2019" is not.
        let is_now = cursor.at >= 3
            && cursor
                .rest()
                .iter()
                .any(|token| token.is(&["since", "for"]));
        let was_perfect = cursor
            .all
            .get(cursor.at.saturating_sub(3))
            .is_some_and(|token| token.is(&["have"]));
        if is_now && was_perfect {
            found.extend(residence(&mut cursor, false));
        }
    } else if moves(&mut cursor) {
        found.extend(residence(&mut cursor, true));
    } else if cursor.any_phrase(&[
        "was born and raised in",
        "was born in",
        "grew up in",
        "come from",
        "was raised in",
    ]) {
        found.extend(place(&mut cursor, true).map(|(_, name)| Finding::is(Field::Hometown, name)));
    }
}

/// Steps over "moved to", "moved from A to".
fn moves(cursor: &mut Cursor<'_, '_>) -> bool {
    if !cursor.any_phrase(&["moved", "relocated", "moved back", "moved over"]) {
        return false;
    }
    cursor.skip(&[
        "back",
        "over",
        "out",
        "here",
        "recently",
        "finally",
        "permanently",
        "again",
    ]);
    if cursor.eat(&["from"]) {
        while !cursor.is_at_end() && !cursor.peek().is_some_and(|token| token.is(&["to"])) {
            cursor.at += 1;
        }
    }
    cursor.eat(&["to"])
}

fn residence(cursor: &mut Cursor<'_, '_>, strict: bool) -> Option<Finding> {
    place(cursor, strict).map(|(field, name)| Finding::is(field, name))
}

/// "I am from …", "I am based in …", "I am living in …".
pub(super) fn i_am(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    if cursor.any_phrase(&["originally from", "from", "a native of"]) {
        found.extend(place(&mut cursor, true).map(|(_, name)| Finding::is(Field::Hometown, name)));
    } else if cursor.any_phrase(&[
        "based in",
        "living in",
        "residing in",
        "based out of",
        "settled in",
    ]) {
        found.extend(residence(&mut cursor, false));
    }
}

/// "my hometown is …", "my home town is …".
pub(super) fn my(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    if cursor.any_phrase(&["hometown is", "home town is"]) {
        found.extend(place(&mut cursor, false).map(|(_, name)| Finding::is(Field::Hometown, name)));
    } else if cursor.any_phrase(&["city is", "home city is"]) {
        found.extend(residence(&mut cursor, false));
    }
}
