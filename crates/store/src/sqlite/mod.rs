//! The embedded store: one SQLite file, one writing thread, a few reading connections.

mod append;
mod change;
mod claim;
pub(crate) mod codec;
mod fault;
mod forget;
mod inbox;
mod index;
mod jobs;
mod lock;
mod memories;
mod open;
mod readers;
mod recall;
mod rows;
mod run;
mod tenants;
mod upkeep;
mod users;
mod writer;

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use mneme_core::ports::StoreResult;
use rusqlite::Connection;

use crate::migrate::{Migration, SQLITE};
use fault::Work;
pub use open::{SqliteOptions, Synchronous};
use readers::Readers;
pub use writer::WriteStats;
use writer::Writer;

/// A store in one file of one folder.
///
/// Writes of all callers share commits; reads run beside them and see whole commits only. A dropped store waits for
/// the writes that it was given; [`mneme_core::ports::Upkeep::close`] does the same without blocking the thread.
#[derive(Debug)]
pub struct SqliteStore {
    path: PathBuf,
    writer: Writer,
    readers: Readers,
}

impl SqliteStore {
    /// Opens the database, makes it when it is missing, and brings its schema up to date.
    ///
    /// # Errors
    /// `Unusable` when another process has it open, when it is not ours or newer than we are, or when its schema was
    /// made by other migrations; otherwise what the file system said.
    pub fn open(options: &SqliteOptions) -> StoreResult<Self> {
        Self::open_with(options, SQLITE)
    }

    fn open_with(options: &SqliteOptions, known: &[Migration]) -> StoreResult<Self> {
        let (connection, lock) = open::open(options, known)?;
        let readers = Readers::new(options.path.clone(), options.readers);
        Ok(Self {
            path: options.path.clone(),
            writer: Writer::start(connection, lock)?,
            readers,
        })
    }

    /// How much was written since the store was opened.
    #[must_use]
    pub fn write_stats(&self) -> WriteStats {
        self.writer.stats()
    }

    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Work<T> + Send + 'static,
    ) -> StoreResult<T> {
        self.writer.write(work).await
    }

    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Work<T> + Send + 'static,
    ) -> StoreResult<T> {
        self.readers.read(work).await
    }
}
