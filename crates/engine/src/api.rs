//! The values that go into and come out of the engine's verbs.

use std::collections::BTreeMap;

use mneme_core::distil::EventTag;
use mneme_core::id::{JobId, MemoryId, SourceId};
use mneme_core::job::{JobError, JobState};
use mneme_core::memory::Memory;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What an insert did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inserted {
    /// The source's id; the first write's when this one is a repeat.
    pub source: SourceId,
    /// The batch job that it started, when the buffer ran over.
    pub job: Option<JobId>,
    /// Whether it was a repeat (same idempotency key).
    pub repeated: bool,
}

/// What one committed batch did to the profile and the timeline.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct BatchResult {
    /// The event that was made; `None` when nothing worth keeping was said.
    pub event: Option<MemoryId>,
    /// Profile memories that are new.
    pub added: Vec<MemoryId>,
    /// Profile memories that have a new state.
    pub updated: Vec<MemoryId>,
    /// Profile memories that are gone.
    pub deleted: Vec<MemoryId>,
    /// Gists that are new.
    #[serde(default)]
    pub gists: u32,
    /// Parts of the model's answer that could not be used.
    #[serde(default)]
    pub defects: Vec<mneme_core::distil::Defect>,
}

/// How a job's current attempt ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The job is in a final state; one result for each committed batch.
    Finished(JobState, Vec<BatchResult>),
    /// The attempt failed; the sources are still buffered.
    Failed(JobError),
    /// The job is gone: its user was erased meanwhile.
    Gone,
}

/// Which profile memories, in which order, and how much of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProfileQuery {
    /// Topics that come first, in this order.
    pub prefer_topics: Vec<String>,
    /// Only these topics when given; an empty list keeps nothing.
    pub only_topics: Option<Vec<String>>,
    /// At most so many of one topic; negative: all; 0 is as if not given.
    pub max_subtopic_size: Option<i64>,
    /// The same for single topics; here 0 drops the topic.
    pub topic_limits: BTreeMap<String, i64>,
    /// At most so many in all; 0 is as if not given; negative drops that many from the end.
    pub topk: Option<i64>,
    /// At most so many tokens, but always one memory; 0 is as if not given.
    pub max_token_size: Option<i64>,
    /// Let the language model pick by what was said last; ignored where no model is configured.
    pub chats: Vec<ChatMessage>,
}

/// A message of a conversation that a read is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// `user` or `assistant`.
    pub role: String,
    /// The words.
    pub content: String,
}

/// Which events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventQuery {
    /// At most so many.
    pub topk: usize,
    /// Stop before the tokens of tags and notes are more than this; 0 keeps none.
    pub max_token_size: Option<i64>,
    /// Only of the last so many days; `None`: all.
    pub days: Option<i64>,
}

/// A search by meaning.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchQuery {
    /// The question.
    pub query: String,
    /// At most so many.
    pub topk: usize,
    /// Only with a similarity strictly above this.
    pub threshold: f32,
    /// Only of the last so many days.
    pub days: Option<i64>,
}

/// A memory that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The memory.
    pub memory: Memory,
    /// Its similarity by vector, calibrated to 0..=1 (0 = unrelated).
    pub similarity: f32,
}

/// What to change on an event; `None` leaves a part alone.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EventPatch {
    /// New notes; the gists follow.
    pub event_tip: Option<String>,
    /// New tags.
    pub event_tags: Option<Vec<EventTag>>,
    /// New record of what changed in the profile.
    pub profile_delta: Option<Vec<Value>>,
}

/// A context request.
#[derive(Debug, Clone, PartialEq)]
pub struct ContextQuery {
    /// Tokens in all.
    pub max_token_size: i64,
    /// The profile part's selection; its own `max_token_size` and `chats` are not used.
    pub profile: ProfileQuery,
    /// The share of the profile, 0 < r <= 1.
    pub profile_event_ratio: f64,
    /// The conversation that it is for.
    pub chats: Vec<ChatMessage>,
    /// Only gists more similar than this.
    pub event_similarity_threshold: f32,
    /// Only gists of the last so many days.
    pub days: Option<i64>,
    /// Another template with `{profile_section}` and `{event_section}`.
    pub customize_prompt: Option<String>,
    /// Keep the whole profile instead of letting the model pick.
    pub full_profile: bool,
    /// Let gists use what the profile left over.
    pub fill_window_with_events: bool,
    /// Count the template's own words into the budget, so that the whole text fits. Memobase does not.
    pub count_template: bool,
}

impl Default for ContextQuery {
    fn default() -> Self {
        Self {
            max_token_size: 1000,
            profile: ProfileQuery::default(),
            profile_event_ratio: 0.6,
            chats: Vec::new(),
            event_similarity_threshold: 0.2,
            days: Some(180),
            customize_prompt: None,
            full_profile: true,
            fill_window_with_events: false,
            count_template: false,
        }
    }
}

/// A memory that recall found, with its reasons.
#[derive(Debug, Clone, PartialEq)]
pub struct Recalled {
    /// The memory.
    pub memory: Memory,
    /// 0 to 1, higher is better.
    pub score: f32,
    /// By vector, calibrated; `None` when the memory has no vector yet or the search went without.
    pub similarity: Option<f32>,
    /// By words.
    pub coverage: f32,
}

/// A recall request.
#[derive(Debug, Clone, PartialEq)]
pub struct RecallQuery {
    /// The question.
    pub query: String,
    /// Only these kinds; empty: slots and gists.
    pub kinds: Vec<mneme_core::memory::Kind>,
    /// At most so many.
    pub limit: usize,
    /// Only with at least this score.
    pub floor: f32,
}

/// Attributes of a profile memory beyond its slot.
pub type Attributes = Map<String, Value>;
