//! From text to index terms, the same way for what is stored and for what is asked.
//!
//! The text is normalised (see `normal`), cut into runs of one kind of writing (see `run`), and each run becomes terms:
//! scripts that put no blanks between words become overlapping pairs of characters (see `dense`), everything else
//! becomes words, numbers, addresses and ids (see `spaced`), and a pictograph is a term of its own.
//!
//! Every term that a query has is also a term of a document with the same text, so a text always finds itself.

mod dense;
mod normal;
mod number;
mod run;
mod spaced;
mod stop;
mod word;

use std::collections::{BTreeMap, HashSet};

use unicode_segmentation::UnicodeSegmentation;

use crate::limits::{ANALYZE_BYTES_MAX, QUERY_TERMS_MAX};
use run::{Run, Writing};

/// Counted up with every change that gives some text other terms. Stores keep it and re-index when it differs.
pub const ANALYZER_VERSION: u32 = 1;

/// Longest term, characters. The rest of a longer one (a hash, a data URL) is left out on both sides.
const TERM_CHARS_MAX: usize = 80;

/// The terms of a document and how often each is in it.
///
/// Text after the first [`ANALYZE_BYTES_MAX`] bytes is left out.
#[must_use]
pub fn terms(text: &str) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    count_into(&mut counts, text);
    counts
}

/// The terms that a memory is indexed under: those of its content, of the name of who said it, and of the day that it
/// is about.
///
/// `date_iso` is `2023-05-07`, also as the start of a longer ISO 8601 text; anything else is ignored. The day is
/// found as `2023-05-07`, `2023-05`, `2023`, `May`, `2023年`, `5月` and `7`.
#[must_use]
pub fn index_terms(
    speaker: Option<&str>,
    date_iso: Option<&str>,
    content: &str,
) -> BTreeMap<String, u32> {
    let mut counts = terms(content);
    if let Some(name) = speaker {
        count_into(&mut counts, name);
    }
    if let Some(day) = date_iso.and_then(spaced::iso_day) {
        for term in day.terms() {
            add(&mut counts, term);
        }
    }
    counts
}

/// The distinct terms of a query in the order that they appear, at most [`QUERY_TERMS_MAX`].
///
/// Empty when the text holds nothing but stop words and punctuation.
#[must_use]
pub fn query_terms(text: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    tokens(text)
        .into_iter()
        .filter(|token| token.asked)
        .map(|token| token.term)
        .filter(|term| seen.insert(term.clone()))
        .take(QUERY_TERMS_MAX)
        .collect()
}

/// The text as a sequence of comparable pieces: normalised, without punctuation, with stop words, unstemmed; single
/// characters for scripts without blanks. Two texts with the same sequence say the same.
#[must_use]
pub(crate) fn sequence(text: &str) -> Vec<String> {
    let normal = normal::normalise(cut(text));
    let mut pieces = Vec::new();
    for run in run::runs(&normal) {
        match run.writing {
            Writing::Dense | Writing::Picture => {
                pieces.extend(run.text.graphemes(true).map(str::to_owned));
            }
            Writing::Spaced => pieces.extend(spaced::chunks(run.text).map(str::to_owned)),
        }
    }
    pieces
}

/// One occurrence of a term.
#[derive(Debug, PartialEq, Eq)]
struct Token {
    /// The term.
    term: String,
    /// Whether a query asks for it too. Documents have some more terms, under which shorter spellings find them.
    asked: bool,
}

impl Token {
    /// A term of documents and queries.
    fn both(term: &str) -> Self {
        Self {
            term: shortened(term),
            asked: true,
        }
    }

    /// A term of documents only.
    fn document(term: &str) -> Self {
        Self {
            term: shortened(term),
            asked: false,
        }
    }
}

fn shortened(term: &str) -> String {
    term.chars().take(TERM_CHARS_MAX).collect()
}

fn tokens(text: &str) -> Vec<Token> {
    let normal = normal::normalise(cut(text));
    let mut tokens = Vec::new();
    let mut before: Option<Run<'_>> = None;
    for run in run::runs(&normal) {
        match run.writing {
            Writing::Dense => {
                let number = before
                    .filter(|run| run.writing == Writing::Spaced)
                    .and_then(|run| spaced::number_at_end(run.text));
                dense::tokens(run.text, number, &mut tokens);
            }
            Writing::Spaced => spaced::tokens(run.text, &mut tokens),
            Writing::Picture => tokens.extend(run.text.graphemes(true).map(Token::both)),
        }
        before = Some(run);
    }
    tokens
}

/// The part of the text that is analysed.
fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(ANALYZE_BYTES_MAX)]
}

fn count_into(counts: &mut BTreeMap<String, u32>, text: &str) {
    for token in tokens(text) {
        add(counts, token.term);
    }
}

fn add(counts: &mut BTreeMap<String, u32>, term: String) {
    let count = counts.entry(term).or_insert(0);
    *count = count.saturating_add(1);
}

#[cfg(test)]
mod tests;
