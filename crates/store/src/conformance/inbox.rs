//! Sources, the buffer, and what starts a job.

use mneme_core::id::SubScope;
use mneme_core::job::{JobKind, JobState};
use mneme_core::ports::{
    BufferState, FlushPolicy, Idempotency, NewSource, Page, Store, StoreErrorKind,
};
use mneme_core::source::{Source, SourceKind};
use serde_json::json;

use super::given::*;

/// Every kind, with every field, unchanged.
pub async fn any_source_round_trips(store: &dyn Store) {
    let owner = user(store, 1).await;
    for (number, kind) in SourceKind::ALL.into_iter().enumerate() {
        let body = json!({"text": "NUL \0, emoji \u{1f9d1}\u{200d}\u{1f680}, 上周三, \u{202e}", "n": 0.1 + 0.2, "list": [1, null, {"z": 1, "a": ""}]});
        let scope = SubScope {
            agent: Some(String::new()),
            session: (number % 2 == 0).then(|| "s\0".to_owned()),
        };
        let fields = (number % 2 == 1).then(|| json!({"kept": "verbatim"}));
        let source = Source {
            id: source_id(number as u128),
            scope,
            kind,
            body,
            fields,
            said_at: at(-1),
            received_at: at(2),
        };
        let appended = store
            .append(
                &owner,
                vec![NewSource {
                    source: source.clone(),
                    buffer: None,
                }],
                policy(1),
                None,
                at(2),
            )
            .await
            .unwrap();
        assert_eq!(appended.sources, [source.id]);
        assert_eq!(appended.job, None);
        assert_eq!(store.source(&owner, source.id).await.unwrap(), Some(source));
        assert!(
            store
                .buffered(&owner, kind, BufferState::Idle)
                .await
                .unwrap()
                .is_empty(),
            "it was not to be buffered"
        );
    }
}

/// Pages together are the whole, in the order of arrival and not of ids.
pub async fn sources_are_listed_in_pages_without_gaps(store: &dyn Store) {
    let owner = user(store, 1).await;
    let numbers: Vec<u128> = (0..23).map(|n| n * 7 % 23).collect();
    for number in &numbers {
        append(store, &owner, &[*number], 1, at(0)).await;
    }
    let mut seen = Vec::new();
    for offset in (0..30).step_by(5) {
        seen.extend(
            store
                .source_ids(&owner, SourceKind::Chat, Page { offset, limit: 5 })
                .await
                .unwrap(),
        );
    }
    assert_eq!(
        seen,
        numbers.iter().map(|n| source_id(*n)).collect::<Vec<_>>()
    );
    assert!(
        store
            .source_ids(&owner, SourceKind::Doc, ALL)
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        store
            .source_ids(
                &owner,
                SourceKind::Chat,
                Page {
                    offset: 0,
                    limit: 0
                }
            )
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        store
            .source_ids(&super::given::owner(9), SourceKind::Chat, ALL)
            .await
            .unwrap()
            .is_empty()
    );
}

/// No user, no source.
pub async fn appending_for_nobody_is_refused(store: &dyn Store) {
    assert_kind(
        store
            .append(&owner(1), vec![chat(1, 1)], policy(1), None, at(0))
            .await,
        StoreErrorKind::NoSuchOwner,
    );
}

/// More than the threshold starts the job; as much as the threshold does not.
pub async fn the_threshold_starts_one_job_with_everything_idle(store: &dyn Store) {
    let owner = user(store, 1).await;
    assert_eq!(
        append(store, &owner, &[1, 2], 50, at(0)).await.job,
        None,
        "100 is not more than 100"
    );
    assert_eq!(
        append(store, &owner, &[3], 1, at(1)).await.job,
        Some(job(3))
    );
    assert!(
        store
            .buffered(&owner, SourceKind::Chat, BufferState::Idle)
            .await
            .unwrap()
            .is_empty()
    );
    let processing = store
        .buffered(&owner, SourceKind::Chat, BufferState::Processing)
        .await
        .unwrap();
    assert_eq!(processing, [buffer_id(1), buffer_id(2), buffer_id(3)]);
    let started = store.job(&owner.project, job(3)).await.unwrap().unwrap();
    assert_eq!(
        (started.kind, started.state),
        (JobKind::Distil(SourceKind::Chat), JobState::Queued)
    );
    assert_eq!(
        (started.attempt, started.run_at, started.created_at),
        (0, at(1), at(1))
    );
    assert_eq!(
        (
            started.owner,
            started.result,
            started.error,
            started.finished_at
        ),
        (owner.clone(), vec![], None, None)
    );
    assert_eq!(
        append(store, &owner, &[4], 100, at(2)).await.job,
        None,
        "the count starts again"
    );
}

/// Whoever crosses the threshold first starts the job, and only that one does.
pub async fn racing_appends_start_one_job(store: &dyn Store) {
    let owner = user(store, 1).await;
    let appends: Vec<_> = (0..10_u128)
        .map(|n| store.append(&owner, vec![chat(n, 19)], policy(n), None, at(0)))
        .collect();
    let mut started = Vec::new();
    for appended in join_all(appends).await {
        started.extend(appended.unwrap().job);
    }
    assert_eq!(started.len(), 1, "190 tokens are over 100 once");
    let idle = store
        .buffered(&owner, SourceKind::Chat, BufferState::Idle)
        .await
        .unwrap()
        .len();
    let processing = store
        .buffered(&owner, SourceKind::Chat, BufferState::Processing)
        .await
        .unwrap()
        .len();
    assert_eq!((idle, processing), (4, 6));
}

/// Chats do not push summaries over the threshold.
pub async fn kinds_fill_up_apart(store: &dyn Store) {
    let owner = user(store, 1).await;
    append(store, &owner, &[1], 90, at(0)).await;
    let mut summary = chat(2, 90);
    summary.source.kind = SourceKind::Summary;
    assert_eq!(
        store
            .append(&owner, vec![summary], policy(2), None, at(0))
            .await
            .unwrap()
            .job,
        None
    );
    assert_eq!(
        append(store, &owner, &[3], 90, at(0)).await.job,
        Some(job(3))
    );
    assert_eq!(
        store
            .buffered(&owner, SourceKind::Summary, BufferState::Idle)
            .await
            .unwrap(),
        [buffer_id(2)]
    );
}

/// A mixed append is a caller's mistake, and nothing of it is kept.
pub async fn sources_of_two_kinds_are_refused_whole(store: &dyn Store) {
    let owner = user(store, 1).await;
    let mut other = chat(2, 1);
    other.source.kind = SourceKind::Summary;
    assert_kind(
        store
            .append(&owner, vec![chat(1, 1), other], policy(1), None, at(0))
            .await,
        StoreErrorKind::Internal,
    );
    assert!(
        store
            .source_ids(&owner, SourceKind::Chat, ALL)
            .await
            .unwrap()
            .is_empty()
    );
    assert!(store.usage(&owner.project, "").await.unwrap().is_empty());
}

/// The same key and content: the first answer, and nothing twice. Another content: refused. Another user: no matter.
pub async fn a_repeat_answers_like_the_first_time(store: &dyn Store) {
    let owner = user(store, 1).await;
    let other = user(store, 2).await;
    let key = |hash: &str| {
        Some(Idempotency {
            key: "k \0 键".to_owned(),
            content_hash: hash.to_owned(),
        })
    };
    let first = store
        .append(
            &owner,
            vec![chat(1, 60), chat(2, 60)],
            policy(1),
            key("a"),
            at(0),
        )
        .await
        .unwrap();
    assert_eq!(
        (first.sources.clone(), first.job, first.repeated),
        (vec![source_id(1), source_id(2)], Some(job(1)), false)
    );

    let again = store
        .append(
            &owner,
            vec![chat(3, 60), chat(4, 60)],
            policy(3),
            key("a"),
            at(9),
        )
        .await
        .unwrap();
    assert_eq!(
        (again.sources, again.job, again.repeated),
        (first.sources, first.job, true)
    );
    assert_eq!(
        store
            .source_ids(&owner, SourceKind::Chat, ALL)
            .await
            .unwrap()
            .len(),
        2
    );
    assert_eq!(store.usage(&owner.project, "").await.unwrap()[0].calls, 2);

    assert_kind(
        store
            .append(&owner, vec![chat(5, 1)], policy(5), key("b"), at(9))
            .await,
        StoreErrorKind::KeyReused,
    );
    assert!(
        !store
            .append(&other, vec![chat(6, 1)], policy(6), key("b"), at(9))
            .await
            .unwrap()
            .repeated
    );
}

/// Its tokens are taken off the count, its place in the buffer goes too.
pub async fn a_deleted_source_no_longer_counts(store: &dyn Store) {
    let owner = user(store, 1).await;
    append(store, &owner, &[1, 2], 40, at(0)).await;
    assert!(store.delete_source(&owner, source_id(1)).await.unwrap());
    assert!(!store.delete_source(&owner, source_id(1)).await.unwrap());
    assert_eq!(store.source(&owner, source_id(1)).await.unwrap(), None);
    assert_eq!(
        store
            .buffered(&owner, SourceKind::Chat, BufferState::Idle)
            .await
            .unwrap(),
        [buffer_id(2)]
    );
    assert_eq!(
        append(store, &owner, &[3], 60, at(0)).await.job,
        None,
        "40 + 60 is not more than 100"
    );
    for number in [2, 3] {
        assert!(
            store
                .delete_source(&owner, source_id(number))
                .await
                .unwrap()
        );
    }
    assert!(
        store.idle_due(at(10_000), 10).await.unwrap().is_empty(),
        "nothing is idle any more"
    );
    assert_eq!(
        store
            .flush(&owner, SourceKind::Chat, job(9), at(0))
            .await
            .unwrap(),
        None
    );
}

/// Due after the rest of the last append; the longest waiting first, no more than asked for.
pub async fn a_rested_buffer_is_due(store: &dyn Store) {
    let (one, two) = (user(store, 1).await, user(store, 2).await);
    append(store, &one, &[1], 1, at(0)).await;
    append(store, &two, &[2], 1, at(10)).await;
    append(store, &one, &[3], 1, at(20)).await;
    assert!(store.idle_due(at(69), 10).await.unwrap().is_empty());
    assert_eq!(
        store.idle_due(at(70), 10).await.unwrap(),
        [(two.clone(), SourceKind::Chat)]
    );
    let both = [(two.clone(), SourceKind::Chat), (one, SourceKind::Chat)];
    assert_eq!(store.idle_due(at(80), 10).await.unwrap(), both);
    assert_eq!(store.idle_due(at(80), 1).await.unwrap(), both[..1]);
    store
        .flush(&two, SourceKind::Chat, job(2), at(80))
        .await
        .unwrap();
    assert_eq!(store.idle_due(at(80), 10).await.unwrap(), both[1..]);
    let endless = FlushPolicy {
        idle_seconds: u64::MAX,
        ..policy(4)
    };
    store
        .append(&two, vec![chat(4, 1)], endless, None, at(80))
        .await
        .unwrap();
    assert_eq!(store.idle_due(at(1_000_000), 10).await.unwrap(), both[1..]);
}
