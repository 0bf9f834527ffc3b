//! `tiny`: one vector per word piece from a table, summed. Microseconds per text, 8 MB, English.

use std::sync::OnceLock;

use async_trait::async_trait;
use mneme_core::ports::{EmbedTask, Embedder, ModelError, ModelErrorKind, Space};
use safetensors::{Dtype, SafeTensors};

use super::unit::direction;
use super::word_piece::WordPiece;

/// The name of the space of [`Tiny`].
pub const TINY_SPACE: &str = "tiny/static-minilm-256-int8/256";

const DIMENSION: usize = 256;
/// The median cosine of 1,104 pairs of unrelated sentences, measured; see `models/README.md`.
const UNRELATED_COSINE: f32 = 0.244;
/// Up to how many bytes of text are embedded where the caller stands; that takes well under a millisecond.
const INLINE_BYTES_MAX: usize = 16 * 1024;

static TABLE_FILE: &[u8] =
    include_bytes!("../../../../models/static-minilm-256-int8/model.safetensors");
pub(super) static PIECES: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/static-minilm-256.pieces.fst"));
static TABLE: OnceLock<Result<Table, ModelError>> = OnceLock::new();

/// The static table as an embedder. Costs nothing until it is used; all values share the table.
pub struct Tiny {
    space: Space,
}

impl Tiny {
    /// The embedder.
    #[must_use]
    pub fn new() -> Self {
        Self {
            space: Space {
                name: TINY_SPACE.to_owned(),
                dimension: DIMENSION,
                unrelated_cosine: UNRELATED_COSINE,
            },
        }
    }
}

impl Default for Tiny {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Embedder for Tiny {
    fn space(&self) -> &Space {
        &self.space
    }

    async fn embed(&self, _task: EmbedTask, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        if texts.iter().map(String::len).sum::<usize>() <= INLINE_BYTES_MAX {
            return embed(texts);
        }
        let texts = texts.to_vec();
        let work = tokio::task::spawn_blocking(move || embed(&texts));
        work.await
            .unwrap_or_else(|_| Err(broken("the static table's thread ended")))
    }
}

fn embed(texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
    let table = TABLE
        .get_or_init(Table::load)
        .as_ref()
        .map_err(Clone::clone)?;
    Ok(texts.iter().map(|text| table.embed(text)).collect())
}

fn broken(what: &str) -> ModelError {
    ModelError {
        kind: ModelErrorKind::Unavailable,
        message: format!("built-in embedder: {what}"),
        retry_after_seconds: None,
    }
}

/// Rows of bytes, each with a factor that holds both its scale and its word's weight.
struct Table {
    tokenizer: WordPiece,
    rows: &'static [[u8; DIMENSION]],
    factors: Vec<f32>,
}

impl Table {
    fn load() -> Result<Self, ModelError> {
        let tokenizer =
            WordPiece::new(PIECES).map_err(|_| broken("the vocabulary cannot be read"))?;
        let file =
            SafeTensors::deserialize(TABLE_FILE).map_err(|_| broken("the table cannot be read"))?;
        let tensor = |name, dtype| {
            let found = file
                .tensor(name)
                .ok()
                .filter(|tensor| tensor.dtype() == dtype);
            found.ok_or_else(|| broken("the table lacks a part"))
        };
        let rows = tensor("embeddings", Dtype::I8)?;
        let factors = tensor("weights", Dtype::F32)?;
        if rows.shape() != [factors.data().len() / 4, DIMENSION] {
            return Err(broken("the table has another shape"));
        }
        let factors = factors
            .data()
            .as_chunks::<4>()
            .0
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes))
            .collect();
        Ok(Self {
            tokenizer,
            rows: rows.data().as_chunks().0,
            factors,
        })
    }

    fn embed(&self, text: &str) -> Vec<f32> {
        let mut sum = [0.0_f32; DIMENSION];
        self.tokenizer.encode(text, |id| {
            let id = id as usize;
            if let (Some(row), Some(&factor)) = (self.rows.get(id), self.factors.get(id)) {
                for (component, &byte) in sum.iter_mut().zip(row) {
                    *component += f32::from(byte.cast_signed()) * factor;
                }
            }
        });
        direction(&sum)
    }
}
