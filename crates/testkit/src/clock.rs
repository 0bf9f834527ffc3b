//! A clock that stands still until it is moved.

use std::sync::atomic::{AtomicI64, Ordering};

use mneme_core::ports::Clock;
use mneme_core::time::Timestamp;

/// Shared by reference or behind an `Arc`; moving it is seen by everybody at once.
#[derive(Debug)]
pub struct ManualClock {
    micros: AtomicI64,
}

impl ManualClock {
    /// A clock that shows that moment.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self {
            micros: AtomicI64::new(now.0),
        }
    }

    /// A clock that shows an RFC 3339 moment such as `2026-11-29T12:00:00Z`.
    ///
    /// # Panics
    ///
    /// When the text is no such moment.
    #[must_use]
    pub fn at_text(now: &str) -> Self {
        Self::at(
            Timestamp::parse_rfc3339(now)
                .unwrap_or_else(|| panic!("not an RFC 3339 time with a zone: {now:?}")),
        )
    }

    /// Shows another moment, earlier or later.
    pub fn set(&self, now: Timestamp) {
        self.micros.store(now.0, Ordering::SeqCst);
    }

    /// Moves on (or back) by seconds and returns the new moment.
    pub fn advance_seconds(&self, seconds: i64) -> Timestamp {
        let moved = |micros| Timestamp(micros).plus_seconds(seconds).0;
        // Never fails, because the closure always answers.
        let before = self
            .micros
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |micros| {
                Some(moved(micros))
            });
        Timestamp(moved(before.unwrap_or_else(|micros| micros)))
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.micros.load(Ordering::SeqCst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_only_by_hand() {
        let clock = ManualClock::at_text("2026-11-29T12:00:00Z");
        assert_eq!(clock.now(), clock.now());
        assert_eq!(
            clock.advance_seconds(90).to_string(),
            "2026-11-29T12:01:30.000000Z"
        );
        assert_eq!(clock.now().to_string(), "2026-11-29T12:01:30.000000Z");
        clock.advance_seconds(-90);
        clock.set(Timestamp(clock.now().0 + 1));
        assert_eq!(clock.now().to_string(), "2026-11-29T12:00:00.000001Z");
    }
}
