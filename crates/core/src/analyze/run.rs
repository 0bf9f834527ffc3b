//! Cuts normalised text into runs of one kind of writing.

use unicode_script::{Script, UnicodeScript};

/// How a run of text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Writing {
    /// Words stand without blanks between them, or grow by endings (Hangul).
    Dense,
    /// Words with blanks between them, and everything that is no letter.
    Spaced,
    /// Emoji and other pictographs.
    Picture,
}

/// A longest stretch of one kind of writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run<'a> {
    /// The kind.
    pub(super) writing: Writing,
    /// The text.
    pub(super) text: &'a str,
}

/// The runs of a text, in order; together they are the text.
pub(super) fn runs(text: &str) -> impl Iterator<Item = Run<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut letters = rest.char_indices();
        let (_, first) = letters.next()?;
        let writing = writing(first).unwrap_or(Writing::Spaced);
        let end = letters
            .find(|&(_, letter)| self::writing(letter).is_some_and(|other| other != writing))
            .map_or(rest.len(), |(at, _)| at);
        let (text, after) = rest.split_at(end);
        rest = after;
        Some(Run { writing, text })
    })
}

/// The kind of writing of a character; `None` for one that belongs to whatever is before it.
fn writing(letter: char) -> Option<Writing> {
    if letter.is_ascii() {
        return Some(Writing::Spaced);
    }
    match letter.script() {
        // Combining marks, the zero-width joiner.
        Script::Inherited => None,
        // The sign of a long vowel serves both Kana, so it has no script of its own.
        script if is_dense(script) || letter == 'ー' => Some(Writing::Dense),
        _ if is_picture(letter) => Some(Writing::Picture),
        _ => Some(Writing::Spaced),
    }
}

fn is_dense(script: Script) -> bool {
    use Script::{
        Bopomofo, Han, Hangul, Hiragana, Katakana, Khmer, Lao, Myanmar, Thai, Tibetan, Yi,
    };
    matches!(
        script,
        Han | Hiragana | Katakana | Hangul | Bopomofo | Yi | Thai | Lao | Khmer | Myanmar | Tibetan
    )
}

fn is_picture(letter: char) -> bool {
    matches!(letter,
        '\u{2300}'..='\u{23ff}' | '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}'
        | '\u{1f000}'..='\u{1faff}'
        | '\u{e0020}'..='\u{e007f}' // tags: the letters of regional flags
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_writing_are_told_apart() {
        use Writing::{Dense, Picture, Spaced};
        let shown = |text| {
            runs(text)
                .map(|run| (run.writing, run.text))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            shown("外币汇率 used rate 7.1"),
            [(Dense, "外币汇率"), (Spaced, " used rate 7.1")]
        );
        assert_eq!(
            shown("go👩\u{200d}👩\u{200d}👧!"),
            [
                (Spaced, "go"),
                (Picture, "👩\u{200d}👩\u{200d}👧"),
                (Spaced, "!")
            ]
        );
        assert_eq!(shown("データの設計"), [(Dense, "データの設計")]);
        assert_eq!(
            shown("好。好"),
            [(Dense, "好"), (Spaced, "。"), (Dense, "好")]
        );
        assert_eq!(shown(""), []);
    }
}
