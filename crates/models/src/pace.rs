//! When a failed call is tried again. Decisions only; the waiting is done by the transport.

use std::time::Duration;

use mneme_core::ports::ModelErrorKind;

use crate::failure::Failure;

/// Doublings of the first wait.
const DOUBLINGS_MAX: u32 = 4;
/// Times that one call lets itself be told to wait, whatever the deadline.
const WAITS_MAX: u32 = 1_000;
/// Shortest pause after a 429, so that `Retry-After: 0` does not become a busy loop.
const PAUSE_MIN: Duration = Duration::from_millis(20);

/// How hard to try.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RetryPolicy {
    pub(crate) attempts_max: u32,
    pub(crate) backoff: Duration,
    /// Attempts when the answer is a plain 500, which some embedders give to every text that is too long for them.
    pub(crate) attempts_at_500_max: u32,
}

/// What to do after a failed attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// Report it.
    GiveUp,
    /// Wait that long, alone.
    Wait(Duration),
    /// Let nobody call for that long.
    PauseAll(Duration),
}

/// The tally of one call.
#[derive(Debug)]
pub(crate) struct Pace {
    policy: RetryPolicy,
    attempts: u32,
    waits: u32,
}

impl Pace {
    pub(crate) fn new(policy: RetryPolicy) -> Self {
        Self {
            policy,
            attempts: 0,
            waits: 0,
        }
    }

    /// After a failed attempt, with that much of the call's time left.
    pub(crate) fn after(&mut self, failure: &Failure, time_left: Duration) -> Next {
        if !failure.transient {
            return Next::GiveUp;
        }
        let asked_to_wait = failure.kind == ModelErrorKind::RateLimited
            || (failure.status == Some(503) && failure.retry_after.is_some());
        if asked_to_wait {
            let pause = failure
                .retry_after
                .unwrap_or_else(|| self.backoff(self.waits))
                .max(PAUSE_MIN);
            self.waits = self.waits.saturating_add(1);
            // Others must hold back even when this call ends here.
            return if self.waits > WAITS_MAX {
                Next::GiveUp
            } else {
                Next::PauseAll(pause)
            };
        }
        let wait = self.backoff(self.attempts);
        self.attempts = self.attempts.saturating_add(1);
        let attempts_max = if failure.status == Some(500) {
            self.policy.attempts_at_500_max
        } else {
            self.policy.attempts_max
        };
        if self.attempts >= attempts_max || wait >= time_left {
            Next::GiveUp
        } else {
            Next::Wait(wait)
        }
    }

    fn backoff(&self, earlier: u32) -> Duration {
        self.policy
            .backoff
            .saturating_mul(1 << earlier.min(DOUBLINGS_MAX))
    }
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderMap;

    use super::*;

    const LEFT: Duration = Duration::from_secs(60);

    fn pace() -> Pace {
        Pace::new(RetryPolicy {
            attempts_max: 4,
            backoff: Duration::from_secs(1),
            attempts_at_500_max: 2,
        })
    }

    fn answered(status: u16, retry_after: Option<u64>) -> Failure {
        Failure {
            retry_after: retry_after.map(Duration::from_secs),
            ..Failure::status("u", status, &HeaderMap::new(), b"")
        }
    }

    #[test]
    fn waits_double_and_attempts_end() {
        let mut pace = pace();
        let next: Vec<Next> = (0..4)
            .map(|_| pace.after(&answered(502, None), LEFT))
            .collect();
        let wait = |seconds| Next::Wait(Duration::from_secs(seconds));
        assert_eq!(next, [wait(1), wait(2), wait(4), Next::GiveUp]);
    }

    #[test]
    fn being_asked_to_wait_is_no_attempt_and_pauses_everybody() {
        let mut pace = pace();
        for _ in 0..20 {
            assert_eq!(
                pace.after(&answered(429, Some(3)), LEFT),
                Next::PauseAll(Duration::from_secs(3))
            );
        }
        assert_eq!(
            pace.after(&answered(503, Some(2)), LEFT),
            Next::PauseAll(Duration::from_secs(2))
        );
        assert_eq!(
            pace.after(&answered(429, Some(0)), LEFT),
            Next::PauseAll(PAUSE_MIN)
        );
        assert_eq!(
            pace.after(&answered(503, None), LEFT),
            Next::Wait(Duration::from_secs(1))
        );
    }

    #[test]
    fn refusals_and_late_failures_are_reported() {
        assert_eq!(pace().after(&answered(400, None), LEFT), Next::GiveUp);
        assert_eq!(
            pace().after(&answered(502, None), Duration::from_millis(900)),
            Next::GiveUp
        );
        let mut pace = pace();
        assert!(matches!(
            pace.after(&answered(500, None), LEFT),
            Next::Wait(_)
        ));
        assert_eq!(pace.after(&answered(500, None), LEFT), Next::GiveUp);
    }
}
