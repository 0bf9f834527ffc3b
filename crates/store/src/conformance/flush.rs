//! Flushing on demand: which job there is to wait for.

use mneme_core::job::JobState;
use mneme_core::ports::Store;
use mneme_core::source::SourceKind;

use super::given::*;

/// All idle rows go under the new job.
pub async fn a_flush_takes_what_is_idle(store: &dyn Store) {
    let owner = user(store, 1).await;
    assert_eq!(
        store
            .flush(&owner, SourceKind::Chat, job(1), at(0))
            .await
            .unwrap(),
        None
    );
    append(store, &owner, &[1, 2], 5, at(0)).await;
    assert_eq!(
        store
            .flush(&owner, SourceKind::Summary, job(1), at(0))
            .await
            .unwrap(),
        None,
        "of that kind only"
    );
    assert_eq!(
        store
            .flush(&owner, SourceKind::Chat, job(1), at(3))
            .await
            .unwrap(),
        Some(job(1))
    );
    let claimed = claim(store, at(3)).await;
    assert_eq!((claimed.job.id, claimed.job.created_at), (job(1), at(3)));
    assert_eq!(
        taken(store, &owner, claimed.lease).await,
        [source_id(1), source_id(2)]
    );
}

/// With nothing idle, the job to wait for is the one that is queued or runs.
pub async fn a_flush_waits_for_what_is_under_way(store: &dyn Store) {
    let owner = user(store, 1).await;
    start_job(store, &owner, 1, at(0)).await;
    assert_eq!(
        store
            .flush(&owner, SourceKind::Chat, job(7), at(0))
            .await
            .unwrap(),
        Some(job(1))
    );
    let claimed = claim(store, at(0)).await;
    assert_eq!(
        store
            .flush(&owner, SourceKind::Chat, job(7), at(0))
            .await
            .unwrap(),
        Some(job(1))
    );
    start_job(store, &owner, 2, at(0)).await;
    assert_eq!(
        store
            .flush(&owner, SourceKind::Chat, job(7), at(0))
            .await
            .unwrap(),
        Some(job(2)),
        "the one that ends last"
    );
    assert_eq!(store.job(&owner.project, job(7)).await.unwrap(), None);
    store
        .heartbeat(&owner, claimed.lease, at(60))
        .await
        .unwrap();
}

/// A job that waits for another try is made due.
pub async fn a_flush_hurries_what_failed(store: &dyn Store) {
    let owner = user(store, 1).await;
    start_job(store, &owner, 1, at(0)).await;
    let claimed = claim(store, at(0)).await;
    store
        .fail(
            &owner,
            claimed.lease,
            failure(),
            Some(at(500)),
            vec![],
            at(1),
        )
        .await
        .unwrap();
    assert_eq!(claimed_job(store, at(2)).await, None);
    assert_eq!(
        store
            .flush(&owner, SourceKind::Chat, job(7), at(2))
            .await
            .unwrap(),
        Some(job(1))
    );
    assert_eq!(claimed_job(store, at(2)).await, Some(job(1)));
}

/// A dead letter is tried again when somebody asks for it.
pub async fn a_flush_revives_a_dead_job(store: &dyn Store) {
    let owner = user(store, 1).await;
    start_job(store, &owner, 1, at(0)).await;
    let claimed = claim(store, at(0)).await;
    store
        .fail(&owner, claimed.lease, failure(), None, vec![], at(1))
        .await
        .unwrap();
    assert_eq!(
        store
            .flush(&owner, SourceKind::Chat, job(7), at(2))
            .await
            .unwrap(),
        Some(job(1))
    );
    let again = claim(store, at(2)).await;
    assert_eq!((again.job.id, again.job.attempt), (job(1), 1));
    assert_eq!(taken(store, &owner, again.lease).await, [source_id(1)]);
}

/// Rows that a finished job left behind come under a new one.
pub async fn a_flush_picks_up_orphans(store: &dyn Store) {
    let owner = user(store, 1).await;
    start_job(store, &owner, 1, at(0)).await;
    let claimed = claim(store, at(0)).await;
    store
        .finish(&owner, claimed.lease, JobState::Partial, at(1))
        .await
        .unwrap();
    assert_eq!(
        store
            .flush(&owner, SourceKind::Chat, job(7), at(2))
            .await
            .unwrap(),
        Some(job(7))
    );
    let again = claim(store, at(2)).await;
    assert_eq!(taken(store, &owner, again.lease).await, [source_id(1)]);
    assert_eq!(state_of(store, &owner, job(1)).await, JobState::Partial);
}
