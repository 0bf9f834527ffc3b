//! Cuts a long text into pieces of bounded length, losing nothing.

use unicode_segmentation::UnicodeSegmentation;

use super::sentence::sentences;

/// Signs behind which a sentence that is too long may be cut.
const CLAUSE_ENDS: &[char] = &[',', ';', ':', '，', '；', '：', '、', '—', ')', '）'];

/// Visible characters of more characters than this may be cut.
const GRAPHEME_CHARS: usize = 16;

/// The text in pieces of at most `chars_max` characters (at least 1): whole sentences as many as fit; a sentence that
/// does not fit is cut behind a clause, else at a blank, else between characters. Pieces together are the text.
pub(super) fn chunks(text: &str, chars_max: usize) -> Vec<&str> {
    let chars_max = chars_max.max(1);
    let mut found = Vec::new();
    let (mut start, mut end, mut length) = (0, 0, 0);
    for sentence in sentences(text) {
        let sentence_length = sentence.chars().count();
        if length + sentence_length > chars_max && end > start {
            found.extend(text.get(start..end));
            (start, length) = (end, 0);
        }
        end += sentence.len();
        length += sentence_length;
        if length > chars_max {
            // Only a single sentence can be here. Its last piece stays open for what follows.
            let rest = cut(
                text.get(start..end).unwrap_or_default(),
                chars_max,
                &mut found,
            );
            start = end - rest.len();
            length = rest.chars().count();
        }
    }
    found.extend(text.get(start..end).filter(|piece| !piece.is_empty()));
    found
}

/// Cuts pieces off the front until the rest fits; returns the rest.
fn cut<'a>(mut rest: &'a str, chars_max: usize, found: &mut Vec<&'a str>) -> &'a str {
    while let Some((window_end, _)) = rest.char_indices().nth(chars_max) {
        let window = rest.get(..window_end).unwrap_or(rest);
        let (piece, after) = rest.split_at(cut_place(window, rest));
        found.push(piece);
        rest = after;
    }
    rest
}

/// Where to cut: a byte offset above 0 in the window and on a character border.
fn cut_place(window: &str, whole: &str) -> usize {
    // A clause that ends early would leave crumbs; then a blank further on is the better place.
    let half = window.len() / 2;
    let clause = window
        .char_indices()
        .rev()
        .find(|(_, c)| CLAUSE_ENDS.contains(c))
        .map(|(at, c)| at + c.len_utf8());
    let blank = || {
        window
            .char_indices()
            .rev()
            .find(|(_, c)| c.is_whitespace())
            .map(|(at, c)| at + c.len_utf8())
    };
    clause
        .filter(|&at| at > half)
        .or_else(|| blank().filter(|&at| at > half))
        .unwrap_or_else(|| {
            // The border of the last whole visible character. A look at both sides of the border shows whether it is whole.
            let from = window
                .char_indices()
                .rev()
                .nth(GRAPHEME_CHARS)
                .map_or(0, |(at, _)| at);
            let beyond = whole
                .get(window.len()..)
                .unwrap_or_default()
                .char_indices()
                .nth(GRAPHEME_CHARS);
            let until = beyond.map_or(whole.len(), |(at, _)| window.len() + at);
            let seen = whole.get(from..until).unwrap_or(window);
            let borders = seen
                .grapheme_indices(true)
                .map(|(at, _)| from + at)
                .take_while(|&at| at <= window.len());
            borders
                .last()
                .filter(|&at| at > half && at > from)
                .unwrap_or(window.len())
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sentences_stay_whole_while_they_fit() {
        assert_eq!(
            chunks("One two. Three. Four five six.", 16),
            ["One two. Three.", " Four five six."]
        );
        assert_eq!(chunks("", 10), Vec::<&str>::new());
        assert_eq!(chunks("short", 600), ["short"]);
    }

    #[test]
    fn long_sentences_break_behind_clauses_then_blanks_then_characters() {
        assert_eq!(
            chunks("alpha beta, gamma delta", 15),
            ["alpha beta,", " gamma delta"]
        );
        assert_eq!(chunks("alpha beta gamma", 12), ["alpha beta ", "gamma"]);
        assert_eq!(chunks("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        let family = "👩\u{200d}👩\u{200d}👧";
        assert_eq!(chunks(&family.repeat(3), 7), [family, family, family]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_nothing_too_long(text in any::<String>(), chars_max in 1_usize..40) {
            let pieces = chunks(&text, chars_max);
            prop_assert_eq!(pieces.concat(), text.as_str());
            for piece in pieces {
                prop_assert!(!piece.is_empty() && piece.chars().count() <= chars_max);
            }
        }
    }
}
