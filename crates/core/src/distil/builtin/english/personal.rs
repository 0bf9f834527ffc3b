//! Age, birth, gender, nationality, languages, marriage, address of mail.

use super::lexicon::{ADVERBS, LANGUAGES, MONTHS, NATIONALITIES, number_word};
use super::token::{Cursor, Token};
use crate::distil::builtin::field::{Field, Finding};

/// Ages that are believed without "years old".
const BARE_AGES: std::ops::RangeInclusive<u32> = 10..=99;
const AGES: std::ops::RangeInclusive<u32> = 1..=125;

/// "I am …": age, gender, nationality, marriage.
pub(super) fn i_am(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    const STATES: &[&str] = &[
        "married",
        "single",
        "divorced",
        "widowed",
        "engaged",
        "separated",
    ];
    let mut cursor = cursor;
    if let Some(age) = age(&mut cursor, false) {
        found.push(Finding::is(Field::Age, age));
        // "I'm 34 and single"
        if !cursor.eat(&["and"]) {
            return;
        }
        cursor.skip(ADVERBS);
    }
    if let Some(state) = cursor.peek().filter(|token| token.is(STATES)) {
        let after = Cursor {
            at: cursor.at + 1,
            ..cursor
        };
        // "married to my job"
        let to_a_thing = after
            .ahead(1)
            .is_some_and(|token| token.is(&["my", "the", "our", "this", "it"]));
        let to_somebody = !to_a_thing
            && after.peek().is_none_or(|token| {
                token.is(&["to", "and", "with", "but", "for", "now", "again", "since"])
            });
        // "engaged in", "separated from my luggage", "single to the bone"
        let takes_to = state.is(&["married", "engaged"]);
        let has_to = after.peek().is_some_and(|token| token.is(&["to", "with"]));
        if to_somebody && (takes_to || !has_to) {
            found.push(Finding::is(Field::MaritalStatus, state.text));
        }
        return;
    }
    of_kind(cursor, found);
}

/// "a 34-year-old woman", "German", "a German".
fn of_kind(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    const GENDERS: &[&str] = &["woman", "man", "girl", "boy", "female", "male"];
    let mut cursor = cursor;
    let start = cursor.at;
    let has_article = cursor.eat(&["a", "an"]);
    if has_article && let Some(age) = age(&mut cursor, true) {
        found.push(Finding::is(Field::Age, age));
        let mut rest = Vec::new();
        super::work::of_kind(cursor, &mut rest);
        found.append(&mut rest);
    }
    let kind = cursor.at;
    cursor.skip(&[
        "transgender",
        "trans",
        "young",
        "old",
        "grown",
        "cis",
        "gay",
    ]);
    if cursor.peek().is_some_and(|token| token.is(GENDERS)) && ends_after(cursor, 1) {
        // "I'm a man of my word"
        found.push(Finding::is(
            Field::Gender,
            cursor.slice(kind, cursor.at + 1),
        ));
        return;
    }
    cursor.at = if has_article { start + 1 } else { start };
    if cursor
        .peek()
        .is_some_and(|token| token.is(NATIONALITIES) && token.is_capital())
        && ends_after(cursor, 1)
    {
        found.push(Finding::is(
            Field::Nationality,
            cursor.slice(cursor.at, cursor.at + 1),
        ));
    }
}

fn ends_after(cursor: Cursor<'_, '_>, count: usize) -> bool {
    cursor.ahead(count).is_none_or(|token| {
        token.is(&[
            "and", "but", "living", "from", "in", "who", "with", "by", "so", "working", "so",
        ])
    })
}

/// An age: `34`, `34 years old`, `thirty`. With `attributive`: `34-year-old`, `34 year old`.
fn age<'a>(cursor: &mut Cursor<'_, 'a>, attributive: bool) -> Option<&'a str> {
    let token = cursor.peek()?;
    if attributive
        && let Some(number) = ["-year-old", "-years-old", "yo"]
            .iter()
            .find_map(|tail| token.low.strip_suffix(tail))
    {
        cursor.at += 1;
        return token
            .text
            .get(..number.len())
            .filter(|text| text.parse().is_ok_and(|age: u32| AGES.contains(&age)));
    }
    let in_digits = token.number();
    let age = in_digits
        .or_else(|| number_word(&token.low))
        .filter(|age| AGES.contains(age))?;
    let mut ahead = Cursor {
        at: cursor.at + 1,
        ..*cursor
    };
    let spelled_out = ahead.any_phrase(&[
        "years old",
        "year old",
        "years of age",
        "yrs old",
        "yo",
        "y / o",
        "years-old",
    ]);
    let is_bare = !attributive
        && BARE_AGES.contains(&age)
        && ahead
            .peek()
            .is_none_or(|next| next.is(&["and", "now", "but", "this", "today", "already", "so"]));
    if !spelled_out && !is_bare {
        return None;
    }
    cursor.at = ahead.at;
    Some(token.text)
}

/// "I got married", "I turned 30", "I was born …", "I speak …".
pub(super) fn i_do(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    let before = cursor;
    if cursor.any_phrase(&["got", "just got", "have got", "have been"]) {
        cursor.skip(ADVERBS);
        let state = cursor
            .peek()
            .filter(|token| token.is(&["married", "divorced", "engaged", "remarried", "widowed"]));
        let rest = Cursor {
            at: cursor.at + 1,
            ..cursor
        };
        if let Some(state) =
            state.filter(|_| !rest.peek().is_some_and(|token| token.is(&["in", "by"])))
        {
            found.push(Finding::is(Field::MaritalStatus, state.text));
        }
        return;
    }
    cursor = before;
    if cursor.phrase("turned") {
        let number = cursor.peek().filter(|token| {
            token
                .number()
                .or_else(|| number_word(&token.low))
                .is_some_and(|age| BARE_AGES.contains(&age))
        });
        let rest = Cursor {
            at: cursor.at + 1,
            ..cursor
        };
        let ends = rest.peek().is_none_or(|token| {
            token.is(&[
                "last",
                "yesterday",
                "today",
                "this",
                "on",
                "in",
                "and",
                "a",
                "two",
                "recently",
                "years",
            ])
        });
        found.extend(
            number
                .filter(|_| ends)
                .map(|token| Finding::is(Field::Age, token.text)),
        );
    } else if cursor.phrase("was born") {
        cursor.eat(&["on", "in"]);
        found.extend(date(cursor).map(|date| Finding::is(Field::BirthDate, date)));
    } else if cursor.phrase("speak") {
        found.extend(languages(cursor));
    }
}

/// Languages in a row: "English, Spanish and some French".
fn languages(cursor: Cursor<'_, '_>) -> Vec<Finding> {
    let mut at = cursor.at;
    let mut found = Vec::new();
    while let Some(token) = cursor
        .all
        .get(at)
        .filter(|token| token.is(LANGUAGES) || token.is(&[",", "and", "fluent", "native", "both"]))
    {
        if token.is(LANGUAGES) {
            found.push(Finding::is(Field::LanguageSpoken, token.text));
        }
        at += 1;
    }
    found
}

/// A calendar date: it has a year, or a month with a day. It may go on behind a comma (`May 5, 1990`).
fn date(cursor: Cursor<'_, '_>) -> Option<String> {
    let is_part = |token: &Token<'_>| {
        let digits = token.low.chars().next().is_some_and(|c| c.is_ascii_digit());
        digits || token.is(MONTHS) || token.is(&["the", "of", ",", "/", "-", "."])
    };
    let start = cursor.at + usize::from(cursor.peek()?.is(&["the"]));
    let mut end = start;
    while end < start + 8 && cursor.all.get(end).is_some_and(is_part) {
        end += 1;
    }
    let is_filler = |token: &Token<'_>| token.is(&["the", "of", ",", "/", "-", "."]);
    while end > start && cursor.all.get(end - 1).is_some_and(is_filler) {
        end -= 1;
    }
    let words = cursor.all.get(start..end).unwrap_or_default();
    let has_digits = words
        .iter()
        .any(|token| token.low.chars().any(|c| c.is_ascii_digit()));
    let whole = words.len() > 1 || words.iter().any(|token| token.low.len() >= 4);
    (has_digits && whole).then(|| cursor.slice(start, end).to_owned())
}

/// "my name is …", "my birthday is …", "my email is …".
pub(super) fn my(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    cursor.skip(&[
        "full",
        "real",
        "actual",
        "first",
        "current",
        "native",
        "preferred",
        "given",
        "legal",
        "own",
    ]);
    let Some(subject) = cursor.peek() else { return };
    let mut rest = Cursor {
        at: cursor.at + 1,
        ..cursor
    };
    rest.eat(&["of"]);
    rest.eat(&["birth", "address"]);
    if !rest.eat(&["is", "'s"]) {
        return;
    }
    rest.skip(&["actually", "just", "really", "now", "on"]);
    match subject.low.as_str() {
        "name" => found.extend(super::name::own_name(rest)),
        "age" => found.extend(
            rest.peek()
                .filter(|token| token.number().is_some_and(|age| AGES.contains(&age)))
                .map(|token| Finding::is(Field::Age, token.text)),
        ),
        "birthday" | "birthdate" | "date" | "dob" => {
            found.extend(date(rest).map(|date| Finding::is(Field::BirthDate, date)));
        }
        "nationality" => found.extend(
            rest.peek()
                .filter(|token| token.is(NATIONALITIES))
                .map(|token| Finding::is(Field::Nationality, token.text)),
        ),
        "language" | "tongue" => found.extend(languages(rest)),
        "email" | "e-mail" | "mail" => {
            found.extend(
                rest.peek()
                    .filter(|token| token.low.contains('@') && token.low.contains('.'))
                    .map(|token| Finding::is(Field::Email, token.text)),
            );
        }
        _ => {}
    }
}
