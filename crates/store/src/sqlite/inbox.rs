//! Sources, the buffer, and the jobs that appending starts.

use async_trait::async_trait;
use mneme_core::id::{BufferId, JobId, SourceId, UserKey};
use mneme_core::job::{JobKind, Lease};
use mneme_core::ports::{
    Appended, BufferState, Buffered, FlushPolicy, Idempotency, Inbox, NewSource, Page, StoreResult,
};
use mneme_core::source::{Source, SourceKind};
use mneme_core::time::Timestamp;
use rusqlite::{Connection, params};

use super::codec::count;
use super::fault::{Fault, Work};
use super::run::Run;
use super::{SqliteStore, append, jobs, rows};
use crate::sql;

#[async_trait]
impl Inbox for SqliteStore {
    async fn append(
        &self,
        owner: &UserKey,
        sources: Vec<NewSource>,
        policy: FlushPolicy,
        idempotency: Option<Idempotency>,
        now: Timestamp,
    ) -> StoreResult<Appended> {
        let owner = owner.clone();
        self.write(move |db| {
            append::append(db, &owner, &sources, policy, idempotency.as_ref(), now)
        })
        .await
    }

    async fn source(&self, owner: &UserKey, id: SourceId) -> StoreResult<Option<Source>> {
        let owner = owner.clone();
        self.read(move |db| {
            db.first(
                sql::SOURCE,
                params![owner.project.0, owner.user.as_bytes(), id.as_bytes()],
                |row| rows::source(row, 0),
            )
        })
        .await
    }

    async fn source_ids(
        &self,
        owner: &UserKey,
        kind: SourceKind,
        page: Page,
    ) -> StoreResult<Vec<SourceId>> {
        let owner = owner.clone();
        self.read(move |db| {
            let values = params![
                owner.project.0,
                owner.user.as_bytes(),
                kind.as_str(),
                count(page.limit),
                count(page.offset)
            ];
            db.list(sql::SOURCE_IDS, values, |row| {
                Ok(SourceId(rows::uuid(row, 0)?))
            })
        })
        .await
    }

    async fn delete_source(&self, owner: &UserKey, id: SourceId) -> StoreResult<bool> {
        let owner = owner.clone();
        self.write(move |db| delete_source(db, &owner, id)).await
    }

    async fn buffered(
        &self,
        owner: &UserKey,
        kind: SourceKind,
        state: BufferState,
    ) -> StoreResult<Vec<BufferId>> {
        let owner = owner.clone();
        self.read(move |db| {
            let values = params![
                owner.project.0,
                owner.user.as_bytes(),
                kind.as_str(),
                state.as_str()
            ];
            db.list(sql::BUFFER_IDS, values, |row| {
                Ok(BufferId(rows::uuid(row, 0)?))
            })
        })
        .await
    }

    async fn flush(
        &self,
        owner: &UserKey,
        kind: SourceKind,
        job: JobId,
        now: Timestamp,
    ) -> StoreResult<Option<JobId>> {
        let owner = owner.clone();
        self.write(move |db| flush(db, &owner, kind, job, now))
            .await
    }

    async fn idle_due(
        &self,
        now: Timestamp,
        limit: usize,
    ) -> StoreResult<Vec<(UserKey, SourceKind)>> {
        self.read(move |db| {
            db.list(sql::IDLE_DUE, params![now.0, count(limit)], |row| {
                Ok((
                    rows::owner(row, 0)?,
                    rows::named(row, 2, SourceKind::parse)?,
                ))
            })
        })
        .await
    }

    async fn take(
        &self,
        owner: &UserKey,
        lease: Lease,
        tokens_max: u32,
    ) -> StoreResult<Vec<Buffered>> {
        let owner = owner.clone();
        self.read(move |db| take(db, &owner, lease, tokens_max))
            .await
    }
}

/// Reserves that many numbers in the user's order; the first of them.
pub(super) fn reserve(db: &Connection, owner: &UserKey, numbers: usize) -> Work<i64> {
    let numbers = count(numbers);
    let next: Option<i64> = db.first(
        sql::USER_SEQ,
        params![numbers, owner.project.0, owner.user.as_bytes()],
        |row| row.get(0),
    )?;
    next.map(|next| next.saturating_sub(numbers))
        .ok_or_else(Fault::no_such_user)
}

/// Makes a job of everything idle.
pub(super) fn start_job(
    db: &Connection,
    owner: &UserKey,
    kind: SourceKind,
    job: JobId,
    now: Timestamp,
) -> Work<()> {
    insert_job(db, owner, kind, job, now)?;
    db.run(
        sql::BUFFER_START,
        params![
            job.as_bytes(),
            owner.project.0,
            owner.user.as_bytes(),
            kind.as_str()
        ],
    )?;
    db.run(
        sql::IDLE_DROP,
        params![owner.project.0, owner.user.as_bytes(), kind.as_str()],
    )?;
    Ok(())
}

fn insert_job(
    db: &Connection,
    owner: &UserKey,
    kind: SourceKind,
    job: JobId,
    now: Timestamp,
) -> Work<()> {
    let seq = reserve(db, owner, 1)?;
    let kind = JobKind::Distil(kind).as_text();
    db.run(
        sql::JOB_INSERT,
        params![
            owner.project.0,
            owner.user.as_bytes(),
            job.as_bytes(),
            seq,
            kind,
            now.0
        ],
    )?;
    Ok(())
}

/// Removes a source and its place in the buffer; whether it was there.
pub(super) fn delete_source(db: &Connection, owner: &UserKey, id: SourceId) -> Work<bool> {
    let key = params![owner.project.0, owner.user.as_bytes(), id.as_bytes()];
    if let Some((kind, BufferState::Idle, tokens)) =
        db.first(sql::BUFFER_DELETE, key, rows::standing)?
    {
        subtract_idle(db, owner, kind, tokens)?;
    }
    Ok(db.run(
        sql::SOURCE_DELETE,
        params![owner.project.0, owner.user.as_bytes(), id.as_bytes()],
    )? > 0)
}

/// Marks a place in the buffer as distilled.
pub(super) fn buffer_done(db: &Connection, owner: &UserKey, id: BufferId) -> Work<()> {
    let standing = db.first(
        sql::BUFFER_OF,
        params![owner.project.0, owner.user.as_bytes(), id.as_bytes()],
        rows::standing,
    )?;
    if let Some((kind, BufferState::Idle, tokens)) = standing {
        subtract_idle(db, owner, kind, tokens)?;
    }
    db.run(
        sql::BUFFER_DONE,
        params![owner.project.0, owner.user.as_bytes(), id.as_bytes()],
    )?;
    Ok(())
}

fn subtract_idle(db: &Connection, owner: &UserKey, kind: SourceKind, tokens: u32) -> Work<()> {
    db.run(
        sql::IDLE_SUBTRACT,
        params![
            tokens,
            owner.project.0,
            owner.user.as_bytes(),
            kind.as_str()
        ],
    )?;
    db.run(
        sql::IDLE_DROP_EMPTY,
        params![owner.project.0, owner.user.as_bytes(), kind.as_str()],
    )?;
    Ok(())
}

fn flush(
    db: &Connection,
    owner: &UserKey,
    kind: SourceKind,
    job: JobId,
    now: Timestamp,
) -> Work<Option<JobId>> {
    let place = params![owner.project.0, owner.user.as_bytes(), kind.as_str()];
    if db
        .first(sql::BUFFER_IDLE_EXISTS, place, |_| Ok(()))?
        .is_some()
    {
        start_job(db, owner, kind, job, now)?;
        return Ok(Some(job));
    }
    let failed = jobs::with_failed_rows(db, owner, kind)?;
    for waiting in &failed {
        db.run(
            sql::JOB_DUE_NOW,
            params![
                now.0,
                owner.project.0,
                owner.user.as_bytes(),
                waiting.as_bytes()
            ],
        )?;
    }
    if let Some(open) = jobs::last_open(db, owner, kind)? {
        return Ok(Some(open));
    }
    for dead in &failed {
        if db.run(
            sql::JOB_REPLAY,
            params![now.0, owner.project.0, dead.as_bytes()],
        )? > 0
        {
            return Ok(Some(*dead));
        }
    }
    if failed.is_empty() {
        return Ok(None);
    }
    // Rows whose job ended without them: nobody but a new job would ever come back to them.
    insert_job(db, owner, kind, job, now)?;
    db.run(
        sql::BUFFER_TAKE_ALONG,
        params![
            job.as_bytes(),
            owner.project.0,
            owner.user.as_bytes(),
            kind.as_str()
        ],
    )?;
    Ok(Some(job))
}

fn take(db: &Connection, owner: &UserKey, lease: Lease, tokens_max: u32) -> Work<Vec<Buffered>> {
    jobs::require_lease(db, owner, lease)?;
    let mut statement = db.prepare_cached(sql::BUFFER_OF_JOB)?;
    let mut found = statement.query(params![
        owner.project.0,
        owner.user.as_bytes(),
        lease.job.as_bytes()
    ])?;
    let mut taken: Vec<Buffered> = Vec::new();
    let mut tokens = 0_u64;
    while let Some(row) = found.next()? {
        let next = rows::buffered(row)?;
        tokens += u64::from(next.tokens);
        if tokens > u64::from(tokens_max) && !taken.is_empty() {
            break;
        }
        taken.push(next);
    }
    Ok(taken)
}
