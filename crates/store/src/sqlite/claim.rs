//! Which job comes next, and what it takes along.

use mneme_core::id::{JobId, UserKey};
use mneme_core::job::{Job, JobKind, Lease};
use mneme_core::ports::Claimed;
use mneme_core::source::SourceKind;
use mneme_core::time::Timestamp;
use rusqlite::{Connection, params};

use super::fault::{Fault, Work};
use super::run::Run;
use super::{jobs, rows};
use crate::sql;

/// A job that may be claimed, with its place in the order of all.
struct Candidate {
    owner: UserKey,
    job: JobId,
    order: (i64, i64),
}

/// Claims the next job, if there is one.
pub(super) fn claim(
    db: &Connection,
    worker: &str,
    lease_until: Timestamp,
    now: Timestamp,
) -> Work<Option<Claimed>> {
    let Some(Candidate { owner, job: id, .. }) = next(db, now)? else {
        return Ok(None);
    };
    let key = params![
        worker,
        lease_until.0,
        owner.project.0,
        owner.user.as_bytes(),
        id.as_bytes()
    ];
    let fence: Option<i64> = db.first(sql::JOB_CLAIM, key, |row| row.get(0))?;
    let job: Option<Job> =
        db.first(sql::JOB, params![owner.project.0, id.as_bytes()], rows::job)?;
    let (Some(fence), Some(job)) = (fence, job) else {
        return Err(Fault::internal("a job vanished while it was claimed"));
    };
    let JobKind::Distil(kind) = job.kind;
    take_along(db, &owner, id, kind, now)?;
    Ok(Some(Claimed {
        job,
        lease: Lease { job: id, fence },
    }))
}

/// The older of the oldest waiting job and the oldest whose lease ran out. A user of whom a job runs, with a lease or
/// without, gives no waiting job, so the abandoned one always comes first.
fn next(db: &Connection, now: Timestamp) -> Work<Option<Candidate>> {
    let mut best: Option<Candidate> = None;
    for text in [sql::JOB_NEXT_EXPIRED, sql::JOB_NEXT_QUEUED] {
        let found = db.first(text, params![now.0], |row| {
            Ok(Candidate {
                owner: rows::owner(row, 0)?,
                job: JobId(rows::uuid(row, 2)?),
                order: (row.get(3)?, row.get(4)?),
            })
        })?;
        if let Some(found) = found
            && best.as_ref().is_none_or(|best| found.order < best.order)
        {
            best = Some(found);
        }
    }
    Ok(best)
}

/// Moves everything that failed earlier to this job. Of a user only one job runs, so none of it belongs to a job that
/// is being worked on.
fn take_along(
    db: &Connection,
    owner: &UserKey,
    job: JobId,
    kind: SourceKind,
    now: Timestamp,
) -> Work<()> {
    let failed = jobs::with_failed_rows(db, owner, kind)?;
    if failed.is_empty() {
        return Ok(());
    }
    db.run(
        sql::BUFFER_TAKE_ALONG,
        params![
            job.as_bytes(),
            owner.project.0,
            owner.user.as_bytes(),
            kind.as_str()
        ],
    )?;
    for emptied in failed.iter().filter(|other| **other != job) {
        db.run(
            sql::JOB_SUPERSEDE,
            params![
                now.0,
                owner.project.0,
                owner.user.as_bytes(),
                emptied.as_bytes()
            ],
        )?;
    }
    Ok(())
}
