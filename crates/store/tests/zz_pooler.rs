//! scratch
use std::sync::atomic::{AtomicUsize, Ordering};
use mneme_core::ports::Store;
use mneme_store::{PostgresOptions, PostgresStore};
static N: AtomicUsize = AtomicUsize::new(0);
struct Opened(PostgresStore);
impl Opened { fn store(&self) -> &dyn Store { &self.0 } }
async fn open() -> Opened {
    let n = N.fetch_add(1, Ordering::Relaxed);
    let (admin, connection) = tokio_postgres::connect("postgres://postgres@127.0.0.1:54477/template1", tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let _ = admin.batch_execute(&format!("CREATE DATABASE pool_{n} TEMPLATE template0")).await;
    let options = PostgresOptions { pool_size: 8, prepared: false, ..PostgresOptions::new(format!("postgres://postgres@127.0.0.1:54479/pool_{n}")) };
    Opened(PostgresStore::connect(&options).await.expect("connects"))
}
mneme_store::conformance_suite!(open);
