//! The life of a job after it was claimed.

use mneme_core::change::ChangeSet;
use mneme_core::job::JobState;
use mneme_core::ports::{BufferState, JobFilter, Page, QueueStats, Store, StoreErrorKind};
use mneme_core::source::SourceKind;
use mneme_core::usage::{CallKind, Usage};

use super::given::*;

/// With a heartbeat nobody takes over; without one somebody does.
pub async fn a_heartbeat_keeps_the_lease(store: &dyn Store) {
    let owner = user(store, 1).await;
    start_job(store, &owner, 1, at(0)).await;
    let lease = claim(store, at(0)).await.lease;
    store.heartbeat(&owner, lease, at(120)).await.unwrap();
    assert_eq!(claimed_job(store, at(119)).await, None);
    assert_eq!(claimed_job(store, at(121)).await, Some(job(1)));
    assert_kind(
        store.heartbeat(&owner, lease, at(200)).await,
        StoreErrorKind::LeaseLost,
    );
}

/// The end can be reached once, and only with a state that is one.
pub async fn a_finished_job_is_final(store: &dyn Store) {
    let owner = user(store, 1).await;
    start_job(store, &owner, 1, at(0)).await;
    let lease = claim(store, at(0)).await.lease;
    assert_kind(
        store.finish(&owner, lease, JobState::Queued, at(1)).await,
        StoreErrorKind::Internal,
    );
    commit(
        store,
        &owner,
        ChangeSet {
            buffer_done: vec![buffer_id(1)],
            ..step(lease, None)
        },
        at(1),
    )
    .await;
    store
        .finish(&owner, lease, JobState::Done, at(2))
        .await
        .unwrap();
    let ended = store.job(&owner.project, job(1)).await.unwrap().unwrap();
    assert_eq!(
        (ended.state, ended.finished_at, ended.attempt),
        (JobState::Done, Some(at(2)), 1)
    );
    assert_kind(
        store.finish(&owner, lease, JobState::Done, at(3)).await,
        StoreErrorKind::LeaseLost,
    );
    assert_eq!(claimed_job(store, at(1000)).await, None);
    assert!(!store.replay(&owner.project, job(1), at(3)).await.unwrap());
    assert_eq!(
        store.job(&owner_in("q", 1).project, job(1)).await.unwrap(),
        None,
        "not in another project"
    );
}

/// A job that ends before its rows are distilled leaves them to the next.
pub async fn an_unfinished_row_is_never_lost(store: &dyn Store) {
    let owner = user(store, 1).await;
    append(store, &owner, &[1, 2], 60, at(0)).await;
    let lease = claim(store, at(0)).await.lease;
    let change = ChangeSet {
        buffer_done: vec![buffer_id(1)],
        ..step(lease, Some(JobState::Partial))
    };
    commit(store, &owner, change, at(1)).await;
    assert_eq!(
        store
            .buffered(&owner, SourceKind::Chat, BufferState::Failed)
            .await
            .unwrap(),
        [buffer_id(2)]
    );
    start_job(store, &owner, 3, at(2)).await;
    let lease = claim(store, at(2)).await.lease;
    assert_eq!(
        taken(store, &owner, lease).await,
        [source_id(2), source_id(3)]
    );
    assert_eq!(
        state_of(store, &owner, job(1)).await,
        JobState::Partial,
        "it did what it says"
    );
}

/// The rows fail with the attempt, the error is shown, the cost is booked; at the end the job is dead.
pub async fn a_failure_waits_then_dies(store: &dyn Store) {
    let owner = user(store, 1).await;
    start_job(store, &owner, 1, at(0)).await;
    let lease = claim(store, at(0)).await.lease;
    let usage = vec![Usage {
        call: CallKind::Extract,
        calls: 2,
        prompt_tokens: 30,
        completion_tokens: 4,
    }];
    store
        .fail(&owner, lease, failure(), Some(at(10)), usage.clone(), at(1))
        .await
        .unwrap();
    let waits = store.job(&owner.project, job(1)).await.unwrap().unwrap();
    assert_eq!(
        (waits.state, waits.run_at, waits.error.clone()),
        (JobState::Queued, at(10), Some(failure()))
    );
    assert_eq!((waits.finished_at, waits.attempt), (None, 1));
    assert_eq!(
        store
            .buffered(&owner, SourceKind::Chat, BufferState::Failed)
            .await
            .unwrap(),
        [buffer_id(1)]
    );

    let lease = claim(store, at(10)).await.lease;
    store
        .fail(&owner, lease, failure(), None, usage, at(11))
        .await
        .unwrap();
    let dead = store.job(&owner.project, job(1)).await.unwrap().unwrap();
    assert_eq!(
        (dead.state, dead.error, dead.finished_at),
        (JobState::Dead, Some(failure()), Some(at(11)))
    );
    assert_eq!(
        store
            .buffered(&owner, SourceKind::Chat, BufferState::Failed)
            .await
            .unwrap(),
        [buffer_id(1)]
    );
    assert_eq!(claimed_job(store, at(10_000)).await, None);
    let booked = store.usage(&owner.project, "").await.unwrap();
    let extract = booked.iter().find(|row| row.call == "extract").unwrap();
    assert_eq!(
        (
            extract.calls,
            extract.prompt_tokens,
            extract.completion_tokens
        ),
        (4, 60, 8)
    );
}

/// Given back, it is as if it had not been claimed, but for the fence.
pub async fn a_released_attempt_does_not_count(store: &dyn Store) {
    let owner = user(store, 1).await;
    start_job(store, &owner, 1, at(0)).await;
    let lease = claim(store, at(5)).await.lease;
    store.release(&owner, lease, at(6)).await.unwrap();
    let waits = store.job(&owner.project, job(1)).await.unwrap().unwrap();
    assert_eq!((waits.state, waits.attempt), (JobState::Queued, 0));
    assert_eq!(
        store
            .buffered(&owner, SourceKind::Chat, BufferState::Processing)
            .await
            .unwrap(),
        [buffer_id(1)]
    );
    let again = claim(store, at(6)).await;
    assert_eq!((again.job.id, again.job.attempt), (job(1), 1));
    assert!(again.lease.fence > lease.fence);
    assert_kind(
        store.take(&owner, lease, 9).await,
        StoreErrorKind::LeaseLost,
    );
    assert_eq!(taken(store, &owner, again.lease).await, [source_id(1)]);
}

/// With its attempts counted from zero and all its rows.
pub async fn a_dead_job_can_be_replayed(store: &dyn Store) {
    let owner = user(store, 1).await;
    start_job(store, &owner, 1, at(0)).await;
    assert!(
        !store.replay(&owner.project, job(1), at(0)).await.unwrap(),
        "it is not dead"
    );
    let lease = claim(store, at(0)).await.lease;
    store
        .fail(&owner, lease, failure(), None, vec![], at(1))
        .await
        .unwrap();
    assert!(
        !store
            .replay(&owner_in("q", 1).project, job(1), at(2))
            .await
            .unwrap(),
        "not from another project"
    );
    assert!(store.replay(&owner.project, job(1), at(2)).await.unwrap());
    let again = claim(store, at(2)).await;
    assert_eq!(
        (again.job.id, again.job.attempt, again.job.finished_at),
        (job(1), 1, None)
    );
    assert_eq!(taken(store, &owner, again.lease).await, [source_id(1)]);
    let change = ChangeSet {
        buffer_done: vec![buffer_id(1)],
        ..step(again.lease, Some(JobState::Done))
    };
    commit(store, &owner, change, at(3)).await;
    let ended = store.job(&owner.project, job(1)).await.unwrap().unwrap();
    assert_eq!(
        (ended.state, ended.error),
        (JobState::Done, None),
        "the last attempt did not fail"
    );
}

/// Newest first, by user and state, in pages without gaps.
pub async fn jobs_are_listed_newest_first(store: &dyn Store) {
    let (one, two) = (user(store, 1).await, user(store, 2).await);
    let foreign = user_in(store, "q", 1).await;
    for number in 0..5 {
        let owner = if number % 2 == 0 { &one } else { &two };
        start_job(store, owner, number, at(number as i64 / 2)).await;
    }
    start_job(store, &foreign, 9, at(0)).await;
    let list = async |filter: JobFilter, page: Page| -> Vec<_> {
        store
            .jobs(&one.project, filter, page)
            .await
            .unwrap()
            .into_iter()
            .map(|job| job.id)
            .collect()
    };
    let all = list(JobFilter::default(), ALL).await;
    assert_eq!(all.len(), 5);
    assert_eq!(all[0], job(4));
    assert!(all[1..3].contains(&job(2)) && all[1..3].contains(&job(3)));
    let mut paged = Vec::new();
    for offset in 0..6 {
        paged.extend(list(JobFilter::default(), Page { offset, limit: 1 }).await);
    }
    assert_eq!(paged, all);
    let of_one = JobFilter {
        user: Some(one.user),
        state: None,
    };
    assert_eq!(list(of_one.clone(), ALL).await, [job(4), job(2), job(0)]);
    claim(store, at(9)).await;
    let running = JobFilter {
        state: Some(JobState::Running),
        ..JobFilter::default()
    };
    assert_eq!(list(running, ALL).await.len(), 1);
    let queued = JobFilter {
        state: Some(JobState::Queued),
        ..of_one
    };
    assert!(list(queued, ALL).await.len() >= 2);
}

/// The time of a waiting job, or the end of a lease; a job that waits for another of its user is not due by itself.
pub async fn the_next_moment_is_known(store: &dyn Store) {
    assert_eq!(store.next_due().await.unwrap(), None);
    let owner = user(store, 1).await;
    start_job(store, &owner, 1, at(5)).await;
    assert_eq!(store.next_due().await.unwrap(), Some(at(5)));
    let lease = claim(store, at(10)).await.lease;
    assert_eq!(store.next_due().await.unwrap(), Some(at(70)));
    start_job(store, &owner, 2, at(11)).await;
    assert_eq!(
        store.next_due().await.unwrap(),
        Some(at(70)),
        "the second one waits for the first"
    );
    store
        .fail(&owner, lease, failure(), Some(at(40)), vec![], at(12))
        .await
        .unwrap();
    assert_eq!(store.next_due().await.unwrap(), Some(at(11)));
    assert_eq!(claimed_job(store, at(20)).await, Some(job(2)));
    assert_eq!(store.next_due().await.unwrap(), Some(at(80)));
    assert_eq!(
        claimed_job(store, at(80)).await,
        Some(job(2)),
        "a lease ends at its last moment"
    );
}

/// By state, with the age of the oldest that waits.
pub async fn the_queue_is_counted(store: &dyn Store) {
    assert_eq!(store.queue_stats().await.unwrap(), QueueStats::default());
    for number in 1..=4 {
        let owner = user(store, number).await;
        start_job(store, &owner, number, at(number as i64)).await;
    }
    let first = claim(store, at(10)).await;
    store
        .fail(
            &first.job.owner,
            first.lease,
            failure(),
            None,
            vec![],
            at(11),
        )
        .await
        .unwrap();
    claim(store, at(12)).await;
    let stats = QueueStats {
        queued: 2,
        running: 1,
        dead: 1,
        oldest_queued_at: Some(at(3)),
    };
    assert_eq!(store.queue_stats().await.unwrap(), stats);
}
