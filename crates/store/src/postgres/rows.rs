//! Rows as the product's types.

use mneme_core::id::{BufferId, JobId, MemoryId, ProjectId, SourceId, SubScope, UserId, UserKey};
use mneme_core::job::{Job, JobError, JobKind, JobState};
use mneme_core::memory::{Kind, Memory, Provenance, Reason, Revision, Slot, Times};
use mneme_core::ports::{BufferState, Buffered};
use mneme_core::source::{Source, SourceKind};
use mneme_core::time::{Happened, Precision, Timestamp};
use serde::de::DeserializeOwned;
use tokio_postgres::Row;
use uuid::Uuid;

use super::bind::decode;
use super::fault::{Fault, Work};

/// An id.
pub(super) fn uuid(row: &Row, at: usize) -> Work<Uuid> {
    Ok(row.try_get(at)?)
}

/// A whole number.
pub(super) fn int(row: &Row, at: usize) -> Work<i64> {
    Ok(row.try_get(at)?)
}

/// A text.
pub(super) fn text(row: &Row, at: usize) -> Work<String> {
    Ok(decode(row.try_get(at)?))
}

/// A text that may be missing.
pub(super) fn text_or_none(row: &Row, at: usize) -> Work<Option<String>> {
    Ok(row.try_get::<_, Option<String>>(at)?.map(decode))
}

/// Bytes.
pub(super) fn bytes(row: &Row, at: usize) -> Work<Vec<u8>> {
    Ok(row.try_get(at)?)
}

/// A moment.
pub(super) fn time(row: &Row, at: usize) -> Work<Timestamp> {
    Ok(Timestamp(row.try_get(at)?))
}

/// A moment that may be missing.
pub(super) fn time_or_none(row: &Row, at: usize) -> Work<Option<Timestamp>> {
    Ok(row.try_get::<_, Option<i64>>(at)?.map(Timestamp))
}

/// A count that is never negative; a negative one counts as nothing.
pub(super) fn number(row: &Row, at: usize) -> Work<u64> {
    Ok(u64::try_from(int(row, at)?).unwrap_or(0))
}

/// A count of 32 bits.
pub(super) fn small(row: &Row, at: usize) -> Work<u32> {
    Ok(u32::try_from(number(row, at)?).unwrap_or(u32::MAX))
}

/// A value that has a name.
pub(super) fn named<T>(row: &Row, at: usize, parse: impl FnOnce(&str) -> Option<T>) -> Work<T> {
    parse(row.try_get(at)?).ok_or_else(unreadable)
}

/// A value that is kept as JSON.
pub(super) fn json<T: DeserializeOwned>(row: &Row, at: usize) -> Work<T> {
    Ok(serde_json::from_str(row.try_get(at)?)?)
}

/// A value that is kept as JSON or missing.
pub(super) fn json_or_none<T: DeserializeOwned>(row: &Row, at: usize) -> Work<Option<T>> {
    let text: Option<&str> = row.try_get(at)?;
    Ok(text.map(serde_json::from_str).transpose()?)
}

/// Project and user from two neighbouring columns.
pub(super) fn owner(row: &Row, at: usize) -> Work<UserKey> {
    Ok(UserKey {
        project: ProjectId(text(row, at)?),
        user: UserId(uuid(row, at + 1)?),
    })
}

/// A memory's id in the first column.
pub(super) fn memory_id(row: &Row) -> Work<MemoryId> {
    Ok(MemoryId(uuid(row, 0)?))
}

/// A job's id in the first column.
pub(super) fn job_id(row: &Row) -> Work<JobId> {
    Ok(JobId(uuid(row, 0)?))
}

/// The columns of `source_columns!`, from `at` on.
pub(super) fn source(row: &Row, at: usize) -> Work<Source> {
    Ok(Source {
        id: SourceId(uuid(row, at)?),
        scope: SubScope {
            agent: text_or_none(row, at + 1)?,
            session: text_or_none(row, at + 2)?,
        },
        kind: named(row, at + 3, SourceKind::parse)?,
        body: json(row, at + 4)?,
        fields: json_or_none(row, at + 5)?,
        said_at: time(row, at + 6)?,
        received_at: time(row, at + 7)?,
    })
}

/// A buffered source; `None` when the row stands for a job without any.
pub(super) fn buffered(row: &Row) -> Work<Option<Buffered>> {
    let Some(buffer) = row.try_get::<_, Option<Uuid>>(0)? else {
        return Ok(None);
    };
    Ok(Some(Buffered {
        buffer: BufferId(buffer),
        tokens: small(row, 1)?,
        source: source(row, 2)?,
    }))
}

/// Where a buffer row stands: kind, state, tokens.
pub(super) fn standing(row: &Row) -> Work<(SourceKind, BufferState, u32)> {
    Ok((
        named(row, 0, SourceKind::parse)?,
        named(row, 1, BufferState::parse)?,
        small(row, 2)?,
    ))
}

/// The columns of `job_columns!`.
pub(super) fn job(row: &Row) -> Work<Job> {
    Ok(Job {
        owner: owner(row, 0)?,
        id: JobId(uuid(row, 2)?),
        kind: named(row, 3, JobKind::parse)?,
        state: named(row, 4, JobState::parse)?,
        attempt: small(row, 5)?,
        run_at: time(row, 6)?,
        result: json(row, 7)?,
        error: json_or_none::<JobError>(row, 8)?,
        created_at: time(row, 9)?,
        finished_at: time_or_none(row, 10)?,
    })
}

/// The columns of `memory_columns!`.
pub(super) fn memory(row: &Row) -> Work<Memory> {
    memory_from(row, 0)
}

/// The columns of `memory_columns!`, from `at` on.
pub(super) fn memory_from(row: &Row, at: usize) -> Work<Memory> {
    let importance: f64 = row.try_get(at + 19)?;
    Ok(Memory {
        id: MemoryId(uuid(row, at)?),
        kind: named(row, at + 1, Kind::parse)?,
        scope: SubScope {
            agent: text_or_none(row, at + 2)?,
            session: text_or_none(row, at + 3)?,
        },
        slot: slot(row, at + 4)?,
        parent: row.try_get::<_, Option<Uuid>>(at + 6)?.map(MemoryId),
        ordinal: small(row, at + 7)?,
        content: text(row, at + 8)?,
        data: json(row, at + 9)?,
        speaker: text_or_none(row, at + 10)?,
        times: times(row, at + 11)?,
        updated_at: time(row, at + 18)?,
        importance: importance as f32,
        tokens: small(row, at + 20)?,
        revision: small(row, at + 21)?,
    })
}

/// An earlier state.
pub(super) fn revision(row: &Row) -> Work<Revision> {
    Ok(Revision {
        memory: MemoryId(uuid(row, 0)?),
        revision: small(row, 1)?,
        content: text(row, 2)?,
        slot: slot(row, 3)?,
        data: json(row, 5)?,
        times: times(row, 6)?,
        replaced_at: time(row, 13)?,
        reason: named(row, 14, Reason::parse)?,
    })
}

/// Where a memory comes from.
pub(super) fn provenance(row: &Row) -> Work<Provenance> {
    let turn: Option<i64> = row.try_get(3)?;
    Ok(Provenance {
        memory: MemoryId(uuid(row, 0)?),
        revision: small(row, 1)?,
        source: SourceId(uuid(row, 2)?),
        turn: turn.map(|turn| u32::try_from(turn).unwrap_or(u32::MAX)),
        speaker: text_or_none(row, 4)?,
        said_at: time_or_none(row, 5)?,
    })
}

/// Topic and sub-topic.
fn slot(row: &Row, at: usize) -> Work<Option<Slot>> {
    Ok(match (text_or_none(row, at)?, text_or_none(row, at + 1)?) {
        (Some(topic), Some(sub_topic)) => Some(Slot { topic, sub_topic }),
        _ => None,
    })
}

/// Seven columns: mentioned, happened (from, to, precision), valid (from, to), recorded.
fn times(row: &Row, at: usize) -> Work<Times> {
    let happened = match (time_or_none(row, at + 1)?, time_or_none(row, at + 2)?) {
        (Some(from), Some(to)) => Some(Happened {
            from,
            to,
            precision: named(row, at + 3, Precision::parse)?,
        }),
        _ => None,
    };
    Ok(Times {
        mentioned_at: time_or_none(row, at)?,
        happened,
        valid_from: time_or_none(row, at + 4)?,
        valid_to: time_or_none(row, at + 5)?,
        recorded_at: time(row, at + 6)?,
    })
}

fn unreadable() -> Fault {
    Fault::internal("a stored row holds a value that this program does not know")
}
