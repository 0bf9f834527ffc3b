//! Cuts a text into words, numbers, single Han characters and marks, each with its place in the text.

/// What a token is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::time) enum Kind {
    /// A run of letters that are not Han.
    Word,
    /// A run of ASCII or full-width digits.
    Number,
    /// One Han character.
    Han,
    /// One other character; of white space only line breaks are kept, since no expression crosses one.
    Mark,
}

/// One token.
#[derive(Debug, Clone, Copy)]
pub(in crate::time) struct Token<'a> {
    /// Byte offset of its first character.
    pub(in crate::time) start: usize,
    /// Its text.
    pub(in crate::time) text: &'a str,
    /// What it is.
    pub(in crate::time) kind: Kind,
    /// Nothing stands between it and the token before.
    pub(in crate::time) glued: bool,
}

impl Token<'_> {
    /// Byte offset after its last character.
    pub(in crate::time) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether it is that ASCII word, in any case.
    pub(in crate::time) fn is(&self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }

    /// Whether it is one of those ASCII words, in any case.
    pub(in crate::time) fn one_of(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(word))
    }

    /// The value of a number of at most 18 digits.
    pub(in crate::time) fn number(&self) -> Option<i64> {
        if self.kind != Kind::Number {
            return None;
        }
        let mut value = 0_i64;
        for (count, digit) in self.text.chars().enumerate() {
            if count >= 18 {
                return None;
            }
            value = value * 10 + digit_value(digit)?;
        }
        Some(value)
    }

    /// How many digits a number has.
    pub(in crate::time) fn digits(&self) -> usize {
        self.text.chars().count()
    }

    /// Whether it begins with a capital letter.
    pub(in crate::time) fn capital(&self) -> bool {
        self.text.chars().next().is_some_and(char::is_uppercase)
    }

    /// Whether a sentence ends here.
    pub(in crate::time) fn ends_sentence(&self) -> bool {
        self.kind == Kind::Mark
            && matches!(
                self.text,
                "." | "!" | "?" | ";" | "\n" | "。" | "！" | "？" | "；" | "…"
            )
    }
}

/// The value of an ASCII or full-width digit.
pub(in crate::time) fn digit_value(digit: char) -> Option<i64> {
    match digit {
        '0'..='9' => Some(i64::from(u32::from(digit) - u32::from('0'))),
        '０'..='９' => Some(i64::from(u32::from(digit) - u32::from('０'))),
        _ => None,
    }
}

/// Whether the character is a Han character.
pub(in crate::time) fn is_han(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '〇')
}

fn kind_of(c: char) -> Kind {
    if digit_value(c).is_some() {
        Kind::Number
    } else if is_han(c) {
        Kind::Han
    } else if c.is_alphabetic() || c == '_' {
        Kind::Word
    } else {
        Kind::Mark
    }
}

/// All tokens of a text, in order.
pub(in crate::time) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut out: Vec<Token<'_>> = Vec::new();
    let mut chars = text.char_indices().peekable();
    let mut end_before = 0;
    while let Some((start, first)) = chars.next() {
        if first.is_whitespace() && first != '\n' {
            continue;
        }
        let kind = kind_of(first);
        let mut end = start + first.len_utf8();
        if matches!(kind, Kind::Word | Kind::Number) {
            while let Some((at, _)) = chars.next_if(|(_, c)| kind_of(*c) == kind) {
                end = at + text[at..].chars().next().map_or(1, char::len_utf8);
            }
        }
        let glued = start == end_before && !out.is_empty();
        out.push(Token {
            start,
            text: &text[start..end],
            kind,
            glued,
        });
        end_before = end;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_words_numbers_han_and_marks() {
        let cut: Vec<(&str, Kind, bool)> = tokens("On 8th，昨天 7pm")
            .iter()
            .map(|t| (t.text, t.kind, t.glued))
            .collect();
        assert_eq!(
            cut,
            [
                ("On", Kind::Word, false),
                ("8", Kind::Number, false),
                ("th", Kind::Word, true),
                ("，", Kind::Mark, true),
                ("昨", Kind::Han, true),
                ("天", Kind::Han, true),
                ("7", Kind::Number, false),
                ("pm", Kind::Word, true),
            ]
        );
    }

    #[test]
    fn numbers_read_both_widths_and_have_a_bound() {
        assert_eq!(tokens("２０23")[0].number(), Some(2023));
        assert_eq!(tokens("1234567890123456789")[0].number(), None);
    }
}
