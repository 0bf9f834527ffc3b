//! The WordPiece tokenizer of uncased BERT models: longest known piece first.
//!
//! Same ids as the model's own tokenizer definition, without marks around the text and without the unknown piece:
//! a word that cannot be spelled says nothing and is left out.

use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};

use super::pieces::Pieces;

/// Longest word that is spelled, characters; longer ones are unknown.
const WORD_CHARS_MAX: usize = 100;
/// What pieces inside a word are spelled with.
const INSIDE: &[u8] = b"##";

/// See the module.
pub(crate) struct WordPiece {
    pieces: Pieces,
}

impl WordPiece {
    /// Over compiled pieces.
    pub(crate) fn new(pieces: &'static [u8]) -> Result<Self, fst::Error> {
        Ok(Self {
            pieces: Pieces::new(pieces)?,
        })
    }

    /// Calls `with` for the id of every piece of the text, in order.
    pub(crate) fn encode(&self, text: &str, mut with: impl FnMut(u32)) {
        let mut word = String::new();
        let mut ids = Vec::new();
        let mut end_word = |word: &mut String| {
            self.spell(word, &mut ids);
            ids.drain(..).for_each(&mut with);
            word.clear();
        };
        for symbol in text
            .chars()
            .filter_map(clean)
            .nfd()
            .filter(|symbol| !is_accent(*symbol))
            .flat_map(char::to_lowercase)
        {
            if symbol.is_whitespace() {
                end_word(&mut word);
            } else if is_punctuation(symbol) || is_han(symbol) {
                end_word(&mut word);
                word.push(symbol);
                end_word(&mut word);
            } else {
                word.push(symbol);
            }
        }
        end_word(&mut word);
    }

    /// The pieces of one word; none when some part of it is unknown.
    fn spell(&self, word: &str, ids: &mut Vec<u32>) {
        if word.chars().nth(WORD_CHARS_MAX).is_some() {
            return;
        }
        let mut rest = word.as_bytes();
        while !rest.is_empty() {
            let prefix = if rest.len() == word.len() {
                &[][..]
            } else {
                INSIDE
            };
            let Some((length, id)) = self.pieces.beginnings(prefix, rest).last() else {
                ids.clear();
                return;
            };
            ids.push(id);
            rest = &rest[length..];
        }
    }
}

/// Drops what is invisible and makes every white space a blank.
fn clean(symbol: char) -> Option<char> {
    let category = symbol.general_category();
    match symbol {
        '\t' | '\n' | '\r' => Some(' '),
        char::REPLACEMENT_CHARACTER => None,
        _ if matches!(
            category,
            GeneralCategory::Control | GeneralCategory::Format | GeneralCategory::PrivateUse
        ) =>
        {
            None
        }
        _ if symbol.is_whitespace() => Some(' '),
        _ => Some(symbol),
    }
}

fn is_accent(symbol: char) -> bool {
    symbol.general_category() == GeneralCategory::NonspacingMark
}

fn is_punctuation(symbol: char) -> bool {
    symbol.is_ascii_punctuation()
        || symbol.general_category_group() == GeneralCategoryGroup::Punctuation
}

/// The blocks whose characters are words of their own.
fn is_han(symbol: char) -> bool {
    matches!(u32::from(symbol),
        0x4E00..=0x9FFF | 0x3400..=0x4DBF | 0x2_0000..=0x2_A6DF | 0x2_A700..=0x2_B73F | 0x2_B740..=0x2_B81F
        | 0x2_B920..=0x2_CEAF | 0xF900..=0xFAFF | 0x2_F800..=0x2_FA1F)
}
