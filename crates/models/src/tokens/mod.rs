//! Counts o200k tokens.

mod byte_pairs;
mod split;

use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use mneme_core::ports::TokenCounter;
use tokio::task::spawn_blocking;

use self::byte_pairs::BytePairs;
use self::split::Splitter;

/// Made at the first use, a few milliseconds; `None` when what is built in cannot be read, which a test rules out.
static COUNTER: LazyLock<Option<Counter>> = LazyLock::new(|| {
    Some(Counter {
        splitter: Splitter::new()?,
        pairs: BytePairs::o200k()?,
    })
});

struct Counter {
    splitter: Splitter,
    pairs: BytePairs,
}

/// The o200k encoding (`o200k_base`) as a counter. Same counts as `tiktoken` with every special token spelled out as
/// text; see [`O200k::count_now`] for the one exception. All values share one table, read in place from the binary.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct O200k;

impl O200k {
    /// Counts where the caller stands: for callers that are on a blocking thread already. Some 10 MB a second.
    ///
    /// A single word (as the encoding cuts words) of more than 64 KiB is counted in slices of 64 KiB, which may add a
    /// token for each.
    #[must_use]
    pub fn count_now(text: &str) -> u32 {
        let Some(counter) = &*COUNTER else {
            // Cannot happen with the table that is built in. One token a byte is the encoding's upper bound.
            return u32::try_from(text.len()).unwrap_or(u32::MAX);
        };
        let tokens: usize = counter
            .splitter
            .split(text)
            .map(|piece| counter.pairs.count(piece.as_bytes()))
            .sum();
        u32::try_from(tokens).unwrap_or(u32::MAX)
    }
}

#[async_trait]
impl TokenCounter for O200k {
    async fn count(&self, texts: Vec<String>) -> Vec<u32> {
        if texts.is_empty() {
            return Vec::new();
        }
        let texts = Arc::new(texts);
        let count = |texts: &[String]| texts.iter().map(|text| Self::count_now(text)).collect();
        let work = Arc::clone(&texts);
        match spawn_blocking(move || count(&work)).await {
            Ok(counts) => counts,
            // A panic is ours to pass on.
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            // The runtime is about to end and takes no more blocking work; nobody else is held up any more.
            Err(_) => count(&texts),
        }
    }
}

#[cfg(test)]
mod tests;
