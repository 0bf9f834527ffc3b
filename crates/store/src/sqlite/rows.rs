//! Rows as the product's types.

use mneme_core::id::{BufferId, JobId, MemoryId, ProjectId, SourceId, SubScope, UserId, UserKey};
use mneme_core::job::{Job, JobError, JobKind, JobState};
use mneme_core::memory::{Kind, Memory, Provenance, Reason, Revision, Slot, Times};
use mneme_core::ports::{BufferState, Buffered};
use mneme_core::source::{Source, SourceKind};
use mneme_core::time::{Happened, Precision, Timestamp};
use rusqlite::types::Type;
use rusqlite::{Result, Row};
use serde::de::DeserializeOwned;
use uuid::Uuid;

/// An id's bytes.
pub(crate) fn uuid(row: &Row<'_>, at: usize) -> Result<Uuid> {
    Ok(Uuid::from_bytes(row.get(at)?))
}

/// A moment.
pub(crate) fn time(row: &Row<'_>, at: usize) -> Result<Timestamp> {
    Ok(Timestamp(row.get(at)?))
}

/// A moment that may be missing.
pub(crate) fn time_or_none(row: &Row<'_>, at: usize) -> Result<Option<Timestamp>> {
    Ok(row.get::<_, Option<i64>>(at)?.map(Timestamp))
}

/// A count that is never negative; a negative one in the file counts as nothing.
pub(crate) fn number(row: &Row<'_>, at: usize) -> Result<u64> {
    Ok(u64::try_from(row.get::<_, i64>(at)?).unwrap_or(0))
}

/// A count of 32 bits.
pub(crate) fn small(row: &Row<'_>, at: usize) -> Result<u32> {
    Ok(u32::try_from(number(row, at)?).unwrap_or(u32::MAX))
}

/// A value that has a name.
pub(crate) fn named<T>(
    row: &Row<'_>,
    at: usize,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<T> {
    let name = row.get_ref(at)?.as_str()?;
    parse(name).ok_or_else(|| unreadable(at))
}

/// A value that is kept as JSON.
pub(crate) fn json<T: DeserializeOwned>(row: &Row<'_>, at: usize) -> Result<T> {
    serde_json::from_str(row.get_ref(at)?.as_str()?).map_err(|_| unreadable(at))
}

/// A value that is kept as JSON or missing.
pub(crate) fn json_or_none<T: DeserializeOwned>(row: &Row<'_>, at: usize) -> Result<Option<T>> {
    let Some(text) = row.get_ref(at)?.as_str_or_null()? else {
        return Ok(None);
    };
    serde_json::from_str(text)
        .map(Some)
        .map_err(|_| unreadable(at))
}

/// Project and user from two neighbouring columns.
pub(crate) fn owner(row: &Row<'_>, at: usize) -> Result<UserKey> {
    Ok(UserKey {
        project: ProjectId(row.get(at)?),
        user: UserId(uuid(row, at + 1)?),
    })
}

/// The columns of `source_columns!`, from `at` on.
pub(crate) fn source(row: &Row<'_>, at: usize) -> Result<Source> {
    Ok(Source {
        id: SourceId(uuid(row, at)?),
        scope: SubScope {
            agent: row.get(at + 1)?,
            session: row.get(at + 2)?,
        },
        kind: named(row, at + 3, SourceKind::parse)?,
        body: json(row, at + 4)?,
        fields: json_or_none(row, at + 5)?,
        said_at: time(row, at + 6)?,
        received_at: time(row, at + 7)?,
    })
}

/// A buffered source.
pub(crate) fn buffered(row: &Row<'_>) -> Result<Buffered> {
    Ok(Buffered {
        buffer: BufferId(uuid(row, 0)?),
        tokens: small(row, 1)?,
        source: source(row, 2)?,
    })
}

/// Where a buffer row stands: kind, state, tokens.
pub(crate) fn standing(row: &Row<'_>) -> Result<(SourceKind, BufferState, u32)> {
    Ok((
        named(row, 0, SourceKind::parse)?,
        named(row, 1, BufferState::parse)?,
        small(row, 2)?,
    ))
}

/// The columns of `job_columns!`.
pub(crate) fn job(row: &Row<'_>) -> Result<Job> {
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
pub(crate) fn memory(row: &Row<'_>) -> Result<Memory> {
    Ok(Memory {
        id: MemoryId(uuid(row, 0)?),
        kind: named(row, 1, Kind::parse)?,
        scope: SubScope {
            agent: row.get(2)?,
            session: row.get(3)?,
        },
        slot: slot(row, 4)?,
        parent: row
            .get::<_, Option<[u8; 16]>>(6)?
            .map(|bytes| MemoryId(Uuid::from_bytes(bytes))),
        ordinal: small(row, 7)?,
        content: row.get(8)?,
        data: json(row, 9)?,
        speaker: row.get(10)?,
        times: times(row, 11)?,
        updated_at: time(row, 18)?,
        importance: row.get(19)?,
        tokens: small(row, 20)?,
        revision: small(row, 21)?,
    })
}

/// An earlier state.
pub(crate) fn revision(row: &Row<'_>) -> Result<Revision> {
    Ok(Revision {
        memory: MemoryId(uuid(row, 0)?),
        revision: small(row, 1)?,
        content: row.get(2)?,
        slot: slot(row, 3)?,
        data: json(row, 5)?,
        times: times(row, 6)?,
        replaced_at: time(row, 13)?,
        reason: named(row, 14, Reason::parse)?,
    })
}

/// Where a memory comes from.
pub(crate) fn provenance(row: &Row<'_>) -> Result<Provenance> {
    Ok(Provenance {
        memory: MemoryId(uuid(row, 0)?),
        revision: small(row, 1)?,
        source: SourceId(uuid(row, 2)?),
        turn: row.get(3)?,
        speaker: row.get(4)?,
        said_at: time_or_none(row, 5)?,
    })
}

/// Topic and sub-topic.
fn slot(row: &Row<'_>, at: usize) -> Result<Option<Slot>> {
    let headings: (Option<String>, Option<String>) = (row.get(at)?, row.get(at + 1)?);
    Ok(match headings {
        (Some(topic), Some(sub_topic)) => Some(Slot { topic, sub_topic }),
        _ => None,
    })
}

/// Seven columns: mentioned, happened (from, to, precision), valid (from, to), recorded.
fn times(row: &Row<'_>, at: usize) -> Result<Times> {
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

fn unreadable(at: usize) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(at, Type::Text, "not a value of this column".into())
}
