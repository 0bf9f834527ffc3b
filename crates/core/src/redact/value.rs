//! Reads the value that follows "password is": a quoted text, one word, or a run of Chinese characters.

use super::chars;

/// Longest quoted value, bytes. A quote that is open for longer was never meant as one.
const QUOTED_BYTES_MAX: usize = 512;
/// How much of an unquoted value is read to judge it, bytes.
const JUDGED_BYTES_MAX: usize = 96;
/// Longest unquoted value, bytes.
const VALUE_BYTES_MAX: usize = 16 * 1024;
/// Longest value in Chinese characters, bytes. More is a sentence.
const HAN_BYTES_MAX: usize = 48;
/// Most words of a passphrase.
const PHRASE_WORDS_MAX: usize = 24;

/// What stands where a secret may stand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Value<'t> {
    /// The value itself, without quotes and closing punctuation; of a long one the beginning.
    pub(super) text: &'t str,
    /// Its first byte.
    pub(super) start: usize,
    /// The byte after it.
    pub(super) end: usize,
    /// Whether it stands between quotes.
    pub(super) quoted: bool,
    /// Whether only its beginning was read.
    long: bool,
}

/// The value at that place, if one begins there.
pub(super) fn read(text: &str, from: usize) -> Option<Value<'_>> {
    let mut start = chars::skip_blanks(text, from);
    if chars::at(text, start) == Some('\\') {
        start += 1;
    }
    // A string of program text may carry a letter: `b"…"`, `r'…'`.
    let opened = match chars::at(text, start)? {
        'b' | 'f' | 'r' | 'u' => chars::at(text, start + 1)
            .and_then(closer)
            .map(|_| start + 1),
        _ => None,
    };
    let start = opened.unwrap_or(start);
    let first = chars::at(text, start)?;
    if let Some(closer) = closer(first) {
        let inside = start + first.len_utf8();
        return quoted(text, inside, closer).or_else(|| word(text, inside));
    }
    if chars::is_han(first) {
        return han(text, start);
    }
    word(text, start)
}

/// The quote that ends what this one opens.
fn closer(quote: char) -> Option<char> {
    match quote {
        '"' | '\'' | '`' => Some(quote),
        '“' => Some('”'),
        '‘' => Some('’'),
        '「' => Some('」'),
        '『' => Some('』'),
        '《' => Some('》'),
        '【' => Some('】'),
        _ => None,
    }
}

fn quoted(text: &str, start: usize, closer: char) -> Option<Value<'_>> {
    let length = chars::run(text, start, QUOTED_BYTES_MAX, |c| c != closer && c != '\n');
    if chars::at(text, start + length) != Some(closer) {
        return None;
    }
    let inner = text.get(start..start + length)?;
    let inner = inner.strip_suffix('\\').unwrap_or(inner);
    (!inner.is_empty()).then_some(Value {
        text: inner,
        start,
        end: start + inner.len(),
        quoted: true,
        long: false,
    })
}

fn han(text: &str, start: usize) -> Option<Value<'_>> {
    let ends =
        |c: char| c.is_whitespace() || chars::is_wide_punctuation(c) || c.is_ascii_punctuation();
    let length = chars::run(text, start, HAN_BYTES_MAX, |c| !ends(c));
    Some(Value {
        text: text.get(start..start + length)?,
        start,
        end: start + length,
        quoted: false,
        long: chars::at(text, start + length).is_some_and(|c| !ends(c)),
    })
}

fn word(text: &str, start: usize) -> Option<Value<'_>> {
    let head = chars::head(text, start, JUDGED_BYTES_MAX);
    let length = word_length(head);
    let long = length == head.len() && start + length < text.len();
    let whole = head.get(..length)?;
    let kept = if long {
        whole
    } else {
        whole.trim_end_matches(closes)
    };
    (!kept.is_empty()).then_some(Value {
        text: kept,
        start,
        end: start + kept.len(),
        quoted: false,
        long,
    })
}

/// Punctuation that belongs to the sentence, not to the last word of it.
fn closes(c: char) -> bool {
    ".,;:!?)]}>'\\".contains(c)
}

/// The length of the word that begins the text, in bytes.
fn word_length(text: &str) -> usize {
    for (at, c) in text.char_indices() {
        let rest = text.get(at + c.len_utf8()..).unwrap_or_default();
        let ends = match c {
            '"' | '`' | '<' => true,
            ',' | ';' | '&' => begins_field(rest),
            _ => c.is_whitespace() || chars::is_han(c) || chars::is_wide_punctuation(c),
        };
        if ends {
            return at;
        }
    }
    text.len()
}

/// Whether the next field of a list or an address begins: `name=` or `name:`.
fn begins_field(rest: &str) -> bool {
    const NAME_BYTES_MAX: usize = 24;
    let name = chars::run(rest, 0, NAME_BYTES_MAX, |c| {
        c.is_ascii_alphabetic() || c == '_'
    });
    name > 0 && matches!(chars::at(rest, name), Some('=' | ':'))
}

impl Value<'_> {
    /// Whether only the beginning was read, because it is long.
    pub(super) fn is_long(&self) -> bool {
        self.long
    }

    /// The byte after the whole value, however long it is.
    pub(super) fn whole_end(&self, text: &str) -> usize {
        if !self.long {
            return self.end;
        }
        let rest = chars::head(text, self.start, VALUE_BYTES_MAX);
        let whole = rest.get(..word_length(rest)).unwrap_or_default();
        self.start + whole.trim_end_matches(closes).len()
    }

    /// A word of small letters, or with a capital in front: what a dictionary could hold.
    pub(super) fn is_plain(&self) -> bool {
        let tail = self.text.get(1..).unwrap_or_default();
        let letters = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase());
        letters(self.text)
            || (self.text.len() > 1
                && self.text.starts_with(|c: char| c.is_ascii_uppercase())
                && letters(tail))
    }

    /// The word that follows on the same line.
    pub(super) fn next_word<'t>(&self, text: &'t str) -> &'t str {
        let start = chars::skip_blanks(text, self.end);
        let length = chars::run(text, start, 24, |c| c.is_ascii_alphabetic());
        text.get(start..start + length).unwrap_or_default()
    }

    /// Whether the sentence part ends with the value.
    pub(super) fn ends_clause(&self, text: &str) -> bool {
        let next = chars::skip_blanks(text, self.end);
        chars::at(text, next).is_none_or(|c| {
            c == '\n' || c == '\r' || chars::is_wide_punctuation(c) || ".,;!?)\"'".contains(c)
        })
    }
}

/// The end of a passphrase of several plain words that begins there, if there are enough of them.
pub(super) fn phrase_end(text: &str, from: usize) -> Option<(usize, usize)> {
    use super::lists;
    let start = chars::skip_blanks(text, from);
    let (mut at, mut end, mut words, mut odd) = (start, start, 0, 0);
    while words < PHRASE_WORDS_MAX {
        let length = chars::run(text, at, 16, |c| c.is_ascii_lowercase());
        let word = text.get(at..at + length).unwrap_or_default();
        let participle = lists::is_participle(word);
        if length < 3 || matches!(word, "and" | "for" | "the") || (words == 0 && participle) {
            break;
        }
        odd += usize::from(participle || lists::is_prose(word));
        words += 1;
        end = at + length;
        match chars::at(text, end) {
            Some(' ' | '-') => at = end + 1,
            _ => break,
        }
    }
    (words >= 4 && odd <= words / 4).then_some((start, end))
}
