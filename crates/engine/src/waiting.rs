//! Who waits for which job inside this process. Jobs that another server ends are seen by polling.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mneme_core::id::JobId;
use tokio::sync::Notify;

type Waiters = HashMap<JobId, (usize, Arc<Notify>)>;

/// A bell for each job that somebody waits for.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    bells: Mutex<Waiters>,
}

impl Waiting {
    fn bells(&self) -> MutexGuard<'_, Waiters> {
        // The map is consistent after every statement below, so a panic elsewhere cannot leave it half changed.
        self.bells.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A bell that rings when the job's state changes; hung up until the guard is dropped.
    pub(crate) fn listen(&self, job: JobId) -> Listener<'_> {
        let mut bells = self.bells();
        let entry = bells.entry(job).or_default();
        entry.0 += 1;
        Listener {
            waiting: self,
            job,
            bell: Arc::clone(&entry.1),
        }
    }

    /// Rings for one job.
    pub(crate) fn tell(&self, job: JobId) {
        if let Some((_, bell)) = self.bells().get(&job) {
            bell.notify_waiters();
        }
    }

    /// Rings for all.
    pub(crate) fn tell_all(&self) {
        for (_, bell) in self.bells().values() {
            bell.notify_waiters();
        }
    }
}

/// A place at the bell.
pub(crate) struct Listener<'a> {
    waiting: &'a Waiting,
    job: JobId,
    pub(crate) bell: Arc<Notify>,
}

impl Drop for Listener<'_> {
    fn drop(&mut self) {
        let mut bells = self.waiting.bells();
        if let Some(entry) = bells.get_mut(&self.job) {
            entry.0 -= 1;
            if entry.0 == 0 {
                bells.remove(&self.job);
            }
        }
    }
}
