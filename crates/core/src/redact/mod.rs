//! Secrets are defused before anything is written: passwords, keys, tokens and card numbers give way to a marker.
//!
//! Two kinds of evidence count. A **shape** that only a secret has (`ghp_…`, a PEM block, a card number with a right
//! check digit) is enough by itself. Everything else needs a **word** that says so right before it ("my password
//! is …", 密码是…), and ordinary sentences about passwords stay as they are. A long random text without such a word
//! is no secret: hashes and ids look the same.
//!
//! All scans are linear in the length of the text: every look around a hit is bounded by a constant.

mod auth;
mod card;
mod chars;
mod han;
mod judge;
mod lists;
mod op;
mod pem;
#[cfg(test)]
mod properties;
mod shapes;
#[cfg(test)]
mod tests;
mod value;
mod words;

use std::borrow::Cow;
use std::ops::Range;

use serde_json::Value;

/// How every marker begins; the kind and `]` follow.
const MARK: &str = "[redacted: ";

/// How often a text is read again after something was replaced. A replacement can end a sentence or close a quote
/// that hid a second secret; the second round nearly always finds nothing.
const ROUNDS_MAX: usize = 4;

/// What a secret is. The marker names it, so that a reader still knows what stood there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    ApiKey,
    Card,
    Password,
    PrivateKey,
    Secret,
    Token,
}

impl Kind {
    const ALL: [Self; 6] = [
        Self::ApiKey,
        Self::Card,
        Self::Password,
        Self::PrivateKey,
        Self::Secret,
        Self::Token,
    ];

    fn label(self) -> &'static str {
        match self {
            Self::ApiKey => "api key",
            Self::Card => "card number",
            Self::Password => "password",
            Self::PrivateKey => "private key",
            Self::Secret => "secret",
            Self::Token => "token",
        }
    }

    /// `[redacted: api key]`.
    fn marker(self) -> String {
        format!("{MARK}{}]", self.label())
    }
}

/// A secret's place in a text, in bytes at character borders.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found {
    span: Range<usize>,
    kind: Kind,
}

impl Found {
    fn new(start: usize, end: usize, kind: Kind) -> Self {
        Self {
            span: start..end,
            kind,
        }
    }
}

/// The text with every secret replaced by `[redacted: KIND]` and all else byte for byte as it was.
///
/// KIND is one of `api key`, `card number`, `password`, `private key`, `secret` and `token`. A text without a secret
/// is lent back. Doing it twice changes nothing more.
#[must_use]
pub fn secrets(text: &str) -> Cow<'_, str> {
    match replace(text) {
        Some((clean, _)) => Cow::Owned(clean),
        None => Cow::Borrowed(text),
    }
}

/// Replaces the secrets in all strings of a stored body, at any depth, and tells how many there were.
///
/// Names of fields stay, but they count as the word before their value: `{"password": "P"}` is a password.
pub fn in_json(value: &mut Value) -> usize {
    let mut count = 0;
    // An explicit stack: a body nested deeper than the call stack can bear must not bring the process down.
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => count += replace_in_place(text),
            Value::Array(items) => open.extend(items),
            Value::Object(fields) => {
                for (name, field) in fields.iter_mut() {
                    if let Value::String(text) = field
                        && let Some(kind) = words::field(name, text)
                    {
                        *text = kind.marker();
                        count += 1;
                    } else {
                        open.push(field);
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    count
}

fn replace_in_place(text: &mut String) -> usize {
    let Some((clean, count)) = replace(text) else {
        return 0;
    };
    *text = clean;
    count
}

/// The clean text and the number of secrets, or `None` when there is nothing to replace.
fn replace(text: &str) -> Option<(String, usize)> {
    let mut found = find(text);
    let mut clean = None;
    let mut count = 0;
    for _ in 0..ROUNDS_MAX {
        if found.is_empty() {
            break;
        }
        count += found.len();
        let next = cut(clean.as_deref().unwrap_or(text), &found);
        found = find(&next);
        clean = Some(next);
    }
    clean.map(|clean| (clean, count))
}

/// All secrets of a text, in order and without overlap.
fn find(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    pem::find(text, &mut found);
    shapes::find(text, &mut found);
    auth::find(text, &mut found);
    card::find(text, &mut found);
    words::find(text, &mut found);
    if found.is_empty() {
        return found;
    }
    let markers = markers(text);
    let mut merged: Vec<Found> = Vec::with_capacity(found.len());
    found.sort_by_key(|one| (one.span.start, std::cmp::Reverse(one.span.end)));
    for one in found {
        match merged.last_mut() {
            Some(last) if one.span.start < last.span.end => {
                last.span.end = last.span.end.max(one.span.end);
            }
            _ => merged.push(one),
        }
    }
    merged.retain(|one| !touches(&markers, &one.span));
    merged
}

/// Where markers of an earlier replacement stand.
fn markers(text: &str) -> Vec<Range<usize>> {
    text.match_indices(MARK)
        .filter_map(|(start, _)| {
            let inside = start + MARK.len();
            let rest = text.get(inside..)?;
            let kind = Kind::ALL.into_iter().find(|kind| {
                rest.strip_prefix(kind.label())
                    .is_some_and(|rest| rest.starts_with(']'))
            })?;
            Some(start..inside + kind.label().len() + 1)
        })
        .collect()
}

/// Whether the span overlaps one of the ranges, which are in order and apart.
fn touches(ranges: &[Range<usize>], span: &Range<usize>) -> bool {
    let next = ranges.partition_point(|range| range.end <= span.start);
    ranges.get(next).is_some_and(|range| range.start < span.end)
}

fn cut(text: &str, found: &[Found]) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut from = 0;
    for Found { span, kind } in found {
        clean.push_str(text.get(from..span.start).unwrap_or_default());
        clean.push_str(&kind.marker());
        from = span.end;
    }
    clean.push_str(text.get(from..).unwrap_or_default());
    clean
}
