//! Taking sources in: the rows, the count of what is idle, and the key that makes a repeat harmless.

use mneme_core::id::{JobId, SourceId, UserKey};
use mneme_core::ports::{Appended, FlushPolicy, Idempotency, NewSource, StoreErrorKind};
use mneme_core::source::SourceKind;
use mneme_core::time::Timestamp;
use rusqlite::{Connection, params};
use uuid::Uuid;

use super::codec::{count, source_hash};
use super::fault::{Fault, Work};
use super::inbox::{reserve, start_job};
use super::run::Run;
use super::tenants;
use crate::sql;

/// Stores sources and, above the threshold, starts the job; or answers what an earlier write with the same key did.
pub(super) fn append(
    db: &Connection,
    owner: &UserKey,
    sources: &[NewSource],
    policy: FlushPolicy,
    idempotency: Option<&Idempotency>,
    now: Timestamp,
) -> Work<Appended> {
    if let Some(earlier) = idempotency
        .map(|key| earlier(db, owner, key))
        .transpose()?
        .flatten()
    {
        return Ok(earlier);
    }
    let first_seq = reserve(db, owner, sources.len())?;
    let kind = sources.first().map(|new| new.source.kind);
    if sources.iter().any(|new| Some(new.source.kind) != kind) {
        return Err(Fault::internal(
            "the sources of one append must be of one kind",
        ));
    }
    let mut waiting = (0_i64, 0_i64);
    for (new, seq) in sources.iter().zip(first_seq..) {
        insert_source(db, owner, new, seq)?;
        if let Some(buffer) = new.buffer {
            waiting = (
                waiting.0 + 1,
                waiting.1.saturating_add(i64::from(buffer.tokens)),
            );
        }
    }
    let mut job = None;
    if let Some(kind) = kind.filter(|_| waiting.0 > 0)
        && add_idle(db, owner, kind, waiting, policy.idle_seconds, now)?
            > i64::from(policy.tokens_max)
    {
        start_job(db, owner, kind, policy.job, now)?;
        job = Some(policy.job);
    }
    if !sources.is_empty() {
        tenants::book_inserts(db, owner, sources.len(), now)?;
    }
    let appended = Appended {
        sources: sources.iter().map(|new| new.source.id).collect(),
        job,
        repeated: false,
    };
    if let Some(key) = idempotency {
        remember(db, owner, key, &appended, now)?;
    }
    Ok(appended)
}

fn insert_source(db: &Connection, owner: &UserKey, new: &NewSource, seq: i64) -> Work<()> {
    let source = &new.source;
    let body = source.body.to_string();
    let fields = source.fields.as_ref().map(ToString::to_string);
    let values = params![
        owner.project.0,
        owner.user.as_bytes(),
        source.id.as_bytes(),
        seq,
        source.kind.as_str(),
        body,
        fields,
        source.scope.agent,
        source.scope.session,
        source.said_at.0,
        source.received_at.0,
        source_hash(source.kind, &source.body),
    ];
    db.run(sql::SOURCE_INSERT, values)?;
    if let Some(buffer) = new.buffer {
        let values = params![
            owner.project.0,
            owner.user.as_bytes(),
            buffer.id.as_bytes(),
            source.id.as_bytes(),
            source.kind.as_str(),
            seq,
            buffer.tokens,
        ];
        db.run(sql::BUFFER_INSERT, values)?;
    }
    Ok(())
}

/// Counts new idle sources in; how many idle tokens there are now.
fn add_idle(
    db: &Connection,
    owner: &UserKey,
    kind: SourceKind,
    new: (i64, i64),
    idle_seconds: u64,
    now: Timestamp,
) -> Work<i64> {
    let due_at = now.plus_seconds(count(idle_seconds));
    let values = params![
        owner.project.0,
        owner.user.as_bytes(),
        kind.as_str(),
        new.0,
        new.1,
        due_at.0
    ];
    let tokens = db.first(sql::IDLE_ADD, values, |row| row.get(0))?;
    tokens.ok_or_else(|| Fault::internal("the count of idle sources was not kept"))
}

/// What an earlier write with that key did.
fn earlier(db: &Connection, owner: &UserKey, key: &Idempotency) -> Work<Option<Appended>> {
    let values = params![owner.project.0, owner.user.as_bytes(), key.key];
    let found = db.first(sql::IDEMPOTENCY, values, |row| {
        Ok((
            row.get::<_, String>(0)?,
            row.get::<_, Vec<u8>>(1)?,
            row.get::<_, Option<[u8; 16]>>(2)?,
        ))
    })?;
    let Some((hash, ids, job)) = found else {
        return Ok(None);
    };
    if hash != key.content_hash {
        return Err(Fault::new(
            StoreErrorKind::KeyReused,
            "the idempotency key was used for another content",
        ));
    }
    let sources = ids
        .as_chunks::<16>()
        .0
        .iter()
        .map(|id| SourceId(Uuid::from_bytes(*id)))
        .collect();
    Ok(Some(Appended {
        sources,
        job: job.map(|id| JobId(Uuid::from_bytes(id))),
        repeated: true,
    }))
}

fn remember(
    db: &Connection,
    owner: &UserKey,
    key: &Idempotency,
    done: &Appended,
    now: Timestamp,
) -> Work<()> {
    let ids: Vec<u8> = done.sources.iter().flat_map(|id| *id.as_bytes()).collect();
    let job = done.job.as_ref().map(JobId::as_bytes);
    let values = params![
        owner.project.0,
        owner.user.as_bytes(),
        key.key,
        key.content_hash,
        ids,
        job,
        now.0
    ];
    db.run(sql::IDEMPOTENCY_INSERT, values)?;
    Ok(())
}
