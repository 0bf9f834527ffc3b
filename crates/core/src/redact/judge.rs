//! Decides whether a value is a secret: by the word before it, how it is tied to that word, and how it looks itself.

use super::op::Tie;
use super::value::Value;
use super::{chars, han, lists};

/// How much the word before says about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    /// "password": whatever follows is one, even `P`.
    Strong,
    /// "api key", "client secret": a plain word is rather a remark.
    Medium,
    /// "secret", "pass".
    Light,
    /// "token".
    Faint,
    /// "key": only what looks drawn at random.
    Bare,
}

/// One value in its text.
pub(super) struct Case<'t> {
    pub(super) text: &'t str,
    /// The first byte of the word.
    pub(super) start: usize,
    /// The end of the secret before, or 0.
    pub(super) done: usize,
    pub(super) weight: Weight,
    pub(super) tie: Tie,
    pub(super) value: Value<'t>,
}

impl Case<'_> {
    /// Whether the value is a secret.
    pub(super) fn is_secret(&self) -> bool {
        let value = &self.value;
        if value.text.starts_with(chars::is_han) {
            return self.is_han_secret();
        }
        let fits = match self.weight {
            Weight::Strong => self.is_password(),
            Weight::Medium => self.is_key(),
            Weight::Light => self.is_plain_secret(),
            Weight::Faint => self.is_token(),
            Weight::Bare => chars::is_random(value.text, 16) && !chars::is_uuid(value.text),
        };
        fits && !lists::is_placeholder(value.text)
            && !lists::is_technical(value.text)
            && !if value.quoted {
                self.is_quoted_remark()
            } else {
                self.is_remark() || self.is_code() || is_path(value.text)
            }
    }

    fn is_han_secret(&self) -> bool {
        match (self.weight, self.value.quoted) {
            (Weight::Strong, true) => matches!(self.tie, Tie::Is | Tie::Assign),
            (Weight::Strong, false) => {
                !self.value.is_long() && han::is_password(self.value.text, self.tie)
            }
            _ => false,
        }
    }

    fn is_password(&self) -> bool {
        let value = &self.value;
        match self.tie {
            Tie::Is | Tie::Assign | Tie::Flag => true,
            Tie::Compare => value.quoted,
            Tie::Loose => value.quoted || chars::is_mixed(value.text, 5),
            Tie::Bare => chars::is_mixed(value.text, 6) && !chars::is_uuid(value.text),
        }
    }

    fn is_key(&self) -> bool {
        let value = &self.value;
        let lone = !value.text.contains(char::is_whitespace);
        match self.tie {
            Tie::Assign | Tie::Flag => {
                let remark = !value.quoted
                    && (value.text.len() < 6
                        || lists::is_participle(value.text)
                        || !value.ends_clause(self.text));
                lone && !(value.is_plain() && remark)
            }
            Tie::Is => {
                lone && (!value.is_plain()
                    || value.quoted
                    || (self.is_own() && value.ends_clause(self.text)))
            }
            Tie::Compare => lone && value.quoted,
            Tie::Loose => chars::is_mixed(value.text, 8),
            Tie::Bare => chars::is_mixed(value.text, 16) && !chars::is_uuid(value.text),
        }
    }

    fn is_plain_secret(&self) -> bool {
        let value = &self.value;
        match self.tie {
            Tie::Assign if tied_by_equals(self.text, value) => {
                self.is_key() && !value.text.bytes().all(|byte| byte.is_ascii_digit())
            }
            Tie::Assign if value.quoted => self.is_key() && !value.is_plain(),
            Tie::Assign | Tie::Is | Tie::Flag => chars::is_mixed(value.text, 6),
            Tie::Compare => value.quoted && chars::is_mixed(value.text, 6),
            Tie::Loose | Tie::Bare => chars::is_random(value.text, 16),
        }
    }

    fn is_token(&self) -> bool {
        let value = &self.value;
        let digits = value.text.bytes().filter(u8::is_ascii_digit).count();
        match self.tie {
            Tie::Assign | Tie::Is | Tie::Flag => chars::is_mixed(value.text, 8) && digits >= 2,
            Tie::Compare => value.quoted && chars::is_mixed(value.text, 8),
            Tie::Loose | Tie::Bare => {
                chars::is_random(value.text, 16) && !chars::is_uuid(value.text)
            }
        }
    }

    /// Whether the sentence says something about the secret instead of naming it.
    fn is_remark(&self) -> bool {
        let value = &self.value;
        if matches!(self.tie, Tie::Compare | Tie::Flag) {
            return false;
        }
        let next = value.next_word(self.text);
        let after = chars::head(self.text, value.end, 12);
        if han::makes_technical(after) && value.text.len() <= 8 {
            return true;
        }
        if value.text.starts_with(|c: char| c.is_ascii_digit())
            && value
                .text
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'-' || byte == b'+')
            && lists::is_unit(next)
        {
            return true;
        }
        if lists::is_prose(value.text) {
            return true;
        }
        if !value.is_plain() || self.tie == Tie::Assign {
            return false;
        }
        lists::is_participle(value.text) || lists::is_continuation(next) || self.is_asked()
    }

    /// Whether a quoted text is a description: several words that begin like a sentence.
    fn is_quoted_remark(&self) -> bool {
        let mut words = self.value.text.split_whitespace();
        let first = words.next().unwrap_or_default();
        words.clone().next().is_some() && lists::is_prose(first) && words.count() >= 2
    }

    /// Whether the part of the sentence before the word asks a question.
    fn is_asked(&self) -> bool {
        const BEFORE_BYTES_MAX: usize = 100;
        // The words looked for are ASCII: every other character may as well end the part. So may a marker, and the
        // secret that is about to become one.
        let ends = |byte: &u8| !byte.is_ascii() || b".!?;,[]\n".contains(byte);
        let before = chars::tail(self.text, self.start, BEFORE_BYTES_MAX);
        let window = self.start - before.len();
        let clause = match before.as_bytes().iter().rposition(ends) {
            Some(at) if window + at >= self.done => before.get(at + 1..),
            _ if window <= self.done => self.text.get(self.done..self.start),
            // It begins out of sight.
            _ => None,
        };
        clause
            .and_then(|clause| clause.split_whitespace().next())
            .is_some_and(lists::is_interrogative)
    }

    /// Whether the speaker calls the secret theirs. In a Chinese sentence a Latin word is no remark anyway.
    fn is_own(&self) -> bool {
        if chars::at(self.text, self.start).is_some_and(chars::is_han) {
            return true;
        }
        chars::tail(self.text, self.start, 32)
            .split(|c: char| !c.is_ascii_alphabetic())
            .any(|word| {
                ["my", "our"]
                    .iter()
                    .any(|own| word.eq_ignore_ascii_case(own))
            })
    }

    /// Whether program text stands there: a call, an element, a field, a constant.
    fn is_code(&self) -> bool {
        if !matches!(self.tie, Tie::Assign | Tie::Compare | Tie::Bare) {
            return false;
        }
        let word = self.value.text;
        let next = chars::at(self.text, self.value.end);
        if matches!(next, Some('(' | '['))
            || word.starts_with(['(', '[', '{', '|'])
            || word.starts_with("&'")
        {
            return true;
        }
        let name_length = chars::run(word, 0, word.len(), |c| {
            c.is_ascii_alphanumeric() || c == '_'
        });
        let name = word.get(..name_length).unwrap_or_default();
        let holds = word.get(name_length..).and_then(|rest| rest.chars().next());
        match holds {
            // A call: the name is an identifier, and something follows its bracket.
            Some('(') => name.starts_with(|c: char| c.is_ascii_alphabetic()),
            Some('[') => lists::is_holder(name) || lists::is_technical(name),
            Some('.') => {
                lists::is_holder(name)
                    || word.contains('(')
                    || word.rsplit('.').next().is_some_and(lists::names_secret)
            }
            Some(':') => word.contains("::"),
            _ => lists::names_secret(word),
        }
    }
}

/// Whether the sign before the value is `=`.
fn tied_by_equals(text: &str, value: &Value<'_>) -> bool {
    chars::tail(text, value.start, 8)
        .trim_end_matches(['"', '\'', '`', ' ', '\t', '\\', '“'])
        .ends_with('=')
}

/// Whether the value is the place of a file or a page.
fn is_path(word: &str) -> bool {
    let starts = |start: &str| word.starts_with(start);
    starts("http://")
        || starts("https://")
        || starts("./")
        || starts("../")
        || starts("~/")
        || starts("C:\\")
        || word.strip_prefix('/').is_some_and(|rest| {
            rest.contains('/') || rest.bytes().all(|byte| byte.is_ascii_lowercase())
        })
}
