//! An embedder behind an OpenAI-compatible endpoint.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use mneme_core::ports::{EmbedTask, Embedder, ModelError, Space};
use serde_json::json;

use crate::config::{EmbedConfig, SetupError};
use crate::embed_plan::{Part, Plan};
use crate::embed_reply::{self, BadAnswer};
use crate::failure::Failure;
use crate::http::Transport;
use crate::limiter::Limiter;
use crate::vectors::Pool;

/// Most components of a vector.
const DIMENSION_MAX: usize = 65_536;
/// Most texts in one request, whatever is configured.
const BATCH_MAX: usize = 2_048;
/// Longest part of a text, whatever is configured, characters.
const TEXT_CHARS_MAX: usize = 1_000_000;
/// A 500 to a request with a text at least this long (characters) is taken for "too long".
const LONG_TEXT_CHARS: usize = 400;
/// Answers with the wrong number of vectors after which texts are only sent one by one.
const MISCOUNTS_MAX: usize = 2;
/// What is embedded to learn the dimension.
const PROBE: &str = "dimension";

/// Speaks to `/embeddings`. Its space is `openai/<model>/<dimension>`: the host is not part of the name, so that a
/// moved endpoint keeps its vectors.
pub struct OpenAiEmbedder {
    transport: Transport,
    config: EmbedConfig,
    space: Space,
    /// Longest text that is sent whole; shrinks when the provider refuses longer ones.
    text_chars_max: AtomicUsize,
    miscounts: AtomicUsize,
}

/// Why a request for some parts did not give vectors.
enum Trouble {
    /// Another number of vectors than parts.
    Miscount(usize),
    /// The provider may have refused one of the parts.
    Refused(Failure),
    /// Anything else.
    Failed(Failure),
}

impl OpenAiEmbedder {
    /// Sets the client up with a known dimension; nothing is sent. All clients of one account share the limiter.
    ///
    /// # Errors
    ///
    /// [`SetupError`] names the setting that cannot be used.
    pub fn new(
        config: EmbedConfig,
        dimension: usize,
        limiter: Arc<Limiter>,
    ) -> Result<Self, SetupError> {
        for (name, size, max) in [
            ("embedding dimension", dimension, DIMENSION_MAX),
            ("embedding batch", config.batch_max, BATCH_MAX),
            (
                "embedding text characters",
                config.text_chars_max,
                TEXT_CHARS_MAX,
            ),
        ] {
            if size == 0 || size > max {
                return Err(SetupError::Size { name, max });
            }
        }
        let transport = Transport::new(&config.remote, "embeddings", limiter)?;
        let name = format!("openai/{}/{dimension}", config.remote.model.trim());
        Ok(Self {
            transport,
            space: Space {
                name,
                dimension,
                unrelated_cosine: config.unrelated_cosine,
            },
            text_chars_max: AtomicUsize::new(config.text_chars_max),
            miscounts: AtomicUsize::new(0),
            config,
        })
    }

    /// Sets the client up and asks the model once for its dimension when the configuration does not tell it.
    ///
    /// # Errors
    ///
    /// [`SetupError`]; of kind `Probe` when the model did not answer.
    pub async fn connect(config: EmbedConfig, limiter: Arc<Limiter>) -> Result<Self, SetupError> {
        if let Some(dimension) = config.dimension {
            return Self::new(config, dimension, limiter);
        }
        let probe = Self::new(
            EmbedConfig {
                send_dimensions: false,
                ..config.clone()
            },
            DIMENSION_MAX,
            Arc::clone(&limiter),
        )?;
        let vectors = match probe.request("", &[Part::whole(0, PROBE)]).await {
            Ok(vectors) => vectors,
            Err(Trouble::Refused(failure) | Trouble::Failed(failure)) => {
                return Err(SetupError::Probe(failure.into()));
            }
            Err(Trouble::Miscount(got)) => {
                return Err(SetupError::Probe(probe.miscounted(got).into()));
            }
        };
        Self::new(config, vectors.first().map_or(0, Vec::len), limiter)
    }

    /// The address that is asked, without query.
    #[must_use]
    pub fn address(&self) -> &str {
        self.transport.shown()
    }

    fn batch_max(&self) -> usize {
        if self.miscounts.load(Ordering::Relaxed) >= MISCOUNTS_MAX {
            1
        } else {
            self.config.batch_max
        }
    }

    /// Changes the plan after a request that gave no vectors; the failure when nothing smaller is left to ask.
    fn go_smaller(
        &self,
        plan: &mut Plan,
        batch: Vec<Part>,
        trouble: Trouble,
    ) -> Result<(), Failure> {
        match trouble {
            Trouble::Miscount(_) if batch.len() > 1 => {
                self.miscounts.fetch_add(1, Ordering::Relaxed);
                plan.one_by_one(batch);
                Ok(())
            }
            Trouble::Miscount(got) => Err(self.miscounted(got)),
            Trouble::Refused(failure) => {
                if plan.halve(batch) {
                    Ok(())
                } else {
                    Err(failure)
                }
            }
            Trouble::Failed(failure) => Err(failure),
        }
    }

    fn miscounted(&self, got: usize) -> Failure {
        Failure::protocol(
            self.transport.shown(),
            &format!("{got} vectors came for 1 text"),
        )
    }

    /// Asks for the vectors of one batch, one for each part.
    async fn request(&self, prefix: &str, batch: &[Part]) -> Result<Vec<Vec<f32>>, Trouble> {
        let input: Vec<String> = batch
            .iter()
            .map(|part| format!("{prefix}{}", part.piece))
            .collect();
        let mut body = json!({"model": self.config.remote.model.trim(), "input": input});
        if self.config.send_dimensions {
            body["dimensions"] = json!(self.space.dimension);
        }
        let long = batch
            .iter()
            .any(|part| part.piece.chars().nth(LONG_TEXT_CHARS).is_some());
        let bytes = self
            .transport
            .post(&body, long)
            .await
            .map_err(|failure| self.trouble(failure, long))?;
        embed_reply::read(&bytes, batch.len()).map_err(|bad| match bad {
            BadAnswer::Count(got) => Trouble::Miscount(got),
            BadAnswer::Form => Trouble::Failed(Failure::protocol(
                self.transport.shown(),
                "the answer holds no embeddings",
            )),
        })
    }

    fn trouble(&self, mut failure: Failure, long: bool) -> Trouble {
        if self.config.send_dimensions
            && failure.is_refusal()
            && failure.refusal.contains("dimension")
        {
            failure.message.push_str("; it refuses `dimensions`, so turn send_dimensions off or configure another dimension");
            return Trouble::Failed(failure);
        }
        match failure.status {
            Some(400 | 413 | 422) => Trouble::Refused(failure),
            Some(500) if long => Trouble::Refused(failure),
            _ => Trouble::Failed(failure),
        }
    }

    /// Adds the vectors of a batch to the pools of their texts.
    fn pool(
        &self,
        batch: &[Part],
        vectors: &[Vec<f32>],
        pools: &mut [Pool],
    ) -> Result<(), Failure> {
        for (part, vector) in batch.iter().zip(vectors) {
            let (got, expected) = (vector.len(), self.space.dimension);
            if got != expected {
                let what =
                    format!("vectors of {got} components came where {expected} were expected");
                return Err(Failure::protocol(self.transport.shown(), &what));
            }
            if let Some(pool) = pools.get_mut(part.text) {
                // Exact: no text has 2^53 characters.
                pool.add(vector, part.chars().max(1) as f64)
                    .map_err(|bad| Failure::protocol(self.transport.shown(), bad.words()))?;
            }
        }
        Ok(())
    }

    fn unusable(&self, what: &str) -> ModelError {
        Failure::protocol(self.transport.shown(), what).into()
    }
}

#[async_trait]
impl Embedder for OpenAiEmbedder {
    fn space(&self) -> &Space {
        &self.space
    }

    async fn embed(&self, task: EmbedTask, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        let prefix = match task {
            EmbedTask::Query => &self.config.query_prefix,
            EmbedTask::Passage => &self.config.passage_prefix,
        };
        let mut pools = vec![Pool::new(self.space.dimension); texts.len()];
        let mut plan = Plan::new(
            texts,
            self.batch_max(),
            self.text_chars_max.load(Ordering::Relaxed),
        );
        // Finite: each batch is accepted, or replaced by smaller ones, or ends the call.
        while let Some(batch) = plan.next() {
            match self.request(prefix, &batch).await {
                Ok(vectors) => {
                    self.pool(&batch, &vectors, &mut pools)?;
                    plan.accepted(&batch);
                }
                Err(trouble) => self.go_smaller(&mut plan, batch, trouble)?,
            }
        }
        // Remembered only now: a text that is refused for its content has taught nothing about lengths.
        if let Some(chars_max) = plan.learned() {
            self.text_chars_max.fetch_min(chars_max, Ordering::Relaxed);
        }
        pools
            .into_iter()
            .map(|pool| pool.finish().map_err(|bad| self.unusable(bad.words())))
            .collect()
    }
}
