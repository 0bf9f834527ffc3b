//! Which job comes next, and what it takes along.

use mneme_core::id::{JobId, UserKey};
use mneme_core::job::{JobKind, Lease};
use mneme_core::ports::{Claimed, StoreResult};
use mneme_core::source::SourceKind;
use mneme_core::time::Timestamp;
use tokio_postgres::Row;

use super::bind::params;
use super::fault::{Fault, Work};
use super::pool::transact;
use super::run::Db;
use super::{PostgresStore, jobs, rows, text, users};
use crate::sql;

/// How often a claim may find that somebody else was quicker. Each time somebody got a job.
const RACES_MAX: usize = 64;

/// A job that may be claimed, with its place in the order of all.
struct Candidate {
    owner: UserKey,
    job: JobId,
    order: (i64, i64),
}

/// How one attempt ended.
enum Attempt {
    Claimed(Box<Claimed>),
    /// Nothing is due.
    Nothing,
    /// It was due when we looked, and was not when we had the lock.
    Raced,
}

/// Claims the next job, if there is one.
pub(super) async fn claim(
    store: &PostgresStore,
    worker: &str,
    lease_until: Timestamp,
    now: Timestamp,
) -> StoreResult<Option<Claimed>> {
    for _ in 0..RACES_MAX {
        let attempt = transact!(store, db => attempt(db, worker, lease_until, now).await)?;
        match attempt {
            Attempt::Claimed(claimed) => return Ok(Some(*claimed)),
            Attempt::Nothing => return Ok(None),
            Attempt::Raced => {}
        }
    }
    Ok(None)
}

async fn attempt(db: &Db, worker: &str, lease_until: Timestamp, now: Timestamp) -> Work<Attempt> {
    let Some(Candidate { owner, job: id, .. }) = locked_candidate(db, now).await? else {
        return Ok(Attempt::Nothing);
    };
    let values = params![&owner.project, owner.user, id, worker, lease_until, now];
    let fence = db
        .first(text::CLAIM, values, |row| rows::int(row, 0))
        .await?;
    let Some(fence) = fence else {
        return Ok(Attempt::Raced);
    };
    let job = db
        .first(sql::JOB, params![&owner.project, id], rows::job)
        .await?;
    let job = job.ok_or_else(|| Fault::internal("a job vanished while it was claimed"))?;
    let JobKind::Distil(kind) = job.kind;
    take_along(db, &owner, id, kind, now).await?;
    let lease = Lease { job: id, fence };
    Ok(Attempt::Claimed(Box::new(Claimed { job, lease })))
}

/// The next job whose user nobody else has locked; else the very next one, after waiting for its user. A user of whom
/// a job runs gives no waiting job, so an abandoned one always comes first.
async fn locked_candidate(db: &Db, now: Timestamp) -> Work<Option<Candidate>> {
    let free = older(db, [text::NEXT_EXPIRED, text::NEXT_QUEUED], now).await?;
    if free.is_some() {
        return Ok(free);
    }
    let Some(busy) = older(db, [sql::JOB_NEXT_EXPIRED, sql::JOB_NEXT_QUEUED], now).await? else {
        return Ok(None);
    };
    users::lock(db, &busy.owner).await?;
    Ok(Some(busy))
}

/// The older of what two statements find.
async fn older(db: &Db, texts: [&str; 2], now: Timestamp) -> Work<Option<Candidate>> {
    let [expired, queued] = texts;
    let now = params![now];
    let (expired, queued) = tokio::join!(
        biased;
        db.first(expired, now, candidate),
        db.first(queued, now, candidate),
    );
    Ok([expired?, queued?]
        .into_iter()
        .flatten()
        .min_by_key(|found| found.order))
}

fn candidate(row: &Row) -> Work<Candidate> {
    Ok(Candidate {
        owner: rows::owner(row, 0)?,
        job: JobId(rows::uuid(row, 2)?),
        order: (rows::int(row, 3)?, rows::int(row, 4)?),
    })
}

/// Moves everything that failed earlier to this job. Of a user only one job runs, so none of it belongs to a job that
/// is being worked on.
async fn take_along(
    db: &Db,
    owner: &UserKey,
    job: JobId,
    kind: SourceKind,
    now: Timestamp,
) -> Work<()> {
    let failed = jobs::with_failed_rows(db, owner, kind).await?;
    if failed.is_empty() {
        return Ok(());
    }
    let values = params![job, &owner.project, owner.user, kind.as_str()];
    db.run(sql::BUFFER_TAKE_ALONG, values).await?;
    for emptied in failed.iter().filter(|other| **other != job) {
        let values = params![now, &owner.project, owner.user, *emptied];
        db.run(sql::JOB_SUPERSEDE, values).await?;
    }
    Ok(())
}
