//! What the core's plans need from the outside, named in the product's own words.
//!
//! A port states semantics, not mechanism. Each method is one question of the domain; an adapter answers it with its
//! best native means. "Not found" is `Option`, never an error. Every storage method has a case in the conformance
//! suite of the store crate.

use std::collections::BTreeMap;

use async_trait::async_trait;
use serde_json::Value;

use crate::change::{ChangeSet, Version};
use crate::id::{BufferId, JobId, MemoryId, ProjectId, SourceId, UserId, UserKey};
use crate::job::{Job, JobError, JobState, Lease};
use crate::memory::{Kind, Memory, Provenance, Revision};
use crate::source::{Source, SourceKind};
use crate::time::Timestamp;
use crate::usage::Usage;

// ------------------------------------------------------------------------------------------------ errors

/// What callers of a store tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StoreErrorKind {
    /// The user or project that the write belongs to does not exist.
    NoSuchOwner,
    /// The user's version moved on: plan again.
    Conflict,
    /// The lease is no longer ours: somebody else works on the job, or it is gone.
    LeaseLost,
    /// The same idempotency key came with another content.
    KeyReused,
    /// The store cannot be reached or is overloaded; trying again later may help.
    Unavailable,
    /// No room.
    Full,
    /// Another process holds the database, or its schema is not ours.
    Unusable,
    /// Anything else; a fault of ours or of the database.
    Internal,
}

/// A store's failure. The message holds no user text and no secret.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct StoreError {
    /// What callers match on.
    pub kind: StoreErrorKind,
    /// One sentence.
    pub message: String,
}

impl StoreError {
    /// An error of that kind.
    pub fn new(kind: StoreErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }
}

/// What a store answers.
pub type StoreResult<T> = Result<T, StoreError>;

/// What callers of a model tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ModelErrorKind {
    /// No answer, a connection error, a server error: worth another try.
    Unavailable,
    /// No answer within the time allowed.
    Timeout,
    /// The provider asks us to wait (429).
    RateLimited,
    /// The provider refuses the request: bad key, unknown model, input too long.
    Rejected,
    /// The answer is not what the protocol says.
    Protocol,
}

/// A model's failure. The message holds no prompt, no answer and no key.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct ModelError {
    /// What callers match on.
    pub kind: ModelErrorKind,
    /// One sentence; names the address tried and the status.
    pub message: String,
    /// The provider's `Retry-After`, seconds.
    pub retry_after_seconds: Option<u64>,
}

// ------------------------------------------------------------------------------------------------ users

/// A user as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct User {
    /// Project and id.
    pub owner: UserKey,
    /// The text that named the user where it is not the id itself.
    pub name: Option<String>,
    /// Whatever the caller keeps with the user, verbatim.
    pub fields: Option<Value>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its fields last changed.
    pub updated_at: Timestamp,
}

/// What an erase removed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EraseReceipt {
    /// Rows removed, by table.
    pub rows: BTreeMap<String, u64>,
}

/// Users and their total erasure.
#[async_trait]
pub trait Users: Send + Sync {
    /// Makes the user. `false` when it exists already; then nothing changes.
    async fn create_user(&self, user: &User) -> StoreResult<bool>;
    /// The user, or `None`.
    async fn user(&self, owner: &UserKey) -> StoreResult<Option<User>>;
    /// Replaces the user's fields. `false` when there is no such user.
    async fn set_user_fields(
        &self,
        owner: &UserKey,
        fields: Option<Value>,
        now: Timestamp,
    ) -> StoreResult<bool>;
    /// Removes every row of the user in every table, running jobs included. `None` when there is no such user.
    async fn erase_user(&self, owner: &UserKey) -> StoreResult<Option<EraseReceipt>>;
}

// ------------------------------------------------------------------------------------------------ inbox

/// A source that is about to be stored.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSource {
    /// The source.
    pub source: Source,
    /// Its place in the buffer and its size there; `None` for kinds that are not distilled.
    pub buffer: Option<NewBuffer>,
}

/// A place in the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewBuffer {
    /// Its id.
    pub id: BufferId,
    /// o200k tokens of the text form.
    pub tokens: u32,
}

/// When appending starts a batch by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlushPolicy {
    /// Start one when the idle tokens of a user and kind are more than this.
    pub tokens_max: u32,
    /// The id that the job gets.
    pub job: JobId,
    /// Start one by itself when nothing more comes for this long, seconds.
    pub idle_seconds: u64,
}

/// Makes a write safe to repeat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    /// The caller's key, unique per user.
    pub key: String,
    /// A hash of what was sent with it.
    pub content_hash: String,
}

/// What an append did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appended {
    /// The ids of the sources, in order; those of the first write when this one is a repeat.
    pub sources: Vec<SourceId>,
    /// The batch job that it started.
    pub job: Option<JobId>,
    /// Whether it was a repeat of an earlier write.
    pub repeated: bool,
}

/// How far a buffered source is. The names are Memobase's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BufferState {
    /// Waits.
    Idle,
    /// Belongs to a job that is queued or runs.
    Processing,
    /// Its job's last attempt failed; it will be taken along by the next one.
    Failed,
    /// Distilled.
    Done,
}

impl BufferState {
    /// All states.
    pub const ALL: [Self; 4] = [Self::Idle, Self::Processing, Self::Failed, Self::Done];

    /// The name in the stores and on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Processing => "processing",
            Self::Failed => "failed",
            Self::Done => "done",
        }
    }

    /// The state of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }
}

/// A buffered source that a worker took.
#[derive(Debug, Clone, PartialEq)]
pub struct Buffered {
    /// Its place in the buffer.
    pub buffer: BufferId,
    /// Its size.
    pub tokens: u32,
    /// The source.
    pub source: Source,
}

/// A page of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// Rows to skip.
    pub offset: usize,
    /// Rows to return at most.
    pub limit: usize,
}

/// Sources and the buffer.
#[async_trait]
pub trait Inbox: Send + Sync {
    /// Stores sources with their buffer rows and, when the policy says so, the job that distils them: one transaction,
    /// durable when it returns. Fails with `NoSuchOwner` for an unknown user. All sources are of one kind.
    async fn append(
        &self,
        owner: &UserKey,
        sources: Vec<NewSource>,
        policy: FlushPolicy,
        idempotency: Option<Idempotency>,
        now: Timestamp,
    ) -> StoreResult<Appended>;
    /// One source.
    async fn source(&self, owner: &UserKey, id: SourceId) -> StoreResult<Option<Source>>;
    /// Ids of the sources of that kind, oldest first. Empty for an unknown user.
    async fn source_ids(
        &self,
        owner: &UserKey,
        kind: SourceKind,
        page: Page,
    ) -> StoreResult<Vec<SourceId>>;
    /// Removes a source and its buffer row. `false` when there is none.
    async fn delete_source(&self, owner: &UserKey, id: SourceId) -> StoreResult<bool>;
    /// Buffer rows of that kind and state, oldest first.
    async fn buffered(
        &self,
        owner: &UserKey,
        kind: SourceKind,
        state: BufferState,
    ) -> StoreResult<Vec<BufferId>>;
    /// Puts all idle rows of that kind under a new job with the given id. When none is idle but rows wait for another
    /// try, their job is made due now and returned, and so is a job that is queued or runs. `None` when there is
    /// nothing to wait for.
    async fn flush(
        &self,
        owner: &UserKey,
        kind: SourceKind,
        job: JobId,
        now: Timestamp,
    ) -> StoreResult<Option<JobId>>;
    /// Buffers whose idle time is over, at most `limit`, the longest waiting first.
    async fn idle_due(
        &self,
        now: Timestamp,
        limit: usize,
    ) -> StoreResult<Vec<(UserKey, SourceKind)>>;
    /// The next sources of a claimed job in the order they came in, up to `tokens_max` (at least one). Empty when all
    /// are done. Fails with `LeaseLost`.
    async fn take(
        &self,
        owner: &UserKey,
        lease: Lease,
        tokens_max: u32,
    ) -> StoreResult<Vec<Buffered>>;
}

// ------------------------------------------------------------------------------------------------ jobs

/// A job that a worker holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Claimed {
    /// The job, its `attempt` counted up already.
    pub job: Job,
    /// The right to work on it.
    pub lease: Lease,
}

/// Which jobs a listing shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JobFilter {
    /// Only of this user.
    pub user: Option<UserId>,
    /// Only in this state.
    pub state: Option<JobState>,
}

/// Counts of jobs and the age of the oldest one that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueueStats {
    /// Jobs that wait.
    pub queued: u64,
    /// Jobs that run.
    pub running: u64,
    /// Dead letters.
    pub dead: u64,
    /// When the oldest waiting job was asked for.
    pub oldest_queued_at: Option<Timestamp>,
}

/// Leased background work.
#[async_trait]
pub trait Jobs: Send + Sync {
    /// Claims the oldest job that is due, or whose lease has run out, and of whose user no other job runs. Rows that
    /// failed in earlier jobs of the same user and kind are taken along; jobs that lose all their rows that way become
    /// `superseded`. The fence is higher than at any earlier claim of the job.
    async fn claim(
        &self,
        worker: &str,
        lease_until: Timestamp,
        now: Timestamp,
    ) -> StoreResult<Option<Claimed>>;
    /// Keeps the lease alive. Fails with `LeaseLost`.
    async fn heartbeat(
        &self,
        owner: &UserKey,
        lease: Lease,
        lease_until: Timestamp,
    ) -> StoreResult<()>;
    /// Ends a job without a change of memory. Fails with `LeaseLost`.
    async fn finish(
        &self,
        owner: &UserKey,
        lease: Lease,
        state: JobState,
        now: Timestamp,
    ) -> StoreResult<()>;
    /// Ends an attempt that failed: rows become `failed`, the job waits until `retry_at`, or is dead when that is
    /// `None`. Usage of the attempt is booked all the same. Fails with `LeaseLost`.
    async fn fail(
        &self,
        owner: &UserKey,
        lease: Lease,
        error: JobError,
        retry_at: Option<Timestamp>,
        usage: Vec<Usage>,
        now: Timestamp,
    ) -> StoreResult<()>;
    /// Gives a job back untouched (shutdown): the attempt does not count. Fails with `LeaseLost`.
    async fn release(&self, owner: &UserKey, lease: Lease, now: Timestamp) -> StoreResult<()>;
    /// One job.
    async fn job(&self, project: &ProjectId, id: JobId) -> StoreResult<Option<Job>>;
    /// Jobs of a project, newest first.
    async fn jobs(
        &self,
        project: &ProjectId,
        filter: JobFilter,
        page: Page,
    ) -> StoreResult<Vec<Job>>;
    /// Makes a dead job due again with its attempts counted from zero. `false` when it is not dead.
    async fn replay(&self, project: &ProjectId, id: JobId, now: Timestamp) -> StoreResult<bool>;
    /// The next moment at which some job becomes due by itself.
    async fn next_due(&self) -> StoreResult<Option<Timestamp>>;
    /// How long the queue is.
    async fn queue_stats(&self) -> StoreResult<QueueStats>;
}

// ------------------------------------------------------------------------------------------------ memories

/// What a plan is made against.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Snapshot {
    /// The user's version.
    pub version: Version,
    /// All current profile memories, the most recently updated first; those of one moment in the order of their
    /// ordinals.
    pub profile: Vec<Memory>,
}

/// Which memories a timeline shows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TimelineFilter {
    /// Only of these kinds; empty: all.
    pub kinds: Vec<Kind>,
    /// Only recorded at or after this.
    pub recorded_from: Option<Timestamp>,
}

/// Memories, and the only way to change them.
#[async_trait]
pub trait Memories: Send + Sync {
    /// The user's version and profile. Version zero and empty for an unknown user.
    async fn snapshot(&self, owner: &UserKey) -> StoreResult<Snapshot>;
    /// Applies a change set in one transaction or not at all. `expected` is checked when given (`Conflict`); the lease
    /// of `change.job` is checked when given (`LeaseLost`); an unknown user is `NoSuchOwner`. New memories that a
    /// tombstone names are left out. Vectors belong to `space`; memories that have an `embed_text` and no vector are
    /// put on the backlog of that space.
    async fn commit(
        &self,
        owner: &UserKey,
        expected: Option<Version>,
        change: ChangeSet,
        space: &str,
        now: Timestamp,
    ) -> StoreResult<Version>;
    /// Memories by id, in the order of the ids; ids that are not there are left out.
    async fn memories(&self, owner: &UserKey, ids: &[MemoryId]) -> StoreResult<Vec<Memory>>;
    /// Memories newest first (recorded time, then the order inside one event reversed last: gists of one event keep
    /// their line order).
    async fn timeline(
        &self,
        owner: &UserKey,
        filter: TimelineFilter,
        page: Page,
    ) -> StoreResult<Vec<Memory>>;
    /// The children of one memory in their order.
    async fn children(&self, owner: &UserKey, parent: MemoryId) -> StoreResult<Vec<Memory>>;
    /// Earlier states of a memory, the latest first.
    async fn revisions(&self, owner: &UserKey, id: MemoryId) -> StoreResult<Vec<Revision>>;
    /// Which words a memory rests on, in the order they came.
    async fn provenance(&self, owner: &UserKey, id: MemoryId) -> StoreResult<Vec<Provenance>>;
}

// ------------------------------------------------------------------------------------------------ recall

/// One memory that has a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    /// The memory.
    pub memory: MemoryId,
    /// How often the term is in it.
    pub count: u32,
    /// How many terms the memory has in all.
    pub length: u32,
}

/// Complete statistics of one user for a set of terms: enough for BM25, and nobody else's data in it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Postings {
    /// Memories of the user of the kinds asked for.
    pub documents: u64,
    /// The sum of their lengths.
    pub length_total: u64,
    /// For each term asked for, in order, the memories that have it.
    pub terms: Vec<Vec<Posting>>,
}

/// Where a search by vector looks.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NearestQuery {
    /// Only these kinds.
    pub kinds: Vec<Kind>,
    /// The embedder's space; vectors of others are never compared.
    pub space: String,
    /// The unit query vector.
    pub vector: Vec<f32>,
    /// At most so many.
    pub limit: usize,
    /// Only recorded at or after this.
    pub recorded_from: Option<Timestamp>,
}

/// A memory that waits for its vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unembedded {
    /// Whose.
    pub owner: UserKey,
    /// Which.
    pub memory: MemoryId,
    /// The revision that the text belongs to.
    pub revision: u32,
    /// The text to embed.
    pub text: String,
}

/// What recall reads, and the backlog of vectors.
#[async_trait]
pub trait RecallIndex: Send + Sync {
    /// Who has these terms, with the user's own statistics over those kinds.
    async fn postings(
        &self,
        owner: &UserKey,
        kinds: &[Kind],
        terms: &[String],
    ) -> StoreResult<Postings>;
    /// The nearest memories by cosine, exact, best first; ties by id.
    async fn nearest(
        &self,
        owner: &UserKey,
        query: NearestQuery,
    ) -> StoreResult<Vec<(MemoryId, f32)>>;
    /// Memories whose vectors are missing, oldest first.
    async fn unembedded(&self, space: &str, limit: usize) -> StoreResult<Vec<Unembedded>>;
    /// How many memories of a user wait for their vectors; of everybody when `owner` is `None`.
    async fn unembedded_count(&self, space: &str, owner: Option<&UserKey>) -> StoreResult<u64>;
    /// Stores vectors that were made for the given revisions; those of memories that changed or went meanwhile are
    /// dropped. Returns how many were stored.
    async fn put_vectors(
        &self,
        space: &str,
        vectors: Vec<(Unembedded, Vec<f32>)>,
    ) -> StoreResult<usize>;
}

// ------------------------------------------------------------------------------------------------ tenants and upkeep

/// A project as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Its id.
    pub id: ProjectId,
    /// Its profile configuration, the raw text; empty when unset.
    pub profile_config: String,
}

/// Usage of one project on one day (UTC), by call kind name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageRow {
    /// `2026-11-29`.
    pub day: String,
    /// Call kind, or `insert`.
    pub call: String,
    /// Calls.
    pub calls: u64,
    /// Tokens in.
    pub prompt_tokens: u64,
    /// Tokens out.
    pub completion_tokens: u64,
}

/// Projects, their configuration and what they used.
#[async_trait]
pub trait Tenants: Send + Sync {
    /// The project, or `None`.
    async fn project(&self, id: &ProjectId) -> StoreResult<Option<Project>>;
    /// Makes the project if it is not there.
    async fn ensure_project(&self, id: &ProjectId, now: Timestamp) -> StoreResult<()>;
    /// Replaces its profile configuration. `false` when there is no such project.
    async fn set_profile_config(
        &self,
        id: &ProjectId,
        text: &str,
        now: Timestamp,
    ) -> StoreResult<bool>;
    /// What was used since that day, newest first. Each commit and failed attempt books what it cost, each append one
    /// `insert`.
    async fn usage(&self, id: &ProjectId, since_day: &str) -> StoreResult<Vec<UsageRow>>;
}

/// Keeping the store itself well.
#[async_trait]
pub trait Upkeep: Send + Sync {
    /// Whether the store answers: reads and writes something small.
    async fn health(&self) -> StoreResult<()>;
    /// Housekeeping that may run at any time: checkpoints, statistics, removal of final jobs and idempotency keys
    /// older than `before`; keys that begin with `import:` stay. Returns how many rows it removed.
    async fn tidy(&self, before: Timestamp) -> StoreResult<u64>;
    /// Removes everything that marks a clean end: after it no call is answered.
    async fn close(&self) -> StoreResult<()>;
}

/// A whole store.
pub trait Store:
    Users + Inbox + Jobs + Memories + RecallIndex + Tenants + Upkeep + 'static
{
}
impl<T: Users + Inbox + Jobs + Memories + RecallIndex + Tenants + Upkeep + 'static> Store for T {}

// ------------------------------------------------------------------------------------------------ models, clock, ids

/// One request to a language model: a stable instruction and one user message.
#[derive(Debug, Clone, PartialEq)]
pub struct LlmRequest {
    /// The instruction; the same bytes for every user of a project, so that provider-side prompt caches hit.
    pub system: String,
    /// The input.
    pub user: String,
    /// Longest answer, tokens.
    pub answer_tokens_max: u32,
    /// 0 to 2.
    pub temperature: f32,
}

/// A language model's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LlmReply {
    /// The text; empty when the provider sent none.
    pub text: String,
    /// Whether the answer was cut off at its length limit.
    pub cut_off: bool,
    /// Tokens in and out, where the provider counts them.
    pub tokens: Option<(u64, u64)>,
}

/// A language model.
#[async_trait]
pub trait Llm: Send + Sync {
    /// Asks once; retries of the transport are the adapter's business, all calls share one limiter.
    async fn complete(&self, request: &LlmRequest) -> Result<LlmReply, ModelError>;
    /// The model's name.
    fn model(&self) -> &str;
}

/// What a vector is for; some models are trained to tell the two apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EmbedTask {
    /// A question.
    Query,
    /// A text that will be searched.
    Passage,
}

/// An embedder's space: vectors of one space can be compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Space {
    /// Provider, model and dimension in one text, such as `local/e5-small-enzh-int8/384`.
    pub name: String,
    /// Components of a vector.
    pub dimension: usize,
    /// The cosine of unrelated texts in this space, measured. Similarities are shown as
    /// `(cosine - unrelated) / (1 - unrelated)`, so that one floor means the same with every embedder.
    pub unrelated_cosine: f32,
}

/// Makes vectors.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// Where its vectors live.
    fn space(&self) -> &Space;
    /// One unit vector for each text, in order; text of any length. An answer with another count or dimension is an
    /// error of kind `Protocol`.
    async fn embed(&self, task: EmbedTask, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError>;
}

/// Counts o200k tokens.
#[async_trait]
pub trait TokenCounter: Send + Sync {
    /// The count of each text; special-token spellings count as plain text. Never runs on an async worker.
    async fn count(&self, texts: Vec<String>) -> Vec<u32>;
}

/// What time it is.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;
}

/// Fresh ids.
pub trait Ids: Send + Sync {
    /// A random version-4 UUID.
    fn next(&self) -> uuid::Uuid;
}
