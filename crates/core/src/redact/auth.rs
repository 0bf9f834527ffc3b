//! Credentials in their technical places: the password of an address and the `Authorization` header.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::{Found, Kind, chars, lists};

/// How far an address is read for its password, bytes.
const AUTHORITY_BYTES_MAX: usize = 256;
/// Longest credential of a header, bytes.
const CREDENTIAL_BYTES_MAX: usize = 16 * 1024;

static WORDS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(["authorization", "bearer "])
        .expect("two literals are within every limit")
});

pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    for (at, sign) in text.match_indices("://") {
        if chars::before(text, at).is_some_and(|c| c.is_ascii_alphanumeric())
            && let Some(password) = password(text, at + sign.len())
        {
            found.push(password);
        }
    }
    let mut done = 0;
    for hit in WORDS.find_iter(text) {
        if hit.start() < done || chars::before(text, hit.start()).is_some_and(chars::is_word) {
            continue;
        }
        let credential = match hit.pattern().as_usize() {
            0 => header(text, hit.end()),
            _ => credential(text, hit.end()).filter(|span| is_random_or_mixed(text, span, 12)),
        };
        if let Some((start, end)) = credential {
            done = end;
            found.push(Found::new(start, end, Kind::Token));
        }
    }
}

/// The password in `user:PASSWORD@host`, which starts there.
fn password(text: &str, from: usize) -> Option<Found> {
    let ends = |c: char| {
        c.is_whitespace()
            || chars::is_han(c)
            || chars::is_wide_punctuation(c)
            || "\"'`<>|\\".contains(c)
    };
    let length = chars::run(text, from, AUTHORITY_BYTES_MAX, |c| !ends(c));
    let address = text.get(from..from + length)?;
    let authority = address.find(['/', '?', '#']).unwrap_or(length);
    let colon = address.get(..authority)?.find(':')?;
    let at = match address.get(colon..authority)?.rfind('@') {
        Some(at) => colon + at,
        None => {
            // A raw `/` in a password breaks the address, yet people write it so. A port is all digits.
            let port = address.get(colon + 1..authority)?;
            if port.is_empty() || port.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            colon + address.get(colon..)?.rfind('@')?
        }
    };
    let secret = address.get(colon + 1..at)?;
    if secret.is_empty() || lists::is_placeholder(secret) {
        return None;
    }
    Some(Found::new(from + colon + 1, from + at, Kind::Password))
}

/// The credential of `Authorization: Bearer …`, after the first word. Quotes of any notation may stand between.
fn header(text: &str, from: usize) -> Option<(usize, usize)> {
    const SCHEMES: &[&str] = &["bearer ", "basic ", "token ", "apikey ", "api-key "];
    let gap = chars::run(text, from, 12, |c| " \t\"'`\\:=,>：".contains(c));
    let gap_text = text.get(from..from + gap)?;
    if !gap_text.contains([':', '=', ',', '：']) {
        return None;
    }
    let start = from + gap;
    let rest = text.get(start..)?;
    let scheme = SCHEMES
        .iter()
        .find(|scheme| chars::strip_ascii_prefix(rest, scheme).is_some());
    let (start, min) = match scheme {
        Some(scheme) => (chars::skip_blanks(text, start + scheme.len()), 0),
        None => (start, 12),
    };
    let span = credential(text, start)?;
    let word = text.get(span.0..span.1)?;
    let named = word.len() >= 6 && !lists::is_placeholder(word) && !lists::names_secret(word);
    (if min == 0 {
        named
    } else {
        is_random_or_mixed(text, &span, min)
    })
    .then_some(span)
}

/// The run of characters that a credential may hold.
fn credential(text: &str, start: usize) -> Option<(usize, usize)> {
    let length = chars::run(text, start, CREDENTIAL_BYTES_MAX, |c| {
        c.is_ascii_alphanumeric() || "-._~+/=".contains(c)
    });
    let word = text.get(start..start + length)?;
    let kept = word.trim_end_matches('.').len();
    (kept > 0).then_some((start, start + kept))
}

fn is_random_or_mixed(text: &str, span: &(usize, usize), min: usize) -> bool {
    text.get(span.0..span.1)
        .is_some_and(|word| chars::is_mixed(word, min) && !lists::is_placeholder(word))
}
