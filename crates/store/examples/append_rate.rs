//! How many sources a second the store takes in, for one client and for many at once.
//!
//! `cargo run --release -p mneme-store --example append_rate`

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mneme_core::id::{BufferId, JobId, ProjectId, SourceId, SubScope, UserId, UserKey};
use mneme_core::ports::{
    FlushPolicy, Inbox, NewBuffer, NewSource, StoreResult, Tenants, User, Users,
};
use mneme_core::source::{Source, SourceKind};
use mneme_core::time::Timestamp;
use mneme_store::{SqliteOptions, SqliteStore, Synchronous};
use serde_json::json;
use uuid::Uuid;

const RUN: Duration = Duration::from_secs(3);

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout();
    writeln!(out, "synchronous  clients  inserts/s  inserts/commit")?;
    for synchronous in [Synchronous::Full, Synchronous::Normal] {
        for clients in [1, 16, 64] {
            // Beside the build, on a real disk; a temporary folder may be in memory, where nothing is ever synced.
            let folder = std::env::current_exe()?
                .with_file_name(format!("append_rate-{}", std::process::id()));
            let store = Arc::new(SqliteStore::open(&SqliteOptions {
                synchronous,
                ..SqliteOptions::new(folder.join("mneme.db"))
            })?);
            let (inserts, seconds) = measure(&store, clients).await?;
            let commits = store.write_stats().commits.max(1);
            let name = format!("{synchronous:?}");
            writeln!(
                out,
                "{name:11}  {clients:7}  {:9.0}  {:14.1}",
                inserts as f64 / seconds,
                inserts as f64 / commits as f64
            )?;
            drop(store);
            std::fs::remove_dir_all(&folder)?;
        }
    }
    Ok(())
}

/// Sources stored, and the seconds that it took.
async fn measure(
    store: &Arc<SqliteStore>,
    clients: u128,
) -> Result<(u64, f64), Box<dyn std::error::Error>> {
    store
        .ensure_project(&ProjectId::root(), Timestamp(0))
        .await?;
    let begin = Instant::now();
    let tasks: Vec<_> = (0..clients)
        .map(|client| tokio::spawn(append_for_a_while(Arc::clone(store), client, begin)))
        .collect();
    let mut inserts = 0;
    for task in tasks {
        inserts += task.await??;
    }
    Ok((inserts, begin.elapsed().as_secs_f64()))
}

/// One client with a user of its own.
async fn append_for_a_while(
    store: Arc<SqliteStore>,
    client: u128,
    begin: Instant,
) -> StoreResult<u64> {
    let owner = UserKey {
        project: ProjectId::root(),
        user: UserId(Uuid::from_u128(client)),
    };
    let user = User {
        owner: owner.clone(),
        name: None,
        fields: None,
        created_at: Timestamp(0),
        updated_at: Timestamp(0),
    };
    store.create_user(&user).await?;
    let mut done = 0_u64;
    while begin.elapsed() < RUN {
        let id = Uuid::from_u128((client << 64) | u128::from(done));
        let body = json!({"messages": [{"role": "user", "content": "I moved to Lisbon last spring and still miss the rain."}]});
        let source = Source {
            id: SourceId(id),
            scope: SubScope::default(),
            kind: SourceKind::Chat,
            body,
            fields: None,
            said_at: Timestamp(0),
            received_at: Timestamp(0),
        };
        let new = NewSource {
            source,
            buffer: Some(NewBuffer {
                id: BufferId(id),
                tokens: 20,
            }),
        };
        let policy = FlushPolicy {
            tokens_max: 1024,
            job: JobId(id),
            idle_seconds: 3600,
        };
        store
            .append(&owner, vec![new], policy, None, Timestamp(0))
            .await?;
        done += 1;
    }
    Ok(done)
}
