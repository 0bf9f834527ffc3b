//! Cuts text the way o200k does before it merges bytes.

use regex::Regex;

/// The encoding's own pattern, without its one look-ahead, `\s+(?!\S)`: white space before a word leaves its last
/// character to the word. [`Splitter::split`] does that by hand, so that the search stays linear.
const PATTERN: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|\p{N}{1,3}",
    r"| ?[^\s\p{L}\p{N}]+[\r\n/]*",
    r"|\s*[\r\n]+",
    r"|\s+",
);

pub(super) struct Splitter {
    pattern: Regex,
}

impl Splitter {
    pub(super) fn new() -> Option<Self> {
        Some(Self {
            pattern: Regex::new(PATTERN).ok()?,
        })
    }

    /// The pieces of a text in order; together they are the text.
    pub(super) fn split<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let found = self.pattern.find_at(text, at)?;
            let piece = leave_last_blank(found.as_str(), found.end() == text.len());
            at = found.start() + piece.len();
            Some(piece)
        })
    }
}

/// White space that is not the end of the text and has no line end in it gives up its last character, unless that is
/// its only one.
fn leave_last_blank(piece: &str, at_end: bool) -> &str {
    if at_end || !piece.chars().all(char::is_whitespace) || piece.ends_with(['\r', '\n']) {
        return piece;
    }
    match piece.char_indices().next_back() {
        Some((last, _)) if last > 0 => &piece[..last],
        _ => piece,
    }
}
