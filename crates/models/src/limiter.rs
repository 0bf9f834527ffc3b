//! One limiter for every call of a provider: so many at once, and none while the provider asks us to wait.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, sleep_until};

/// Longest pause that one answer can cause. A provider that says "come back tomorrow" is asked again after this long.
pub const PAUSE_MAX: Duration = Duration::from_secs(600);

/// Shared by all clients of one provider account, chat and embeddings alike, behind an `Arc`.
#[derive(Debug)]
pub struct Limiter {
    slots: Semaphore,
    born: Instant,
    /// End of the pause, milliseconds since `born`.
    paused_until_ms: AtomicU64,
}

/// The right to make one call; given back when dropped, also when the call's future is dropped.
#[derive(Debug)]
pub struct Slot<'a> {
    _permit: SemaphorePermit<'a>,
}

/// The pause is longer than the caller can wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paused {
    /// What is left of it.
    pub left: Duration,
}

impl Limiter {
    /// A limiter of that many calls at once (at least one).
    #[must_use]
    pub fn new(calls_max: usize) -> Self {
        Self {
            slots: Semaphore::new(calls_max.clamp(1, Semaphore::MAX_PERMITS)),
            born: Instant::now(),
            paused_until_ms: AtomicU64::new(0),
        }
    }

    /// Waits for a slot. Standing in line for one is not limited, because each holder is; waiting for pauses to end
    /// is limited to `patience` in sum.
    ///
    /// # Errors
    ///
    /// [`Paused`] as soon as it is known that the pause outlasts the patience.
    pub async fn acquire(&self, patience: Duration) -> Result<Slot<'_>, Paused> {
        let mut patience_left = patience;
        loop {
            if let Some(left) = self.pause_left() {
                patience_left = patience_left.checked_sub(left).ok_or(Paused { left })?;
                sleep_until(Instant::now() + left).await;
                continue;
            }
            // The semaphore is never closed; were it, nobody could be served.
            let permit = self
                .slots
                .acquire()
                .await
                .map_err(|_| Paused { left: PAUSE_MAX })?;
            // A pause may have begun while we stood in line; then the slot is given back.
            if self.pause_left().is_none() {
                return Ok(Slot { _permit: permit });
            }
        }
    }

    /// Keeps every call from starting for that long (at most [`PAUSE_MAX`]). Running calls go on; a longer pause
    /// that is already on stays.
    pub fn pause(&self, length: Duration) {
        let end = self.born.elapsed() + length.min(PAUSE_MAX);
        self.paused_until_ms
            .fetch_max(whole_millis(end), Ordering::AcqRel);
    }

    /// What is left of the pause that is on, if one is.
    #[must_use]
    pub fn pause_left(&self) -> Option<Duration> {
        let end = Duration::from_millis(self.paused_until_ms.load(Ordering::Acquire));
        end.checked_sub(self.born.elapsed())
            .filter(|left| !left.is_zero())
    }

    /// Calls that could start now, were there no pause.
    #[must_use]
    pub fn free(&self) -> usize {
        self.slots.available_permits()
    }
}

/// Rounded up, so that a pause is never shorter than asked.
fn whole_millis(length: Duration) -> u64 {
    u64::try_from(length.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    #[tokio::test(start_paused = true)]
    async fn a_pause_holds_everybody_and_ends() {
        let limiter = Arc::new(Limiter::new(3));
        limiter.pause(Duration::from_secs(5));
        limiter.pause(Duration::from_secs(2));
        let began = Instant::now();
        let waiters: Vec<_> = (0..9)
            .map(|_| {
                let limiter = Arc::clone(&limiter);
                tokio::spawn(async move {
                    let _slot = limiter.acquire(LONG).await.expect("waits");
                    Instant::now()
                })
            })
            .collect();
        for waiter in waiters {
            let started = waiter.await.expect("no panic");
            assert!(
                started - began >= Duration::from_secs(5),
                "{:?}",
                started - began
            );
            assert!(
                started - began < Duration::from_secs(6),
                "{:?}",
                started - began
            );
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_pause_that_begins_while_in_line_is_kept() {
        let limiter = Arc::new(Limiter::new(1));
        let slot = limiter.acquire(LONG).await.expect("free");
        let second = {
            let limiter = Arc::clone(&limiter);
            tokio::spawn(async move {
                let _slot = limiter.acquire(LONG).await.expect("waits");
                Instant::now()
            })
        };
        tokio::task::yield_now().await;
        let began = Instant::now();
        limiter.pause(Duration::from_secs(4));
        drop(slot);
        assert!(second.await.expect("no panic") - began >= Duration::from_secs(4));
    }

    #[tokio::test(start_paused = true)]
    async fn impatience_fails_at_once_and_pauses_are_capped() {
        let limiter = Limiter::new(1);
        limiter.pause(Duration::from_secs(86_400));
        let began = Instant::now();
        let paused = limiter
            .acquire(Duration::from_secs(10))
            .await
            .expect_err("too long");
        assert_eq!(Instant::now(), began);
        assert!(
            paused.left <= PAUSE_MAX && paused.left > PAUSE_MAX - Duration::from_secs(1),
            "{paused:?}"
        );
        assert!(
            limiter
                .acquire(PAUSE_MAX + Duration::from_secs(1))
                .await
                .is_ok()
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_dropped_waiter_leaves_nothing_behind() {
        let limiter = Limiter::new(1);
        let slot = limiter.acquire(LONG).await.expect("free");
        assert!(
            tokio::time::timeout(Duration::from_secs(1), limiter.acquire(LONG))
                .await
                .is_err()
        );
        drop(slot);
        assert_eq!(limiter.free(), 1);
        assert!(limiter.acquire(Duration::ZERO).await.is_ok());
    }
}
