//! Words: stop words out, endings off.

use rust_stemmers::{Algorithm, Stemmer};

use super::stop;
use super::{TERM_CHARS_MAX, Token};

/// The term of one word, unless it is a stop word.
pub(super) fn tokens(word: &str, tokens: &mut Vec<Token>) {
    if !stop::is_english_stop(word) {
        tokens.push(Token::both(&stemmed(word)));
    }
}

/// A word without its ending: Snowball English for ASCII letters, Snowball Russian for Cyrillic ones. Anything else,
/// and what is too long for a word, stays as it is.
pub(super) fn stemmed(word: &str) -> String {
    let algorithm = if word.len() > TERM_CHARS_MAX {
        None
    } else if word.bytes().all(|letter| letter.is_ascii_lowercase()) {
        Some(Algorithm::English)
    } else if word
        .chars()
        .all(|letter| matches!(letter, '\u{430}'..='\u{44f}'))
    {
        Some(Algorithm::Russian)
    } else {
        None
    };
    algorithm.map_or_else(
        || word.to_owned(),
        |algorithm| Stemmer::create(algorithm).stem(word).into_owned(),
    )
}

/// The piece without a shortened auxiliary or possessive (`caroline's`, `we'll`); `None` when nothing of it counts
/// (`don't`).
pub(super) fn without_contraction(piece: &str) -> Option<&str> {
    let Some((head, tail)) = piece.rsplit_once('\'') else {
        return Some(piece);
    };
    match tail {
        "s" | "m" | "d" | "ll" | "re" | "ve" => Some(head),
        "t" if head.ends_with('n') => None,
        _ => Some(piece),
    }
}
