//! The real clock and real randomness.

use std::time::{SystemTime, UNIX_EPOCH};

use mneme_core::ports::{Clock, Ids};
use mneme_core::time::Timestamp;

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }
}

/// Random version-4 UUIDs.
#[derive(Debug, Clone, Copy, Default)]
pub struct RandomIds;

impl Ids for RandomIds {
    fn next(&self) -> uuid::Uuid {
        uuid::Uuid::new_v4()
    }
}
