//! An embedder without a model.

use async_trait::async_trait;
use mneme_core::ports::{EmbedTask, Embedder, ModelError, Space};

use crate::words;

/// Bag-of-words vectors of 64 components, in the space `hash/bow/64`. Deterministic; never fails.
#[derive(Debug, Clone)]
pub struct HashEmbedder {
    space: Space,
}

impl HashEmbedder {
    /// Components of its vectors.
    pub const DIMENSION: usize = 64;

    /// The embedder.
    #[must_use]
    pub fn new() -> Self {
        let space = Space {
            name: format!("hash/bow/{}", Self::DIMENSION),
            dimension: Self::DIMENSION,
            unrelated_cosine: 0.0,
        };
        Self { space }
    }
}

impl Default for HashEmbedder {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Embedder for HashEmbedder {
    fn space(&self) -> &Space {
        &self.space
    }

    async fn embed(&self, _task: EmbedTask, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        Ok(texts
            .iter()
            .map(|text| words::vector(text, Self::DIMENSION))
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_vector_for_each_text_in_order() {
        let embedder = HashEmbedder::new();
        let texts = ["b".to_owned(), String::new(), "a".to_owned()];
        let vectors = embedder
            .embed(EmbedTask::Query, &texts)
            .await
            .expect("never fails");
        assert_eq!(vectors.len(), 3);
        assert_eq!(vectors[2], words::vector("a", 64));
        assert_eq!(
            (embedder.space().name.as_str(), embedder.space().dimension),
            ("hash/bow/64", 64)
        );
    }
}
