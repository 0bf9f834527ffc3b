//! From a claimed job to committed memory: take, read, judge, plan, commit; again on a conflict; until nothing waits.
//!
//! No connection is held while a model is asked. Reading (the costly part) is done once per batch; when the user's
//! version moved on meanwhile only judging and planning are done again.

mod model;
mod notes;
mod rules;

use mneme_core::buffer;
use mneme_core::change::{ChangeSet, JobStep};
use mneme_core::consolidate::{self, Setting, Summary};
use mneme_core::distil::{DatedTurn, Defect, Distilled};
use mneme_core::id::UserKey;
use mneme_core::job::{FailureKind, Job, JobError, JobKind, JobState, Lease};
use mneme_core::memory::Memory;
use mneme_core::ports::{
    BufferState, Buffered, ModelError, ModelErrorKind, StoreError, StoreErrorKind,
};
use mneme_core::source::SourceKind;
use mneme_core::usage::Usage;

use crate::api::BatchResult;
use crate::inbox::results;
use crate::project::Settings;
use crate::write::CONFLICTS_MAX;
use crate::{Engine, EngineError};

/// Why an attempt at a job ends early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Somebody else has the job now, or it is gone.
    LeaseLost,
    /// It failed; the sources stay buffered.
    Failed(Failure),
}

/// A failed attempt.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) error: JobError,
    pub(crate) retry_after_seconds: Option<u64>,
    /// What was used all the same.
    pub(crate) usage: Vec<Usage>,
}

/// A window as read, before it is held against the profile.
enum Reading {
    /// By the model: notes and facts without verdicts. With the turns, which the rules read should the model be gone
    /// when the facts are judged.
    Model(model::ReadWindow, Vec<DatedTurn>),
    /// By the rules, which read and judge in one go.
    Rules(Vec<DatedTurn>),
}

/// Distils what the job covers.
pub(crate) async fn distil(engine: &Engine, job: &Job, lease: Lease) -> Result<(), Stop> {
    let JobKind::Distil(kind) = job.kind;
    let owner = &job.owner;
    // An earlier attempt may have committed some of the batches; what they left out still counts.
    let mut partial = results(job).iter().any(|batch| !batch.defects.is_empty());
    loop {
        let batch = engine
            .store()
            .take(owner, lease, engine.options().window_tokens_max)
            .await
            .map_err(store_stop)?;
        let state = |partial| {
            if partial {
                JobState::Partial
            } else {
                JobState::Done
            }
        };
        if batch.is_empty() {
            return engine
                .store()
                .finish(owner, lease, state(partial), engine.now())
                .await
                .map_err(store_stop);
        }
        let settings = engine.settings(&owner.project).await.map_err(engine_stop)?;
        let mut usage = Vec::new();
        let readings = read(engine, owner, kind, &batch, &settings, &mut usage)
            .await
            .map_err(|failure| with_usage(failure, &usage))?;
        let waiting = engine
            .store()
            .buffered(owner, kind, BufferState::Processing)
            .await
            .map_err(store_stop)?;
        let last = waiting.len() <= batch.len();
        let committed = commit_batch(
            engine,
            owner,
            &batch,
            &readings,
            &settings,
            &mut usage,
            |result: &BatchResult| JobStep {
                lease,
                result: serde_json::to_value(result).ok(),
                finish: last.then(|| state(partial || !result.defects.is_empty())),
            },
        )
        .await?;
        partial |= !committed.defects.is_empty();
        if last {
            return Ok(());
        }
    }
}

async fn read(
    engine: &Engine,
    owner: &UserKey,
    kind: SourceKind,
    batch: &[Buffered],
    settings: &Settings,
    usage: &mut Vec<Usage>,
) -> Result<Vec<Reading>, Failure> {
    let windows = windows_of(engine, batch).await;
    let Some(llm) = engine.inner.parts.llm.as_ref() else {
        return Ok(windows.into_iter().map(Reading::Rules).collect());
    };
    let known = engine
        .store()
        .snapshot(owner)
        .await
        .map_err(store_failure)?
        .profile;
    let mut readings = Vec::new();
    for window in windows {
        let reading =
            model::read(engine, llm.as_ref(), settings, &known, kind, &window, usage).await;
        readings.push(match reading {
            Ok(read) => Reading::Model(read, window),
            Err(failure) => {
                rules_allowed(engine, failure)?;
                Reading::Rules(window)
            }
        });
    }
    Ok(readings)
}

/// Gives the failure back unless it is one for which the built-in rules may stand in.
fn rules_allowed(engine: &Engine, failure: Failure) -> Result<(), Failure> {
    if failure.error.kind == FailureKind::Unavailable && engine.options().fall_back_to_rules {
        tracing::warn!(
            stage = failure.error.stage,
            "the model cannot be reached; the built-in rules distil this window"
        );
        return Ok(());
    }
    Err(failure)
}

/// The batch's turns in windows that fit the model. A batch is one window unless a single source is larger.
async fn windows_of(engine: &Engine, batch: &[Buffered]) -> Vec<Vec<DatedTurn>> {
    let zone = &engine.options().zone;
    let turns: Vec<DatedTurn> = batch
        .iter()
        .flat_map(|row| buffer::dated_turns(&row.source, zone))
        .collect();
    let total: u64 = batch.iter().map(|row| u64::from(row.tokens)).sum();
    if total <= u64::from(engine.options().window_tokens_max) {
        return if turns.is_empty() {
            Vec::new()
        } else {
            vec![turns]
        };
    }
    let sizes = engine
        .inner
        .parts
        .tokens
        .count(turns.iter().map(DatedTurn::line).collect())
        .await;
    buffer::windows(&turns, &sizes, engine.options().window_tokens_max)
}

async fn commit_batch(
    engine: &Engine,
    owner: &UserKey,
    batch: &[Buffered],
    readings: &[Reading],
    settings: &Settings,
    usage: &mut Vec<Usage>,
    step: impl Fn(&BatchResult) -> JobStep + Send,
) -> Result<BatchResult, Stop> {
    for _ in 0..CONFLICTS_MAX {
        let snapshot = engine.store().snapshot(owner).await.map_err(store_stop)?;
        let distilled = judge(engine, readings, settings, &snapshot.profile, usage)
            .await
            .map_err(|failure| with_usage(failure, usage))?;
        let (mut change, result) = plan(engine, batch, distilled, snapshot.profile).await;
        engine
            .complete(&mut change, engine.options().embed_patience)
            .await;
        change.usage.clone_from(usage);
        change.job = Some(step(&result));
        match engine.commit(owner, Some(snapshot.version), change).await {
            Ok(_) => return Ok(result),
            Err(error) if error.kind == StoreErrorKind::Conflict => {}
            Err(error) => return Err(store_stop(error)),
        }
    }
    Err(Stop::Failed(failure(
        "store",
        FailureKind::Store,
        "the memory is being changed by others all the time",
    )))
}

/// Holds every window against the profile; what one window changes is seen by the next.
async fn judge(
    engine: &Engine,
    readings: &[Reading],
    settings: &Settings,
    profile: &[Memory],
    usage: &mut Vec<Usage>,
) -> Result<Vec<Distilled>, Failure> {
    let mut current = rules::Current::of(profile);
    let mut distilled = Vec::new();
    for reading in readings {
        let window = match (reading, engine.inner.parts.llm.as_ref()) {
            (Reading::Model(read, turns), Some(llm)) => {
                match model::judge(engine, llm.as_ref(), settings, read, &current, usage).await {
                    Ok(window) => window,
                    Err(failure) => {
                        rules_allowed(engine, failure)?;
                        rules::distil(turns.clone(), &current, settings).await
                    }
                }
            }
            (Reading::Model(read, _), None) => read.clone().without_facts(),
            (Reading::Rules(turns), _) => rules::distil(turns.clone(), &current, settings).await,
        };
        current.apply(&window.facts);
        distilled.push(window);
    }
    Ok(distilled)
}

/// Plans off the async workers: a large batch takes a while to analyse.
async fn plan(
    engine: &Engine,
    batch: &[Buffered],
    distilled: Vec<Distilled>,
    profile: Vec<Memory>,
) -> (ChangeSet, BatchResult) {
    let first = batch.first();
    let scope = first
        .map(|row| row.source.scope.clone())
        .unwrap_or_default();
    let at_work = engine.clone();
    let planning = tokio::task::spawn_blocking(move || {
        let mut next_id = || at_work.next_id();
        let mut setting = Setting {
            now: at_work.now(),
            zone: &at_work.options().zone,
            scope,
            next_id: &mut next_id,
        };
        let (change, summary) = consolidate::plan(&profile, &distilled, &mut setting);
        (change, batch_result(&summary, &distilled))
    });
    let (mut change, result) = match planning.await {
        Ok(planned) => planned,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    };
    change.buffer_done = batch.iter().map(|row| row.buffer).collect();
    if !engine.options().persist_chats {
        change.drop_sources = batch
            .iter()
            .filter(|row| row.source.kind == SourceKind::Chat)
            .map(|row| row.source.id)
            .collect();
    }
    (change, result)
}

fn batch_result(summary: &Summary, distilled: &[Distilled]) -> BatchResult {
    let defects: Vec<Defect> = distilled
        .iter()
        .flat_map(|window| window.defects.iter().cloned())
        .collect();
    BatchResult {
        event: summary.events.first().copied(),
        added: summary.added.clone(),
        updated: summary.updated.clone(),
        deleted: Vec::new(),
        gists: summary.gists,
        defects,
    }
}

pub(crate) fn failure(stage: &str, kind: FailureKind, message: impl Into<String>) -> Failure {
    Failure {
        error: JobError {
            stage: stage.to_owned(),
            kind,
            message: message.into(),
        },
        retry_after_seconds: None,
        usage: Vec::new(),
    }
}

pub(crate) fn model_failure(stage: &str, error: &ModelError) -> Failure {
    let kind = match error.kind {
        ModelErrorKind::Unavailable | ModelErrorKind::Timeout | ModelErrorKind::RateLimited => {
            FailureKind::Unavailable
        }
        ModelErrorKind::Rejected => FailureKind::Rejected,
        ModelErrorKind::Protocol => FailureKind::Parse,
    };
    Failure {
        retry_after_seconds: error.retry_after_seconds,
        ..failure(stage, kind, error.message.clone())
    }
}

fn with_usage(mut failure: Failure, usage: &[Usage]) -> Stop {
    failure.usage = usage.to_vec();
    Stop::Failed(failure)
}

fn store_failure(error: StoreError) -> Failure {
    failure("store", FailureKind::Store, error.message)
}

fn store_stop(error: StoreError) -> Stop {
    match error.kind {
        StoreErrorKind::LeaseLost | StoreErrorKind::NoSuchOwner => Stop::LeaseLost,
        _ => Stop::Failed(store_failure(error)),
    }
}

fn engine_stop(error: EngineError) -> Stop {
    Stop::Failed(failure("store", FailureKind::Store, error.message))
}
