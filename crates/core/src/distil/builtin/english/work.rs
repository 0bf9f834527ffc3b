//! Work.

use super::lexicon::{ADVERBS, INDUSTRIES, number_word};
use super::token::{Cursor, Token};
use super::value::{is_complete, organisation, title};
use crate::distil::builtin::field::{Field, Finding};

/// "I work …", "I quit …".
pub(super) fn i_do(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    if leaves(cursor, found) {
        return;
    }
    let is_perfect = cursor.eat(&["have"]);
    cursor.skip(ADVERBS);
    cursor.eat(&["been"]);
    if is_perfect && tenure(cursor, found) {
        return;
    }
    let works = cursor.any_phrase(&["work", "started working", "started work", "began working"]);
    if works || (is_perfect && cursor.eat(&["working"])) {
        cursor.skip(&[
            "now",
            "full-time",
            "part-time",
            "currently",
            "remotely",
            "mostly",
            "mainly",
            "here",
        ]);
        at_and_as(cursor, found);
    } else if cursor.any_phrase(&[
        "got a job",
        "got a new job",
        "found a job",
        "found a new job",
        "started a job",
        "started a new job",
    ]) {
        at_and_as(cursor, found);
    }
}

/// "as a nurse at X", "at X as a nurse", "in finance".
fn at_and_as(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    for _ in 0..3 {
        if cursor.eat(&["as"]) {
            let has_article = cursor.eat(&["a", "an", "the"]);
            found.extend(
                title(&mut cursor, !has_article).map(|title| Finding::is(Field::Title, title)),
            );
        } else if cursor.eat(&["at", "for"]) {
            match organisation(&mut cursor) {
                Some(name) if is_complete(cursor) => found.push(Finding::is(Field::Company, name)),
                _ => return,
            }
        } else if cursor.eat(&["in"]) {
            cursor.skip(&["the"]);
            let branch = cursor.peek().filter(|token| {
                token.is(INDUSTRIES)
                    && (!token.is(&["it", "hr", "law"]) || token.is_capital() || token.is(&["law"]))
            });
            let rest = Cursor {
                at: cursor.at + 1,
                ..cursor
            };
            let Some(branch) = branch.filter(|_| {
                is_complete(rest)
                    || rest
                        .peek()
                        .is_some_and(|token| token.is(&["industry", "sector"]))
            }) else {
                return;
            };
            found.push(Finding::is(Field::Industry, branch.text));
            cursor = rest;
            cursor.eat(&["industry", "sector"]);
        } else {
            return;
        }
    }
}

/// "I have worked at G for 5 years", "I have been at G for 5 years", "I have 5 years at G".
fn tenure(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) -> bool {
    let mut cursor = cursor;
    if let Some(years) = span(&mut cursor) {
        if cursor.eat(&["at"])
            && let Some(name) = organisation(&mut cursor)
        {
            found.extend([
                Finding::is(Field::Company, name),
                Finding::is(Field::Tenure, years),
            ]);
            return true;
        }
        return false;
    }
    cursor.eat(&["worked", "working"]);
    if !cursor.eat(&["at", "for", "with"]) {
        return false;
    }
    let Some(name) = organisation(&mut cursor) else {
        return false;
    };
    if !cursor.eat(&["for"]) {
        return false;
    }
    cursor.skip(&[
        "about", "over", "almost", "nearly", "around", "more", "than",
    ]);
    let Some(years) = span(&mut cursor) else {
        return false;
    };
    found.extend([
        Finding::is(Field::Company, name),
        Finding::is(Field::Tenure, years),
    ]);
    true
}

/// "5 years", "two months".
fn span(cursor: &mut Cursor<'_, '_>) -> Option<String> {
    let token = cursor.peek()?;
    token.number().or_else(|| number_word(&token.low))?;
    cursor
        .ahead(1)?
        .is(&["year", "years", "month", "months"])
        .then_some(())?;
    let text = cursor.slice(cursor.at, cursor.at + 2).to_owned();
    cursor.at += 2;
    Some(text)
}

/// "I no longer work at X", "I quit my job at X", "I used to work at X", "I left X".
fn leaves(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) -> bool {
    let mut cursor = cursor;
    let not_at_firm = [
        "do not work at",
        "do not work for",
        "left",
        "quit",
        "have left",
    ];
    let at_firm = [
        "no longer work at",
        "no longer work for",
        "used to work at",
        "used to work for",
        "quit my job at",
        "left my job at",
        "lost my job at",
        "got fired from",
        "was fired from",
        "got laid off from",
        "was laid off from",
        "resigned from",
        "quit my position at",
        "stopped working at",
        "stopped working for",
        "quit working at",
        "quit working for",
    ];
    let as_title = [
        "no longer work as",
        "used to work as",
        "stopped working as",
        "quit working as",
    ];
    if cursor.any_phrase(&as_title) {
        cursor.eat(&["a", "an", "the"]);
        found.extend(title(&mut cursor, true).map(|title| Finding::was_only(Field::Title, title)));
        return true;
    }
    let is_over = cursor.any_phrase(&at_firm);
    if !is_over && !cursor.any_phrase(&not_at_firm) {
        return false;
    }
    if let Some(name) = organisation(&mut cursor)
        && (is_complete(cursor)
            || cursor
                .peek()
                .is_some_and(|token| token.is(&["anymore", "any"])))
    {
        found.push(if is_over {
            Finding::was_only(Field::Company, name)
        } else {
            Finding::is_not(Field::Company, name)
        });
    }
    true
}

/// "I am a nurse at X", "I am the CEO of X", "I am working at X".
pub(super) fn i_am(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    if cursor.any_phrase(&["working", "employed"]) {
        cursor.skip(ADVERBS);
        at_and_as(cursor, found);
    } else if cursor.phrase("no longer working at") {
        found.extend(organisation(&mut cursor).map(|name| Finding::was_only(Field::Company, name)));
    } else {
        let heads_firm = |token: &Token<'_>| token.is(&["ceo", "cto", "cfo", "coo"]);
        if cursor.eat(&["a", "an", "the"]) || cursor.peek().is_some_and(heads_firm) {
            of_kind(cursor, found);
        }
    }
}

/// "senior nurse at X", without the article.
pub(super) fn of_kind(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    let Some(title) = title(&mut cursor, true) else {
        return;
    };
    let is_student = title.to_lowercase().ends_with("student");
    found.push(Finding::is(Field::Title, title));
    if cursor.eat(&["at", "of", "for", "with"])
        && let Some(name) = organisation(&mut cursor)
        && is_complete(cursor)
    {
        found.push(Finding::is(
            if is_student {
                Field::School
            } else {
                Field::Company
            },
            name,
        ));
    }
    // "a nurse living in Oslo"
    super::residence::i_am(cursor, found);
}

/// "my job is …", "my company is …".
pub(super) fn my(cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let mut cursor = cursor;
    cursor.skip(&["current", "new", "job"]);
    if cursor.any_phrase(&[
        "occupation is",
        "profession is",
        "is",
        "title is",
        "position is",
    ]) {
        cursor.skip(&["a", "an", "as", "the"]);
        found.extend(
            title(&mut cursor, true)
                .filter(|_| is_complete(cursor))
                .map(|title| Finding::is(Field::Title, title)),
        );
    } else if cursor.any_phrase(&["employer is", "company is called"]) {
        found.extend(organisation(&mut cursor).map(|name| Finding::is(Field::Company, name)));
    }
}
