//! One spelling for what readers take as the same: width, case, accents, apostrophes, hyphens.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::decompose_canonical;
use unicode_script::{Script, UnicodeScript};

/// NFKC, lower case, accents of Latin and Greek letters off, invisible characters out.
///
/// Accents go only where they decorate: the marks of Kana, Hangul, Cyrillic й and the Indic scripts make other letters
/// and stay.
pub(super) fn normalise(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.nfkc().flat_map(char::to_lowercase) {
        fold(letter, &mut out);
    }
    out
}

fn fold(letter: char, out: &mut String) {
    if letter.is_ascii() {
        out.push(letter);
        return;
    }
    match letter {
        '\u{2018}' | '\u{2019}' | '\u{02bc}' | '\u{2032}' => out.push('\''),
        '\u{2010}'..='\u{2013}' | '\u{2212}' => out.push('-'),
        // A long dash parts sentences, a zero-width space parts words.
        '\u{2014}' | '\u{2015}' | '\u{200b}' => out.push(' '),
        '\u{2044}' => out.push('/'),
        'ß' => out.push_str("ss"),
        'æ' => out.push_str("ae"),
        'œ' => out.push_str("oe"),
        'þ' => out.push_str("th"),
        'ø' => out.push('o'),
        'đ' | 'ð' => out.push('d'),
        'ł' => out.push('l'),
        'ı' => out.push('i'),
        'ς' => out.push('σ'),
        'ё' => out.push('е'),
        _ if is_decoration(letter) => {}
        _ => out.push(without_accent(letter)),
    }
}

/// Marks and signs that change how a letter or picture looks, not what it says.
fn is_decoration(letter: char) -> bool {
    matches!(letter,
        '\u{0300}'..='\u{036f}'                                  // accents that stand alone
        | '\u{0591}'..='\u{05c7}'                                // Hebrew points
        | '\u{0640}' | '\u{064b}'..='\u{065f}' | '\u{0670}'      // Arabic stretching and vowel signs
        | '\u{00ad}' | '\u{200c}' | '\u{200e}' | '\u{200f}'      // soft hyphen, non-joiner, direction marks
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}'    // variation selectors
        | '\u{1f3fb}'..='\u{1f3ff}'                              // skin tones
        | '\u{20e3}'                                             // the frame of a key-cap digit
    )
}

fn without_accent(letter: char) -> char {
    if !matches!(letter.script(), Script::Latin | Script::Greek) {
        return letter;
    }
    let mut base = None;
    decompose_canonical(letter, |part| {
        base.get_or_insert(part);
    });
    base.unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_meet() {
        for (given, wanted) in [
            ("Café", "cafe"),
            ("cafe\u{301}", "cafe"),
            ("ＡＢＣ１２３", "abc123"),
            ("ｶﾀｶﾅ", "カタカナ"),
            ("Straße", "strasse"),
            ("İstanbul", "istanbul"),
            ("Ηράκλειος", "ηρακλειοσ"),
            ("Việt Nam", "viet nam"),
            ("don’t", "don't"),
            ("3–5", "3-5"),
            ("㎏", "kg"),
            ("❤\u{fe0f}", "❤"),
            ("👍🏽", "👍"),
            ("1\u{fe0f}\u{20e3}", "1"),
            ("co\u{ad}operate", "cooperate"),
        ] {
            assert_eq!(normalise(given), wanted, "{given}");
        }
    }

    #[test]
    fn marks_that_make_other_letters_stay() {
        for text in ["が", "パン", "한국", "йод", "हिन्दी", "ไทย"] {
            assert_eq!(normalise(text), text);
        }
    }
}
