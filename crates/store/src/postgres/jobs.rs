//! Jobs under a lease.

use std::collections::BTreeSet;

use async_trait::async_trait;
use mneme_core::id::{JobId, ProjectId, UserKey};
use mneme_core::job::{Job, JobError, JobKind, JobState, Lease};
use mneme_core::ports::{Claimed, JobFilter, Jobs, Page, QueueStats, StoreResult};
use mneme_core::source::SourceKind;
use mneme_core::time::Timestamp;
use mneme_core::usage::Usage;
use serde_json::Value;

use super::bind::params;
use super::fault::{Fault, Work};
use super::pool::{look, transact};
use super::run::Db;
use super::{PostgresStore, claim, rows, tenants, users};
use crate::sql;
use crate::sqlite::codec::count;

#[async_trait]
impl Jobs for PostgresStore {
    async fn claim(
        &self,
        worker: &str,
        lease_until: Timestamp,
        now: Timestamp,
    ) -> StoreResult<Option<Claimed>> {
        claim::claim(self, worker, lease_until, now).await
    }

    async fn heartbeat(
        &self,
        owner: &UserKey,
        lease: Lease,
        lease_until: Timestamp,
    ) -> StoreResult<()> {
        transact!(self, db => {
            let values = params![
                lease_until,
                &owner.project,
                owner.user,
                lease.job,
                lease.fence
            ];
            held(db.run(sql::JOB_HEARTBEAT, values).await?)
        })
    }

    async fn finish(
        &self,
        owner: &UserKey,
        lease: Lease,
        state: JobState,
        now: Timestamp,
    ) -> StoreResult<()> {
        transact!(self, db => {
            users::lock(db, owner).await?;
            require_lease(db, owner, lease).await?;
            finish(db, owner, lease.job, state, now).await
        })
    }

    async fn fail(
        &self,
        owner: &UserKey,
        lease: Lease,
        error: JobError,
        retry_at: Option<Timestamp>,
        usage: Vec<Usage>,
        now: Timestamp,
    ) -> StoreResult<()> {
        transact!(self, db => {
            users::lock(db, owner).await?;
            require_lease(db, owner, lease).await?;
            fail(db, owner, lease.job, &error, retry_at, now).await?;
            tenants::book_usage(db, owner, &usage, now).await
        })
    }

    async fn release(&self, owner: &UserKey, lease: Lease, _now: Timestamp) -> StoreResult<()> {
        transact!(self, db => {
            // It was due when it was claimed, so it is due at once.
            let values = params![&owner.project, owner.user, lease.job, lease.fence];
            held(db.run(sql::JOB_RELEASE, values).await?)
        })
    }

    async fn job(&self, project: &ProjectId, id: JobId) -> StoreResult<Option<Job>> {
        look!(self, db => db.first(sql::JOB, params![project, id], rows::job).await)
    }

    async fn jobs(
        &self,
        project: &ProjectId,
        filter: JobFilter,
        page: Page,
    ) -> StoreResult<Vec<Job>> {
        let state = filter.state.map_or("", JobState::as_str);
        let (limit, offset) = (count(page.limit), count(page.offset));
        look!(self, db => match filter.user {
            Some(user) => {
                let values = params![project, user, state, limit, offset];
                db.list(sql::JOBS_OF_USER, values, rows::job).await
            }
            None => {
                let values = params![project, state, limit, offset];
                db.list(sql::JOBS_OF_PROJECT, values, rows::job).await
            }
        })
    }

    async fn replay(&self, project: &ProjectId, id: JobId, now: Timestamp) -> StoreResult<bool> {
        transact!(self, db => Ok(db.run(sql::JOB_REPLAY, params![now, project, id]).await? > 0))
    }

    async fn next_due(&self) -> StoreResult<Option<Timestamp>> {
        look!(self, db => {
            let found = db.first(sql::JOB_NEXT_DUE, params![], |row| rows::time_or_none(row, 0));
            Ok(found.await?.flatten())
        })
    }

    async fn queue_stats(&self) -> StoreResult<QueueStats> {
        look!(self, db => {
            let stats = db.first(sql::JOB_STATS, params![], |row| {
                Ok(QueueStats {
                    queued: rows::number(row, 0)?,
                    running: rows::number(row, 1)?,
                    dead: rows::number(row, 2)?,
                    oldest_queued_at: rows::time_or_none(row, 3)?,
                })
            });
            Ok(stats.await?.unwrap_or_default())
        })
    }
}

/// A statement that names a fence changes a row, or the lease is somebody else's.
fn held(changed: u64) -> Work<()> {
    if changed == 0 {
        Err(Fault::lease_lost())
    } else {
        Ok(())
    }
}

/// Refuses whoever does not hold the job any more. The user must be locked, so that it stays ours until the end.
pub(super) async fn require_lease(db: &Db, owner: &UserKey, lease: Lease) -> Work<()> {
    let values = params![&owner.project, owner.user, lease.job, lease.fence];
    held(u64::from(db.exists(sql::JOB_OWNED, values).await?))
}

/// Ends a job. Rows that it was to distil and did not are left for the next one.
pub(super) async fn finish(
    db: &Db,
    owner: &UserKey,
    job: JobId,
    state: JobState,
    now: Timestamp,
) -> Work<()> {
    if !state.is_final() {
        return Err(Fault::internal(
            "a job can be ended only with a final state",
        ));
    }
    let key = params![&owner.project, owner.user, job];
    db.run(sql::BUFFER_FAIL, key).await?;
    let values = params![state.as_str(), now, &owner.project, owner.user, job];
    db.run(sql::JOB_FINISH, values).await?;
    Ok(())
}

async fn fail(
    db: &Db,
    owner: &UserKey,
    job: JobId,
    error: &JobError,
    retry_at: Option<Timestamp>,
    now: Timestamp,
) -> Work<()> {
    let error = serde_json::to_string(error)?;
    let key = params![&owner.project, owner.user, job];
    db.run(sql::BUFFER_FAIL, key).await?;
    let (text, at) = match retry_at {
        Some(at) => (sql::JOB_RETRY, at),
        None => (sql::JOB_DIE, now),
    };
    let values = params![at, &error, &owner.project, owner.user, job];
    db.run(text, values).await?;
    Ok(())
}

/// Adds one entry to the result of a job.
pub(super) async fn add_result(db: &Db, owner: &UserKey, job: JobId, entry: Value) -> Work<()> {
    let key = params![&owner.project, owner.user, job];
    let kept: Option<Vec<Value>> = db
        .first(sql::JOB_RESULT, key, |row| rows::json(row, 0))
        .await?;
    let mut entries = kept.ok_or_else(Fault::lease_lost)?;
    entries.push(entry);
    let text = Value::Array(entries).to_string();
    let values = params![&text, &owner.project, owner.user, job];
    db.run(sql::JOB_RESULT_SET, values).await?;
    Ok(())
}

/// Jobs whose last attempt left rows of that kind behind, the one with the oldest row first.
pub(super) async fn with_failed_rows(
    db: &Db,
    owner: &UserKey,
    kind: SourceKind,
) -> Work<Vec<JobId>> {
    let values = params![&owner.project, owner.user, kind.as_str()];
    let mut seen = BTreeSet::new();
    let mut jobs = db
        .list(sql::BUFFER_FAILED_JOBS, values, rows::job_id)
        .await?;
    jobs.retain(|job| seen.insert(*job));
    Ok(jobs)
}

/// The job of that kind that will be finished last: the last one that waits, else the one that runs.
pub(super) async fn last_open(db: &Db, owner: &UserKey, kind: SourceKind) -> Work<Option<JobId>> {
    let kind = JobKind::Distil(kind).as_text();
    for text in [sql::JOB_LAST_QUEUED, sql::JOB_RUNNING] {
        let values = params![&owner.project, owner.user, &kind];
        if let Some(id) = db.first(text, values, rows::job_id).await? {
            return Ok(Some(id));
        }
    }
    Ok(None)
}
