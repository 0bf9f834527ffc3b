//! A few threads of our own for inference, so that no async worker ever computes.
//!
//! Two lanes: what somebody waits for goes before what is made in the background. Each lane is bounded; who submits to
//! a full one waits. Work whose submitter went away is skipped.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, PoisonError};
use std::thread;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// Waiting pieces of work per lane.
const WAITING_MAX: usize = 32;

/// Which queue a piece of work stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Somebody waits.
    Urgent,
    /// Nobody waits.
    Background,
}

/// The work could not be done: no thread could be started, or the work panicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lost;

/// The threads and their queues. Dropping it lets the threads end after the work at hand.
pub(crate) struct Pool {
    threads: usize,
    started: Once,
    room: [Arc<Semaphore>; 2],
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    queues: Mutex<Queues>,
    changed: Condvar,
}

#[derive(Default)]
struct Queues {
    lanes: [VecDeque<Work>; 2],
    running: usize,
    closed: bool,
}

/// A piece of work and the room that it takes up while it waits.
type Work = (Box<dyn FnOnce() + Send>, OwnedSemaphorePermit);

impl Pool {
    /// A pool of at least one thread. The threads start with the first piece of work.
    pub(crate) fn new(threads: usize) -> Self {
        let room = || Arc::new(Semaphore::new(WAITING_MAX));
        Self {
            threads: threads.max(1),
            started: Once::new(),
            room: [room(), room()],
            shared: Arc::default(),
        }
    }

    /// Puts work into a lane as soon as that has room. The answer comes through the receiver; dropping the receiver
    /// calls off work that has not begun. A receiver that fails means that the work panicked.
    pub(crate) async fn submit<T: Send + 'static>(
        &self,
        lane: Lane,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<oneshot::Receiver<T>, Lost> {
        let room = Arc::clone(&self.room[lane as usize])
            .acquire_owned()
            .await
            .map_err(|_| Lost)?;
        self.started.call_once(|| self.start());
        let (answer, receiver) = oneshot::channel();
        let work = Box::new(move || {
            if !answer.is_closed() {
                // The submitter may go away meanwhile; then nobody wants the answer.
                let _ = answer.send(work());
            }
        });
        let mut queues = self.shared.lock();
        if queues.running == 0 {
            return Err(Lost);
        }
        queues.lanes[lane as usize].push_back((work, room));
        drop(queues);
        self.shared.changed.notify_one();
        Ok(receiver)
    }

    fn start(&self) {
        for number in 0..self.threads {
            let shared = Arc::clone(&self.shared);
            let thread = thread::Builder::new().name(format!("embed-{number}"));
            match thread.spawn(move || shared.work()) {
                Ok(_) => self.shared.lock().running += 1,
                Err(error) => tracing::warn!(%error, "cannot start an inference thread"),
            }
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    /// No code that may panic runs under the lock, so a poisoned one is as good as new.
    fn lock(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A thread's life.
    fn work(&self) {
        while let Some((work, room)) = self.next() {
            drop(room);
            // The submitter learns of a panic because its sender is dropped; the thread lives on.
            if catch_unwind(AssertUnwindSafe(work)).is_err() {
                tracing::error!("inference panicked");
            }
        }
    }

    /// The next piece of work, urgent first; `None` when the pool is gone.
    fn next(&self) -> Option<Work> {
        let mut queues = self.lock();
        loop {
            if queues.closed {
                return None;
            }
            if let Some(work) = queues.lanes.iter_mut().find_map(VecDeque::pop_front) {
                return Some(work);
            }
            queues = self
                .changed
                .wait(queues)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn urgent_work_overtakes_and_a_panic_does_not_end_the_thread() {
        let pool = Pool::new(1);
        let (open, gate) = mpsc::channel::<()>();
        let order = Arc::new(Mutex::new(Vec::new()));
        let note = |name: &'static str| {
            let order = Arc::clone(&order);
            move || order.lock().unwrap().push(name)
        };
        let blocked = pool
            .submit(Lane::Urgent, move || gate.recv())
            .await
            .unwrap();
        let background = pool
            .submit(Lane::Background, note("background"))
            .await
            .unwrap();
        let bad = pool
            .submit(Lane::Urgent, || panic!("on purpose"))
            .await
            .unwrap();
        let called_off = pool.submit(Lane::Urgent, note("called off")).await.unwrap();
        drop(called_off);
        let urgent = pool.submit(Lane::Urgent, note("urgent")).await.unwrap();
        open.send(()).unwrap();
        blocked.await.unwrap().unwrap();
        assert!(bad.await.is_err());
        urgent.await.unwrap();
        background.await.unwrap();
        assert_eq!(*order.lock().unwrap(), ["urgent", "background"]);
    }

    #[tokio::test]
    async fn a_full_lane_makes_wait_and_the_other_does_not() {
        let pool = Pool::new(1);
        let (open, gate) = mpsc::channel::<()>();
        let blocked = pool
            .submit(Lane::Background, move || gate.recv())
            .await
            .unwrap();
        let mut waiting = Vec::new();
        let full = loop {
            let more = pool.submit(Lane::Background, || ());
            match tokio::time::timeout(std::time::Duration::from_millis(100), more).await {
                Ok(receiver) => waiting.push(receiver.unwrap()),
                Err(_) => break waiting.len(),
            }
        };
        // The blocked piece itself may or may not have been taken from the queue yet.
        assert!((WAITING_MAX - 1..=WAITING_MAX).contains(&full), "{full}");
        let urgent = pool.submit(Lane::Urgent, || 5).await.unwrap();
        open.send(()).unwrap();
        blocked.await.unwrap().unwrap();
        assert_eq!(urgent.await.unwrap(), 5);
        for receiver in waiting {
            receiver.await.unwrap();
        }
    }

    #[tokio::test]
    async fn dropping_the_pool_fails_what_waits() {
        let pool = Pool::new(1);
        let (open, gate) = mpsc::channel::<()>();
        let (began, begun) = oneshot::channel();
        let first = pool.submit(Lane::Urgent, move || {
            began.send(()).unwrap();
            gate.recv()
        });
        let first = first.await.unwrap();
        begun.await.unwrap();
        let second = pool.submit(Lane::Urgent, || ()).await.unwrap();
        drop(pool);
        open.send(()).unwrap();
        assert!(first.await.is_ok());
        assert!(second.await.is_err());
    }
}
