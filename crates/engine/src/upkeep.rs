//! What the house does by itself: flushes idle buffers, makes missing vectors, tidies the store.

use std::time::Duration;

use mneme_core::id::JobId;
use mneme_core::ports::{EmbedTask, ModelError, ModelErrorKind, Unembedded};
use tokio::sync::watch;

use crate::Engine;

/// How often idle buffers are looked for.
const IDLE_SWEEP: Duration = Duration::from_secs(2);
/// Buffers that one sweep flushes.
const IDLE_SWEEP_ROWS: usize = 256;
/// Vectors that are made in one go.
const VECTOR_BATCH: usize = 64;
/// How often the backlog of vectors is looked at when nobody wakes us.
const VECTOR_SWEEP: Duration = Duration::from_secs(30);
/// Longest pause after an embedder failed.
const VECTOR_PAUSE_MAX: Duration = Duration::from_secs(60);
/// How often the store is tidied.
const TIDY_EVERY: Duration = Duration::from_secs(600);

/// Runs until `stop` says true.
pub async fn run(engine: Engine, mut stop: watch::Receiver<bool>) {
    let work = async { tokio::join!(flush_idle(&engine), embed_backlog(&engine), tidy(&engine)) };
    tokio::select! {
        _ = work => {}
        _ = stop.wait_for(|stopped| *stopped) => {}
    }
}

async fn flush_idle(engine: &Engine) {
    loop {
        if let Err(error) = engine.flush_idle_once().await {
            tracing::warn!(error = %error, "cannot look for idle buffers");
        }
        tokio::time::sleep(IDLE_SWEEP).await;
    }
}

impl Engine {
    /// Flushes buffers whose idle time is over. Returns how many.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn flush_idle_once(&self) -> crate::EngineResult<usize> {
        let due = self.store().idle_due(self.now(), IDLE_SWEEP_ROWS).await?;
        for (owner, kind) in &due {
            self.store()
                .flush(owner, *kind, JobId(self.next_id()), self.now())
                .await?;
        }
        if !due.is_empty() {
            self.inner.job_wake.notify_one();
        }
        Ok(due.len())
    }

    /// Makes vectors for one batch of the backlog. Returns how many memories it took from there.
    ///
    /// # Errors
    /// The store's or the embedder's failure; the backlog keeps what could not be done.
    pub async fn embed_backlog_once(&self) -> crate::EngineResult<usize> {
        let embedder = &self.inner.parts.embedder;
        let space = embedder.space().name.clone();
        let waiting: Vec<Unembedded> = self.store().unembedded(&space, VECTOR_BATCH).await?;
        if waiting.is_empty() {
            return Ok(0);
        }
        let texts: Vec<String> = waiting.iter().map(|item| item.text.clone()).collect();
        let made: Vec<(Unembedded, Vec<f32>)> =
            match embedder.embed(EmbedTask::Passage, &texts).await {
                Ok(vectors) => waiting.into_iter().zip(vectors).collect(),
                Err(error) if waiting.len() > 1 && is_about_a_text(&error) => {
                    self.embed_apart(waiting, error).await?
                }
                Err(error) => return Err(error.into()),
            };
        let taken = made.len();
        self.store().put_vectors(&space, made).await?;
        Ok(taken)
    }

    /// One text at a time, so that one that the embedder refuses does not keep the others waiting for ever. Gives the
    /// error back when it refuses all of them.
    async fn embed_apart(
        &self,
        waiting: Vec<Unembedded>,
        error: ModelError,
    ) -> Result<Vec<(Unembedded, Vec<f32>)>, ModelError> {
        let mut made = Vec::new();
        for item in waiting {
            let text = std::slice::from_ref(&item.text);
            match self
                .inner
                .parts
                .embedder
                .embed(EmbedTask::Passage, text)
                .await
            {
                Ok(vectors) => made.extend(vectors.into_iter().next().map(|vector| (item, vector))),
                Err(error) if is_about_a_text(&error) => {
                    tracing::warn!(memory = %item.memory, error = %error, "a memory has no vector");
                }
                // The embedder went away meanwhile; what was made counts.
                Err(_) => break,
            }
        }
        if made.is_empty() {
            Err(error)
        } else {
            Ok(made)
        }
    }

    /// How many memories wait for their vectors.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn vectors_missing(
        &self,
        owner: Option<&mneme_core::id::UserKey>,
    ) -> crate::EngineResult<u64> {
        Ok(self
            .store()
            .unembedded_count(&self.inner.parts.embedder.space().name, owner)
            .await?)
    }
}

/// Whether other texts may fare better.
fn is_about_a_text(error: &ModelError) -> bool {
    matches!(
        error.kind,
        ModelErrorKind::Rejected | ModelErrorKind::Protocol
    )
}

async fn embed_backlog(engine: &Engine) {
    let mut pause = Duration::from_secs(1);
    loop {
        match engine.embed_backlog_once().await {
            Ok(0) => {
                pause = Duration::from_secs(1);
                tokio::select! { () = engine.inner.vector_wake.notified() => {}, () = tokio::time::sleep(VECTOR_SWEEP) => {} }
            }
            Ok(_) => pause = Duration::from_secs(1),
            Err(error) => {
                tracing::warn!(error = %error, seconds = pause.as_secs(), "vectors have to wait");
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(VECTOR_PAUSE_MAX);
            }
        }
    }
}

async fn tidy(engine: &Engine) {
    loop {
        tokio::time::sleep(TIDY_EVERY).await;
        let age = i64::try_from(engine.options().retention.as_secs()).unwrap_or(i64::MAX);
        let before = engine.now().plus_seconds(-age);
        match engine.store().tidy(before).await {
            Ok(rows) => tracing::debug!(rows, "tidied"),
            Err(error) => tracing::warn!(error = %error, "cannot tidy"),
        }
    }
}
