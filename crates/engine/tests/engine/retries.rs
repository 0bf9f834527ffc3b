//! Failed jobs try again after their back-off, and nobody waits for them.

use mneme_core::job::{FailureKind, JobState};
use mneme_core::ports::{BufferState, Clock, Jobs};
use mneme_core::source::SourceKind;
use mneme_testkit::{Answer, Step};

use crate::common::{House, done, failed};

fn down() -> Answer {
    Answer::Status {
        status: 500,
        headers: [].into(),
        body: String::new(),
    }
}

/// Whether a worker would find something to do.
async fn something_due(house: &House) -> bool {
    let due = house.store.next_due().await.unwrap();
    due.is_some_and(|due| due <= house.clock.now())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_job_tries_again_after_its_back_off_and_not_before() {
    let mut house = House::model().await;
    house.llm.script(Step::Extract, [down(), down()], false);
    house.say("my work title is baker.").await;
    let job = house.flush().await;
    assert_eq!(failed(house.wait(job).await).kind, FailureKind::Unavailable);
    // 5 seconds, then 10.
    for (attempt, seconds) in [(1, 5), (2, 10)] {
        house.rest().await;
        house.clock.advance_seconds(seconds - 1);
        assert!(!something_due(&house).await);
        assert_eq!(house.jobs(None).await[0].attempt, attempt);
        house.later(1).await;
        match attempt {
            1 => assert_eq!(failed(house.wait(job).await).kind, FailureKind::Unavailable),
            _ => drop(done(house.wait(job).await)),
        }
    }
    assert_eq!(
        (house.slots().await, house.calls(Step::Extract)),
        (vec!["work::title: baker".to_owned()], 3)
    );
    assert_eq!(house.jobs(None).await[0].error, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_begins_to_wait_after_the_failure_is_told_of_it_at_once() {
    let house = House::model().await;
    house.llm.script(Step::Extract, [down()], true);
    house.say("my work title is baker.").await;
    let job = house.flush().await;
    failed(house.wait(job).await);
    assert_eq!(failed(house.wait(job).await).stage, "extract");
    assert_eq!(house.calls(Step::Extract), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flush_does_not_wait_for_the_back_off() {
    let house = House::model().await;
    house.llm.script(Step::Extract, [down()], false);
    house.say("my work title is baker.").await;
    failed(house.settle().await);
    done(house.settle().await);
    assert_eq!(house.slots().await, ["work::title: baker"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_never_succeeds_is_a_dead_letter_that_can_be_replayed() {
    let mut house = House::with(|options| options.job_attempts_max = 3).await;
    house.llm.script_all([down()], true);
    house.say("my work title is baker.").await;
    let job = house.flush().await;
    for _ in 0..3 {
        failed(house.wait(job).await);
        house.later(900).await;
    }
    let dead = house.jobs(Some(JobState::Dead)).await;
    assert_eq!((dead.len(), dead[0].id, dead[0].attempt), (1, job, 3));
    assert_eq!(failed(house.wait(job).await).kind, FailureKind::Unavailable);
    assert_eq!(
        house.buffered(BufferState::Failed).await,
        1,
        "the source is still there"
    );
    house.later(100_000).await;
    assert!(!something_due(&house).await);
    assert_eq!(house.calls(Step::EntryNotes), 3);

    house.llm.script_all([], false);
    assert!(
        house
            .engine
            .replay_job(&house.owner.project, job)
            .await
            .unwrap()
    );
    done(house.wait(job).await);
    assert!(
        !house
            .engine
            .replay_job(&house.owner.project, job)
            .await
            .unwrap(),
        "it is not dead any more"
    );
    assert_eq!(
        (house.slots().await.len(), house.events().await.len()),
        (1, 1)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_batch_takes_the_rows_of_a_dead_letter_along() {
    let house = House::with(|options| options.job_attempts_max = 1).await;
    house.llm.script(Step::Extract, [down()], false);
    house.say("Alpha came first.").await;
    let dead = house.flush().await;
    failed(house.wait(dead).await);
    house.say("Omega came second.").await;
    done(house.settle().await);
    let states: Vec<JobState> = house.jobs(None).await.iter().map(|job| job.state).collect();
    assert_eq!(states, [JobState::Done, JobState::Superseded]);
    assert_eq!(
        (
            house.occurrences("Alpha").await,
            house.occurrences("Omega").await
        ),
        ((1, 1), (1, 1))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_in_back_off_blocks_no_later_batch_and_order_is_kept() {
    let house = House::model().await;
    house.llm.script(Step::Extract, [down()], false);
    house.say("Alpha came first. my work title is baker.").await;
    let first = house.flush().await;
    failed(house.wait(first).await);
    // The clock stands still: the first job is in its back-off.
    house
        .say("Omega came second. my work title is painter.")
        .await;
    done(house.settle().await);
    let gists = house.gists().await;
    let order: Vec<&str> = gists
        .iter()
        .filter_map(|gist| {
            ["Alpha", "Omega"]
                .into_iter()
                .find(|mark| gist.content.contains(mark))
        })
        .collect();
    assert_eq!(order, ["Alpha", "Omega"]);
    assert_eq!(house.slots().await, ["work::title: baker; painter"]);
    // Whoever waits for the first job learns that it is settled.
    house.wait(first).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_in_back_off_blocks_no_other_user() {
    let house = House::model().await;
    house.llm.script(Step::Extract, [down()], false);
    house.say("my work title is baker.").await;
    failed(house.settle().await);
    let other = house.user().await;
    house.say_as(&other, "my work title is painter.").await;
    let job = house
        .engine
        .flush(&other, SourceKind::Chat)
        .await
        .unwrap()
        .unwrap();
    done(house.wait_as(&other, job).await);
    assert_eq!(
        (
            house.slots_of(&other).await.len(),
            house.slots().await.len()
        ),
        (1, 0)
    );
}
