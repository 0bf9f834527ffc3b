//! Tests of what only this store has: its file, its lock, its migrations, its shared commits.

use std::fs;
use std::path::Path;

use mneme_core::change::{ChangeSet, Revised};
use mneme_core::id::{ProjectId, UserId, UserKey};
use mneme_core::memory::{Kind, Reason};
use mneme_core::ports::{Inbox, Memories, StoreErrorKind, Upkeep, Users};
use mneme_core::source::SourceKind;
use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::run::Run;
use super::*;
use crate::conformance::given::{self, at, chat, indexed, memory, policy};

const MARKER: &str = "zanzibar-marker";

fn options(folder: &Path) -> SqliteOptions {
    SqliteOptions::new(folder.join("mneme.db"))
}

fn open(folder: &Path) -> SqliteStore {
    SqliteStore::open(&options(folder)).unwrap()
}

fn refused(folder: &Path, known: &[Migration]) -> mneme_core::ports::StoreError {
    let error = SqliteStore::open_with(&options(folder), known)
        .map(drop)
        .expect_err("must be refused");
    assert_eq!(error.kind, StoreErrorKind::Unusable, "{error}");
    error
}

/// Stores marked text of several users in turn, so that they share pages, pages are split, rows overflow, and states
/// are replaced.
async fn write_marked(store: &SqliteStore, users: &[(&UserKey, &str)]) {
    for number in 0..60_u128 {
        for (owner, marker) in users {
            let mut new = chat(number, 1);
            let text = format!("{marker} ").repeat(1 + number as usize * 17 % 60 * 20);
            new.source.body = serde_json::json!({"messages": [{"role": "user", "content": text}]});
            store
                .append(owner, vec![new], policy(number), None, at(0))
                .await
                .unwrap();
            let first = memory(
                number,
                Kind::Fact,
                &format!(
                    "{marker} {} {number}",
                    "x".repeat(number as usize * 37 % 900)
                ),
            );
            given::commit(store, owner, given::adding(vec![first.clone()]), at(1)).await;
            let next =
                given::without_vector(given::next(&first, &format!("shorter {marker}"), at(2)));
            let revise = vec![Revised {
                next,
                reason: Reason::Edited,
            }];
            given::commit(
                store,
                owner,
                ChangeSet {
                    revise,
                    ..ChangeSet::default()
                },
                at(2),
            )
            .await;
        }
    }
}

/// Names of the folder's files that hold the bytes.
fn files_with(folder: &Path, bytes: &[u8]) -> Vec<String> {
    let holds = |path: &Path| {
        fs::read(path)
            .unwrap()
            .windows(bytes.len())
            .any(|window| window == bytes)
    };
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    files
        .filter(|file| holds(&file.path()))
        .map(|file| file.file_name().into_string().unwrap())
        .collect()
}

#[tokio::test]
async fn erased_words_are_in_no_file_of_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let (gone, kept) = (
        given::user(&store, 1 << 70).await,
        given::user(&store, 1 << 71).await,
    );
    write_marked(&store, &[(&gone, MARKER), (&kept, "kept-marker")]).await;
    fs::write(folder.path().join("mneme.db.before-0001"), MARKER).unwrap();
    assert!(
        !files_with(folder.path(), MARKER.as_bytes()).is_empty(),
        "the test must be able to see the words"
    );
    assert!(!files_with(folder.path(), gone.user.as_bytes()).is_empty());

    let receipt = store.erase_user(&gone).await.unwrap().unwrap();
    assert_eq!(receipt.rows["source"], 60);
    assert_eq!(receipt.rows["revision"], 60);
    for _ in 0..2 {
        assert_eq!(files_with(folder.path(), MARKER.as_bytes()), [""; 0]);
        assert_eq!(
            files_with(folder.path(), gone.user.as_bytes()),
            [""; 0],
            "not even who it was"
        );
        store.close().await.ok();
    }
    assert_eq!(files_with(folder.path(), b"kept-marker"), ["mneme.db"]);
}

/// Looks into every column of every table, whatever the tables are.
#[tokio::test]
async fn an_erased_user_is_in_no_row_of_any_table() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let gone = given::user(&store, 1 << 70).await;
    write_marked(&store, &[(&gone, MARKER)]).await;
    store.erase_user(&gone).await.unwrap().unwrap();
    store.close().await.unwrap();
    let db = Connection::open(folder.path().join("mneme.db")).unwrap();
    let tables: Vec<String> = db
        .list(
            "SELECT name FROM sqlite_schema WHERE type = 'table'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert!(tables.len() > 15);
    let id = gone.user.as_bytes().as_slice();
    for table in tables {
        let mut statement = db.prepare(&format!("SELECT * FROM \"{table}\"")).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            for column in 0..columns {
                let ours =
                    matches!(row.get_ref(column).unwrap(), ValueRef::Blob(bytes) if bytes == id);
                assert!(!ours, "{table} still has a row");
            }
        }
    }
}

#[test]
fn every_table_with_a_user_is_erased() {
    let db = Connection::open_in_memory().unwrap();
    for migration in SQLITE {
        db.execute_batch(migration.sql).unwrap();
    }
    let owned = users::owned_tables(&db).unwrap();
    let all: Vec<String> = db
        .list(
            "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
            [],
            |row| row.get(0),
        )
        .unwrap();
    let shared: Vec<&String> = all.iter().filter(|table| !owned.contains(table)).collect();
    assert_eq!(
        shared,
        ["project", "pulse", "vector_space"],
        "a table without an owner must hold nothing of anybody"
    );
    for table in owned {
        let key: Vec<String> = db
            .list(
                "SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk",
                [&table],
                |row| row.get(0),
            )
            .unwrap();
        assert_eq!(key[..2], ["project_id", "user_id"], "{table}");
    }
}

#[tokio::test]
async fn everything_is_there_after_reopening_with_and_without_a_clean_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    let owner = given::user(&store, 1).await;
    for round in 0..4_u128 {
        given::append(&store, &owner, &[round], 30, at(0)).await;
        given::commit(
            &store,
            &owner,
            given::adding(vec![memory(round, Kind::Fact, "fact")]),
            at(0),
        )
        .await;
        if round % 2 == 0 {
            store.close().await.unwrap();
            assert!(
                !folder.path().join("mneme.db-wal").exists(),
                "after a clean end the file stands alone"
            );
        }
        drop(store);
        store = open(folder.path());
        let count = round as usize + 1;
        assert_eq!(
            store
                .source_ids(&owner, SourceKind::Chat, given::ALL)
                .await
                .unwrap()
                .len(),
            count
        );
        assert_eq!(given::contents(&store, &owner).await.len(), count);
        assert_eq!(
            store.snapshot(&owner).await.unwrap().version.0,
            count as i64
        );
    }
    let claimed = given::claim(&store, at(1)).await;
    assert_eq!(
        claimed.job.id,
        given::job(3),
        "the threshold counts over restarts"
    );
}

#[test]
fn a_second_store_on_the_same_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let first = open(folder.path());
    let error = refused(folder.path(), SQLITE);
    assert!(
        error.message.contains(&folder.path().display().to_string()),
        "{error}"
    );
    drop(first);
    open(folder.path());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writes_that_wait_together_share_commits() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let owner = given::user(&store, 1).await;
    let before = store.write_stats();
    let appends = (0..64_u128)
        .map(|number| store.append(&owner, vec![chat(number, 1)], policy(number), None, at(0)))
        .collect();
    for appended in given::join_all(appends).await {
        appended.unwrap();
    }
    let after = store.write_stats();
    assert_eq!(after.requests - before.requests, 64);
    assert!(
        after.commits - before.commits <= 16,
        "64 appends took {} commits",
        after.commits - before.commits
    );
    assert_eq!(
        store
            .source_ids(&owner, SourceKind::Chat, given::ALL)
            .await
            .unwrap()
            .len(),
        64
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_do_not_wait_for_writes_and_see_whole_commits() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let owner = given::user(&store, 1).await;
    let pair = |number: u128| {
        vec![
            memory(number, Kind::Fact, "left"),
            memory(number + 1000, Kind::Fact, "right"),
        ]
    };
    let writes = (0..30)
        .map(|number| {
            store.commit(
                &owner,
                None,
                given::adding(pair(number)),
                given::SPACE,
                at(0),
            )
        })
        .collect();
    let reads = async {
        for _ in 0..30 {
            let seen = given::contents(&store, &owner).await;
            assert_eq!(seen.len() % 2, 0, "half a change was seen");
            tokio::task::yield_now().await;
        }
    };
    let (written, ()) = tokio::join!(given::join_all(writes), reads);
    assert!(written.into_iter().all(|version| version.is_ok()));
}

/// A database that may not grow stands for a full disk.
#[tokio::test]
async fn no_room_is_said_undone_and_survived() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let owner = given::user(&store, 1).await;
    let pages_max = async |pages: i64| {
        let text = format!("PRAGMA max_page_count = {pages}");
        let set = move |db: &Connection| Ok(db.query_row(&text, [], |row| row.get::<_, i64>(0))?);
        store.writer.alone(set).await.unwrap()
    };
    pages_max(1).await;
    let mut large = chat(1, 1);
    large.source.body = serde_json::json!({"text": "x".repeat(1_000_000)});
    let no_room = store
        .append(
            &owner,
            vec![chat(0, 1), large.clone()],
            policy(1),
            None,
            at(0),
        )
        .await;
    assert_eq!(no_room.unwrap_err().kind, StoreErrorKind::Full);
    assert!(
        store
            .source_ids(&owner, SourceKind::Chat, given::ALL)
            .await
            .unwrap()
            .is_empty()
    );
    given::append(&store, &owner, &[2], 1, at(0)).await;

    pages_max(1_000_000).await;
    store
        .append(&owner, vec![large], policy(1), None, at(0))
        .await
        .unwrap();
    assert_eq!(
        store
            .source_ids(&owner, SourceKind::Chat, given::ALL)
            .await
            .unwrap()
            .len(),
        2
    );
}

const SECOND: Migration = Migration {
    version: 2,
    name: "0002_more",
    sql: "CREATE TABLE more (n INTEGER) STRICT",
};

#[tokio::test]
async fn an_existing_database_is_copied_then_migrated() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let owner = given::user(&store, 1).await;
    drop(store);
    let known = [SQLITE, &[SECOND]].concat();
    let store = SqliteStore::open_with(&options(folder.path()), &known).unwrap();
    assert!(store.user(&owner).await.unwrap().is_some());
    store.close().await.unwrap();

    let tables = |file: &str| -> i64 {
        let db = Connection::open(folder.path().join(file)).unwrap();
        db.query_row(
            "SELECT count(*) FROM sqlite_schema WHERE name = 'more'",
            [],
            |row| row.get(0),
        )
        .unwrap()
    };
    assert_eq!((tables("mneme.db"), tables("mneme.db.before-0002")), (1, 0));
    let newer = refused(folder.path(), SQLITE);
    assert!(newer.message.contains("version 2"), "{newer}");
}

#[test]
fn a_migration_that_fails_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()));
    let broken = Migration {
        sql: "CREATE TABLE half (n INTEGER) STRICT; CREATE TABLE project (n INTEGER)",
        ..SECOND
    };
    SqliteStore::open_with(&options(folder.path()), &[SQLITE, &[broken]].concat())
        .map(drop)
        .unwrap_err();
    let store =
        SqliteStore::open_with(&options(folder.path()), &[SQLITE, &[SECOND]].concat()).unwrap();
    drop(store);
    let db = Connection::open(folder.path().join("mneme.db")).unwrap();
    let half: i64 = db
        .query_row(
            "SELECT count(*) FROM sqlite_schema WHERE name = 'half'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(half, 0);
}

#[test]
fn changed_migrations_and_foreign_files_are_refused_untouched() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()));
    let drifted = Migration {
        sql: "SELECT 1",
        ..SQLITE[0]
    };
    assert!(
        refused(folder.path(), &[drifted])
            .message
            .contains("0001_start")
    );

    for content in [
        Some("not a database, but long enough to have a header ".repeat(40)),
        None,
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mneme.db");
        match &content {
            Some(text) => fs::write(&path, text).unwrap(),
            None => Connection::open(&path)
                .unwrap()
                .execute_batch("CREATE TABLE other (n INTEGER)")
                .unwrap(),
        }
        let before = fs::read(&path).unwrap();
        refused(folder.path(), SQLITE);
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}

#[tokio::test]
async fn settings_are_those_that_are_promised() {
    for (synchronous, expected) in [(Synchronous::Full, 2), (Synchronous::Normal, 1)] {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&SqliteOptions {
            synchronous,
            ..options(folder.path())
        })
        .unwrap();
        let ask = |name: &'static str| {
            store.writer.alone(move |db| {
                Ok(db.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0))?)
            })
        };
        assert_eq!(ask("page_size").await.unwrap(), 16_384);
        assert_eq!(ask("secure_delete").await.unwrap(), 1);
        assert_eq!(ask("synchronous").await.unwrap(), expected);
        let read_only = store
            .read(|db| Ok(db.query_row("PRAGMA query_only", [], |row| row.get::<_, i64>(0))?))
            .await
            .unwrap();
        assert_eq!(read_only, 1);
        let mode = store
            .writer
            .alone(|db| Ok(db.query_row("PRAGMA journal_mode", [], |row| row.get::<_, String>(0))?))
            .await
            .unwrap();
        assert_eq!(mode, "wal");
    }
}

/// How SQLite would carry out a statement, step by step.
fn plan(db: &Connection, text: &str) -> Vec<String> {
    let mut statement = db.prepare(&format!("EXPLAIN QUERY PLAN {text}")).unwrap();
    let mut rows = statement.raw_query();
    let mut steps = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        steps.push(row.get(3).unwrap());
    }
    steps
}

/// No table is read from one end to the other, and what is asked about a user touches the rows of that user only.
#[test]
fn statements_find_their_rows_by_an_index() {
    let db = Connection::open_in_memory().unwrap();
    for migration in SQLITE {
        db.execute_batch(migration.sql).unwrap();
    }
    // These look through all of something by design: spaces are few, a new space wants everything.
    let whole = ["SPACE_GAPS", "BACKLOG_FILL"];
    for (name, text) in crate::sql::ALL
        .iter()
        .filter(|(name, _)| !whole.contains(name))
    {
        for step in plan(&db, text) {
            let harmless = ["SCAN CONSTANT ROW", "SCAN due", "SCAN (subquery"];
            if step.starts_with("SCAN ") && !harmless.iter().any(|fine| step.starts_with(fine)) {
                assert!(step.contains("USING"), "{name}: {step}");
            }
            let by_user = text.contains("user_id = $")
                && step.starts_with("SEARCH ")
                && step.contains("project_id=?");
            let found = ["user_id=?", "(project_id=? AND id=?)"]
                .iter()
                .any(|key| step.contains(key));
            assert!(!by_user || found, "{name}: {step}");
        }
    }
    let claim = plan(&db, crate::sql::JOB_NEXT_QUEUED).join("; ");
    for index in [
        "j USING COVERING INDEX job_queued",
        "r USING COVERING INDEX job_running",
        "e USING COVERING INDEX job_waiting",
    ] {
        assert!(claim.contains(index), "{claim}");
    }
    assert!(
        !claim.contains("TEMP B-TREE"),
        "the oldest job must be found without sorting: {claim}"
    );
    let failed = plan(&db, crate::sql::BUFFER_FAILED_JOBS).join("; ");
    assert!(failed.contains("INDEX buffer_order"), "{failed}");
}

#[tokio::test]
async fn names_with_nul_keep_users_apart() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let mut owners = Vec::new();
    for project in ["p", "p\0", "p\0\0"] {
        owners.push(given::user_in(&store, project, 1).await);
    }
    for (place, owner) in owners.iter().enumerate() {
        let change = ChangeSet {
            add: vec![indexed(memory(1, Kind::Fact, &place.to_string()))],
            ..ChangeSet::default()
        };
        given::commit(&store, owner, change, at(0)).await;
    }
    for (place, owner) in owners.iter().enumerate() {
        assert_eq!(given::contents(&store, owner).await, [place.to_string()]);
    }
    let nobody = UserKey {
        project: ProjectId("p\0\0\0".to_owned()),
        user: UserId(given::uuid(1)),
    };
    assert!(store.user(&nobody).await.unwrap().is_none());
}

#[tokio::test]
async fn leases_of_a_process_that_died_end_at_open() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let owner = given::user(&store, 1).await;
    given::start_job(&store, &owner, 1, at(0)).await;
    let first = given::claim(&store, at(1)).await;
    assert_eq!(given::claimed_job(&store, at(1)).await, None);
    drop(store);
    let store = open(folder.path());
    let again = given::claim(&store, at(1)).await;
    assert_eq!(again.job.id, first.job.id);
    assert!(again.lease.fence > first.lease.fence);
}
