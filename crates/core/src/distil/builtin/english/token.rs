//! Words and signs of an English sentence, with a cursor to match patterns on them.

use std::ops::Range;

/// A word, a sign or a whole quotation.
#[derive(Debug, Clone)]
pub(super) struct Token<'a> {
    /// As it stands in the sentence. The two halves of a contraction share the text of both.
    pub(super) text: &'a str,
    /// In lower case; contractions apart (`I'm` is `i`, `am`). Empty for a quotation, so that no pattern meets it.
    pub(super) low: String,
    /// Byte range in the sentence.
    pub(super) range: Range<usize>,
}

impl Token<'_> {
    pub(super) fn is(&self, words: &[&str]) -> bool {
        words.contains(&self.low.as_str())
    }

    /// Whether it is a word and not a sign or a quotation.
    pub(super) fn is_word(&self) -> bool {
        self.low.chars().any(char::is_alphanumeric)
    }

    pub(super) fn is_quotation(&self) -> bool {
        self.low.is_empty()
    }

    /// Whether it looks like a name: a capital in front, or letters that know no case (Han).
    pub(super) fn is_capital(&self) -> bool {
        self.is_word()
            && self
                .text
                .chars()
                .next()
                .is_some_and(|c| c.is_uppercase() || (c.is_alphabetic() && !c.is_lowercase()))
    }

    /// Whether only its first letter is a capital.
    pub(super) fn is_title_case(&self) -> bool {
        self.is_capital() && (self.text.chars().any(char::is_lowercase) || !self.text.is_ascii())
    }

    /// The number, if it is written in digits.
    pub(super) fn number(&self) -> Option<u32> {
        self.low.parse().ok()
    }
}

/// The tokens of a sentence. `quoted` are byte ranges of quotations in it, in order.
pub(super) fn tokens<'a>(sentence: &'a str, quoted: &[Range<usize>]) -> Vec<Token<'a>> {
    let mut found = Vec::new();
    let mut quotations = quoted.iter().peekable();
    let mut at = 0;
    while let Some(c) = sentence.get(at..).and_then(|rest| rest.chars().next()) {
        if let Some(quotation) = quotations.next_if(|quotation| quotation.start <= at) {
            if quotation.end > at {
                push(&mut found, sentence, at..quotation.end, String::new());
                at = quotation.end;
            }
            continue;
        }
        let limit = quotations
            .peek()
            .map_or(sentence.len(), |quotation| quotation.start);
        let end = if c.is_alphanumeric() {
            word_end(sentence, at, limit)
        } else {
            at + c.len_utf8()
        };
        if c.is_alphanumeric() {
            push_word(&mut found, sentence, at..end);
        } else if !c.is_whitespace() && !matches!(c, '\u{200d}' | '\u{fe0f}') {
            push(&mut found, sentence, at..end, c.to_string());
        }
        at = end;
    }
    found
}

fn push<'a>(found: &mut Vec<Token<'a>>, sentence: &'a str, range: Range<usize>, low: String) {
    if let Some(text) = sentence.get(range.clone()) {
        found.push(Token { text, low, range });
    }
}

/// Where a word ends: letters and digits, and the signs that may stand between or behind them.
fn word_end(sentence: &str, start: usize, limit: usize) -> usize {
    let mut chars = sentence
        .get(start..limit)
        .unwrap_or_default()
        .char_indices()
        .peekable();
    let mut end = start;
    while let Some((offset, c)) = chars.next() {
        let next = chars.peek().map(|&(_, next)| next);
        let joins = match c {
            '\'' | '’' | '-' | '_' | '@' => next.is_some_and(char::is_alphanumeric),
            '.' => {
                let word = sentence.get(start..start + offset).unwrap_or_default();
                next.is_some_and(char::is_alphanumeric)
                    || is_short_form(word)
                    || is_initial(
                        word,
                        sentence.get(start + offset + 1..limit).unwrap_or_default(),
                    )
            }
            '+' | '#' => offset > 0,
            _ => c.is_alphanumeric(),
        };
        if !joins {
            break;
        }
        end = start + offset + c.len_utf8();
    }
    end.max(start + 1)
}

fn is_short_form(word: &str) -> bool {
    ["st", "mt", "dr", "mr", "mrs", "ms", "jr", "sr"]
        .iter()
        .any(|form| word.eq_ignore_ascii_case(form))
}

/// The `K` of `Ursula K. Le Guin`.
fn is_initial(word: &str, after_stop: &str) -> bool {
    let mut after = after_stop.chars();
    word.len() == 1
        && word.chars().all(|c| c.is_ascii_uppercase())
        && after.next() == Some(' ')
        && after.next().is_some_and(char::is_uppercase)
}

/// Pushes a word, a contraction as its two words.
fn push_word<'a>(found: &mut Vec<Token<'a>>, sentence: &'a str, range: Range<usize>) {
    let low = sentence
        .get(range.clone())
        .unwrap_or_default()
        .to_lowercase()
        .replace('’', "'");
    let halves = match low.as_str() {
        "im" => Some(("i", "am")),
        "ive" => Some(("i", "have")),
        "dont" => Some(("do", "not")),
        "cant" | "can't" | "cannot" => Some(("can", "not")),
        "won't" => Some(("will", "not")),
        _ => [
            ("n't", "not"),
            ("'m", "am"),
            ("'ve", "have"),
            ("'d", "would"),
            ("'ll", "will"),
            ("'re", "are"),
        ]
        .into_iter()
        .find_map(|(tail, word)| {
            low.strip_suffix(tail)
                .filter(|head| !head.is_empty())
                .map(|head| (head, word))
        }),
    };
    match (
        halves,
        low.strip_suffix("'s").filter(|head| !head.is_empty()),
    ) {
        (Some((head, tail)), _) => {
            push(found, sentence, range.clone(), head.to_owned());
            push(found, sentence, range, tail.to_owned());
        }
        (None, Some(head)) => {
            // The owner stays readable alone; `'s` may be "is" or the possessive.
            let border = range.start
                + sentence
                    .get(range.clone())
                    .and_then(|text| text.rfind(['\'', '’']))
                    .unwrap_or(0);
            push(found, sentence, range.start..border, head.to_owned());
            push(found, sentence, border..range.end, "'s".to_owned());
        }
        (None, None) => push(found, sentence, range, low),
    }
}

/// A place in the tokens of one clause.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'t, 'a> {
    pub(super) sentence: &'a str,
    /// All tokens of the sentence.
    pub(super) all: &'t [Token<'a>],
    pub(super) at: usize,
    /// The first token behind the clause.
    pub(super) end: usize,
}

impl<'t, 'a> Cursor<'t, 'a> {
    /// The token here, inside the clause.
    pub(super) fn peek(&self) -> Option<&'t Token<'a>> {
        self.ahead(0)
    }

    /// The token so many further on, inside the clause.
    pub(super) fn ahead(&self, count: usize) -> Option<&'t Token<'a>> {
        let at = self.at.saturating_add(count);
        if at < self.end {
            self.all.get(at)
        } else {
            None
        }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.peek().is_none()
    }

    /// Steps over one of these words.
    pub(super) fn eat(&mut self, words: &[&str]) -> bool {
        let eats = self.peek().is_some_and(|token| token.is(words));
        self.at += usize::from(eats);
        eats
    }

    /// Steps over words of this set as long as there are any.
    pub(super) fn skip(&mut self, words: &[&str]) -> bool {
        let start = self.at;
        while self.eat(words) {}
        self.at > start
    }

    /// Steps over these words in this order, or not at all.
    pub(super) fn phrase(&mut self, phrase: &str) -> bool {
        let mut ahead = *self;
        let fits = phrase.split(' ').all(|word| ahead.eat(&[word]));
        if fits {
            self.at = ahead.at;
        }
        fits
    }

    /// Steps over one of these phrases.
    pub(super) fn any_phrase(&mut self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.phrase(phrase))
    }

    /// The tokens of the clause from here on.
    pub(super) fn rest(&self) -> &'t [Token<'a>] {
        self.all.get(self.at..self.end).unwrap_or_default()
    }

    /// The text from token `from` up to token `to`.
    pub(super) fn slice(&self, from: usize, to: usize) -> &'a str {
        let ends = self
            .all
            .get(from)
            .zip(to.checked_sub(1).and_then(|last| self.all.get(last)));
        ends.and_then(|(first, last)| self.sentence.get(first.range.start..last.range.end))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn low(sentence: &str) -> Vec<String> {
        tokens(sentence, &[])
            .into_iter()
            .map(|token| token.low)
            .collect()
    }

    #[test]
    fn contractions_come_apart() {
        assert_eq!(
            low("I'm Anna, can't stand Bob’s C++!"),
            [
                "i", "am", "anna", ",", "can", "not", "stand", "bob", "'s", "c++", "!"
            ]
        );
        assert_eq!(
            low("don’t I'd we'll"),
            ["do", "not", "i", "would", "we", "will"]
        );
        assert_eq!(
            low("34-year-old in St. Louis, a.b@c.org."),
            ["34-year-old", "in", "st.", "louis", ",", "a.b@c.org", "."]
        );
    }

    proptest! {
        #[test]
        fn any_text_has_tokens_on_character_borders(text in any::<String>(), words in "[a-z'’.I @+-]{0,30}") {
            for text in [&text, &words] {
                for token in tokens(text, &[]) {
                    prop_assert_eq!(text.get(token.range.clone()), Some(token.text));
                }
            }
        }
    }
}
