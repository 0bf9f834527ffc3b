//! Connections that only read. Each read sees one state of the database, whatever is written meanwhile.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use mneme_core::ports::{StoreError, StoreErrorKind, StoreResult};
use rusqlite::{Connection, OpenFlags};
use tokio::sync::Semaphore;

use super::fault::{Fault, Work};

/// A bounded set of connections, opened when first needed.
#[derive(Debug, Clone)]
pub(crate) struct Readers {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
    permits: Arc<Semaphore>,
    count: u32,
}

impl Readers {
    /// At most `count` connections at a time.
    pub(crate) fn new(path: PathBuf, count: usize) -> Self {
        let count = u32::try_from(count.clamp(1, 256)).unwrap_or(1);
        let permits = Arc::new(Semaphore::new(count as usize));
        Self {
            shared: Arc::new(Shared {
                path,
                idle: Mutex::default(),
                permits,
                count,
            }),
        }
    }

    /// Runs the work in a read transaction on a thread that may block.
    pub(crate) async fn read<T, F>(&self, work: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Work<T> + Send + 'static,
    {
        let permit = Arc::clone(&self.shared.permits)
            .acquire_owned()
            .await
            .map_err(|_| closed())?;
        let shared = Arc::clone(&self.shared);
        let run = move || {
            let _permit = permit;
            shared.run(work).map_err(|Fault(error)| error)
        };
        tokio::task::spawn_blocking(run).await.map_err(|_| {
            StoreError::new(StoreErrorKind::Internal, "a read stopped in the middle")
        })?
    }

    /// Waits for running reads and closes all connections; later reads are refused.
    pub(crate) async fn close(&self) {
        if let Ok(_all) = self.shared.permits.acquire_many(self.shared.count).await {
            self.shared.permits.close();
            self.shared
                .idle
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clear();
        }
    }
}

impl Shared {
    fn run<T>(&self, work: impl FnOnce(&Connection) -> Work<T>) -> Work<T> {
        let pooled = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let connection = match pooled {
            Some(connection) => connection,
            None => self.open()?,
        };
        let answer = within_transaction(&connection, work)?;
        self.idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(connection);
        answer.map_err(Fault::from)
    }

    fn open(&self) -> Work<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        super::open::tune(&connection, super::open::READER_CACHE_KIB)?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    }
}

/// The outer failure is the connection's, which is then not used again; the inner one is the question's.
fn within_transaction<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Work<T>,
) -> Work<StoreResult<T>> {
    let transaction = connection.unchecked_transaction()?;
    let answer = work(&transaction).map_err(|Fault(error)| error);
    transaction.commit()?;
    Ok(answer)
}

fn closed() -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, "the store is closed")
}
