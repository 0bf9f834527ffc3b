//! Health, housekeeping, and the end.

use std::time::Duration;

use async_trait::async_trait;
use mneme_core::ports::{StoreErrorKind, StoreResult, Upkeep};
use mneme_core::time::Timestamp;
use rusqlite::{Connection, params};

use super::SqliteStore;
use super::fault::{Fault, Work};
use super::run::Run;
use crate::sql;

/// Rows that one transaction of the housekeeping removes; short, so that nobody waits for it.
const TIDY_ROWS: i64 = 1000;
/// How long a health check waits for the writer.
const BUSY_WAIT: Duration = Duration::from_millis(20);
/// Tries to empty the log, each as long as the busy timeout.
const TRUNCATE_TRIES: usize = 3;

#[async_trait]
impl Upkeep for SqliteStore {
    async fn health(&self) -> StoreResult<()> {
        let written = self.write(|db| Ok(db.run(sql::PULSE, []).map(drop)?));
        // A writer that is busy with a large batch is well; one that cannot write says so at once.
        if let Ok(answer) = tokio::time::timeout(BUSY_WAIT, written).await {
            answer?;
        }
        let beats: Option<i64> = self
            .read(|db| db.first(sql::PULSE_READ, [], |row| row.get(0)))
            .await?;
        beats
            .map(drop)
            .ok_or_else(|| Fault::internal("what was written cannot be read").0)
    }

    async fn tidy(&self, before: Timestamp) -> StoreResult<u64> {
        let mut removed = 0_u64;
        for text in [sql::TIDY_JOBS, sql::TIDY_KEYS] {
            loop {
                let rows = self
                    .write(move |db| Ok(db.run(text, params![before.0, TIDY_ROWS])?))
                    .await?;
                removed += rows as u64;
                if rows < TIDY_ROWS as usize {
                    break;
                }
            }
        }
        self.writer
            .alone(|db| {
                db.execute_batch("PRAGMA optimize")?;
                // Readers may be in the way; then the next time will do.
                truncate_wal(db).map(drop)
            })
            .await?;
        Ok(removed)
    }

    async fn close(&self) -> StoreResult<()> {
        self.readers.close().await;
        self.writer.close().await
    }
}

/// Moves the log into the file and empties it; whether that was possible.
pub(super) fn truncate_wal(db: &Connection) -> Work<bool> {
    let busy: i64 = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    Ok(busy == 0)
}

/// Like [`truncate_wal`], but insists.
pub(super) fn empty_wal(db: &Connection) -> Work<()> {
    for _ in 0..TRUNCATE_TRIES {
        if truncate_wal(db)? {
            return Ok(());
        }
    }
    Err(Fault::new(
        StoreErrorKind::Unavailable,
        "everything is erased, but a long read keeps the log from being emptied; the next tidy will",
    ))
}
