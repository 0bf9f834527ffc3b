//! One connection at work, in a transaction or without one.

use std::future::Future;
use std::sync::atomic::{AtomicU8, Ordering};

use deadpool_postgres::{ClientWrapper, Object};
use tokio_postgres::Row;
use tokio_postgres::types::{ToSql, Type};

use super::bind::Param;
use super::fault::{Fault, Work};

/// What opens a transaction. `LOCAL` settings end with it, so a pooler that hands the connection on changes nothing.
/// Nobody waits for ever for a lock, and a server that vanished in the middle does not keep one.
const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '15s'; \
    SET LOCAL idle_in_transaction_session_timeout = '60s'";

/// Each statement stands for itself.
const ALONE: u8 = 0;
/// The transaction begins with the next statement.
const FRESH: u8 = 1;
/// The transaction is open.
const OPEN: u8 = 2;

/// A connection that is ours for a while.
pub(super) struct Db {
    /// Missing only while it is dropped.
    client: Option<Object>,
    state: AtomicU8,
    prepared: bool,
}

impl Db {
    /// For reads.
    pub(super) fn alone(client: Object, prepared: bool) -> Self {
        Self {
            client: Some(client),
            state: AtomicU8::new(ALONE),
            prepared,
        }
    }

    /// For a transaction. Its beginning travels with the first statement.
    pub(super) fn transaction(client: Object, prepared: bool) -> Self {
        Self {
            client: Some(client),
            state: AtomicU8::new(FRESH),
            prepared,
        }
    }

    fn client(&self) -> Work<&ClientWrapper> {
        self.client
            .as_deref()
            .ok_or_else(|| Fault::internal("the connection was given back already"))
    }

    /// Whether the transaction still has to begin, which the caller then does.
    fn begins(&self) -> bool {
        self.state
            .compare_exchange(FRESH, OPEN, Ordering::Relaxed, Ordering::Relaxed)
            .is_ok()
    }

    /// Sends the beginning first, if need be, without waiting for its answer.
    async fn after_begin<T>(
        &self,
        client: &ClientWrapper,
        statement: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Work<T> {
        if self.begins() {
            // Polled in this order, and the database answers in the order of what it was sent.
            let (begun, done) = tokio::join!(biased; client.batch_execute(BEGIN), statement);
            begun?;
            return Ok(done?);
        }
        Ok(statement.await?)
    }

    /// Changes rows; how many.
    pub(super) async fn run(&self, text: &str, params: &[Param<'_>]) -> Work<u64> {
        let client = self.client()?;
        // Boxed, as all work is made of these and would otherwise hold each of them in full.
        let statement = Box::pin(async {
            if self.prepared {
                let statement = client.prepare_typed_cached(text, &types(params)).await?;
                client.execute(&statement, &values(params)).await
            } else {
                client.execute_typed(text, &typed(params)).await
            }
        });
        self.after_begin(client, statement).await
    }

    /// All rows.
    pub(super) async fn rows(&self, text: &str, params: &[Param<'_>]) -> Work<Vec<Row>> {
        let client = self.client()?;
        let statement = Box::pin(async {
            if self.prepared {
                let statement = client.prepare_typed_cached(text, &types(params)).await?;
                client.query(&statement, &values(params)).await
            } else {
                client.query_typed(text, &typed(params)).await
            }
        });
        self.after_begin(client, statement).await
    }

    /// All rows, mapped.
    pub(super) async fn list<T>(
        &self,
        text: &str,
        params: &[Param<'_>],
        map: impl FnMut(&Row) -> Work<T>,
    ) -> Work<Vec<T>> {
        self.rows(text, params).await?.iter().map(map).collect()
    }

    /// The first row, if there is one, mapped.
    pub(super) async fn first<T>(
        &self,
        text: &str,
        params: &[Param<'_>],
        map: impl FnOnce(&Row) -> Work<T>,
    ) -> Work<Option<T>> {
        self.rows(text, params).await?.first().map(map).transpose()
    }

    /// Whether there is a row.
    pub(super) async fn exists(&self, text: &str, params: &[Param<'_>]) -> Work<bool> {
        Ok(!self.rows(text, params).await?.is_empty())
    }

    /// Several statements without values.
    pub(super) async fn batch(&self, text: &str) -> Work<()> {
        let client = self.client()?;
        self.after_begin(client, client.batch_execute(text)).await
    }

    /// Commits what went well and undoes the rest.
    pub(super) async fn end<T>(self, outcome: Work<T>) -> Work<T> {
        if self.state.load(Ordering::Relaxed) != OPEN {
            return outcome;
        }
        let client = self.client()?;
        let value = match outcome {
            Ok(value) => value,
            Err(fault) => {
                if client.batch_execute("ROLLBACK").await.is_ok() {
                    self.state.store(ALONE, Ordering::Relaxed);
                }
                return Err(fault);
            }
        };
        client
            .batch_execute("COMMIT")
            .await
            .map_err(|error| Fault::from(error).of_commit())?;
        self.state.store(ALONE, Ordering::Relaxed);
        Ok(value)
    }
}

impl Drop for Db {
    /// A connection whose transaction was left in the middle is closed, which undoes it; nobody else may get it.
    fn drop(&mut self) {
        if self.state.load(Ordering::Relaxed) == OPEN
            && let Some(client) = self.client.take()
        {
            drop(Object::take(client));
        }
    }
}

fn types(params: &[Param<'_>]) -> Vec<Type> {
    params.iter().map(Param::kind).collect()
}

fn values<'a>(params: &'a [Param<'_>]) -> Vec<&'a (dyn ToSql + Sync)> {
    params.iter().map(|param| param as _).collect()
}

fn typed<'a>(params: &'a [Param<'_>]) -> Vec<(&'a (dyn ToSql + Sync), Type)> {
    params
        .iter()
        .map(|param| (param as _, param.kind()))
        .collect()
}
