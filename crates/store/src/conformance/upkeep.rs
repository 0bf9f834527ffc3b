//! Health, housekeeping, the end.

use mneme_core::change::ChangeSet;
use mneme_core::job::JobState;
use mneme_core::ports::{Idempotency, Store, StoreErrorKind};

use super::given::*;

/// Any number of times.
pub async fn a_healthy_store_says_so(store: &dyn Store) {
    for _ in 0..3 {
        store.health().await.unwrap();
    }
}

/// Jobs that ended and keys that were used before the moment; nothing that somebody still waits for.
pub async fn tidying_removes_only_what_is_over(store: &dyn Store) {
    let owner = user(store, 1).await;
    for (number, end) in [(1, 100), (2, 200)] {
        start_job(store, &owner, number, at(0)).await;
        let lease = claim(store, at(0)).await.lease;
        let change = ChangeSet {
            buffer_done: vec![buffer_id(number)],
            ..step(lease, Some(JobState::Done))
        };
        commit(store, &owner, change, at(end)).await;
    }
    start_job(store, &owner, 3, at(0)).await;
    let lease = claim(store, at(0)).await.lease;
    store
        .fail(&owner, lease, failure(), None, vec![], at(50))
        .await
        .unwrap();
    for (number, second, name) in [
        (10, 100, "key 10"),
        (11, 200, "key 11"),
        (12, 100, "import:12"),
    ] {
        let key = Some(Idempotency {
            key: name.to_owned(),
            content_hash: "h".to_owned(),
        });
        store
            .append(
                &owner,
                vec![chat(number, 1)],
                policy(number),
                key,
                at(second),
            )
            .await
            .unwrap();
    }
    assert_eq!(store.tidy(at(100)).await.unwrap(), 0);
    assert_eq!(store.tidy(at(150)).await.unwrap(), 2, "one job, one key");
    assert_eq!(store.tidy(at(150)).await.unwrap(), 0);
    assert_eq!(store.job(&owner.project, job(1)).await.unwrap(), None);
    assert_eq!(state_of(store, &owner, job(2)).await, JobState::Done);
    assert_eq!(
        state_of(store, &owner, job(3)).await,
        JobState::Dead,
        "its sources still wait"
    );
    assert!(store.replay(&owner.project, job(3), at(300)).await.unwrap());
    let repeat = async |number: u128| {
        let key = Some(Idempotency {
            key: format!("key {number}"),
            content_hash: "h".to_owned(),
        });
        store
            .append(
                &owner,
                vec![chat(number + 10, 1)],
                policy(number),
                key,
                at(300),
            )
            .await
            .unwrap()
            .repeated
    };
    assert!(!repeat(10).await);
    assert!(repeat(11).await);
}

/// Closed is closed, for reads and writes.
pub async fn nothing_is_answered_after_the_end(store: &dyn Store) {
    let owner = user(store, 1).await;
    store.close().await.unwrap();
    assert_kind(store.user(&owner).await, StoreErrorKind::Unavailable);
    assert_kind(
        store
            .append(&owner, vec![chat(1, 1)], policy(1), None, at(0))
            .await,
        StoreErrorKind::Unavailable,
    );
    assert_kind(store.health().await, StoreErrorKind::Unavailable);
}
