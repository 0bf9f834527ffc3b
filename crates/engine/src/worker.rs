//! Background work: claim, run under a heartbeat, finish or fail; many users at once, one batch of a user at a time.

use std::sync::Arc;
use std::time::Duration;

use mneme_core::id::UserKey;
use mneme_core::job::{FailureKind, Lease, retry_at};
use mneme_core::ports::{Claimed, StoreErrorKind};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use crate::Engine;
use crate::pipeline::{self, Failure, Stop};

/// Longest sleep of an idle worker: other servers' work and clock jumps are seen after it at the latest.
const IDLE_WAIT_MAX: Duration = Duration::from_secs(5);
/// Pause after the store failed to answer.
const STORE_PAUSE: Duration = Duration::from_secs(1);

/// Claims and runs jobs until `stop` says true or its sender is gone; then lets running jobs finish for the drain time
/// and gives the others back.
pub async fn run(engine: Engine, name: String, mut stop: watch::Receiver<bool>) {
    let permits = Arc::new(Semaphore::new(engine.options().workers.max(1)));
    let mut running = JoinSet::new();
    while !stopping(&stop) {
        while running.try_join_next().is_some() {}
        let permit = tokio::select! {
            permit = Arc::clone(&permits).acquire_owned() => permit,
            _ = stop.changed() => continue,
        };
        let Ok(permit) = permit else { break };
        let now = engine.now();
        let lease_until = now.plus_seconds(seconds(engine.options().lease));
        match engine.store().claim(&name, lease_until, now).await {
            Ok(Some(claimed)) => {
                engine.set_trouble(None);
                let engine = engine.clone();
                let stop = stop.clone();
                running.spawn(async move {
                    run_claimed(&engine, claimed, stop).await;
                    drop(permit);
                });
            }
            Ok(None) => {
                engine.set_trouble(None);
                drop(permit);
                idle(&engine, &mut stop).await;
            }
            Err(error) => {
                drop(permit);
                tracing::warn!(error = %error, "cannot claim work");
                engine.set_trouble(Some(error.message));
                tokio::select! { () = tokio::time::sleep(STORE_PAUSE) => {}, _ = stop.changed() => {} }
            }
        }
    }
    while running.join_next().await.is_some() {}
}

/// Without a sender nobody could ever stop us, and `changed` would not wait any more.
fn stopping(stop: &watch::Receiver<bool>) -> bool {
    *stop.borrow() || stop.has_changed().is_err()
}

fn seconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_secs().max(1)).unwrap_or(i64::MAX)
}

/// Sleeps until something may be due.
async fn idle(engine: &Engine, stop: &mut watch::Receiver<bool>) {
    let now = engine.now();
    let wait = match engine.store().next_due().await {
        Ok(Some(due)) => {
            Duration::from_micros(u64::try_from(due.0.saturating_sub(now.0)).unwrap_or(0))
                .clamp(Duration::from_millis(20), IDLE_WAIT_MAX)
        }
        _ => IDLE_WAIT_MAX,
    };
    tokio::select! {
        () = engine.inner.job_wake.notified() => {}
        () = tokio::time::sleep(wait) => {}
        _ = stop.changed() => {}
    }
}

async fn run_claimed(engine: &Engine, claimed: Claimed, stop: watch::Receiver<bool>) {
    let Claimed { job, lease } = claimed;
    let owner = job.owner.clone();
    // A panic inside must not leave the job to its lease: it is a failure like any other.
    let work = tokio::spawn({
        let (engine, job) = (engine.clone(), job.clone());
        async move { pipeline::distil(&engine, &job, lease).await }
    });
    let abort = work.abort_handle();
    let ended = tokio::select! {
        ended = work => Some(ended),
        () = keep_alive(engine, &owner, lease) => None,
        () = drained(engine, stop) => None,
    };
    match ended {
        Some(Ok(Ok(()))) => tracing::debug!(job = %job.id, "distilled"),
        Some(Ok(Err(Stop::LeaseLost))) => {
            tracing::info!(job = %job.id, "the job went to somebody else");
        }
        Some(Ok(Err(Stop::Failed(failure)))) => {
            fail(engine, &owner, lease, job.attempt, failure).await;
        }
        Some(Err(error)) => {
            tracing::error!(job = %job.id, error = %error, "distilling stopped unexpectedly");
            fail(
                engine,
                &owner,
                lease,
                job.attempt,
                pipeline::failure(
                    "internal",
                    FailureKind::Store,
                    "distilling stopped unexpectedly",
                ),
            )
            .await;
        }
        None => {
            abort.abort();
            let _ = engine.store().release(&owner, lease, engine.now()).await;
        }
    }
    engine.inner.waiting.tell(job.id);
    // The user's next job may be claimed now.
    engine.inner.job_wake.notify_one();
}

/// Returns when the lease is lost.
async fn keep_alive(engine: &Engine, owner: &UserKey, lease: Lease) {
    let every = engine.options().lease / 3;
    loop {
        tokio::time::sleep(every).await;
        let until = engine.now().plus_seconds(seconds(engine.options().lease));
        match engine.store().heartbeat(owner, lease, until).await {
            Err(error) if error.kind == StoreErrorKind::LeaseLost => return,
            Err(error) => tracing::warn!(error = %error, "no heartbeat for now"),
            Ok(()) => {}
        }
    }
}

/// Returns when a shutdown has waited long enough.
async fn drained(engine: &Engine, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        if stop.changed().await.is_err() {
            break;
        }
    }
    tokio::time::sleep(engine.options().drain).await;
}

async fn fail(engine: &Engine, owner: &UserKey, lease: Lease, attempt: u32, failure: Failure) {
    let now = engine.now();
    let again = (attempt < engine.options().job_attempts_max)
        .then(|| retry_at(now, attempt, failure.retry_after_seconds));
    tracing::warn!(stage = failure.error.stage, kind = ?failure.error.kind, reason = failure.error.message, attempt, dead = again.is_none(), "a batch failed; its sources stay buffered");
    if let Err(error) = engine
        .store()
        .fail(owner, lease, failure.error, again, failure.usage, now)
        .await
    {
        tracing::warn!(error = %error, "cannot record the failure; the lease will run out");
    }
}
