//! Likes and dislikes, favourites, food that is not eaten, allergies.

use super::lexicon::{ADVERBS, NO_OBJECT};
use super::object::object;
use super::token::Cursor;
use crate::distil::builtin::field::{Field, Finding};

const LIKING: &[&str] = &["love", "like", "enjoy", "adore", "prefer"];
const DISLIKING: &[&str] = &["hate", "dislike", "despise", "detest", "loathe"];
/// "I love to think that …" says nothing about what is loved.
const NOT_DONE: &[&str] = &[
    "think", "believe", "say", "see", "hear", "know", "imagine", "be", "have", "get", "meet",
    "thank", "help", "talk", "hope",
];

/// "I love …", "I can't stand …", "I don't eat …".
pub(super) fn i_do(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    if cursor.any_phrase(&[
        "can not stand",
        "can not bear",
        "no longer like",
        "no longer enjoy",
        "no longer love",
    ]) {
        found.extend(liked(cursor).map(|value| Finding::is(Field::Dislikes, value)));
    } else if cursor.phrase("do not") {
        cursor.skip(ADVERBS);
        refuses(cursor, found);
    } else {
        cursor.eat(&["do"]);
        cursor.skip(ADVERBS);
        states(cursor, found);
    }
}

/// Behind "I do not".
fn refuses(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    if cursor.eat(&["like", "enjoy", "love"]) {
        found.extend(liked(cursor).map(|value| Finding::is(Field::Dislikes, value)));
    } else if cursor.eat(&["eat", "drink"]) {
        found.extend(liked(cursor).map(|value| Finding::is(Field::Avoids, value)));
    }
}

/// Behind "I".
fn states(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    if cursor.eat(LIKING) {
        found.extend(liked(cursor).map(|value| Finding::is(Field::Likes, value)));
    } else if cursor.eat(DISLIKING) {
        if !cursor.peek().is_some_and(|token| token.is(&["to"])) {
            found.extend(liked(cursor).map(|value| Finding::is(Field::Dislikes, value)));
        }
    } else if cursor.phrase("have") {
        cursor.skip(&["a", "an", "severe", "bad", "terrible", "mild", "strong"]);
        if cursor.any_phrase(&["allergy to", "allergies to"]) {
            found.extend(liked(cursor).map(|value| Finding::is(Field::Allergies, value)));
        } else if cursor
            .ahead(1)
            .is_some_and(|token| token.is(&["allergy", "allergies"]))
        {
            found.extend(
                cursor
                    .peek()
                    .filter(|token| !token.is(NO_OBJECT))
                    .map(|token| Finding::is(Field::Allergies, token.text)),
            );
        }
    }
}

/// What is liked. An activity is kept without its "to".
fn liked(cursor: Cursor<'_, '_>) -> Option<String> {
    let mut cursor = cursor;
    let first = cursor.peek()?;
    if first.is(&["to"]) {
        cursor.at += 1;
        cursor.skip(ADVERBS);
        if cursor.peek()?.is(NOT_DONE) {
            return None;
        }
    } else if first.is(NO_OBJECT) {
        return None;
    }
    object(&mut cursor)
}

/// "I am allergic to …", "I am a fan of …", "I am into …", "I am vegan".
pub(super) fn i_am(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    let denied = cursor.eat(&["not"]);
    cursor.skip(ADVERBS);
    if !denied && cursor.phrase("allergic to") {
        cursor.skip(&["all", "both", "most", "some"]);
        found.extend(liked(cursor).map(|value| Finding::is(Field::Allergies, value)));
        return;
    }
    let start = cursor;
    cursor.skip(&[
        "a", "big", "huge", "massive", "the", "biggest", "great", "such", "much", "of", "real",
    ]);
    if cursor.any_phrase(&["fan of", "lover of"]) {
        found.extend(liked(cursor).map(|value| {
            Finding::is(
                if denied {
                    Field::Dislikes
                } else {
                    Field::Likes
                },
                value,
            )
        }));
        return;
    }
    cursor = start;
    if cursor.any_phrase(&[
        "into",
        "fond of",
        "keen on",
        "passionate about",
        "crazy about",
    ]) {
        found.extend(liked(cursor).map(|value| {
            Finding::is(
                if denied {
                    Field::Dislikes
                } else {
                    Field::Likes
                },
                value,
            )
        }));
        return;
    }
    if !denied {
        found.extend(diet(cursor));
    }
}

/// "vegan", "a strict vegetarian", "lactose intolerant".
fn diet(cursor: Cursor<'_, '_>) -> Option<Finding> {
    let mut cursor = cursor;
    cursor.skip(&["a", "strict"]);
    let kind = cursor.peek()?;
    let count = if kind.is(&["lactose", "gluten"]) {
        2
    } else {
        1
    };
    let is_diet = match cursor.ahead(1) {
        Some(second) if count == 2 => second.is(&["intolerant"]),
        _ => kind.is(&["vegan", "vegetarian", "pescatarian"]),
    };
    let ends = cursor
        .ahead(count)
        .is_none_or(|token| token.is(&["and", "but", "so", "now", "for", "since", "because"]));
    (is_diet && ends).then(|| Finding::is(Field::Diet, cursor.slice(cursor.at, cursor.at + count)))
}

/// "my favourite … is …", "my hobbies are …".
pub(super) fn my(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    cursor.skip(&["all-time", "absolute", "main", "biggest", "current"]);
    if cursor.eat(&["hobby", "hobbies"]) {
        if cursor.eat(&["is", "are", "include"]) {
            found.extend(liked(cursor).map(|value| Finding::is(Field::Hobbies, value)));
        }
        return;
    }
    if !cursor.eat(&["favorite", "favourite", "favorites", "favourites", "fave"]) {
        return;
    }
    let start = cursor.at;
    while cursor
        .peek()
        .is_some_and(|token| token.is_word() && !token.is(&["is", "are"]))
        && cursor.at < start + 4
    {
        cursor.at += 1;
    }
    let Some(kind) = cursor
        .all
        .get(cursor.at.saturating_sub(1))
        .filter(|_| cursor.at > start)
        .map(|token| token.low.as_str())
    else {
        return;
    };
    let field = match kind {
        "food" | "foods" | "dish" | "dishes" | "meal" | "snack" | "dessert" | "fruit"
        | "cuisine" | "drink" => Field::Foods,
        "movie" | "movies" | "film" | "films" | "show" | "series" => Field::Movies,
        "book" | "books" | "novel" | "author" | "writer" | "poet" => Field::Books,
        "song" | "songs" | "band" | "bands" | "music" | "singer" | "musician" | "album"
        | "composer" | "genre" => Field::Music,
        "sport" | "sports" | "team" => Field::Sports,
        "hobby" | "hobbies" | "pastime" => Field::Hobbies,
        "color" | "colour" => Field::Colour,
        "animal" | "animals" | "season" | "game" | "games" | "artist" | "painter" | "flower"
        | "subject" | "city" | "place" | "actor" | "actress" | "holiday" => Field::Likes,
        _ => return,
    };
    if cursor.eat(&["is", "are"]) {
        cursor.skip(ADVERBS);
        cursor.skip(&["probably", "definitely", "by", "far"]);
        found.extend(liked(cursor).map(|value| Finding::is(field, value)));
    }
}
