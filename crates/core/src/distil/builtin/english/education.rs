//! Schools, degrees and subjects.

use super::lexicon::{ADVERBS, POINTING};
use super::token::Cursor;
use super::value::{is_complete, organisation};
use crate::distil::builtin::field::{Field, Finding};

/// Words that show a capitalised name to be a school.
const SCHOOL_WORDS: &[&str] = &[
    "university",
    "college",
    "school",
    "institute",
    "academy",
    "polytechnic",
    "uni",
];
/// Longest subject of study, words.
const MAJOR_WORDS_MAX: usize = 4;

/// "I studied X at Y", "I graduated from Y", "I have a degree in X", "I major in X".
pub(super) fn i_do(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    cursor.eat(&["have"]);
    cursor.skip(ADVERBS);
    let degrees = [
        "degree",
        "bachelor",
        "bachelor's",
        "bachelors",
        "master",
        "master's",
        "masters",
        "phd",
        "ph.d",
        "doctorate",
        "mba",
        "diploma",
    ];
    if cursor.any_phrase(&[
        "graduated from",
        "graduated at",
        "went to",
        "attend",
        "go to",
        "study at",
        "studied at",
    ]) {
        let is_sure = cursor
            .all
            .get(cursor.at.saturating_sub(2))
            .is_some_and(|token| token.is(&["graduated", "study", "studied"]));
        found
            .extend(school(&mut cursor, !is_sure).map(|school| Finding::is(Field::School, school)));
        with_degree(cursor, found);
    } else if cursor.any_phrase(&[
        "graduated with",
        "hold",
        "got my",
        "earned my",
        "have got",
        "graduated in",
    ]) || cursor
        .peek()
        .is_some_and(|token| token.is(&["a", "an", "my"]))
    {
        cursor.skip(&["a", "an", "my", "the"]);
        if cursor.peek().is_some_and(|token| token.is(&degrees)) {
            degree(cursor, found);
        }
    } else if cursor.any_phrase(&["majored in", "major in", "was majoring in"]) {
        found.extend(major(&mut cursor).map(|major| Finding::is(Field::Major, major)));
        at_school(cursor, found);
    } else if cursor.any_phrase(&["study", "studied"]) {
        subject_at_school(cursor, found);
    }
}

fn with_degree(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    if cursor.eat(&["with"]) {
        cursor.skip(&["a", "an", "my"]);
        degree(cursor, found);
    }
}

/// "PhD in physics", "master's degree in law from Y".
fn degree(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    let start = cursor.at;
    let kinds = [
        "degree",
        "bachelor",
        "'s",
        "bachelors",
        "master",
        "masters",
        "phd",
        "ph.d",
        "doctorate",
        "mba",
        "diploma",
        "science",
        "arts",
        "of",
    ];
    cursor.skip(&kinds);
    if cursor.at == start {
        return;
    }
    let name = cursor.slice(start, cursor.at).to_owned();
    if !name.eq_ignore_ascii_case("degree") && !name.ends_with("of") {
        found.push(Finding::is(Field::Degree, name));
    }
    if cursor.eat(&["in"]) {
        found.extend(major(&mut cursor).map(|major| Finding::is(Field::Major, major)));
    }
    at_school(cursor, found);
}

fn at_school(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    if cursor.eat(&["at", "from"]) {
        found.extend(school(&mut cursor, false).map(|school| Finding::is(Field::School, school)));
    }
}

/// "law at Y": only both together say that this is a course of studies.
fn subject_at_school(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    let Some(subject) = major(&mut cursor) else {
        return;
    };
    if cursor.eat(&["at"])
        && let Some(school) = school(&mut cursor, false)
    {
        found.extend([
            Finding::is(Field::Major, subject),
            Finding::is(Field::School, school),
        ]);
    }
}

/// A subject of study: a few words up to "at", "from" or the end of the clause.
fn major(cursor: &mut Cursor<'_, '_>) -> Option<String> {
    let start = cursor.at;
    let ends = [
        "at", "from", "with", "because", "but", "for", "in", "during", "when", "while", "who",
        "last", "this", "now", "right",
    ];
    while cursor
        .peek()
        .is_some_and(|token| token.is_word() && !token.is(&ends))
    {
        cursor.at += 1;
    }
    let words = cursor.all.get(start..cursor.at).unwrap_or_default();
    let bad = words.is_empty()
        || words.len() > MAJOR_WORDS_MAX
        || words.iter().any(|token| {
            token.is(POINTING) || token.is(&["my", "hard", "every", "a", "an", "the", "all"])
        });
    (!bad).then(|| cursor.slice(start, cursor.at).to_owned())
}

/// A school: capitalised words; with `named` one of them must say that it is a school.
fn school(cursor: &mut Cursor<'_, '_>, named: bool) -> Option<String> {
    let name = organisation(cursor)?;
    let is_named = name
        .to_lowercase()
        .split_whitespace()
        .any(|word| SCHOOL_WORDS.contains(&word));
    ((!named || is_named) && is_complete(*cursor)).then_some(name)
}

/// "I am majoring in X", "I am studying X at Y".
pub(super) fn i_am(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    if cursor.phrase("majoring in") {
        found.extend(major(&mut cursor).map(|major| Finding::is(Field::Major, major)));
        at_school(cursor, found);
    } else if cursor.eat(&["studying"]) {
        subject_at_school(cursor, found);
    }
}

/// "my major is X".
pub(super) fn my(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    if cursor.phrase("major is") {
        found.extend(major(&mut cursor).map(|major| Finding::is(Field::Major, major)));
    }
}
