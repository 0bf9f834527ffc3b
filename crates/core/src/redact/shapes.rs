//! Keys and tokens that their issuers made recognisable: a fixed beginning and a tail of a certain form.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::{Found, Kind, chars};

/// Longest tail that is read, bytes. Real ones end far earlier, except signed tokens.
const TAIL_BYTES_MAX: usize = 16 * 1024;

/// How the text after the beginning must look.
#[derive(Debug, Clone, Copy)]
enum Tail {
    /// At least so many letters, digits, `_` and `-`.
    Wide(usize),
    /// At least so many letters and digits, and nothing else.
    Narrow(usize),
    /// As [`Tail::Wide`], with digits and both cases: the beginning alone is a usual word.
    Varied(usize),
    /// As [`Tail::Wide`], with points inside.
    Dotted(usize),
    /// Exactly so many capitals and digits, then a border.
    Exactly(usize),
    /// What follows `sk-`.
    Sk,
    /// Parts divided by points: at least `parts` of at least `min` bytes.
    Parts { parts: usize, min: usize },
}

const SHAPES: &[(&str, Tail, Kind)] = &[
    ("sk-", Tail::Sk, Kind::ApiKey),
    ("sk_live_", Tail::Wide(10), Kind::ApiKey),
    ("sk_test_", Tail::Wide(10), Kind::ApiKey),
    ("rk_live_", Tail::Wide(10), Kind::ApiKey),
    ("rk_test_", Tail::Wide(10), Kind::ApiKey),
    ("whsec_", Tail::Narrow(16), Kind::Secret),
    ("ghp_", Tail::Narrow(20), Kind::Token),
    ("gho_", Tail::Narrow(20), Kind::Token),
    ("ghu_", Tail::Narrow(20), Kind::Token),
    ("ghs_", Tail::Narrow(20), Kind::Token),
    ("ghr_", Tail::Narrow(20), Kind::Token),
    ("github_pat_", Tail::Wide(20), Kind::Token),
    ("glpat-", Tail::Wide(16), Kind::Token),
    ("xoxa-", Tail::Wide(10), Kind::Token),
    ("xoxb-", Tail::Wide(10), Kind::Token),
    ("xoxp-", Tail::Wide(10), Kind::Token),
    ("xoxr-", Tail::Wide(10), Kind::Token),
    ("xoxs-", Tail::Wide(10), Kind::Token),
    ("xapp-", Tail::Varied(16), Kind::Token),
    ("AKIA", Tail::Exactly(16), Kind::ApiKey),
    ("ASIA", Tail::Exactly(16), Kind::ApiKey),
    ("AIza", Tail::Wide(30), Kind::ApiKey),
    ("ya29.", Tail::Dotted(16), Kind::Token),
    ("hf_", Tail::Narrow(20), Kind::Token),
    ("gsk_", Tail::Narrow(20), Kind::ApiKey),
    ("xai-", Tail::Narrow(20), Kind::ApiKey),
    ("npm_", Tail::Narrow(20), Kind::Token),
    ("pypi-", Tail::Varied(16), Kind::Token),
    ("SG.", Tail::Parts { parts: 2, min: 10 }, Kind::ApiKey),
    ("eyJ", Tail::Parts { parts: 3, min: 3 }, Kind::Token),
];

static BEGINNINGS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::new(SHAPES.iter().map(|(beginning, _, _)| beginning))
        .expect("a short list of literals is within every limit")
});

pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    let mut done = 0;
    for hit in BEGINNINGS.find_iter(text) {
        let Some((_, tail, kind)) = SHAPES.get(hit.pattern().as_usize()) else {
            continue;
        };
        if hit.start() < done || !is_border(text, hit.start()) {
            continue;
        }
        if let Some(length) = tail.length(text, hit.end()) {
            done = hit.end() + length;
            found.push(Found::new(hit.start(), done, *kind));
        }
    }
}

/// Whether a key may start there: not inside a word or a hyphenated name.
fn is_border(text: &str, start: usize) -> bool {
    match chars::before(text, start) {
        None => true,
        // `\n`, `\t` and `\r` written out, as in a quoted JSON text.
        Some('n' | 't' | 'r') => chars::before(text, start - 1) == Some('\\'),
        Some(c) => !chars::is_word(c) && c != '-',
    }
}

impl Tail {
    /// The length of the tail at that place in bytes, when it fits.
    fn length(self, text: &str, from: usize) -> Option<usize> {
        let run = |passes: fn(char) -> bool| {
            let length = chars::run(text, from, TAIL_BYTES_MAX, passes);
            text.get(from..from + length).unwrap_or_default()
        };
        match self {
            Self::Wide(min) => at_least(run(is_wide), min),
            Self::Narrow(min) => at_least(run(|c| c.is_ascii_alphanumeric()), min),
            Self::Varied(min) => at_least(run(is_wide), min).filter(|length| {
                let tail = text.get(from..from + length).unwrap_or_default();
                tail.bytes().any(|byte| byte.is_ascii_digit())
                    && tail.bytes().any(|byte| byte.is_ascii_uppercase())
                    && tail.bytes().any(|byte| byte.is_ascii_lowercase())
            }),
            Self::Dotted(min) => {
                let tail = run(|c| is_wide(c) || c == '.');
                at_least(tail.trim_end_matches('.'), min)
            }
            Self::Exactly(length) => {
                let tail = run(|c| c.is_ascii_alphanumeric());
                let capitals = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
                (tail.len() == length && tail.bytes().all(capitals)).then_some(length)
            }
            Self::Sk => sk(run(is_wide)),
            Self::Parts { parts, min } => self::parts(text, from, parts, min),
        }
    }
}

fn is_wide(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

fn at_least(tail: &str, min: usize) -> Option<usize> {
    (tail.len() >= min).then_some(tail.len())
}

/// The length of at least so many parts with points between. It gives up at the first short part, so that a part is
/// never read more than `parts` times.
fn parts(text: &str, from: usize, parts: usize, min: usize) -> Option<usize> {
    let mut end = from;
    for index in 0.. {
        let start = if index == 0 { end } else { end + 1 };
        if index > 0 && chars::at(text, end) != Some('.') {
            return (index >= parts).then_some(end - from);
        }
        let length = chars::run(text, start, TAIL_BYTES_MAX, is_wide);
        if index < parts && length < min {
            return None;
        }
        if length == 0 {
            return Some(end - from);
        }
        end = start + length;
    }
    None
}

/// `sk-` begins the keys of many vendors, and also names such as `sk-learn-2024`. A key has one long part that mixes
/// letters and digits.
fn sk(tail: &str) -> Option<usize> {
    let fits = tail.len() >= 12
        && tail
            .split(['-', '_'])
            .any(|part| chars::is_mixed(part, 8) || part.len() >= 20);
    fits.then_some(tail.len())
}
