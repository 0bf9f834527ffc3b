//! The database is killed again and again while two servers take sources in and distil them: at the end every source
//! whose append was answered is distilled exactly once.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use mneme_core::change::{ChangeSet, JobStep};
use mneme_core::id::{MemoryId, UserKey};
use mneme_core::job::JobState;
use mneme_core::memory::Kind;
use mneme_core::ports::{
    Claimed, Idempotency, Inbox as _, Jobs as _, Memories as _, StoreResult, TimelineFilter,
};
use mneme_core::time::Timestamp;
use mneme_store::conformance::given::*;
use mneme_store::{PostgresOptions, PostgresStore};
use mneme_testkit::TempPostgres;
use tokio::time::sleep;

const USERS: u128 = 4;
const SOURCES: u128 = 240;
const CRASHES: usize = 5;
const LEASE_SECONDS: i64 = 1;
const PATIENCE: Duration = Duration::from_secs(90);

/// What the tasks share.
struct Run {
    begun: Instant,
    memories: AtomicUsize,
    over: AtomicBool,
}

impl Run {
    fn now(&self) -> Timestamp {
        Timestamp(at(0).0 + self.begun.elapsed().as_micros() as i64)
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed) || self.begun.elapsed() > PATIENCE
    }
}

/// Repeats each append with its key until it is answered.
async fn take_in(store: &PostgresStore, run: &Run, owners: &[UserKey], numbers: Vec<u128>) {
    for number in numbers {
        let owner = &owners[(number % USERS) as usize];
        let key = || Idempotency {
            key: number.to_string(),
            content_hash: "h".to_owned(),
        };
        let mut policy = policy(number);
        policy.tokens_max = 20;
        while store
            .append(owner, vec![chat(number, 9)], policy, Some(key()), run.now())
            .await
            .is_err()
        {
            assert!(!run.is_over(), "the database did not come back");
            sleep(Duration::from_millis(20)).await;
        }
        sleep(Duration::from_millis(15)).await;
    }
}

/// Works on jobs as a worker does, and lets go of a job at the first error.
async fn distil(store: &PostgresStore, run: &Run) {
    while !run.is_over() {
        let now = run.now();
        match store.claim("w", now.plus_seconds(LEASE_SECONDS), now).await {
            Ok(Some(claimed)) => {
                let _ = work(store, run, &claimed).await;
            }
            _ => sleep(Duration::from_millis(20)).await,
        }
    }
}

async fn work(store: &PostgresStore, run: &Run, claimed: &Claimed) -> StoreResult<()> {
    let owner = &claimed.job.owner;
    loop {
        let sources = store.take(owner, claimed.lease, 20).await?;
        if sources.is_empty() {
            return store
                .finish(owner, claimed.lease, JobState::Done, run.now())
                .await;
        }
        let add = sources.iter().map(|taken| {
            let id = run.memories.fetch_add(1, Ordering::Relaxed) as u128;
            let mut new = memory(id, Kind::Event, &taken.source.id.to_string());
            new.id = MemoryId(uuid(id + 0xffff_0000));
            indexed(new)
        });
        let change = ChangeSet {
            add: add.collect(),
            buffer_done: sources.iter().map(|taken| taken.buffer).collect(),
            job: Some(JobStep {
                lease: claimed.lease,
                result: None,
                finish: None,
            }),
            ..ChangeSet::default()
        };
        store.commit(owner, None, change, SPACE, run.now()).await?;
    }
}

/// Flushes what is left and waits until nothing is under way.
async fn drain(store: &PostgresStore, run: &Run, owners: &[UserKey]) {
    for (number, owner) in (10_000..).zip(owners) {
        let kind = mneme_core::source::SourceKind::Chat;
        store
            .flush(owner, kind, job(number), run.now())
            .await
            .expect("the database is back");
    }
    loop {
        let stats = store.queue_stats().await.expect("the database is back");
        if stats.queued + stats.running == 0 {
            return;
        }
        assert!(!run.is_over(), "work is left: {stats:?}");
        sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_or_doubled_when_the_database_is_killed() {
    let mut server = TempPostgres::start();
    let options = PostgresOptions {
        wait: Duration::from_secs(2),
        ..PostgresOptions::new(server.url())
    };
    let mut stores = Vec::new();
    for _ in 0..2 {
        stores.push(Arc::new(PostgresStore::connect(&options).await.unwrap()));
    }
    let mut owners = Vec::new();
    for number in 0..USERS {
        owners.push(user(stores[0].as_ref(), number).await);
    }
    let run = Arc::new(Run {
        begun: Instant::now(),
        memories: AtomicUsize::new(0),
        over: AtomicBool::new(false),
    });
    let mut workers = Vec::new();
    let mut writers = Vec::new();
    for place in 0..4_u128 {
        let store = Arc::clone(&stores[place as usize % 2]);
        let (run, owners) = (Arc::clone(&run), owners.clone());
        let numbers = (0..SOURCES).filter(|n| n % 4 == place).collect();
        writers.push(tokio::spawn({
            let (store, run) = (Arc::clone(&store), Arc::clone(&run));
            async move { take_in(&store, &run, &owners, numbers).await }
        }));
        workers.push(tokio::spawn(async move { distil(&store, &run).await }));
    }
    for _ in 0..CRASHES {
        sleep(Duration::from_millis(250)).await;
        tokio::task::block_in_place(|| {
            server.crash();
            server.start_again();
        });
    }
    for writer in writers {
        writer.await.unwrap();
    }
    drain(&stores[1], &run, &owners).await;
    run.over.store(true, Ordering::Relaxed);
    for worker in workers {
        worker.await.unwrap();
    }

    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for owner in &owners {
        for event in stores[0]
            .timeline(owner, TimelineFilter::default(), ALL)
            .await
            .unwrap()
        {
            *times.entry(event.content).or_default() += 1;
        }
    }
    let expected = (0..SOURCES)
        .map(|n| (source_id(n).to_string(), 1))
        .collect();
    assert_eq!(times, expected);
}
