//! Sources, the buffer, and the jobs that appending starts.

use async_trait::async_trait;
use mneme_core::id::{BufferId, JobId, SourceId, UserKey};
use mneme_core::job::{JobKind, Lease};
use mneme_core::ports::{
    Appended, BufferState, Buffered, FlushPolicy, Idempotency, Inbox, NewSource, Page, StoreResult,
};
use mneme_core::source::{Source, SourceKind};
use mneme_core::time::Timestamp;

use super::bind::params;
use super::fault::{Fault, Work};
use super::pool::{look, transact};
use super::run::Db;
use super::{PostgresStore, append, jobs, rows, text, users};
use crate::sql;
use crate::sqlite::codec::count;

#[async_trait]
impl Inbox for PostgresStore {
    async fn append(
        &self,
        owner: &UserKey,
        sources: Vec<NewSource>,
        policy: FlushPolicy,
        idempotency: Option<Idempotency>,
        now: Timestamp,
    ) -> StoreResult<Appended> {
        let key = idempotency.as_ref();
        transact!(self, db => append::append(db, owner, &sources, policy, key, now).await)
    }

    async fn source(&self, owner: &UserKey, id: SourceId) -> StoreResult<Option<Source>> {
        look!(self, db => {
            let key = params![&owner.project, owner.user, id];
            db.first(sql::SOURCE, key, |row| rows::source(row, 0)).await
        })
    }

    async fn source_ids(
        &self,
        owner: &UserKey,
        kind: SourceKind,
        page: Page,
    ) -> StoreResult<Vec<SourceId>> {
        look!(self, db => {
            let values = params![
                &owner.project,
                owner.user,
                kind.as_str(),
                count(page.limit),
                count(page.offset)
            ];
            db.list(sql::SOURCE_IDS, values, |row| Ok(SourceId(rows::uuid(row, 0)?))).await
        })
    }

    async fn delete_source(&self, owner: &UserKey, id: SourceId) -> StoreResult<bool> {
        transact!(self, db => {
            users::lock(db, owner).await?;
            delete_source(db, owner, id).await
        })
    }

    async fn buffered(
        &self,
        owner: &UserKey,
        kind: SourceKind,
        state: BufferState,
    ) -> StoreResult<Vec<BufferId>> {
        look!(self, db => {
            let values = params![&owner.project, owner.user, kind.as_str(), state.as_str()];
            db.list(sql::BUFFER_IDS, values, |row| Ok(BufferId(rows::uuid(row, 0)?))).await
        })
    }

    async fn flush(
        &self,
        owner: &UserKey,
        kind: SourceKind,
        job: JobId,
        now: Timestamp,
    ) -> StoreResult<Option<JobId>> {
        transact!(self, db => {
            if users::lock(db, owner).await?.is_none() {
                return Ok(None);
            }
            flush(db, owner, kind, job, now).await
        })
    }

    async fn idle_due(
        &self,
        now: Timestamp,
        limit: usize,
    ) -> StoreResult<Vec<(UserKey, SourceKind)>> {
        look!(self, db => {
            db.list(sql::IDLE_DUE, params![now, count(limit)], |row| {
                Ok((rows::owner(row, 0)?, rows::named(row, 2, SourceKind::parse)?))
            })
            .await
        })
    }

    async fn take(
        &self,
        owner: &UserKey,
        lease: Lease,
        tokens_max: u32,
    ) -> StoreResult<Vec<Buffered>> {
        look!(self, db => {
            let values = params![
                &owner.project,
                owner.user,
                lease.job,
                lease.fence,
                tokens_max
            ];
            let found = db.list(text::TAKE, values, rows::buffered).await?;
            if found.is_empty() {
                return Err(Fault::lease_lost());
            }
            Ok(found.into_iter().flatten().collect())
        })
    }
}

/// Reserves that many numbers in the user's order; the first of them. Locks the user.
pub(super) async fn reserve(db: &Db, owner: &UserKey, numbers: usize) -> Work<i64> {
    let numbers = count(numbers);
    let values = params![numbers, &owner.project, owner.user];
    let next = db
        .first(sql::USER_SEQ, values, |row| rows::int(row, 0))
        .await?;
    next.map(|next| next.saturating_sub(numbers))
        .ok_or_else(Fault::no_such_user)
}

/// Makes a job of everything idle.
pub(super) async fn start_job(
    db: &Db,
    owner: &UserKey,
    kind: SourceKind,
    job: JobId,
    now: Timestamp,
) -> Work<()> {
    insert_job(db, owner, kind, job, now).await?;
    let started = params![job, &owner.project, owner.user, kind.as_str()];
    let place = params![&owner.project, owner.user, kind.as_str()];
    let (started, dropped) = tokio::join!(
        biased;
        db.run(sql::BUFFER_START, started),
        db.run(sql::IDLE_DROP, place),
    );
    started?;
    dropped?;
    Ok(())
}

async fn insert_job(
    db: &Db,
    owner: &UserKey,
    kind: SourceKind,
    job: JobId,
    now: Timestamp,
) -> Work<()> {
    let seq = reserve(db, owner, 1).await?;
    let kind = JobKind::Distil(kind).as_text();
    let values = params![&owner.project, owner.user, job, seq, &kind, now];
    db.run(sql::JOB_INSERT, values).await?;
    Ok(())
}

/// Removes a source and its place in the buffer; whether it was there. The user must be locked.
pub(super) async fn delete_source(db: &Db, owner: &UserKey, id: SourceId) -> Work<bool> {
    let key = params![&owner.project, owner.user, id];
    if let Some((kind, BufferState::Idle, tokens)) =
        db.first(sql::BUFFER_DELETE, key, rows::standing).await?
    {
        subtract_idle(db, owner, kind, tokens).await?;
    }
    Ok(db.run(sql::SOURCE_DELETE, key).await? > 0)
}

/// Marks a place in the buffer as distilled. The user must be locked.
pub(super) async fn buffer_done(db: &Db, owner: &UserKey, id: BufferId) -> Work<()> {
    let key = params![&owner.project, owner.user, id];
    let standing = db.first(sql::BUFFER_OF, key, rows::standing).await?;
    if let Some((kind, BufferState::Idle, tokens)) = standing {
        subtract_idle(db, owner, kind, tokens).await?;
    }
    db.run(sql::BUFFER_DONE, key).await?;
    Ok(())
}

async fn subtract_idle(db: &Db, owner: &UserKey, kind: SourceKind, tokens: u32) -> Work<()> {
    let values = params![tokens, &owner.project, owner.user, kind.as_str()];
    db.run(sql::IDLE_SUBTRACT, values).await?;
    let place = params![&owner.project, owner.user, kind.as_str()];
    db.run(sql::IDLE_DROP_EMPTY, place).await?;
    Ok(())
}

async fn flush(
    db: &Db,
    owner: &UserKey,
    kind: SourceKind,
    job: JobId,
    now: Timestamp,
) -> Work<Option<JobId>> {
    let place = params![&owner.project, owner.user, kind.as_str()];
    if db.exists(sql::BUFFER_IDLE_EXISTS, place).await? {
        start_job(db, owner, kind, job, now).await?;
        return Ok(Some(job));
    }
    let failed = jobs::with_failed_rows(db, owner, kind).await?;
    for waiting in &failed {
        let values = params![now, &owner.project, owner.user, *waiting];
        db.run(sql::JOB_DUE_NOW, values).await?;
    }
    if let Some(open) = jobs::last_open(db, owner, kind).await? {
        return Ok(Some(open));
    }
    for dead in &failed {
        let values = params![now, &owner.project, *dead];
        if db.run(sql::JOB_REPLAY, values).await? > 0 {
            return Ok(Some(*dead));
        }
    }
    if failed.is_empty() {
        return Ok(None);
    }
    // Rows whose job ended without them: nobody but a new job would ever come back to them.
    insert_job(db, owner, kind, job, now).await?;
    let values = params![job, &owner.project, owner.user, kind.as_str()];
    db.run(sql::BUFFER_TAKE_ALONG, values).await?;
    Ok(Some(job))
}
