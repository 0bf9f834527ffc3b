//! Background work: what it is, which states it goes through, and what its lease guards.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::id::{JobId, UserKey};
use crate::source::SourceKind;
use crate::time::{MICROS_PER_SECOND, Timestamp};

/// What a job does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "job", content = "of")]
pub enum JobKind {
    /// Distil what waits in one user's buffer of that kind.
    Distil(SourceKind),
}

impl JobKind {
    /// The name in the stores.
    #[must_use]
    pub fn as_text(self) -> String {
        match self {
            Self::Distil(kind) => format!("distil:{}", kind.as_str()),
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.strip_prefix("distil:")
            .and_then(SourceKind::parse)
            .map(Self::Distil)
    }
}

/// Where a job is. Honest: `done` means that everything was read and kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// Waits for a worker, the first time or again after a failure (then `error` says why).
    Queued,
    /// A worker holds its lease.
    Running,
    /// Finished, and nothing was left out.
    Done,
    /// Finished, but some of the model's answer could not be used; `result` says what.
    Partial,
    /// Another job took its sources along.
    Superseded,
    /// Given up after the last attempt. Its sources are still buffered; it can be replayed.
    Dead,
}

impl JobState {
    /// All states.
    pub const ALL: [Self; 6] = [
        Self::Queued,
        Self::Running,
        Self::Done,
        Self::Partial,
        Self::Superseded,
        Self::Dead,
    ];

    /// The name in the stores and on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Partial => "partial",
            Self::Superseded => "superseded",
            Self::Dead => "dead",
        }
    }

    /// The state of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }

    /// Whether nothing more will happen by itself.
    #[must_use]
    pub fn is_final(self) -> bool {
        !matches!(self, Self::Queued | Self::Running)
    }
}

/// Why an attempt failed, in words that may be shown: no user text, no secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobError {
    /// Where in the pipeline: `entry_notes`, `extract`, `merge`, `embed`, `store`.
    pub stage: String,
    /// The class of failure.
    pub kind: FailureKind,
    /// One sentence.
    pub message: String,
}

/// Classes of failure that callers tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The model could not be reached, was too slow, or asked us to wait.
    Unavailable,
    /// The model refused the request (bad key, unknown model).
    Rejected,
    /// The answer could not be read.
    Parse,
    /// Our own store could not take the result.
    Store,
}

/// A piece of background work as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Its id.
    pub id: JobId,
    /// Whose.
    pub owner: UserKey,
    /// What it does.
    pub kind: JobKind,
    /// Where it is.
    pub state: JobState,
    /// Attempts begun so far.
    pub attempt: u32,
    /// Not before.
    pub run_at: Timestamp,
    /// What it brought about: an array with one entry for each committed batch.
    pub result: Vec<Value>,
    /// Why the last attempt failed.
    pub error: Option<JobError>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it reached a final state.
    pub finished_at: Option<Timestamp>,
}

/// The right to work on a job. The fence is higher at each claim; a write with an older fence is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// The job.
    pub job: JobId,
    /// The fencing token.
    pub fence: i64,
}

/// How long to wait before attempt `attempt + 1`: 5 s doubled per attempt, at most 15 minutes.
#[must_use]
pub fn retry_delay_seconds(attempt: u32) -> i64 {
    5_i64
        .saturating_mul(1_i64 << attempt.saturating_sub(1).min(20))
        .min(900)
}

/// The moment of the next attempt; a provider's own `Retry-After` counts when it is later.
#[must_use]
pub fn retry_at(now: Timestamp, attempt: u32, retry_after_seconds: Option<u64>) -> Timestamp {
    let asked = retry_after_seconds.map_or(0, |seconds| {
        i64::try_from(seconds.min(3600)).unwrap_or(3600)
    });
    Timestamp(
        now.0.saturating_add(
            retry_delay_seconds(attempt)
                .max(asked)
                .saturating_mul(MICROS_PER_SECOND),
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_and_stop_growing() {
        assert_eq!(retry_delay_seconds(1), 5);
        assert_eq!(retry_delay_seconds(2), 10);
        assert_eq!(retry_delay_seconds(50), 900);
        assert_eq!(
            retry_at(Timestamp(0), 1, Some(60)),
            Timestamp(60 * MICROS_PER_SECOND)
        );
        assert_eq!(
            retry_at(Timestamp(0), 1, None),
            Timestamp(5 * MICROS_PER_SECOND)
        );
    }

    #[test]
    fn names_round_trip() {
        for state in JobState::ALL {
            assert_eq!(JobState::parse(state.as_str()), Some(state));
        }
        for kind in SourceKind::ALL {
            assert_eq!(
                JobKind::parse(&JobKind::Distil(kind).as_text()),
                Some(JobKind::Distil(kind))
            );
        }
    }
}
