//! Taking sources in: the rows, the count of what is idle, and the key that makes a repeat harmless.

use mneme_core::id::{JobId, SourceId, UserKey};
use mneme_core::ports::{Appended, FlushPolicy, Idempotency, NewSource, StoreErrorKind};
use mneme_core::source::SourceKind;
use mneme_core::time::Timestamp;
use uuid::Uuid;

use super::bind::{Param, encode, params};
use super::fault::{Fault, Work};
use super::inbox::{reserve, start_job};
use super::run::Db;
use super::{rows, tenants, users};
use crate::sql;
use crate::sqlite::codec::{count, source_hash};

/// Stores sources and, above the threshold, starts the job; or answers what an earlier write with the same key did.
pub(super) async fn append(
    db: &Db,
    owner: &UserKey,
    sources: &[NewSource],
    policy: FlushPolicy,
    idempotency: Option<&Idempotency>,
    now: Timestamp,
) -> Work<Appended> {
    if let Some(key) = idempotency {
        users::require(db, owner).await?;
        if let Some(earlier) = earlier(db, owner, key).await? {
            return Ok(earlier);
        }
    }
    // Locks the user as well.
    let first_seq = reserve(db, owner, sources.len()).await?;
    let kind = sources.first().map(|new| new.source.kind);
    if sources.iter().any(|new| Some(new.source.kind) != kind) {
        return Err(Fault::internal(
            "the sources of one append must be of one kind",
        ));
    }
    let mut job = None;
    if let Some(kind) = kind {
        let idle = insert(db, owner, kind, sources, first_seq, policy, now).await?;
        if idle.is_some_and(|tokens| tokens > i64::from(policy.tokens_max)) {
            start_job(db, owner, kind, policy.job, now).await?;
            job = Some(policy.job);
        }
    }
    let appended = Appended {
        sources: sources.iter().map(|new| new.source.id).collect(),
        job,
        repeated: false,
    };
    if let Some(key) = idempotency {
        remember(db, owner, key, &appended, now).await?;
    }
    Ok(appended)
}

/// Writes the rows, all in one exchange with the database; the idle tokens, unless nothing of it is buffered.
async fn insert(
    db: &Db,
    owner: &UserKey,
    kind: SourceKind,
    sources: &[NewSource],
    first_seq: i64,
    policy: FlushPolicy,
    now: Timestamp,
) -> Work<Option<i64>> {
    let (stored, buffered, idle, booked) = tokio::join!(
        biased;
        insert_sources(db, owner, kind, sources, first_seq),
        insert_buffers(db, owner, kind, sources, first_seq),
        add_idle(db, owner, kind, sources, policy.idle_seconds, now),
        tenants::book_inserts(db, owner, sources.len(), now),
    );
    stored?;
    buffered?;
    let idle = idle?;
    booked?;
    Ok(idle)
}

async fn insert_sources(
    db: &Db,
    owner: &UserKey,
    kind: SourceKind,
    sources: &[NewSource],
    first_seq: i64,
) -> Work<()> {
    let all = || sources.iter().map(|new| &new.source);
    let values = &[
        Param::from(&owner.project),
        Param::from(owner.user),
        Param::from(kind.as_str()),
        Param::Ids(all().map(|source| source.id.0).collect()),
        Param::Ints((first_seq..).take(sources.len()).collect()),
        Param::Texts(
            all()
                .map(|source| Some(source.body.to_string().into()))
                .collect(),
        ),
        Param::Texts(
            all()
                .map(|source| source.fields.as_ref().map(|json| json.to_string().into()))
                .collect(),
        ),
        Param::Texts(
            all()
                .map(|source| source.scope.agent.as_deref().map(encode))
                .collect(),
        ),
        Param::Texts(
            all()
                .map(|source| source.scope.session.as_deref().map(encode))
                .collect(),
        ),
        Param::Ints(all().map(|source| source.said_at.0).collect()),
        Param::Ints(all().map(|source| source.received_at.0).collect()),
        Param::Blobs(
            all()
                .map(|source| source_hash(source.kind, &source.body).to_vec())
                .collect(),
        ),
    ];
    db.run(super::text::SOURCES_INSERT, values).await?;
    Ok(())
}

async fn insert_buffers(
    db: &Db,
    owner: &UserKey,
    kind: SourceKind,
    sources: &[NewSource],
    first_seq: i64,
) -> Work<()> {
    let mut columns = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (new, seq) in sources.iter().zip(first_seq..) {
        if let Some(buffer) = new.buffer {
            columns.0.push(buffer.id.0);
            columns.1.push(new.source.id.0);
            columns.2.push(seq);
            columns.3.push(i64::from(buffer.tokens));
        }
    }
    if columns.0.is_empty() {
        return Ok(());
    }
    let values = &[
        Param::from(&owner.project),
        Param::from(owner.user),
        Param::from(kind.as_str()),
        Param::Ids(columns.0),
        Param::Ids(columns.1),
        Param::Ints(columns.2),
        Param::Ints(columns.3),
    ];
    db.run(super::text::BUFFERS_INSERT, values).await?;
    Ok(())
}

/// Counts new idle sources in; how many idle tokens there are now. `None` when nothing is buffered.
async fn add_idle(
    db: &Db,
    owner: &UserKey,
    kind: SourceKind,
    sources: &[NewSource],
    idle_seconds: u64,
    now: Timestamp,
) -> Work<Option<i64>> {
    let mut waiting = (0_i64, 0_i64);
    for buffer in sources.iter().filter_map(|new| new.buffer) {
        waiting.0 += 1;
        waiting.1 = waiting.1.saturating_add(i64::from(buffer.tokens));
    }
    if waiting.0 == 0 {
        return Ok(None);
    }
    let values = params![
        &owner.project,
        owner.user,
        kind.as_str(),
        waiting.0,
        waiting.1,
        now.plus_seconds(count(idle_seconds))
    ];
    let tokens = db
        .first(sql::IDLE_ADD, values, |row| rows::int(row, 0))
        .await?;
    tokens
        .map(Some)
        .ok_or_else(|| Fault::internal("the count of idle sources was not kept"))
}

/// What an earlier write with that key did.
async fn earlier(db: &Db, owner: &UserKey, key: &Idempotency) -> Work<Option<Appended>> {
    let values = params![&owner.project, owner.user, &key.key];
    let found = db
        .first(sql::IDEMPOTENCY, values, |row| {
            let ids: Vec<Uuid> = row.try_get(1)?;
            let job: Option<Uuid> = row.try_get(2)?;
            Ok((rows::text(row, 0)?, ids, job))
        })
        .await?;
    let Some((hash, ids, job)) = found else {
        return Ok(None);
    };
    if hash != key.content_hash {
        return Err(Fault::new(
            StoreErrorKind::KeyReused,
            "the idempotency key was used for another content",
        ));
    }
    Ok(Some(Appended {
        sources: ids.into_iter().map(SourceId).collect(),
        job: job.map(JobId),
        repeated: true,
    }))
}

async fn remember(
    db: &Db,
    owner: &UserKey,
    key: &Idempotency,
    done: &Appended,
    now: Timestamp,
) -> Work<()> {
    let values = &[
        Param::from(&owner.project),
        Param::from(owner.user),
        Param::from(&key.key),
        Param::from(&key.content_hash),
        Param::Ids(done.sources.iter().map(|id| id.0).collect()),
        Param::from(done.job),
        Param::from(now),
    ];
    db.run(sql::IDEMPOTENCY_INSERT, values).await?;
    Ok(())
}
