//! Jobs under a lease.

use std::collections::BTreeSet;

use async_trait::async_trait;
use mneme_core::id::{JobId, ProjectId, UserKey};
use mneme_core::job::{Job, JobError, JobKind, JobState, Lease};
use mneme_core::ports::{Claimed, JobFilter, Jobs, Page, QueueStats, StoreResult};
use mneme_core::source::SourceKind;
use mneme_core::time::Timestamp;
use mneme_core::usage::Usage;
use rusqlite::{Connection, params};
use serde_json::Value;

use super::codec::count;
use super::fault::{Fault, Work};
use super::run::Run;
use super::{SqliteStore, claim, rows, tenants};
use crate::sql;

#[async_trait]
impl Jobs for SqliteStore {
    async fn claim(
        &self,
        worker: &str,
        lease_until: Timestamp,
        now: Timestamp,
    ) -> StoreResult<Option<Claimed>> {
        let worker = worker.to_owned();
        self.write(move |db| claim::claim(db, &worker, lease_until, now))
            .await
    }

    async fn heartbeat(
        &self,
        owner: &UserKey,
        lease: Lease,
        lease_until: Timestamp,
    ) -> StoreResult<()> {
        let owner = owner.clone();
        self.write(move |db| {
            let values = params![
                lease_until.0,
                owner.project.0,
                owner.user.as_bytes(),
                lease.job.as_bytes(),
                lease.fence
            ];
            if db.run(sql::JOB_HEARTBEAT, values)? == 0 {
                Err(Fault::lease_lost())
            } else {
                Ok(())
            }
        })
        .await
    }

    async fn finish(
        &self,
        owner: &UserKey,
        lease: Lease,
        state: JobState,
        now: Timestamp,
    ) -> StoreResult<()> {
        let owner = owner.clone();
        self.write(move |db| {
            require_lease(db, &owner, lease)?;
            finish(db, &owner, lease.job, state, now)
        })
        .await
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
        let owner = owner.clone();
        self.write(move |db| {
            require_lease(db, &owner, lease)?;
            fail(db, &owner, lease.job, &error, retry_at, now)?;
            tenants::book_usage(db, &owner, &usage, now)
        })
        .await
    }

    async fn release(&self, owner: &UserKey, lease: Lease, _now: Timestamp) -> StoreResult<()> {
        let owner = owner.clone();
        self.write(move |db| {
            // It was due when it was claimed, so it is due at once.
            let values = params![
                owner.project.0,
                owner.user.as_bytes(),
                lease.job.as_bytes(),
                lease.fence
            ];
            if db.run(sql::JOB_RELEASE, values)? == 0 {
                Err(Fault::lease_lost())
            } else {
                Ok(())
            }
        })
        .await
    }

    async fn job(&self, project: &ProjectId, id: JobId) -> StoreResult<Option<Job>> {
        let project = project.clone();
        self.read(move |db| db.first(sql::JOB, params![project.0, id.as_bytes()], rows::job))
            .await
    }

    async fn jobs(
        &self,
        project: &ProjectId,
        filter: JobFilter,
        page: Page,
    ) -> StoreResult<Vec<Job>> {
        let project = project.clone();
        self.read(move |db| {
            let state = filter.state.map_or("", JobState::as_str);
            let (limit, offset) = (count(page.limit), count(page.offset));
            match filter.user {
                Some(user) => db.list(
                    sql::JOBS_OF_USER,
                    params![project.0, user.as_bytes(), state, limit, offset],
                    rows::job,
                ),
                None => db.list(
                    sql::JOBS_OF_PROJECT,
                    params![project.0, state, limit, offset],
                    rows::job,
                ),
            }
        })
        .await
    }

    async fn replay(&self, project: &ProjectId, id: JobId, now: Timestamp) -> StoreResult<bool> {
        let project = project.clone();
        self.write(move |db| {
            Ok(db.run(sql::JOB_REPLAY, params![now.0, project.0, id.as_bytes()])? > 0)
        })
        .await
    }

    async fn next_due(&self) -> StoreResult<Option<Timestamp>> {
        self.read(|db| {
            Ok(db
                .first(sql::JOB_NEXT_DUE, [], |row| rows::time_or_none(row, 0))?
                .flatten())
        })
        .await
    }

    async fn queue_stats(&self) -> StoreResult<QueueStats> {
        self.read(|db| {
            let stats = db.first(sql::JOB_STATS, [], |row| {
                Ok(QueueStats {
                    queued: rows::number(row, 0)?,
                    running: rows::number(row, 1)?,
                    dead: rows::number(row, 2)?,
                    oldest_queued_at: rows::time_or_none(row, 3)?,
                })
            })?;
            Ok(stats.unwrap_or_default())
        })
        .await
    }
}

/// Refuses whoever does not hold the job any more; what the job does.
pub(super) fn require_lease(db: &Connection, owner: &UserKey, lease: Lease) -> Work<JobKind> {
    let values = params![
        owner.project.0,
        owner.user.as_bytes(),
        lease.job.as_bytes(),
        lease.fence
    ];
    db.first(sql::JOB_OWNED, values, |row| {
        rows::named(row, 0, JobKind::parse)
    })?
    .ok_or_else(Fault::lease_lost)
}

/// Ends a job. Rows that it was to distil and did not are left for the next one.
pub(super) fn finish(
    db: &Connection,
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
    db.run(
        sql::BUFFER_FAIL,
        params![owner.project.0, owner.user.as_bytes(), job.as_bytes()],
    )?;
    let values = params![
        state.as_str(),
        now.0,
        owner.project.0,
        owner.user.as_bytes(),
        job.as_bytes()
    ];
    db.run(sql::JOB_FINISH, values)?;
    Ok(())
}

fn fail(
    db: &Connection,
    owner: &UserKey,
    job: JobId,
    error: &JobError,
    retry_at: Option<Timestamp>,
    now: Timestamp,
) -> Work<()> {
    let error = serde_json::to_string(error)?;
    db.run(
        sql::BUFFER_FAIL,
        params![owner.project.0, owner.user.as_bytes(), job.as_bytes()],
    )?;
    let (text, at) = match retry_at {
        Some(at) => (sql::JOB_RETRY, at),
        None => (sql::JOB_DIE, now),
    };
    db.run(
        text,
        params![
            at.0,
            error,
            owner.project.0,
            owner.user.as_bytes(),
            job.as_bytes()
        ],
    )?;
    Ok(())
}

/// Adds one entry to the result of a job.
pub(super) fn add_result(db: &Connection, owner: &UserKey, job: JobId, entry: Value) -> Work<()> {
    let key = params![owner.project.0, owner.user.as_bytes(), job.as_bytes()];
    let kept: Option<Vec<Value>> = db.first(sql::JOB_RESULT, key, |row| rows::json(row, 0))?;
    let mut entries = kept.ok_or_else(Fault::lease_lost)?;
    entries.push(entry);
    let text = Value::Array(entries).to_string();
    db.run(
        sql::JOB_RESULT_SET,
        params![text, owner.project.0, owner.user.as_bytes(), job.as_bytes()],
    )?;
    Ok(())
}

/// Jobs whose last attempt left rows of that kind behind, the one with the oldest row first.
pub(super) fn with_failed_rows(
    db: &Connection,
    owner: &UserKey,
    kind: SourceKind,
) -> Work<Vec<JobId>> {
    let values = params![owner.project.0, owner.user.as_bytes(), kind.as_str()];
    let mut seen = BTreeSet::new();
    let mut jobs = db.list(sql::BUFFER_FAILED_JOBS, values, |row| {
        Ok(JobId(rows::uuid(row, 0)?))
    })?;
    jobs.retain(|job| seen.insert(*job));
    Ok(jobs)
}

/// The job of that kind that will be finished last: the last one that waits, else the one that runs.
pub(super) fn last_open(db: &Connection, owner: &UserKey, kind: SourceKind) -> Work<Option<JobId>> {
    let kind = JobKind::Distil(kind).as_text();
    for text in [sql::JOB_LAST_QUEUED, sql::JOB_RUNNING] {
        let values = params![owner.project.0, owner.user.as_bytes(), kind];
        if let Some(id) = db.first(text, values, |row| Ok(JobId(rows::uuid(row, 0)?)))? {
            return Ok(Some(id));
        }
    }
    Ok(None)
}
