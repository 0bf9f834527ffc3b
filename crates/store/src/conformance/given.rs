//! Fixed values that the cases are made of, and the few steps that most of them begin with.

use std::collections::BTreeMap;

use mneme_core::change::{ChangeSet, IndexEntry, Indexed, JobStep, Revised, Version};
use mneme_core::id::{BufferId, JobId, MemoryId, ProjectId, SourceId, SubScope, UserId, UserKey};
use mneme_core::job::{FailureKind, JobError, JobState, Lease};
use mneme_core::memory::{Kind, Memory, Provenance, Reason, Slot, Times};
use mneme_core::ports::{
    Appended, Claimed, FlushPolicy, NewBuffer, NewSource, Page, Store, StoreErrorKind, StoreResult,
    User,
};
use mneme_core::source::{Source, SourceKind};
use mneme_core::time::Timestamp;
use serde_json::{Map, json};
use uuid::Uuid;

/// The space that vectors of most cases live in.
pub const SPACE: &str = "test/two/2";

/// Everything on one page.
pub const ALL: Page = Page {
    offset: 0,
    limit: 1000,
};

/// That many seconds after the cases begin (2026-11-29 00:00 UTC).
#[must_use]
pub fn at(seconds: i64) -> Timestamp {
    Timestamp(1_795_910_400_000_000).plus_seconds(seconds)
}

/// The id of that number; ids of different types may share a number.
#[must_use]
pub fn uuid(number: u128) -> Uuid {
    uuid::Builder::from_random_bytes(number.to_be_bytes()).into_uuid()
}

/// A job's id.
#[must_use]
pub fn job(number: u128) -> JobId {
    JobId(uuid(number))
}

/// A memory's id.
#[must_use]
pub fn memory_id(number: u128) -> MemoryId {
    MemoryId(uuid(number))
}

/// A source's id.
#[must_use]
pub fn source_id(number: u128) -> SourceId {
    SourceId(uuid(number))
}

/// The id of the place in the buffer that [`chat`] gives the source of that number.
#[must_use]
pub fn buffer_id(number: u128) -> BufferId {
    BufferId(uuid(number.wrapping_add(0x1_0000_0000)))
}

/// A user of the project `p`.
#[must_use]
pub fn owner(number: u128) -> UserKey {
    owner_in("p", number)
}

/// A user of a project.
#[must_use]
pub fn owner_in(project: &str, number: u128) -> UserKey {
    UserKey {
        project: ProjectId(project.to_owned()),
        user: UserId(uuid(number)),
    }
}

/// Makes a user of the project `p`, and the project.
pub async fn user(store: &dyn Store, number: u128) -> UserKey {
    user_in(store, "p", number).await
}

/// Makes a user and its project.
pub async fn user_in(store: &dyn Store, project: &str, number: u128) -> UserKey {
    let owner = owner_in(project, number);
    store.ensure_project(&owner.project, at(0)).await.unwrap();
    let user = User {
        owner: owner.clone(),
        name: None,
        fields: None,
        created_at: at(0),
        updated_at: at(0),
    };
    assert!(
        store.create_user(&user).await.unwrap(),
        "the store was not empty"
    );
    owner
}

/// A chat of one turn.
#[must_use]
pub fn source(number: u128, text: &str) -> Source {
    Source {
        id: source_id(number),
        scope: SubScope::default(),
        kind: SourceKind::Chat,
        body: json!({"messages": [{"role": "user", "content": text}]}),
        fields: None,
        said_at: at(0),
        received_at: at(0),
    }
}

/// A chat that is about to be buffered; its text is made of its number.
#[must_use]
pub fn chat(number: u128, tokens: u32) -> NewSource {
    let buffer = Some(NewBuffer {
        id: buffer_id(number),
        tokens,
    });
    NewSource {
        source: source(number, &format!("words of source {number}")),
        buffer,
    }
}

/// Starts job `number` above 100 idle tokens, and is due after a minute of rest.
#[must_use]
pub fn policy(number: u128) -> FlushPolicy {
    FlushPolicy {
        tokens_max: 100,
        job: job(number),
        idle_seconds: 60,
    }
}

/// Appends chats; a job that this starts has the number of the first one.
pub async fn append(
    store: &dyn Store,
    owner: &UserKey,
    numbers: &[u128],
    tokens: u32,
    now: Timestamp,
) -> Appended {
    let sources = numbers.iter().map(|number| chat(*number, tokens)).collect();
    let first = numbers.first().copied().unwrap_or_default();
    store
        .append(owner, sources, policy(first), None, now)
        .await
        .unwrap()
}

/// Appends one chat that is large enough to start the job of its number.
pub async fn start_job(store: &dyn Store, owner: &UserKey, number: u128, now: Timestamp) -> JobId {
    append(store, owner, &[number], 101, now)
        .await
        .job
        .expect("more than the threshold starts a job")
}

/// Claims for a minute; panics when there is nothing.
pub async fn claim(store: &dyn Store, now: Timestamp) -> Claimed {
    store
        .claim("worker", now.plus_seconds(60), now)
        .await
        .unwrap()
        .expect("a job is due")
}

/// Claims for a minute; which job that was.
pub async fn claimed_job(store: &dyn Store, now: Timestamp) -> Option<JobId> {
    store
        .claim("worker", now.plus_seconds(60), now)
        .await
        .unwrap()
        .map(|claimed| claimed.job.id)
}

/// The numbers of the sources that a lease gives, in order.
pub async fn taken(store: &dyn Store, owner: &UserKey, lease: Lease) -> Vec<SourceId> {
    store
        .take(owner, lease, u32::MAX)
        .await
        .unwrap()
        .into_iter()
        .map(|row| row.source.id)
        .collect()
}

/// A failed attempt.
#[must_use]
pub fn failure() -> JobError {
    JobError {
        stage: "extract".to_owned(),
        kind: FailureKind::Unavailable,
        message: "no answer".to_owned(),
    }
}

/// The state of a job.
pub async fn state_of(store: &dyn Store, owner: &UserKey, id: JobId) -> JobState {
    store
        .job(&owner.project, id)
        .await
        .unwrap()
        .expect("the job is there")
        .state
}

/// A plain memory.
#[must_use]
pub fn memory(number: u128, kind: Kind, content: &str) -> Memory {
    Memory {
        id: memory_id(number),
        kind,
        scope: SubScope::default(),
        slot: None,
        parent: None,
        ordinal: 0,
        content: content.to_owned(),
        data: Map::new(),
        speaker: None,
        times: Times {
            mentioned_at: None,
            happened: None,
            valid_from: None,
            valid_to: None,
            recorded_at: at(0),
        },
        updated_at: at(0),
        importance: 0.5,
        tokens: 3,
        revision: 1,
    }
}

/// A profile memory.
#[must_use]
pub fn slot(number: u128, topic: &str, sub_topic: &str, content: &str) -> Memory {
    Memory {
        slot: Some(Slot::new(topic, sub_topic)),
        ..memory(number, Kind::Profile, content)
    }
}

/// A memory indexed by the words of its content, with no vector and none wanted.
#[must_use]
pub fn indexed(memory: Memory) -> Indexed {
    let mut terms = BTreeMap::new();
    for word in memory.content.split_whitespace() {
        *terms.entry(word.to_lowercase()).or_insert(0) += 1;
    }
    let length = terms.values().sum();
    Indexed {
        memory,
        index: IndexEntry {
            terms,
            length,
            vector: None,
            embed_text: None,
        },
    }
}

/// Like [`indexed`], with a vector.
#[must_use]
pub fn with_vector(memory: Memory, vector: &[f32]) -> Indexed {
    let mut indexed = indexed(memory);
    indexed.index.embed_text = Some(indexed.memory.content.clone());
    indexed.index.vector = Some(vector.to_vec());
    indexed
}

/// Like [`indexed`], waiting for its vector.
#[must_use]
pub fn without_vector(memory: Memory) -> Indexed {
    let mut indexed = indexed(memory);
    indexed.index.embed_text = Some(indexed.memory.content.clone());
    indexed
}

/// The next state of a memory with another content.
#[must_use]
pub fn next(memory: &Memory, content: &str, now: Timestamp) -> Memory {
    Memory {
        content: content.to_owned(),
        revision: memory.revision + 1,
        updated_at: now,
        ..memory.clone()
    }
}

/// A revision to that state.
#[must_use]
pub fn revised(next: Memory) -> Revised {
    Revised {
        next: indexed(next),
        reason: Reason::Superseded,
    }
}

/// The link from a memory's first state to a whole source.
#[must_use]
pub fn link(memory: u128, source: u128) -> Provenance {
    Provenance {
        memory: memory_id(memory),
        revision: 1,
        source: source_id(source),
        turn: None,
        speaker: None,
        said_at: None,
    }
}

/// A change that adds memories.
#[must_use]
pub fn adding(memories: Vec<Memory>) -> ChangeSet {
    ChangeSet {
        add: memories.into_iter().map(indexed).collect(),
        ..ChangeSet::default()
    }
}

/// A change that forgets memories.
#[must_use]
pub fn forgetting(numbers: &[u128]) -> ChangeSet {
    ChangeSet {
        forget: numbers.iter().map(|number| memory_id(*number)).collect(),
        ..ChangeSet::default()
    }
}

/// A change that does nothing but end the job of the lease.
#[must_use]
pub fn step(lease: Lease, finish: Option<JobState>) -> ChangeSet {
    ChangeSet {
        job: Some(JobStep {
            lease,
            result: None,
            finish,
        }),
        ..ChangeSet::default()
    }
}

/// Commits without looking at the version.
pub async fn commit(
    store: &dyn Store,
    owner: &UserKey,
    change: ChangeSet,
    now: Timestamp,
) -> Version {
    store.commit(owner, None, change, SPACE, now).await.unwrap()
}

/// The contents of everything that the user remembers.
pub async fn contents(store: &dyn Store, owner: &UserKey) -> Vec<String> {
    let all = store
        .timeline(owner, Default::default(), ALL)
        .await
        .unwrap();
    let mut contents: Vec<String> = all.into_iter().map(|memory| memory.content).collect();
    contents.sort();
    contents
}

/// Checks that it failed in that way.
pub fn assert_kind<T: std::fmt::Debug>(result: StoreResult<T>, kind: StoreErrorKind) {
    assert_eq!(result.expect_err("must be refused").kind, kind);
}

/// Polls all futures together, so that their requests race; the answers in order.
pub async fn join_all<F: Future>(futures: Vec<F>) -> Vec<F::Output> {
    let mut running: Vec<_> = futures
        .into_iter()
        .map(|future| (Box::pin(future), None))
        .collect();
    std::future::poll_fn(|context| {
        let mut waits = false;
        for (future, answer) in &mut running {
            if answer.is_none() {
                match future.as_mut().poll(context) {
                    std::task::Poll::Ready(ready) => *answer = Some(ready),
                    std::task::Poll::Pending => waits = true,
                }
            }
        }
        if waits {
            std::task::Poll::Pending
        } else {
            std::task::Poll::Ready(())
        }
    })
    .await;
    running
        .into_iter()
        .filter_map(|(_, answer)| answer)
        .collect()
}
