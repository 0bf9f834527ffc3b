//! Health, housekeeping, and the end.

use async_trait::async_trait;
use mneme_core::ports::{StoreResult, Upkeep};
use mneme_core::time::Timestamp;

use super::bind::params;
use super::pool::transact;
use super::{PostgresStore, text};
use crate::sql;

/// Rows that one transaction of the housekeeping removes; short, so that nobody waits for it.
const TIDY_ROWS: u64 = 1000;

#[async_trait]
impl Upkeep for PostgresStore {
    async fn health(&self) -> StoreResult<()> {
        transact!(self, db => {
            db.run(sql::PULSE, params![]).await?;
            db.rows(sql::PULSE_READ, params![]).await.map(drop)
        })
    }

    /// The database keeps its own files and statistics in order, so only rows that are over are removed.
    async fn tidy(&self, before: Timestamp) -> StoreResult<u64> {
        let mut removed = 0_u64;
        for text in [text::TIDY_JOBS, sql::TIDY_KEYS] {
            loop {
                let values = params![before, TIDY_ROWS as i64];
                let rows = transact!(self, db => db.run(text, values).await)?;
                removed = removed.saturating_add(rows);
                if rows < TIDY_ROWS {
                    break;
                }
            }
        }
        Ok(removed)
    }

    async fn close(&self) -> StoreResult<()> {
        self.pool.close();
        Ok(())
    }
}
