//! Secrets that a word announces: "password is …", `api_key = …`, 密码：…

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::judge::{Case, Weight};
use super::op::{self, Tie};
use super::{Found, Kind, MARK, chars, value};

struct Noun {
    text: &'static str,
    weight: Weight,
    kind: Kind,
}

const fn noun(text: &'static str, weight: Weight, kind: Kind) -> Noun {
    Noun { text, weight, kind }
}

const NOUNS: &[Noun] = &[
    noun("password", Weight::Strong, Kind::Password),
    noun("passwd", Weight::Strong, Kind::Password),
    noun("passcode", Weight::Strong, Kind::Password),
    noun("pwd", Weight::Strong, Kind::Password),
    noun("passphrase", Weight::Strong, Kind::Password),
    noun("pass phrase", Weight::Strong, Kind::Password),
    noun("seed phrase", Weight::Strong, Kind::Secret),
    noun("recovery phrase", Weight::Strong, Kind::Secret),
    noun("pass", Weight::Light, Kind::Password),
    noun("secret", Weight::Light, Kind::Secret),
    noun("token", Weight::Faint, Kind::Token),
    noun("key", Weight::Bare, Kind::ApiKey),
    noun("密码", Weight::Strong, Kind::Password),
    noun("密碼", Weight::Strong, Kind::Password),
    noun("口令", Weight::Strong, Kind::Password),
    noun("密钥", Weight::Medium, Kind::ApiKey),
    noun("密鑰", Weight::Medium, Kind::ApiKey),
    noun("秘钥", Weight::Medium, Kind::ApiKey),
    noun("私钥", Weight::Medium, Kind::PrivateKey),
    noun("令牌", Weight::Medium, Kind::Token),
];

/// Words before "key", "token" and "secret" that make a credential of it.
const QUALIFIERS: &[&str] = &[
    "api",
    "access",
    "secret",
    "auth",
    "client",
    "bearer",
    "encryption",
    "signing",
    "refresh",
    "private",
    "bot",
    "app",
    "license",
    "webhook",
    "master",
    "service",
];
/// Words before them that make something harmless of it.
const HARMLESS: &[&str] = &[
    "public",
    "primary",
    "foreign",
    "partition",
    "sort",
    "cache",
    "idempotency",
    "unique",
    "page",
    "continuation",
    "cancellation",
    "boarding",
    "season",
    "bus",
    "ski",
    "next",
];

static WORDS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .build(NOUNS.iter().map(|noun| noun.text))
        .expect("a short list of words is within every limit")
});

pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    let mut done = 0;
    for hit in WORDS.find_iter(text) {
        let Some(noun) = NOUNS.get(hit.pattern().as_usize()) else {
            continue;
        };
        if hit.start() < done || is_marker(text, hit.start()) {
            continue;
        }
        if let Some(secret) = announced(text, hit.start(), hit.end(), noun, done) {
            done = secret.span.end;
            found.push(secret);
        }
    }
}

/// Whether the word at that place is the kind in a marker, and so announces nothing.
fn is_marker(text: &str, start: usize) -> bool {
    // The longest that stands before a word of a kind is `[redacted: private `.
    const BEFORE_BYTES_MAX: usize = MARK.len() + 8;
    let before = chars::tail(text, start, BEFORE_BYTES_MAX);
    before
        .rfind('[')
        .and_then(|at| before.get(at..))
        .is_some_and(|tail| tail.starts_with(MARK))
}

/// The kind of the secret in a field of that name, when it holds nothing but one.
pub(super) fn field(name: &str, text: &str) -> Option<Kind> {
    // The field is read as the program text that it came from; a longer value is prose with its own evidence.
    const FIELD_BYTES_MAX: usize = 256;
    const NAME_BYTES_MAX: usize = 64;
    if name.len() > NAME_BYTES_MAX
        || text.is_empty()
        || text.len() > FIELD_BYTES_MAX
        || text.contains(['"', '\n', '\\'])
    {
        return None;
    }
    let line = format!("{name}=\"{text}\"");
    let mut found = Vec::new();
    find(&line, &mut found);
    let whole = name.len() + 2..line.len() - 1;
    found
        .into_iter()
        .find(|one| one.span == whole)
        .map(|one| one.kind)
}

/// The secret that the word at that place announces.
fn announced(text: &str, start: usize, end: usize, noun: &Noun, done: usize) -> Option<Found> {
    if chars::at(text, end).is_some_and(|c| chars::is_word(c) || c == '-') && noun.text.is_ascii() {
        return None;
    }
    let (weight, kind) = weigh(text, start, end, noun)?;
    let (tie, from) = op::read(text, start, end)?;
    if noun.text.ends_with("phrase")
        && matches!(tie, Tie::Is | Tie::Assign)
        && let Some((start, end)) = value::phrase_end(text, from)
    {
        return Some(Found::new(start, end, kind));
    }
    let value = value::read(text, from)?;
    let case = Case {
        text,
        start,
        done,
        weight,
        tie,
        value,
    };
    if case.is_secret() {
        return Some(Found::new(value.start, value.whole_end(text), kind));
    }
    if tie == Tie::Assign {
        // A type may stand before the value: `password: String = "…"`.
        let from = typed(text, from)?;
        let value = value::read(text, from).filter(|value| value.quoted)?;
        let case = Case { value, ..case };
        return case
            .is_secret()
            .then(|| Found::new(value.start, value.end, kind));
    }
    None
}

/// Where the value begins after a type and `=`.
fn typed(text: &str, from: usize) -> Option<usize> {
    const TYPE_BYTES_MAX: usize = 40;
    let length = chars::run(text, from, TYPE_BYTES_MAX, |c| {
        c.is_ascii_alphanumeric() || "&_<>[]?|:' ".contains(c)
    });
    (length > 0 && chars::at(text, from + length) == Some('=')).then_some(from + length + 1)
}

/// How much the word says, seen with the word before it; `None` when it is part of another word.
fn weigh(text: &str, start: usize, end: usize, noun: &Noun) -> Option<(Weight, Kind)> {
    if noun.weight == Weight::Strong || !noun.text.is_ascii() {
        return Some((noun.weight, noun.kind));
    }
    let tail = chars::tail(text, start, 24);
    let head = tail.strip_suffix([' ', '_', '-', '.']).unwrap_or(tail);
    let glued = head.len() == tail.len();
    let ends = |list: &[&'static str]| {
        list.iter()
            .copied()
            .find(|word| chars::ends_with_ascii(head, word))
    };
    if ends(HARMLESS).is_some() {
        return None;
    }
    if let Some(qualifier) = ends(QUALIFIERS) {
        let kind = match (qualifier, noun.kind) {
            ("private", Kind::ApiKey) => Kind::PrivateKey,
            (_, kind) => kind,
        };
        return Some((Weight::Medium, kind));
    }
    let camel = text
        .get(start..end)
        .is_some_and(|word| word.starts_with(|c: char| c.is_ascii_uppercase()))
        && head.ends_with(|c: char| c.is_ascii_lowercase());
    let inside = glued && head.ends_with(|c: char| c != '_' && chars::is_word(c));
    (!inside || camel).then_some((noun.weight, noun.kind))
}
