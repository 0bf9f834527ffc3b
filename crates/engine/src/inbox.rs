//! Sources come in, wait, and are flushed.

use std::time::Duration;

use mneme_core::buffer;
use mneme_core::id::{BufferId, JobId, ProjectId, SourceId, SubScope, UserKey};
use mneme_core::job::{FailureKind, Job, JobError, JobState};
use mneme_core::limits;
use mneme_core::ports::{
    BufferState, FlushPolicy, Idempotency, JobFilter, NewBuffer, NewSource, Page,
};
use mneme_core::redact;
use mneme_core::source::{Source, SourceKind};
use mneme_core::time::Timestamp;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::api::{BatchResult, Inserted, Outcome};
use crate::{Engine, EngineError, EngineResult, ErrorKind};

/// How often a wait looks at the store when no bell rings (another server may have done the work).
const POLL: Duration = Duration::from_millis(500);

impl Engine {
    /// Takes a source in. Durable when it returns; distilled later.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] for an unknown user; [`ErrorKind::Conflict`] when the idempotency key came with other
    /// content before.
    #[expect(
        clippy::too_many_arguments,
        reason = "one argument for each part of the request; a struct would only rename them"
    )]
    pub async fn insert(
        &self,
        owner: &UserKey,
        kind: SourceKind,
        body: Value,
        fields: Option<Value>,
        said_at: Option<Timestamp>,
        scope: SubScope,
        idempotency_key: Option<String>,
    ) -> EngineResult<Inserted> {
        let now = self.now();
        let mut source = Source {
            id: SourceId(self.next_id()),
            scope,
            kind,
            body,
            fields,
            said_at: said_at.unwrap_or(now),
            received_at: now,
        };
        let zone = self.options().zone.clone();
        let redact = self.options().redact_secrets;
        // A body may have many megabytes: its text form and hash are not made on an async worker.
        let prepared = tokio::task::spawn_blocking(move || {
            if redact {
                redact_source(&mut source);
            }
            let idempotency = idempotency_key
                .map(|key| idempotency(key, kind, &source.body))
                .transpose()?;
            let form = kind
                .is_distilled()
                .then(|| buffer::text_form(&source, &zone));
            EngineResult::Ok((source, idempotency, form))
        });
        let (source, idempotency, form) = prepared.await.map_err(|_| {
            EngineError::new(ErrorKind::Internal, "the source could not be prepared")
        })??;
        let buffer = match form {
            Some(form) => {
                let tokens = self.tokens_of(form).await;
                Some(NewBuffer {
                    id: BufferId(self.next_id()),
                    tokens,
                })
            }
            None => None,
        };
        let policy = FlushPolicy {
            tokens_max: self.options().buffer_tokens_max,
            job: JobId(self.next_id()),
            idle_seconds: self.options().buffer_idle.as_secs(),
        };
        let appended = self
            .store()
            .append(
                owner,
                vec![NewSource { source, buffer }],
                policy,
                idempotency,
                now,
            )
            .await
            .map_err(|error| name_user(error.into(), owner))?;
        if appended.job.is_some() {
            self.inner.job_wake.notify_one();
        }
        let source = appended.sources.first().copied().ok_or_else(|| {
            EngineError::new(ErrorKind::Internal, "the store returned no source id")
        })?;
        Ok(Inserted {
            source,
            job: appended.job,
            repeated: appended.repeated,
        })
    }

    /// One source.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn source(&self, owner: &UserKey, id: SourceId) -> EngineResult<Option<Source>> {
        Ok(self.store().source(owner, id).await?)
    }

    /// Ids of the sources of a kind, oldest first.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn source_ids(
        &self,
        owner: &UserKey,
        kind: SourceKind,
        page: Page,
    ) -> EngineResult<Vec<SourceId>> {
        Ok(self.store().source_ids(owner, kind, page).await?)
    }

    /// Removes a source; `false` when there is none.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn delete_source(&self, owner: &UserKey, id: SourceId) -> EngineResult<bool> {
        Ok(self.store().delete_source(owner, id).await?)
    }

    /// The buffer's rows of a kind in a state.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn buffered(
        &self,
        owner: &UserKey,
        kind: SourceKind,
        state: BufferState,
    ) -> EngineResult<Vec<BufferId>> {
        Ok(self.store().buffered(owner, kind, state).await?)
    }

    /// Starts distilling what waits; rows that failed before are taken along. `None`: nothing to do.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn flush(&self, owner: &UserKey, kind: SourceKind) -> EngineResult<Option<JobId>> {
        if !kind.is_distilled() {
            return Ok(None);
        }
        let job = self
            .store()
            .flush(owner, kind, JobId(self.next_id()), self.now())
            .await?;
        if job.is_some() {
            self.inner.job_wake.notify_one();
        }
        Ok(job)
    }

    /// Waits until the job's current attempt ends. When another job took its sources along, waits for that one.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn wait(&self, owner: &UserKey, job: JobId) -> EngineResult<Outcome> {
        let mut job = job;
        let mut attempts_before: Option<u32> = None;
        loop {
            let listener = self.inner.waiting.listen(job);
            let rung = listener.bell.notified();
            tokio::pin!(rung);
            // Registered before the store is asked, so that no bell is missed in between.
            rung.as_mut().enable();
            let Some(state) = self.store().job(&owner.project, job).await? else {
                return Ok(Outcome::Gone);
            };
            let before = *attempts_before.get_or_insert(if state.state == JobState::Running {
                state.attempt.saturating_sub(1)
            } else {
                state.attempt
            });
            if state.state == JobState::Superseded {
                match self.next_job(&state).await? {
                    Some(next) if next != job => {
                        (job, attempts_before) = (next, None);
                        continue;
                    }
                    _ => return Ok(Outcome::Finished(state.state, results(&state))),
                }
            }
            if let Some(outcome) = ended(&state, before, self.now()) {
                return Ok(outcome);
            }
            if let Some(message) = self.trouble() {
                // Nobody can take the job up now: better an answer than a wait without end.
                return Ok(Outcome::Failed(JobError {
                    stage: "store".to_owned(),
                    kind: FailureKind::Store,
                    message,
                }));
            }
            let _ = tokio::time::timeout(POLL, rung).await;
        }
    }

    /// Jobs of a project, newest first.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn jobs(
        &self,
        project: &ProjectId,
        filter: JobFilter,
        page: Page,
    ) -> EngineResult<Vec<Job>> {
        Ok(self.store().jobs(project, filter, page).await?)
    }

    /// Makes a dead job due again; `false` when there is no dead job of that id.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn replay_job(&self, project: &ProjectId, job: JobId) -> EngineResult<bool> {
        let found = self.store().replay(project, job, self.now()).await?;
        if found {
            self.inner.job_wake.notify_one();
        }
        Ok(found)
    }

    async fn next_job(&self, job: &Job) -> EngineResult<Option<JobId>> {
        let mneme_core::job::JobKind::Distil(kind) = job.kind;
        self.flush(&job.owner, kind).await
    }
}

/// A job that waits with an error has failed when it began another attempt since we first looked, or when its next one
/// is not due yet: then the attempt that we were to wait for had ended before we looked.
fn ended(job: &Job, attempts_before: u32, now: Timestamp) -> Option<Outcome> {
    match (job.state, &job.error) {
        (JobState::Dead, Some(error)) => Some(Outcome::Failed(error.clone())),
        (JobState::Queued, Some(error)) if job.attempt > attempts_before || job.run_at > now => {
            Some(Outcome::Failed(error.clone()))
        }
        (state, _) if state.is_final() => Some(Outcome::Finished(state, results(job))),
        _ => None,
    }
}

/// What the job's committed batches did.
pub(crate) fn results(job: &Job) -> Vec<BatchResult> {
    job.result
        .iter()
        .filter_map(|value| serde_json::from_value(value.clone()).ok())
        .collect()
}

fn idempotency(key: String, kind: SourceKind, body: &Value) -> EngineResult<Idempotency> {
    let length = key.chars().count();
    if length == 0 || length > limits::IDEMPOTENCY_KEY_CHARS_MAX {
        return Err(EngineError::new(
            ErrorKind::Invalid,
            format!(
                "an idempotency key has 1 to {} characters",
                limits::IDEMPOTENCY_KEY_CHARS_MAX
            ),
        ));
    }
    let mut hash = Sha256::new();
    hash.update(kind.as_str().as_bytes());
    hash.update(body.to_string().as_bytes());
    let content_hash = hash
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    Ok(Idempotency { key, content_hash })
}

/// Takes secrets out before anything is written: not in the store, not in a prompt, not in a log.
fn redact_source(source: &mut Source) {
    let fields = source.fields.as_mut().map_or(0, redact::in_json);
    let found = redact::in_json(&mut source.body) + fields;
    if found > 0 {
        tracing::info!(source = %source.id, found, "secrets were taken out of a source");
    }
}

/// Says which user is not there.
pub(crate) fn name_user(error: EngineError, owner: &UserKey) -> EngineError {
    if error.kind == ErrorKind::NotFound {
        return EngineError::new(
            ErrorKind::NotFound,
            format!("User {} not found", owner.user),
        );
    }
    error
}
