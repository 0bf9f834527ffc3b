//! What the engine is told at its start. Every default is Memobase's where Memobase has the setting.

use std::time::Duration;

use jiff::tz::TimeZone;
use mneme_core::config::{TagSpec, Topic};
use mneme_core::distil::Language;
use mneme_core::limits;

/// The engine's settings.
#[derive(Debug, Clone)]
pub struct Options {
    /// The zone in which days begin for messages without a zone of their own.
    pub zone: TimeZone,
    /// Language of prompts, slots and contexts where the project says nothing.
    pub language: Language,
    /// Buffered tokens of a user and kind above which a batch starts.
    pub buffer_tokens_max: u32,
    /// A buffer that rests so long is flushed by itself.
    pub buffer_idle: Duration,
    /// Tokens that go into one window.
    pub window_tokens_max: u32,
    /// Keep the text of chats after they are distilled.
    pub persist_chats: bool,
    /// Only configured slots, where the project says nothing.
    pub strict: bool,
    /// Judge new slots, where the project says nothing.
    pub validate: bool,
    /// Topics instead of the built-in ones, where the project says nothing.
    pub topics: Option<Vec<Topic>>,
    /// Tags, where the project says nothing.
    pub event_tags: Vec<TagSpec>,
    /// What events are about, where the project says nothing.
    pub event_theme: Option<String>,
    /// Batches that are distilled at the same time.
    pub workers: usize,
    /// Attempts of one job before it is a dead letter.
    pub job_attempts_max: u32,
    /// How long a claimed job is safe without a heartbeat.
    pub lease: Duration,
    /// Longest answer of a model, tokens.
    pub answer_tokens_max: u32,
    /// How long a batch waits for its vectors before it is stored without them.
    pub embed_patience: Duration,
    /// Distil with the built-in rules when the model cannot be reached, instead of trying again later.
    pub fall_back_to_rules: bool,
    /// Take passwords and keys out of what comes in, before it is written.
    pub redact_secrets: bool,
    /// How long a shutdown lets running batches finish.
    pub drain: Duration,
    /// How long finished jobs and idempotency keys are kept.
    pub retention: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            zone: TimeZone::UTC,
            language: Language::En,
            buffer_tokens_max: limits::BUFFER_TOKENS_MAX,
            buffer_idle: Duration::from_secs(limits::BUFFER_IDLE_SECONDS),
            window_tokens_max: limits::WINDOW_TOKENS_MAX,
            persist_chats: false,
            strict: false,
            validate: true,
            topics: None,
            event_tags: Vec::new(),
            event_theme: None,
            workers: 16,
            job_attempts_max: limits::JOB_ATTEMPTS_MAX,
            lease: Duration::from_secs(limits::LEASE_SECONDS),
            answer_tokens_max: 2048,
            embed_patience: Duration::from_secs(20),
            fall_back_to_rules: false,
            redact_secrets: true,
            drain: Duration::from_secs(10),
            retention: Duration::from_secs(7 * 24 * 3600),
        }
    }
}
