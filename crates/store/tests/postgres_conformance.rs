//! The conformance suite on the PostgreSQL store: a real server with pgvector, a schema of its own for each case.

#![cfg(unix)]

use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use mneme_core::ports::Store;
use mneme_store::{PostgresOptions, PostgresStore};
use mneme_testkit::TempPostgres;

/// One server for all cases.
static SERVER: LazyLock<TempPostgres> = LazyLock::new(TempPostgres::shared);
static SCHEMAS: AtomicUsize = AtomicUsize::new(0);

struct Opened(PostgresStore);

impl Opened {
    fn store(&self) -> &dyn Store {
        &self.0
    }
}

async fn open() -> Opened {
    let number = SCHEMAS.fetch_add(1, Ordering::Relaxed);
    let options = PostgresOptions {
        schema: Some(format!("case_{}_{number}", std::process::id())),
        pool_size: 8,
        // Both ways to run a statement get their share of the cases.
        prepared: number.is_multiple_of(2),
        ..PostgresOptions::new(SERVER.url())
    };
    Opened(PostgresStore::connect(&options).await.expect("connects"))
}

mneme_store::conformance_suite!(open);
