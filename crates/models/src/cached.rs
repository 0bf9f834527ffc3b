//! Remembers the vectors of questions.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use lru::LruCache;
use mneme_core::ports::{EmbedTask, Embedder, ModelError, Space};

/// How many questions are remembered unless told otherwise; 4 MB at 384 components.
const ENTRIES_DEFAULT: NonZeroUsize = NonZeroUsize::new(2_000).unwrap();
/// Longest question that is remembered, bytes: bounds the memory, and long ones do not come twice.
const QUERY_BYTES_MAX: usize = 2 * 1024;

/// An embedder that asks another one for a question's vector only once, as long as it remembers. Passages pass through:
/// they are embedded once and stored.
pub struct CachedQueries<E: ?Sized> {
    vectors: Mutex<LruCache<String, Vec<f32>>>,
    inner: Arc<E>,
}

impl<E: Embedder + ?Sized> CachedQueries<E> {
    /// In front of that embedder, with 2,000 entries.
    #[must_use]
    pub fn new(inner: Arc<E>) -> Self {
        Self::with_entries(inner, ENTRIES_DEFAULT)
    }

    /// In front of that embedder, with at most so many entries.
    #[must_use]
    pub fn with_entries(inner: Arc<E>, entries: NonZeroUsize) -> Self {
        // Grows as it fills, instead of taking its full size at once.
        let mut vectors = LruCache::unbounded();
        vectors.resize(entries);
        Self {
            vectors: Mutex::new(vectors),
            inner,
        }
    }

    /// No code that may panic runs under the lock, so a poisoned one is as good as new.
    fn vectors(&self) -> MutexGuard<'_, LruCache<String, Vec<f32>>> {
        self.vectors.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl<E: Embedder + ?Sized> Embedder for CachedQueries<E> {
    fn space(&self) -> &Space {
        self.inner.space()
    }

    async fn embed(&self, task: EmbedTask, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        if task != EmbedTask::Query {
            return self.inner.embed(task, texts).await;
        }
        let known: Vec<Option<Vec<f32>>> = {
            let mut vectors = self.vectors();
            texts
                .iter()
                .map(|text| vectors.get(text).cloned())
                .collect()
        };
        let missing: Vec<String> = texts
            .iter()
            .zip(&known)
            .filter(|(_, vector)| vector.is_none())
            .map(|(text, _)| text.clone())
            .collect();
        if missing.is_empty() {
            return Ok(known.into_iter().flatten().collect());
        }
        let made = self.inner.embed(task, &missing).await?;
        let mut vectors = self.vectors();
        for (text, vector) in missing.into_iter().zip(&made) {
            if text.len() <= QUERY_BYTES_MAX {
                vectors.put(text, vector.clone());
            }
        }
        drop(vectors);
        let mut made = made.into_iter();
        // A text without a vector would be left out here; the caller compares the counts, as the port says.
        Ok(known
            .into_iter()
            .filter_map(|vector| vector.or_else(|| made.next()))
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Its vectors tell the text's length; it writes down what it was asked.
    struct Counting {
        space: Space,
        asked: Mutex<Vec<(EmbedTask, Vec<String>)>>,
    }

    #[async_trait]
    impl Embedder for Counting {
        fn space(&self) -> &Space {
            &self.space
        }

        async fn embed(
            &self,
            task: EmbedTask,
            texts: &[String],
        ) -> Result<Vec<Vec<f32>>, ModelError> {
            self.asked.lock().unwrap().push((task, texts.to_vec()));
            Ok(texts.iter().map(|text| vec![text.len() as f32]).collect())
        }
    }

    fn counting() -> Arc<Counting> {
        let space = Space {
            name: "test".to_owned(),
            dimension: 1,
            unrelated_cosine: 0.0,
        };
        Arc::new(Counting {
            space,
            asked: Mutex::default(),
        })
    }

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().copied().map(str::to_owned).collect()
    }

    #[tokio::test]
    async fn only_unknown_questions_reach_the_model_and_the_order_is_kept() {
        let inner = counting();
        let cached = CachedQueries::with_entries(Arc::clone(&inner), NonZeroUsize::new(2).unwrap());
        let ask =
            async |asked: &[&str]| cached.embed(EmbedTask::Query, &texts(asked)).await.unwrap();
        assert_eq!(ask(&["a", "bb"]).await, [[1.0], [2.0]]);
        assert_eq!(ask(&["bb", "ccc", "a"]).await, [[2.0], [3.0], [1.0]]);
        // "bb" is the one that was used least recently now that "ccc" came in.
        assert_eq!(ask(&["a", "ccc"]).await, [[1.0], [3.0]]);
        assert_eq!(ask(&["bb"]).await, [[2.0]]);
        let asked: Vec<_> = inner
            .asked
            .lock()
            .unwrap()
            .iter()
            .map(|(_, texts)| texts.join(" "))
            .collect();
        assert_eq!(asked, ["a bb", "ccc", "bb"]);
    }

    #[tokio::test]
    async fn passages_and_very_long_questions_are_not_remembered() {
        let inner = counting();
        let cached: CachedQueries<dyn Embedder> =
            CachedQueries::new(Arc::<Counting>::clone(&inner));
        for _ in 0..2 {
            cached
                .embed(EmbedTask::Passage, &texts(&["a"]))
                .await
                .unwrap();
            cached
                .embed(EmbedTask::Query, &["b".repeat(QUERY_BYTES_MAX + 1)])
                .await
                .unwrap();
            cached
                .embed(EmbedTask::Query, &texts(&["c"]))
                .await
                .unwrap();
        }
        let asked: Vec<_> = inner
            .asked
            .lock()
            .unwrap()
            .iter()
            .map(|(task, texts)| (*task, texts[0].len()))
            .collect();
        let long = (EmbedTask::Query, QUERY_BYTES_MAX + 1);
        assert_eq!(
            asked,
            [
                (EmbedTask::Passage, 1),
                long,
                (EmbedTask::Query, 1),
                (EmbedTask::Passage, 1),
                long
            ]
        );
        assert_eq!(cached.space().name, "test");
    }
}
