//! What only the PostgreSQL store has to show: several servers on one database, lost connections and servers, rights,
//! and a search that no index leads astray.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use mneme_core::change::{ChangeSet, Version};
use mneme_core::job::JobState;
use mneme_core::memory::Kind;
use mneme_core::ports::{
    Idempotency, Inbox as _, Jobs as _, Memories as _, NearestQuery, RecallIndex as _,
    StoreErrorKind, Upkeep as _, Users as _,
};
use mneme_store::conformance::given::*;
use mneme_store::{PostgresOptions, PostgresStore};
use mneme_testkit::TempPostgres;
use tokio_postgres::{Client, NoTls};

/// One server for all tests but those that crash it.
static SERVER: LazyLock<TempPostgres> = LazyLock::new(TempPostgres::shared);
static SCHEMAS: AtomicUsize = AtomicUsize::new(0);

/// A schema of its own.
fn options() -> PostgresOptions {
    let number = SCHEMAS.fetch_add(1, Ordering::Relaxed);
    PostgresOptions {
        schema: Some(format!("own_{}_{number}", std::process::id())),
        pool_size: 6,
        ..PostgresOptions::new(SERVER.url())
    }
}

async fn open(options: &PostgresOptions) -> Arc<PostgresStore> {
    Arc::new(PostgresStore::connect(options).await.expect("connects"))
}

/// A connection beside the store.
async fn aside(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("connects");
    tokio::spawn(connection);
    client
}

/// The name of the schema of such options.
fn schema(options: &PostgresOptions) -> &str {
    options.schema.as_deref().expect("a schema")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_that_start_together_make_one_schema() {
    let options = options();
    let starts: Vec<_> = (0..6).map(|_| PostgresStore::connect(&options)).collect();
    for store in join_all(starts).await {
        store.expect("connects").health().await.unwrap();
    }
    let client = aside(&SERVER.url()).await;
    let text = format!(
        "SELECT count(*) FROM {}.schema_migrations",
        schema(&options)
    );
    let steps: i64 = client.query_one(&text, &[]).await.unwrap().get(0);
    assert_eq!(steps, 1);
}

/// Every job of forty users is worked on once, by whichever server, and one at a time for each user.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_share_the_work() {
    let options = options();
    let servers = [open(&options).await, open(&options).await];
    for number in 0..40 {
        let owner = user(servers[0].as_ref(), number).await;
        for job in [number, number + 100, number + 200] {
            start_job(servers[0].as_ref(), &owner, job, at(0)).await;
        }
    }
    let worker = async |store: Arc<PostgresStore>| {
        let mut done = Vec::new();
        while let Some(claimed) = store.claim("w", at(60), at(1)).await.unwrap() {
            let owner = &claimed.job.owner;
            let sources = store.take(owner, claimed.lease, 1000).await.unwrap();
            assert_eq!(sources.len(), 1, "only its own");
            let change = ChangeSet {
                buffer_done: sources.iter().map(|source| source.buffer).collect(),
                ..step(claimed.lease, Some(JobState::Done))
            };
            commit(store.as_ref(), owner, change, at(2)).await;
            done.push(claimed.job.id);
        }
        done
    };
    let workers: Vec<_> = (0..6)
        .map(|number| worker(Arc::clone(&servers[number % 2])))
        .collect();
    let done: Vec<_> = join_all(workers).await.into_iter().flatten().collect();
    let different: BTreeSet<_> = done.iter().copied().collect();
    assert_eq!((done.len(), different.len()), (120, 120));
}

/// Of plans that were made against the same version one is taken, on whichever server; and a repeat is a repeat.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writes_of_one_user_come_one_after_the_other() {
    let options = options();
    let servers = [open(&options).await, open(&options).await];
    let owner = user(servers[0].as_ref(), 1).await;
    let plans: Vec<_> = (0..8_u128)
        .map(|number| {
            let change = adding(vec![memory(number, Kind::Fact, "x")]);
            let store = &servers[number as usize % 2];
            store.commit(&owner, Some(Version(0)), change, SPACE, at(1))
        })
        .collect();
    let outcomes = join_all(plans).await;
    assert_eq!(outcomes.iter().filter(|done| done.is_ok()).count(), 1);
    assert!(
        outcomes
            .iter()
            .flat_map(|done| done.as_ref().err())
            .all(|error| error.kind == StoreErrorKind::Conflict)
    );

    let writes: Vec<_> = (0..8_u128)
        .map(|number| {
            let key = Idempotency {
                key: "once".to_owned(),
                content_hash: "h".to_owned(),
            };
            let store = &servers[number as usize % 2];
            store.append(
                &owner,
                vec![chat(number, 5)],
                policy(number),
                Some(key),
                at(1),
            )
        })
        .collect();
    let answers: Vec<_> = join_all(writes)
        .await
        .into_iter()
        .map(|answer| answer.unwrap())
        .collect();
    assert_eq!(answers.iter().filter(|answer| !answer.repeated).count(), 1);
    assert!(
        answers
            .iter()
            .all(|answer| answer.sources == answers[0].sources)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_server_wrote_another_reads_at_once() {
    let options = options();
    let servers = [open(&options).await, open(&options).await];
    let owner = user(servers[0].as_ref(), 1).await;
    for round in 0..20_u128 {
        let (writer, reader) = (
            &servers[round as usize % 2],
            &servers[1 - round as usize % 2],
        );
        let change = adding(vec![memory(round, Kind::Profile, &format!("{round}"))]);
        commit(writer.as_ref(), &owner, change, at(round as i64)).await;
        let seen = reader.snapshot(&owner).await.unwrap();
        assert_eq!(seen.version, Version(round as i64 + 1));
        assert_eq!(seen.profile.len(), round as usize + 1);
    }
    servers[0].erase_user(&owner).await.unwrap().unwrap();
    assert_eq!(servers[1].user(&owner).await.unwrap(), None);
    assert_eq!(
        servers[1].snapshot(&owner).await.unwrap().profile,
        Vec::new()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cut_connections_are_replaced_unnoticed() {
    let options = PostgresOptions {
        url: format!("{}?application_name=mneme_cut", SERVER.url()),
        ..options()
    };
    let store = open(&options).await;
    let owner = user(store.as_ref(), 1).await;
    let client = aside(&SERVER.url()).await;
    for round in 0..5_u128 {
        let cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'mneme_cut'";
        client.query_one(cut, &[]).await.unwrap();
        append(store.as_ref(), &owner, &[round], 1, at(1)).await;
        client.query_one(cut, &[]).await.unwrap();
        assert!(store.user(&owner).await.unwrap().is_some());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_of_the_database_is_told_and_got_over() {
    let mut server = TempPostgres::start();
    let options = PostgresOptions {
        wait: Duration::from_secs(3),
        ..PostgresOptions::new(server.url())
    };
    let store = open(&options).await;
    let owner = user(store.as_ref(), 1).await;
    append(store.as_ref(), &owner, &[1], 1, at(1)).await;

    server.crash();
    assert_kind(store.user(&owner).await, StoreErrorKind::Unavailable);
    assert_kind(store.health().await, StoreErrorKind::Unavailable);
    let refused = PostgresStore::connect(&options).await;
    assert_kind(refused, StoreErrorKind::Unavailable);

    server.start_again();
    assert_eq!(
        store.source(&owner, source_id(1)).await.unwrap(),
        Some(chat(1, 1).source)
    );
    append(store.as_ref(), &owner, &[2], 1, at(2)).await;
    store.health().await.unwrap();
}

/// A work that was left in the middle neither keeps a lock nor gives its connection to somebody else.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn abandoned_calls_leave_nothing_behind() {
    let options = options();
    let store = open(&options).await;
    let owner = user(store.as_ref(), 1).await;
    let mut client = aside(&SERVER.url()).await;
    let holder = client.transaction().await.unwrap();
    let text = format!("SELECT 1 FROM {}.app_user FOR UPDATE", schema(&options));
    holder.query_one(&text, &[]).await.unwrap();
    for number in 0..10_u128 {
        let change = adding(vec![memory(number, Kind::Fact, "x")]);
        let call = store.commit(&owner, None, change, SPACE, at(1));
        assert!(
            tokio::time::timeout(Duration::from_millis(30), call)
                .await
                .is_err(),
            "the user is locked"
        );
    }
    holder.rollback().await.unwrap();
    assert_eq!(
        store.snapshot(&owner).await.unwrap().version,
        Version::default()
    );
    commit(
        store.as_ref(),
        &owner,
        adding(vec![memory(1, Kind::Fact, "x")]),
        at(1),
    )
    .await;
    assert_eq!(store.snapshot(&owner).await.unwrap().version, Version(1));
}

/// The extension is made where that is allowed, used where it is, and asked for where neither holds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plain_role_needs_the_extension_made_by_others() {
    let admin = aside(&SERVER.url()).await;
    let plain = format!("plain_{}", std::process::id());
    for text in [
        format!("CREATE ROLE {plain} LOGIN"),
        format!("CREATE DATABASE {plain} OWNER {plain}"),
    ] {
        admin.batch_execute(&text).await.unwrap();
    }
    let url = |role: &str| SERVER.url_of(role, &plain);
    let options = PostgresOptions::new(url(&plain));
    let missing = PostgresStore::connect(&options).await.unwrap_err();
    assert_eq!(missing.kind, StoreErrorKind::Unusable);
    assert!(
        missing.message.contains("CREATE EXTENSION vector"),
        "{missing}"
    );
    let inside = aside(&url("postgres")).await;
    inside
        .batch_execute("CREATE EXTENSION vector")
        .await
        .unwrap();
    open(&options).await.health().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn schemas_of_other_releases_are_refused() {
    let options = options();
    open(&options).await;
    let client = aside(&SERVER.url()).await;
    let ledger = format!("{}.schema_migrations", schema(&options));
    let newer = format!("INSERT INTO {ledger} VALUES (99, 'later', 'x', 0)");
    client.batch_execute(&newer).await.unwrap();
    let refused = PostgresStore::connect(&options).await.unwrap_err();
    assert_eq!(refused.kind, StoreErrorKind::Unusable);
    assert!(refused.message.contains("newer"), "{refused}");
    let drifted =
        format!("DELETE FROM {ledger} WHERE version = 99; UPDATE {ledger} SET sha256 = 'x'");
    client.batch_execute(&drifted).await.unwrap();
    let refused = PostgresStore::connect(&options).await.unwrap_err();
    assert_eq!(refused.kind, StoreErrorKind::Unusable);
}

/// Twenty thousand vectors of one tenant lie nearer to the query than the fifty of another, and an index for
/// approximate search is there: the fifty are found all the same, each in its place.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_small_user_is_searched_exactly_beside_a_large_one() {
    let options = options();
    let store = open(&options).await;
    let (small, large) = (
        user(store.as_ref(), 1).await,
        user_in(store.as_ref(), "q", 2).await,
    );
    let add = (0..50_u128)
        .map(|n| with_vector(memory(n, Kind::Gist, "x"), &[0.5 - n as f32 / 200.0, 0.5]))
        .collect();
    let change = ChangeSet {
        add,
        ..ChangeSet::default()
    };
    commit(store.as_ref(), &small, change, at(0)).await;
    let client = aside(&SERVER.url()).await;
    let fill = format!(
        "INSERT INTO {0}.embedding (project_id, user_id, space, memory_id, kind, recorded_at, revision, vector) \
         SELECT 'q', '{1}', '{SPACE}', gen_random_uuid(), 'gist', 0, 1, ARRAY[1, n / 1e6]::vector \
         FROM generate_series(1, 20000) AS n; \
         CREATE INDEX ON {0}.embedding USING hnsw ((vector::vector(2)) vector_ip_ops); ANALYZE {0}.embedding",
        schema(&options),
        large.user
    );
    client.batch_execute(&fill).await.unwrap();
    let query = NearestQuery {
        space: SPACE.to_owned(),
        vector: vec![1.0, 0.0],
        limit: 20,
        ..NearestQuery::default()
    };
    let found = store.nearest(&small, query.clone()).await.unwrap();
    let ids: Vec<_> = found.iter().map(|hit| hit.0).collect();
    assert_eq!(ids, (0..20_u128).map(memory_id).collect::<Vec<_>>());
    assert_eq!(store.nearest(&large, query).await.unwrap().len(), 20);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_addresses_say_what_is_wrong_and_no_password() {
    let cases = [
        ("not an address", StoreErrorKind::Unusable),
        (
            "postgres://u:secret@127.0.0.1:1/x",
            StoreErrorKind::Unavailable,
        ),
        (
            &SERVER.url_of("postgres", "nowhere"),
            StoreErrorKind::Unusable,
        ),
        (
            &SERVER.url_of("nobody:secret", "postgres"),
            StoreErrorKind::Unusable,
        ),
        // Asked to encrypt, it does not go on without.
        (
            &format!("{}?sslmode=require", SERVER.url()),
            StoreErrorKind::Unusable,
        ),
    ];
    for (url, kind) in cases {
        let error = PostgresStore::connect(&PostgresOptions::new(url))
            .await
            .unwrap_err();
        assert_eq!(error.kind, kind, "{error}");
        assert!(!error.message.contains("secret"), "{error}");
    }
}
