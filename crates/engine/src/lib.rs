//! The running pipeline: use cases over the core's ports.
//!
//! The engine knows no HTTP and no SQL. Every face (REST dialects, command line, library) calls the same verbs on
//! [`Engine`]; the verbs are in one file for each noun. [`worker`] distils in the background, [`upkeep`] flushes idle
//! buffers and makes the vectors that are missing.

pub mod api;
pub mod error;
pub mod options;
pub mod upkeep;
pub mod worker;

mod context;
mod events;
mod inbox;
mod pipeline;
mod profile;
mod project;
mod recall;
mod system;
mod users;
mod waiting;
mod write;

use std::sync::Arc;

use mneme_core::ports::{Clock, Embedder, Ids, Llm, Store, TokenCounter};

pub use error::{EngineError, EngineResult, ErrorKind};
pub use options::Options;
pub use system::{RandomIds, SystemClock};

/// What the engine works with.
pub struct Parts {
    /// Where everything is kept.
    pub store: Arc<dyn Store>,
    /// Makes vectors.
    pub embedder: Arc<dyn Embedder>,
    /// The language model; without one the built-in rules distil.
    pub llm: Option<Arc<dyn Llm>>,
    /// Counts tokens.
    pub tokens: Arc<dyn TokenCounter>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Fresh ids.
    pub ids: Arc<dyn Ids>,
}

pub(crate) struct Inner {
    pub(crate) parts: Parts,
    pub(crate) options: Options,
    pub(crate) configs: project::ConfigCache,
    /// Told when there may be a job to claim.
    pub(crate) job_wake: tokio::sync::Notify,
    /// Told when there may be vectors to make.
    pub(crate) vector_wake: tokio::sync::Notify,
    /// Who waits for which job.
    pub(crate) waiting: waiting::Waiting,
    /// Why the store gave no work at the last try; `None` while all is well.
    pub(crate) trouble: std::sync::Mutex<Option<String>>,
}

/// The memory's verbs. Cheap to clone.
#[derive(Clone)]
pub struct Engine {
    pub(crate) inner: Arc<Inner>,
}

impl Engine {
    /// An engine over these parts. Background work runs once [`worker::run`] and [`upkeep::run`] are spawned.
    #[must_use]
    pub fn new(parts: Parts, options: Options) -> Self {
        Self {
            inner: Arc::new(Inner {
                parts,
                options,
                configs: project::ConfigCache::default(),
                job_wake: tokio::sync::Notify::new(),
                vector_wake: tokio::sync::Notify::new(),
                waiting: waiting::Waiting::default(),
                trouble: std::sync::Mutex::new(None),
            }),
        }
    }

    pub(crate) fn store(&self) -> &dyn Store {
        self.inner.parts.store.as_ref()
    }

    pub(crate) fn now(&self) -> mneme_core::time::Timestamp {
        self.inner.parts.clock.now()
    }

    pub(crate) fn next_id(&self) -> uuid::Uuid {
        self.inner.parts.ids.next()
    }

    /// Why jobs cannot be claimed for now.
    pub(crate) fn trouble(&self) -> Option<String> {
        let trouble = self.inner.trouble.lock();
        trouble
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .clone()
    }

    /// Remembers whether jobs can be claimed, and tells those who wait when they cannot.
    pub(crate) fn set_trouble(&self, reason: Option<String>) {
        let mut trouble = self
            .inner
            .trouble
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let news = reason.is_some();
        *trouble = reason;
        drop(trouble);
        if news {
            self.inner.waiting.tell_all();
        }
    }

    pub(crate) fn options(&self) -> &Options {
        &self.inner.options
    }

    /// Whether the store answers.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn health(&self) -> EngineResult<()> {
        Ok(self.store().health().await?)
    }
}
