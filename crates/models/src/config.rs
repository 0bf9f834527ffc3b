//! What a remote model needs to be told.

use std::fmt;
use std::time::Duration;

use mneme_core::ports::ModelError;

use crate::address;
use crate::secret::Secret;

/// Where a remote model is, how to speak to it, and how long to try.
#[derive(Clone)]
pub struct RemoteConfig {
    /// Such as `https://api.openai.com/v1`. Required: no provider is built in.
    pub base_url: String,
    /// Sent as `Authorization: Bearer`. `None` or blank: no such header, which is what local servers want.
    pub api_key: Option<Secret>,
    /// The model's name, as the provider spells it.
    pub model: String,
    /// More headers, such as a gateway's own key.
    pub headers: Vec<(String, Secret)>,
    /// More query parameters, such as an API version.
    pub query: Vec<(String, Secret)>,
    /// A proxy for every call, loopback addresses too. `None`: the usual environment variables, which never apply to
    /// loopback addresses.
    pub proxy: Option<Secret>,
    /// Longest time of one attempt, its answer read.
    pub timeout: Duration,
    /// Longest time of one call with all its attempts and waits, counted from when it first got a slot.
    pub deadline: Duration,
    /// Attempts of one call. Being asked to wait (429) does not count as one: that is bounded by the deadline.
    pub attempts_max: u32,
    /// The wait before the second attempt; it doubles with each further one, up to sixteen times as long.
    pub backoff: Duration,
}

impl RemoteConfig {
    /// A model at a base URL, without a key: 120 seconds an attempt, 300 seconds and 5 attempts a call.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            api_key: None,
            model: model.into(),
            headers: Vec::new(),
            query: Vec::new(),
            proxy: None,
            timeout: Duration::from_secs(120),
            deadline: Duration::from_secs(300),
            attempts_max: 5,
            backoff: Duration::from_millis(500),
        }
    }

    /// The same with a key.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<Secret>) -> Self {
        self.api_key = Some(key.into());
        self
    }
}

/// Not derived: a base URL may hold credentials by mistake.
impl fmt::Debug for RemoteConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteConfig")
            .field("base_url", &address::shown_text(&self.base_url))
            .field("api_key", &self.api_key)
            .field("model", &self.model)
            .field("headers", &self.headers)
            .field("query", &self.query)
            .field("proxy", &self.proxy)
            .field("timeout", &self.timeout)
            .field("deadline", &self.deadline)
            .field("attempts_max", &self.attempts_max)
            .field("backoff", &self.backoff)
            .finish()
    }
}

/// What a remote embedder needs to be told on top.
#[derive(Debug, Clone)]
pub struct EmbedConfig {
    /// Where it is.
    pub remote: RemoteConfig,
    /// Components of its vectors; `None`: asked once when it is connected.
    pub dimension: Option<usize>,
    /// Whether the dimension goes with each request, for models that can shorten their vectors.
    pub send_dimensions: bool,
    /// Most texts in one request.
    pub batch_max: usize,
    /// Longest text that the model reads whole, characters. Longer text is embedded in parts whose mean counts; when the
    /// provider refuses a text as too long, shorter parts are found by halving and remembered.
    pub text_chars_max: usize,
    /// Put before each query, for models trained to tell the tasks apart.
    pub query_prefix: String,
    /// Put before each passage.
    pub passage_prefix: String,
    /// See [`mneme_core::ports::Space::unrelated_cosine`].
    pub unrelated_cosine: f32,
}

impl EmbedConfig {
    /// An embedder whose dimension is asked: 64 texts a request, 8,000 characters a text, no prefixes.
    #[must_use]
    pub fn new(remote: RemoteConfig) -> Self {
        Self {
            remote,
            dimension: None,
            send_dimensions: false,
            batch_max: 64,
            text_chars_max: 8_000,
            query_prefix: String::new(),
            passage_prefix: String::new(),
            unrelated_cosine: 0.0,
        }
    }
}

/// Why a remote model could not be set up. Names the setting; shows no secret.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The base URL leads nowhere.
    #[error("base URL {url:?} cannot be used: {why}")]
    BaseUrl {
        /// The URL as configured, without query and credentials.
        url: String,
        /// What is wrong with it, and what would be right.
        why: String,
    },
    /// No model is named, and none is guessed.
    #[error("no model is named for {url}")]
    NoModel {
        /// The address that would be asked.
        url: String,
    },
    /// A header's name or value, or the key, has characters that HTTP does not allow.
    #[error("the header {name:?} cannot be sent")]
    Header {
        /// Its name.
        name: String,
    },
    /// The proxy's address cannot be read.
    #[error("the proxy address cannot be used")]
    Proxy,
    /// A size is zero or too large.
    #[error("{name} must be between 1 and {max}")]
    Size {
        /// The setting.
        name: &'static str,
        /// Its bound.
        max: usize,
    },
    /// The HTTP client cannot be made, usually because the system has no root certificates.
    #[error("no HTTP client for {url}: {why}")]
    Client {
        /// The address that would be asked.
        url: String,
        /// The library's reason.
        why: String,
    },
    /// The embedder was asked for its dimension and did not answer.
    #[error("the embedder did not tell its dimension: {0}")]
    Probe(#[source] ModelError),
}
