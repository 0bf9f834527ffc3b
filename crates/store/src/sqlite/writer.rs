//! The only connection that writes, on a thread of its own.
//!
//! An fsync costs milliseconds, a small write microseconds. So the thread takes everything that waits, up to a bound,
//! and commits it together: `BEGIN IMMEDIATE`, one savepoint for each request, `COMMIT`, and only then the answers. A
//! request that fails is rolled back alone. With one writer there is also nobody to wait for.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use mneme_core::ports::{StoreError, StoreErrorKind, StoreResult};
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::fault::{Fault, Work};
use super::lock::ProcessLock;

/// Most requests that share one commit.
const GROUP_MAX: usize = 256;
/// Requests that may wait; whoever comes then waits for room.
const QUEUE_MAX: usize = 1024;

/// How much was written since the store was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WriteStats {
    /// Requests that were carried out, failed ones included.
    pub requests: u64,
    /// Commits that they shared.
    pub commits: u64,
}

#[derive(Debug, Default)]
struct Counters {
    requests: AtomicU64,
    commits: AtomicU64,
}

/// Hands requests to the writing thread.
#[derive(Debug)]
pub(crate) struct Writer {
    sender: Option<mpsc::Sender<Request>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    counters: Arc<Counters>,
}

enum Request {
    /// Runs in a savepoint of a shared transaction.
    Write(Box<dyn Grouped>),
    /// Runs outside of any transaction.
    Alone(Box<dyn FnOnce(&Connection) + Send>),
    /// Ends the thread.
    Close(oneshot::Sender<StoreResult<()>>),
}

/// A request whose answer is held back until the group is committed.
trait Grouped: Send {
    /// Runs it; whether its savepoint is to be kept.
    fn run(&mut self, db: &Connection) -> bool;
    /// Answers. `lost` is why the whole group was not committed.
    fn settle(self: Box<Self>, lost: Option<&StoreError>);
}

struct Asked<T, F> {
    work: Option<F>,
    outcome: Option<StoreResult<T>>,
    reply: oneshot::Sender<StoreResult<T>>,
}

impl<T, F> Grouped for Asked<T, F>
where
    T: Send,
    F: FnOnce(&Connection) -> Work<T> + Send,
{
    fn run(&mut self, db: &Connection) -> bool {
        let Some(work) = self.work.take() else {
            return false;
        };
        let outcome = catch_unwind(AssertUnwindSafe(|| work(db)))
            .unwrap_or_else(|_| {
                Err(Fault::internal(
                    "a write stopped in the middle and was undone",
                ))
            })
            .map_err(|Fault(error)| error);
        let kept = outcome.is_ok();
        self.outcome = Some(outcome);
        kept
    }

    fn settle(self: Box<Self>, lost: Option<&StoreError>) {
        let answer = match (self.outcome, lost) {
            (Some(Err(own)), _) => Err(own),
            (_, Some(error)) => Err(same(error)),
            (Some(Ok(value)), None) => Ok(value),
            (None, None) => Err(closed()),
        };
        // Nobody listens when the caller gave up; the write stands all the same.
        let _ = self.reply.send(answer);
    }
}

impl Writer {
    /// Starts the thread. It owns the lock too, so that the lock outlives the connection.
    pub(crate) fn start(connection: Connection, lock: ProcessLock) -> StoreResult<Self> {
        let (sender, inbox) = mpsc::channel(QUEUE_MAX);
        let counters = Arc::new(Counters::default());
        let shared = Arc::clone(&counters);
        let thread = std::thread::Builder::new()
            .name("mneme-writer".to_owned())
            .spawn(move || {
                let closing = serve(&connection, inbox, &shared);
                let ended = end(connection);
                drop(lock);
                if let Some(reply) = closing {
                    let _ = reply.send(ended);
                }
            })
            .map_err(|error| {
                StoreError::new(
                    StoreErrorKind::Unavailable,
                    format!("cannot start the writing thread: {error}"),
                )
            })?;
        Ok(Self {
            sender: Some(sender),
            thread: Mutex::new(Some(thread)),
            counters,
        })
    }

    /// Runs the work in a transaction and answers when that is durable.
    pub(crate) async fn write<T, F>(&self, work: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Work<T> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        self.send(Request::Write(Box::new(Asked {
            work: Some(work),
            outcome: None,
            reply,
        })))
        .await?;
        answer.await.map_err(|_| closed())?
    }

    /// Runs the work between two groups, outside of any transaction.
    pub(crate) async fn alone<T, F>(&self, work: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Work<T> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let run = move |db: &Connection| {
            let _ = reply.send(work(db).map_err(|Fault(error)| error));
        };
        self.send(Request::Alone(Box::new(run))).await?;
        answer.await.map_err(|_| closed())?
    }

    /// Ends the thread after everything that waits already.
    pub(crate) async fn close(&self) -> StoreResult<()> {
        let (reply, answer) = oneshot::channel();
        self.send(Request::Close(reply)).await?;
        answer.await.map_err(|_| closed())?
    }

    pub(crate) fn stats(&self) -> WriteStats {
        WriteStats {
            requests: self.counters.requests.load(Ordering::Relaxed),
            commits: self.counters.commits.load(Ordering::Relaxed),
        }
    }

    async fn send(&self, request: Request) -> StoreResult<()> {
        let Some(sender) = &self.sender else {
            return Err(closed());
        };
        sender.send(request).await.map_err(|_| closed())
    }
}

impl Drop for Writer {
    /// Waits for the thread, so that the file can be opened again at once.
    fn drop(&mut self) {
        self.sender = None;
        let thread = self
            .thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }
}

/// Works until it is told to close (then whom to answer) or nobody is left to ask.
fn serve(
    db: &Connection,
    mut inbox: mpsc::Receiver<Request>,
    counters: &Counters,
) -> Option<oneshot::Sender<StoreResult<()>>> {
    let mut waiting = VecDeque::with_capacity(GROUP_MAX);
    loop {
        if waiting.is_empty() {
            waiting.push_back(inbox.blocking_recv()?);
        }
        while waiting.len() < GROUP_MAX {
            let Ok(request) = inbox.try_recv() else { break };
            waiting.push_back(request);
        }
        match waiting.pop_front()? {
            Request::Write(first) => group(db, first, &mut waiting, counters),
            Request::Alone(work) => {
                let _ = catch_unwind(AssertUnwindSafe(|| work(db)));
            }
            Request::Close(reply) => return Some(reply),
        }
    }
}

/// One transaction for the first request and all writes that follow it directly.
fn group(
    db: &Connection,
    first: Box<dyn Grouped>,
    waiting: &mut VecDeque<Request>,
    counters: &Counters,
) {
    let mut group = Vec::with_capacity(waiting.len() + 1);
    let mut lost = statement(db, "BEGIN IMMEDIATE").err();
    let mut next = Some(first);
    while let Some(mut asked) = next {
        if lost.is_none() {
            lost = in_savepoint(db, asked.as_mut()).err();
        }
        group.push(asked);
        next = match waiting.pop_front() {
            Some(Request::Write(asked)) if lost.is_none() => Some(asked),
            Some(other) => {
                waiting.push_front(other);
                None
            }
            None => None,
        };
    }
    if lost.is_none() {
        lost = statement(db, "COMMIT").err();
    }
    if lost.is_some() && !db.is_autocommit() {
        let _ = statement(db, "ROLLBACK");
    }
    counters
        .requests
        .fetch_add(group.len() as u64, Ordering::Relaxed);
    if lost.is_none() {
        counters.commits.fetch_add(1, Ordering::Relaxed);
    }
    for asked in group {
        asked.settle(lost.as_ref());
    }
}

/// Runs one request. An error here means that the whole transaction is gone, not that the request failed.
fn in_savepoint(db: &Connection, asked: &mut dyn Grouped) -> StoreResult<()> {
    statement(db, "SAVEPOINT request")?;
    let kept = asked.run(db);
    if db.is_autocommit() {
        // A full disk or an I/O error can make SQLite give up the transaction by itself.
        return Err(StoreError::new(
            StoreErrorKind::Unavailable,
            "the database gave up the transaction that the write shared",
        ));
    }
    if !kept {
        statement(db, "ROLLBACK TO request")?;
    }
    statement(db, "RELEASE request")
}

fn statement(db: &Connection, text: &str) -> StoreResult<()> {
    let run = || db.prepare_cached(text)?.execute([]);
    run().map(drop).map_err(|error| Fault::from(error).0)
}

/// Leaves a database file that needs nothing beside it.
fn end(db: Connection) -> StoreResult<()> {
    let _ = db.execute_batch("PRAGMA optimize");
    let _ = super::upkeep::truncate_wal(&db);
    db.close().map_err(|(_, error)| Fault::from(error).0)
}

fn closed() -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, "the store is closed")
}

fn same(error: &StoreError) -> StoreError {
    StoreError::new(error.kind, error.message.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::params;

    fn writer(folder: &std::path::Path) -> Writer {
        let path = folder.join("t.db");
        let connection = Connection::open(&path).unwrap();
        connection
            .execute_batch("CREATE TABLE t (n INTEGER PRIMARY KEY) STRICT")
            .unwrap();
        Writer::start(connection, ProcessLock::take(&path).unwrap()).unwrap()
    }

    async fn count(writer: &Writer) -> i64 {
        writer
            .write(|db| Ok(db.query_row("SELECT count(*) FROM t", [], |row| row.get(0))?))
            .await
            .unwrap()
    }

    fn insert(db: &Connection, n: i64) -> Work<()> {
        db.execute("INSERT INTO t VALUES (?1)", params![n])?;
        Ok(())
    }

    #[tokio::test]
    async fn a_failing_or_panicking_request_is_undone_alone() {
        let folder = tempfile::tempdir().unwrap();
        let writer = writer(folder.path());
        let fail = writer.write(|db| {
            insert(db, 100)?;
            Err::<(), _>(Fault::conflict("no"))
        });
        let panic = writer.write(|db| -> Work<()> {
            insert(db, 101)?;
            panic!("on purpose")
        });
        let (good, failed, panicked, after) = tokio::join!(
            writer.write(|db| insert(db, 1)),
            fail,
            panic,
            writer.write(|db| insert(db, 2))
        );
        good.unwrap();
        after.unwrap();
        assert_eq!(failed.unwrap_err().kind, StoreErrorKind::Conflict);
        assert_eq!(panicked.unwrap_err().kind, StoreErrorKind::Internal);
        assert_eq!(count(&writer).await, 2);
    }

    #[tokio::test]
    async fn whoever_shares_a_transaction_that_is_lost_hears_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let writer = writer(folder.path());
        // Holds the thread until all requests wait, so that they share one group.
        let (open, gate) = std::sync::mpsc::channel::<()>();
        let hold = writer.alone(move |_| {
            let _ = gate.recv();
            Ok(())
        });
        let before = writer.write(|db| insert(db, 1));
        let breaker = writer.write(|db| {
            db.execute_batch("ROLLBACK")?;
            Ok(())
        });
        let after = writer.write(|db| insert(db, 2));
        let release = async {
            tokio::task::yield_now().await;
            open.send(()).unwrap();
        };
        let (_, before, breaker, after, ()) = tokio::join!(hold, before, breaker, after, release);
        assert_eq!(before.unwrap_err().kind, StoreErrorKind::Unavailable);
        assert_eq!(breaker.unwrap_err().kind, StoreErrorKind::Unavailable);
        after.unwrap();
        assert_eq!(
            count(&writer).await,
            1,
            "only the request that came after the lost group is there"
        );
    }

    #[tokio::test]
    async fn nothing_is_answered_after_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let writer = writer(folder.path());
        writer.close().await.unwrap();
        assert_eq!(
            writer.write(|db| insert(db, 1)).await.unwrap_err().kind,
            StoreErrorKind::Unavailable
        );
        assert!(writer.close().await.is_err());
    }
}
