//! A clause of Chinese as characters, folded to simplified ones, with a cursor.

use std::ops::Range;

use super::lexicon::FOLDS;
use crate::distil::builtin::sentence::is_han;

/// A sentence: its characters as they are and as the rules see them.
pub(super) struct Text<'a> {
    original: &'a str,
    /// Byte offset and folded character; quoted characters are [`QUOTED`].
    chars: Vec<(usize, char)>,
}

/// What the rules see in place of a character inside a quotation.
const QUOTED: char = '\u{fffc}';
const BORDERS: &[char] = &[
    '，', ',', '；', ';', '：', ':', '。', '.', '！', '!', '—', '…', '（', '）', '(', ')', '~',
    '～', '\n', '\r', '、',
];

impl<'a> Text<'a> {
    pub(super) fn new(original: &'a str, quoted: &[Range<usize>]) -> Self {
        let mut quotations = quoted.iter().peekable();
        let chars = original.char_indices().map(|(at, c)| {
            while quotations
                .next_if(|quotation| quotation.end <= at)
                .is_some()
            {}
            let is_quoted = quotations
                .peek()
                .is_some_and(|quotation| quotation.contains(&at));
            (at, if is_quoted { QUOTED } else { fold(c) })
        });
        Self {
            chars: chars.collect(),
            original,
        }
    }

    /// The folded sentence.
    pub(super) fn folded(&self) -> String {
        self.chars.iter().map(|&(_, c)| c).collect()
    }

    /// The clauses: what stands between commas and the like, and between Han characters that a blank parts. 、 parts
    /// things and not clauses.
    pub(super) fn clauses(&self) -> Vec<Clause<'_, 'a>> {
        let mut found = Vec::new();
        let mut start = 0;
        for at in 0..=self.chars.len() {
            let joins = at > start && self.joins(at);
            if joins || at == self.chars.len() || self.is_border(at) {
                let clause = Clause {
                    text: self,
                    at: start,
                    end: at,
                }
                .trimmed();
                if clause.at < clause.end {
                    found.push(clause);
                }
                // A conjunction begins the next clause, a sign is left out.
                start = if joins { at } else { at + 1 };
            }
        }
        found
    }

    /// Whether a conjunction that begins a clause stands here, as in 喜欢爬山但是讨厌跑步.
    fn joins(&self, at: usize) -> bool {
        const CONJUNCTIONS: &[&str] = &["但是", "不过", "可是", "而且", "因为", "所以", "但"];
        let here = Clause {
            text: self,
            at,
            end: self.chars.len(),
        };
        let is_inside_word = at
            .checked_sub(1)
            .and_then(|before| self.char(before))
            .is_some_and(|c| "不非".contains(c));
        CONJUNCTIONS.iter().any(|word| here.starts_with(word))
            && !is_inside_word
            && !here.starts_with("但丁")
    }

    fn char(&self, at: usize) -> Option<char> {
        self.chars.get(at).map(|&(_, c)| c)
    }

    fn is_border(&self, at: usize) -> bool {
        let Some(c) = self.char(at) else { return true };
        let beside = |at: Option<usize>| at.and_then(|at| self.char(at));
        let (before, after) = (beside(at.checked_sub(1)), beside(Some(at + 1)));
        match c {
            '、' => false,
            // Inside a name, an address or a number.
            '.' | ':' | ',' | '-' => {
                !(before.is_some_and(|c| c.is_ascii_alphanumeric())
                    && after.is_some_and(|c| c.is_ascii_alphanumeric()))
            }
            c if c.is_whitespace() => before.is_some_and(is_han) && after.is_some_and(is_han),
            c => {
                BORDERS.contains(&c)
                    || (!c.is_alphanumeric()
                        && !c.is_ascii()
                        && c != QUOTED
                        && !"《》·％".contains(c))
            }
        }
    }
}

fn fold(c: char) -> char {
    FOLDS
        .iter()
        .find(|(traditional, _)| *traditional == c)
        .map_or(c, |(_, simplified)| *simplified)
        .to_ascii_lowercase()
}

/// A part of a sentence and a place in it.
#[derive(Clone, Copy)]
pub(super) struct Clause<'t, 'a> {
    text: &'t Text<'a>,
    pub(super) at: usize,
    pub(super) end: usize,
}

impl<'t, 'a> Clause<'t, 'a> {
    pub(super) fn len(self) -> usize {
        self.end.saturating_sub(self.at)
    }

    pub(super) fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The folded rest.
    pub(super) fn folded(self) -> String {
        self.chars().collect()
    }

    /// The rest as it stands in the sentence.
    pub(super) fn original(self) -> &'a str {
        let start = self.text.chars.get(self.at).map(|&(at, _)| at);
        let end = self
            .text
            .chars
            .get(self.end)
            .map_or(self.text.original.len(), |&(at, _)| at);
        start
            .filter(|_| self.at < self.end)
            .and_then(|start| self.text.original.get(start..end))
            .unwrap_or_default()
    }

    /// Whether a quotation is in the rest.
    pub(super) fn has_quotation(self) -> bool {
        self.chars().any(|c| c == QUOTED)
    }

    pub(super) fn chars(self) -> impl Iterator<Item = char> {
        self.text
            .chars
            .get(self.at..self.end)
            .unwrap_or_default()
            .iter()
            .map(|&(_, c)| c)
    }

    pub(super) fn starts_with(self, word: &str) -> bool {
        let mut chars = self.chars();
        word.chars().all(|c| chars.next() == Some(c))
    }

    pub(super) fn ends_with(self, word: &str) -> bool {
        let count = word.chars().count();
        self.len() >= count
            && Clause {
                at: self.end - count,
                ..self
            }
            .starts_with(word)
    }

    /// Where a word begins in the rest.
    pub(super) fn find(self, word: &str) -> Option<usize> {
        (self.at..self.end).find(|&at| Clause { at, ..self }.starts_with(word))
    }

    pub(super) fn contains_any(self, words: &[&str]) -> bool {
        words.iter().any(|word| self.find(word).is_some())
    }

    /// Steps over a word.
    pub(super) fn eat(&mut self, word: &str) -> bool {
        let fits = self.starts_with(word);
        if fits {
            self.at += word.chars().count();
        }
        fits
    }

    /// Steps over the longest of these words that stands here.
    pub(super) fn eat_any<'w>(&mut self, words: &[&'w str]) -> Option<&'w str> {
        let longest = words
            .iter()
            .copied()
            .filter(|word| self.starts_with(word))
            .max_by_key(|word| word.len())?;
        self.eat(longest);
        Some(longest)
    }

    /// Steps over words of this set as long as there are any, and over blanks.
    pub(super) fn skip(&mut self, words: &[&str]) {
        loop {
            *self = self.trimmed();
            if self.eat_any(words).is_none() {
                return;
            }
        }
    }

    /// The rest from an offset on.
    pub(super) fn from(self, at: usize) -> Self {
        Self {
            at: at.min(self.end),
            ..self
        }
    }

    /// The rest up to an offset.
    pub(super) fn until(self, end: usize) -> Self {
        Self {
            end: end.clamp(self.at, self.end),
            ..self
        }
    }

    /// The rest without these words at its end.
    pub(super) fn without_tail(mut self, tails: &[&str]) -> Self {
        self = self.trimmed();
        while let Some(tail) = tails.iter().find(|tail| self.ends_with(tail)) {
            self.end -= tail.chars().count();
            self = self.trimmed();
        }
        self
    }

    pub(super) fn trimmed(mut self) -> Self {
        let is_blank = |at: usize| self.text.char(at).is_some_and(char::is_whitespace);
        while self.at < self.end && is_blank(self.at) {
            self.at += 1;
        }
        while self.at < self.end && is_blank(self.end - 1) {
            self.end -= 1;
        }
        self
    }
}
