//! Cuts long text into parts that a model can read, at white space where some is near.

/// Fewest characters of a part that is cut further.
pub(crate) const PART_CHARS_MIN: usize = 64;

/// The parts of a text, each of at most `chars_max` characters, together the whole text. One part for a short text,
/// also for an empty one.
pub(crate) fn parts(text: &str, chars_max: usize) -> Vec<&str> {
    let chars_max = chars_max.max(1);
    let mut rest = text;
    let mut parts = Vec::new();
    loop {
        match cut_at(rest, chars_max) {
            // Shorter by at least one character each time.
            Some(at) => {
                let (part, tail) = rest.split_at(at);
                parts.push(part);
                rest = tail;
            }
            None => {
                parts.push(rest);
                return parts;
            }
        }
    }
}

/// Two halves, or `None` when the text is too short to be the reason of a refusal.
pub(crate) fn halves(text: &str) -> Option<(&str, &str)> {
    let chars = text.chars().count();
    if chars < 2 * PART_CHARS_MIN {
        return None;
    }
    // Within the last fifth of the half a border may be chosen, so both halves are well below the whole.
    cut_at(text, chars.div_ceil(2)).map(|at| text.split_at(at))
}

/// The byte where a first part of at most `chars_max` characters ends; `None` when the text is no longer than that.
fn cut_at(text: &str, chars_max: usize) -> Option<usize> {
    let (hard, _) = text.char_indices().nth(chars_max)?;
    let window = chars_max / 5;
    let border = text[..hard]
        .char_indices()
        .rev()
        .take(window)
        .find(|(_, c)| c.is_whitespace());
    Some(border.map_or(hard, |(at, c)| at + c.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_at_white_space_when_near() {
        assert_eq!(parts("aaaa bbbb cccc", 6), ["aaaa b", "bbb cc", "cc"]);
        assert_eq!(parts("aaaaaaaa bbbbbbbb", 10), ["aaaaaaaa ", "bbbbbbbb"]);
        assert_eq!(parts("", 10), [""]);
        assert_eq!(parts("我喜欢喝茶", 2), ["我喜", "欢喝", "茶"]);
        assert_eq!(parts("ab", 0), ["a", "b"]);
    }

    #[test]
    fn short_text_is_not_halved() {
        assert!(halves(&"é".repeat(2 * PART_CHARS_MIN - 1)).is_none());
        let text = "é".repeat(2 * PART_CHARS_MIN);
        let (a, b) = halves(&text).expect("long enough");
        assert_eq!(
            (a.chars().count(), b.chars().count()),
            (PART_CHARS_MIN, PART_CHARS_MIN)
        );
    }

    proptest::proptest! {
        #[test]
        fn nothing_is_lost(text in "(\\PC|[ \\n👩‍👧é我]){0,300}", max in 0_usize..50) {
            let parts = parts(&text, max);
            proptest::prop_assert_eq!(parts.concat(), text.clone());
            proptest::prop_assert!(parts.iter().all(|part| part.chars().count() <= max.max(1)));
            if let Some((a, b)) = halves(&text) {
                proptest::prop_assert_eq!([a, b].concat(), text.as_str());
                proptest::prop_assert!(!a.is_empty() && !b.is_empty());
            }
        }
    }
}
