//! Who may work on what, in which order.

use mneme_core::change::ChangeSet;
use mneme_core::job::JobState;
use mneme_core::memory::Kind;
use mneme_core::ports::{BufferState, Store, StoreErrorKind};
use mneme_core::source::SourceKind;

use super::given::*;

/// Across users, whoever asked first.
pub async fn jobs_are_claimed_oldest_first(store: &dyn Store) {
    for (number, second) in [(1, 30), (2, 10), (3, 20)] {
        let owner = user(store, number).await;
        start_job(store, &owner, number, at(second)).await;
    }
    let mut order = Vec::new();
    while let Some(id) = claimed_job(store, at(40)).await {
        order.push(id);
    }
    assert_eq!(order, [job(2), job(3), job(1)]);
}

/// The next job of a user waits for the one that runs, in the order in which they were asked for, even when the clock
/// went back between them. Other users do not wait.
pub async fn jobs_of_one_user_run_one_at_a_time(store: &dyn Store) {
    let (one, two) = (user(store, 1).await, user(store, 2).await);
    start_job(store, &one, 1, at(50)).await;
    start_job(store, &one, 2, at(40)).await;
    start_job(store, &two, 3, at(60)).await;
    let first = claim(store, at(60)).await;
    assert_eq!(
        (first.job.id, first.job.owner.clone()),
        (job(1), one.clone())
    );
    assert_eq!(claimed_job(store, at(60)).await, Some(job(3)));
    assert_eq!(
        claimed_job(store, at(60)).await,
        None,
        "both users have a running job"
    );
    store
        .commit(
            &one,
            None,
            ChangeSet {
                buffer_done: vec![buffer_id(1)],
                ..step(first.lease, Some(JobState::Done))
            },
            SPACE,
            at(61),
        )
        .await
        .unwrap();
    assert_eq!(claimed_job(store, at(61)).await, Some(job(2)));
}

/// A lease that ran out is taken over with a higher fence, before anything later of the user.
pub async fn an_abandoned_job_comes_before_later_ones(store: &dyn Store) {
    let owner = user(store, 1).await;
    start_job(store, &owner, 1, at(0)).await;
    start_job(store, &owner, 2, at(0)).await;
    let dead_worker = claim(store, at(0)).await;
    assert_eq!(claimed_job(store, at(59)).await, None);
    let taken_over = claim(store, at(61)).await;
    assert_eq!((taken_over.job.id, taken_over.job.attempt), (job(1), 2));
    assert!(taken_over.lease.fence > dead_worker.lease.fence);
    assert_eq!(taken(store, &owner, taken_over.lease).await, [source_id(1)]);
    assert_eq!(claimed_job(store, at(62)).await, None);
}

/// Among users, an abandoned job has the place of its age, neither the first nor the last.
pub async fn an_abandoned_job_keeps_its_place(store: &dyn Store) {
    let (one, two, three) = (
        user(store, 1).await,
        user(store, 2).await,
        user(store, 3).await,
    );
    start_job(store, &two, 2, at(20)).await;
    claim(store, at(20)).await;
    start_job(store, &one, 1, at(10)).await;
    start_job(store, &three, 3, at(30)).await;
    for number in 1..=3 {
        assert_eq!(claimed_job(store, at(100)).await, Some(job(number)));
    }
    assert_eq!(claimed_job(store, at(100)).await, None);
}

/// With an old fence nothing is possible, and nothing changes.
pub async fn a_zombie_is_refused_everywhere(store: &dyn Store) {
    let owner = user(store, 1).await;
    start_job(store, &owner, 1, at(0)).await;
    let zombie = claim(store, at(0)).await.lease;
    let living = claim(store, at(100)).await.lease;
    let mut change = adding(vec![memory(1, Kind::Fact, "from the grave")]);
    change.job = step(zombie, Some(JobState::Done)).job;
    change.buffer_done = vec![buffer_id(1)];
    assert_kind(
        store.commit(&owner, None, change, SPACE, at(101)).await,
        StoreErrorKind::LeaseLost,
    );
    assert_kind(
        store.take(&owner, zombie, 10).await,
        StoreErrorKind::LeaseLost,
    );
    assert_kind(
        store.heartbeat(&owner, zombie, at(900)).await,
        StoreErrorKind::LeaseLost,
    );
    assert_kind(
        store.finish(&owner, zombie, JobState::Done, at(101)).await,
        StoreErrorKind::LeaseLost,
    );
    assert_kind(
        store
            .fail(&owner, zombie, failure(), None, vec![], at(101))
            .await,
        StoreErrorKind::LeaseLost,
    );
    assert_kind(
        store.release(&owner, zombie, at(101)).await,
        StoreErrorKind::LeaseLost,
    );
    assert!(contents(store, &owner).await.is_empty());
    assert_eq!(taken(store, &owner, living).await, [source_id(1)]);
    assert_kind(
        store.take(&super::given::owner(2), living, 10).await,
        StoreErrorKind::LeaseLost,
    );
}

/// As many claims at once as there are jobs and more: each job goes to one.
pub async fn racing_claims_never_share_a_job(store: &dyn Store) {
    for number in 0..6 {
        let owner = user(store, number).await;
        start_job(store, &owner, number, at(0)).await;
    }
    let claims: Vec<_> = (0..10)
        .map(|_| store.claim("racer", at(60), at(1)))
        .collect();
    let mut got: Vec<_> = join_all(claims)
        .await
        .into_iter()
        .filter_map(|claim| claim.unwrap())
        .map(|claim| claim.job.id)
        .collect();
    got.sort();
    let mut all: Vec<_> = (0..6).map(job).collect();
    all.sort();
    assert_eq!(got, all);
}

/// What failed is not overtaken: the later job takes it along, in the order of arrival.
pub async fn failed_rows_move_to_the_next_job_in_order(store: &dyn Store) {
    let owner = user(store, 1).await;
    append(store, &owner, &[0, 1, 2], 40, at(0)).await;
    let first = claim(store, at(0)).await;
    let change = ChangeSet {
        buffer_done: vec![buffer_id(0)],
        ..step(first.lease, None)
    };
    commit(store, &owner, change, at(1)).await;
    store
        .fail(&owner, first.lease, failure(), Some(at(500)), vec![], at(1))
        .await
        .unwrap();
    assert_eq!(
        store
            .buffered(&owner, SourceKind::Chat, BufferState::Failed)
            .await
            .unwrap(),
        [buffer_id(1), buffer_id(2)]
    );
    append(store, &owner, &[3, 4], 60, at(2)).await;
    let second = claim(store, at(2)).await;
    assert_eq!(second.job.id, job(3));
    assert_eq!(
        taken(store, &owner, second.lease).await,
        [1, 2, 3, 4].map(source_id)
    );
    assert_eq!(state_of(store, &owner, job(0)).await, JobState::Superseded);
    assert!(
        store
            .job(&owner.project, job(0))
            .await
            .unwrap()
            .unwrap()
            .finished_at
            .is_some()
    );
    assert!(
        store
            .buffered(&owner, SourceKind::Chat, BufferState::Failed)
            .await
            .unwrap()
            .is_empty()
    );
    assert!(!store.replay(&owner.project, job(0), at(3)).await.unwrap());
}

/// Only rows of the same user and kind are taken along.
pub async fn a_job_that_keeps_rows_is_not_superseded(store: &dyn Store) {
    let (owner, other) = (user(store, 1).await, user(store, 2).await);
    let mut summary = chat(1, 101);
    summary.source.kind = SourceKind::Summary;
    store
        .append(&owner, vec![summary], policy(1), None, at(0))
        .await
        .unwrap();
    let first = claim(store, at(0)).await;
    store
        .fail(&owner, first.lease, failure(), None, vec![], at(0))
        .await
        .unwrap();
    start_job(store, &owner, 2, at(1)).await;
    start_job(store, &other, 3, at(1)).await;
    for _ in 0..2 {
        let claimed = claim(store, at(1)).await;
        let (owner, lease) = (&claimed.job.owner, claimed.lease);
        assert_eq!(taken(store, owner, lease).await.len(), 1);
        let later = Some(at(500));
        store
            .fail(owner, lease, failure(), later, vec![], at(1))
            .await
            .unwrap();
    }
    start_job(store, &owner, 4, at(2)).await;
    let lease = claim(store, at(2)).await.lease;
    assert_eq!(taken(store, &owner, lease).await, [2, 4].map(source_id));
    assert_eq!(state_of(store, &owner, job(1)).await, JobState::Dead);
    assert_eq!(
        store
            .buffered(&owner, SourceKind::Summary, BufferState::Failed)
            .await
            .unwrap(),
        [buffer_id(1)]
    );
}

/// At least one, else no more than the bound; what is done is not given again.
pub async fn taking_respects_the_bound_and_the_order(store: &dyn Store) {
    let owner = user(store, 1).await;
    append(store, &owner, &[5, 3, 4], 40, at(0)).await;
    let lease = claim(store, at(0)).await.lease;
    let sizes = [
        (0, 1),
        (40, 1),
        (79, 1),
        (80, 2),
        (119, 2),
        (120, 3),
        (u32::MAX, 3),
    ];
    for (bound, count) in sizes {
        let rows = store.take(&owner, lease, bound).await.unwrap();
        assert_eq!(
            rows.iter().map(|row| row.source.id).collect::<Vec<_>>(),
            [5, 3, 4].map(source_id)[..count],
            "bound {bound}"
        );
        assert_eq!((rows[0].tokens, rows[0].buffer), (40, buffer_id(5)));
        assert_eq!(rows[0].source, source(5, "words of source 5"));
    }
    let change = ChangeSet {
        buffer_done: vec![buffer_id(5), buffer_id(3)],
        ..step(lease, None)
    };
    commit(store, &owner, change, at(1)).await;
    assert_eq!(taken(store, &owner, lease).await, [source_id(4)]);
    commit(
        store,
        &owner,
        ChangeSet {
            buffer_done: vec![buffer_id(4)],
            ..step(lease, None)
        },
        at(1),
    )
    .await;
    assert!(taken(store, &owner, lease).await.is_empty());
    assert_eq!(
        store
            .buffered(&owner, SourceKind::Chat, BufferState::Done)
            .await
            .unwrap()
            .len(),
        3
    );
}

/// A job in back-off is claimed when its time has come, and not before.
pub async fn a_back_off_is_waited_for(store: &dyn Store) {
    let owner = user(store, 1).await;
    start_job(store, &owner, 1, at(0)).await;
    let first = claim(store, at(0)).await;
    store
        .fail(&owner, first.lease, failure(), Some(at(30)), vec![], at(1))
        .await
        .unwrap();
    assert_eq!(claimed_job(store, at(29)).await, None);
    let second = claim(store, at(30)).await;
    assert_eq!(
        (second.job.attempt, second.job.error.clone()),
        (2, Some(failure()))
    );
    assert!(second.lease.fence > first.lease.fence);
    assert_eq!(
        store
            .buffered(&owner, SourceKind::Chat, BufferState::Processing)
            .await
            .unwrap(),
        [buffer_id(1)]
    );
}
