//! The Unigram tokenizer of multilingual-e5: the most probable way to spell a text with the pieces.
//!
//! Same ids as the model's own tokenizer definition (NFKC, words with a `▁` before them, Viterbi inside each word),
//! with a hundredth of the memory. Differences on purpose: marks such as `</s>` in a text are plain text, and a
//! stretch longer than [`STRETCH_BYTES_MAX`] without white space is spelled part by part.

use unicode_normalization::UnicodeNormalization as _;

use super::pieces::Pieces;

/// Longest stretch that is spelled as one, bytes.
const STRETCH_BYTES_MAX: usize = 16 * 1024;
/// What stands for the blank before a word.
const BLANK: char = '▁';
/// The id of characters that no piece spells.
const UNKNOWN: u32 = 3;
/// How much worse than the worst piece an unknown character is; natural logarithm, SentencePiece's constant.
const UNKNOWN_PENALTY: f64 = 10.0;

/// See the module.
pub(crate) struct Unigram {
    pieces: Pieces,
    scores: Vec<f32>,
    unknown_score: f64,
}

/// The best way to spell a stretch up to some byte.
#[derive(Clone, Copy)]
struct Best {
    score: f64,
    /// Where the last piece starts; `u32::MAX` when the byte cannot be reached.
    from: u32,
    piece: u32,
}

impl Unigram {
    /// Over compiled pieces and the pieces' scores by id, little-endian f32.
    pub(crate) fn new(pieces: &'static [u8], scores: &'static [u8]) -> Result<Self, fst::Error> {
        let scores: Vec<f32> = scores
            .as_chunks::<4>()
            .0
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes))
            .collect();
        let worst = scores.iter().copied().fold(f32::INFINITY, f32::min);
        Ok(Self {
            pieces: Pieces::new(pieces)?,
            scores,
            unknown_score: f64::from(worst) - UNKNOWN_PENALTY,
        })
    }

    /// The ids of a text, without marks around it.
    pub(crate) fn encode(&self, text: &str) -> Vec<u32> {
        let mut ids = Vec::new();
        let normal: String = text.nfkc().collect();
        let mut word = String::new();
        for bare in normal.split_whitespace() {
            word.clear();
            if !bare.starts_with(BLANK) {
                word.push(BLANK);
            }
            word.push_str(bare);
            // A `▁` of the text's own starts a new stretch, as a blank would.
            let mut rest = word.as_str();
            while !rest.is_empty() {
                let next = rest
                    .char_indices()
                    .skip(1)
                    .find(|&(_, symbol)| symbol == BLANK)
                    .map_or(rest.len(), |(at, _)| at);
                let end = rest.floor_char_boundary(next.min(STRETCH_BYTES_MAX));
                let (stretch, after) = rest.split_at(end);
                self.spell(stretch, &mut ids);
                rest = after;
            }
        }
        ids
    }

    /// Viterbi over the bytes of one stretch.
    fn spell(&self, stretch: &str, ids: &mut Vec<u32>) {
        let mut best = vec![
            Best {
                score: 0.0,
                from: u32::MAX,
                piece: UNKNOWN
            };
            stretch.len() + 1
        ];
        let bytes = stretch.as_bytes();
        for (start, symbol) in stretch.char_indices() {
            let so_far = best[start].score;
            let mut alone = false;
            for (length, piece) in self.pieces.beginnings(b"", &bytes[start..]) {
                alone |= length == symbol.len_utf8();
                let score = self
                    .scores
                    .get(piece as usize)
                    .copied()
                    .map_or(self.unknown_score, f64::from);
                offer(
                    &mut best[start + length],
                    Best {
                        score: so_far + score,
                        from: start as u32,
                        piece,
                    },
                );
            }
            if !alone {
                let unknown = Best {
                    score: so_far + self.unknown_score,
                    from: start as u32,
                    piece: UNKNOWN,
                };
                offer(&mut best[start + symbol.len_utf8()], unknown);
            }
        }
        let first = ids.len();
        let mut end = stretch.len();
        while end > 0 {
            let Best { from, piece, .. } = best[end];
            // Unknown characters side by side are one unknown piece.
            if piece != UNKNOWN || ids[first..].last() != Some(&UNKNOWN) {
                ids.push(piece);
            }
            end = (from as usize).min(end - 1);
        }
        ids[first..].reverse();
    }
}

/// Keeps the better way; the earlier one when they are equal.
fn offer(best: &mut Best, other: Best) {
    if best.from == u32::MAX || other.score > best.score {
        *best = other;
    }
}
