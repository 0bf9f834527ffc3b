//! A worker that stops: what runs may finish, what cannot is given back untouched.

use std::time::{Duration, Instant};

use mneme_core::job::JobState;
use mneme_core::ports::BufferState;
use mneme_engine::worker;
use mneme_testkit::{Answer, Step};
use tokio::sync::watch;

use crate::common::{House, done};

#[tokio::test(flavor = "multi_thread")]
async fn a_running_batch_may_finish() {
    let mut house = House::model().await;
    house.llm.script(Step::Merge, [Answer::Stall(300)], false);
    house.say("my work title is baker.").await;
    house.flush().await;
    house.until_asked(Step::Merge, 1).await;
    house.rest().await;
    assert_eq!(house.slots().await, ["work::title: baker"]);
    assert_eq!(house.jobs(None).await[0].state, JobState::Done);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_does_not_finish_is_given_back_and_does_not_count() {
    let mut house = House::with(|options| options.drain = Duration::from_millis(50)).await;
    house
        .llm
        .script(Step::Extract, [Answer::Stall(60_000)], false);
    house.say("my work title is baker.").await;
    let job = house.flush().await;
    house.until_asked(Step::Extract, 1).await;
    let begun = Instant::now();
    house.rest().await;
    assert!(
        begun.elapsed() < Duration::from_secs(30),
        "{:?}",
        begun.elapsed()
    );
    let given_back = &house.jobs(None).await[0];
    assert_eq!(
        (
            given_back.id,
            given_back.state,
            given_back.attempt,
            &given_back.error
        ),
        (job, JobState::Queued, 0, &None)
    );
    assert_eq!(
        (
            house.buffered(BufferState::Processing).await,
            house.events().await.len()
        ),
        (1, 0)
    );
    house.work();
    done(house.wait(job).await);
    assert_eq!(
        (
            house.jobs(None).await[0].attempt,
            house.slots().await.len(),
            house.events().await.len()
        ),
        (1, 1, 1)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn i04_a_dead_workers_job_is_taken_over_when_its_lease_has_run_out() {
    let mut house = House::model().await;
    house.rest().await;
    house.say("my work title is baker.").await;
    let job = house.flush().await;
    let now = mneme_core::ports::Clock::now(&*house.clock);
    let claimed = mneme_core::ports::Jobs::claim(&*house.store, "dead", now.plus_seconds(60), now)
        .await
        .unwrap()
        .unwrap();
    house.later(61).await;
    done(house.wait(job).await);
    // The dead one wakes up and wants to write.
    let late = mneme_core::ports::Jobs::finish(
        &*house.store,
        &house.owner,
        claimed.lease,
        JobState::Done,
        now,
    )
    .await;
    assert_eq!(
        late.unwrap_err().kind,
        mneme_core::ports::StoreErrorKind::LeaseLost
    );
    assert_eq!(
        (house.slots().await.len(), house.events().await.len()),
        (1, 1)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_whose_owner_is_gone_ends() {
    let mut house = House::model().await;
    house.rest().await;
    let (stop, stopped) = watch::channel(false);
    let task = tokio::spawn(worker::run(
        house.engine.clone(),
        "orphan".to_owned(),
        stopped,
    ));
    drop(stop);
    tokio::time::timeout(Duration::from_secs(30), task)
        .await
        .expect("ends")
        .unwrap();
}
