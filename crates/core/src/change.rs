//! The change set: everything that one batch, or one edit, does to a user's memory, as a plain value.
//!
//! A store applies it in one transaction or not at all, under the batch's fencing token and the version of the user
//! that it was planned against. Event, profile and buffer can therefore never disagree.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::id::{BufferId, MemoryId, SourceId};
use crate::job::{JobState, Lease};
use crate::memory::{Memory, Provenance, Reason};
use crate::usage::Usage;

/// Counts the commits on one user's memory. Optimistic: a plan made against an older version is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Version(pub i64);

/// What the indexes keep of one memory.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct IndexEntry {
    /// Terms with their counts, as [`crate::analyze`] makes them.
    pub terms: BTreeMap<String, u32>,
    /// The sum of all counts.
    pub length: u32,
    /// The vector, if it could be made in time; otherwise it follows in the background.
    pub vector: Option<Vec<f32>>,
    /// The text that vectors are made of; `None` for memories that are never searched by vector.
    pub embed_text: Option<String>,
}

/// A memory together with its index entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Indexed {
    /// The memory as it will be.
    pub memory: Memory,
    /// Its terms and vector.
    pub index: IndexEntry,
}

/// A new state of a memory that exists.
#[derive(Debug, Clone, PartialEq)]
pub struct Revised {
    /// The new state; its `revision` is one more than the state it was planned against.
    pub next: Indexed,
    /// Why.
    pub reason: Reason,
}

/// What happens to the job under whose lease the change is made.
#[derive(Debug, Clone, PartialEq)]
pub struct JobStep {
    /// Proof that the job is ours.
    pub lease: Lease,
    /// One more entry for the job's result.
    pub result: Option<Value>,
    /// The final state, or `None` when more batches follow.
    pub finish: Option<JobState>,
}

/// Every effect of one batch or one edit.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChangeSet {
    /// Memories that are new.
    pub add: Vec<Indexed>,
    /// Memories that get a new state; the old one is kept as a revision.
    pub revise: Vec<Revised>,
    /// Memories that were said again and stay as they are: only `updated_at` moves.
    pub confirm: Vec<MemoryId>,
    /// Memories that are forgotten with all that belongs to them: children, revisions, provenance, indexes. Only a
    /// tombstone stays, which keeps the same words of the same source from coming back.
    pub forget: Vec<MemoryId>,
    /// Which words the new states rest on.
    pub provenance: Vec<Provenance>,
    /// Buffer rows that are distilled now.
    pub buffer_done: Vec<BufferId>,
    /// Sources whose text need not be kept (projects that do not persist chats). Their buffer rows go too.
    pub drop_sources: Vec<SourceId>,
    /// What it cost.
    pub usage: Vec<Usage>,
    /// The job's own progress.
    pub job: Option<JobStep>,
}

impl ChangeSet {
    /// Whether applying it would change any memory.
    #[must_use]
    pub fn touches_memory(&self) -> bool {
        !(self.add.is_empty()
            && self.revise.is_empty()
            && self.confirm.is_empty()
            && self.forget.is_empty())
    }
}
