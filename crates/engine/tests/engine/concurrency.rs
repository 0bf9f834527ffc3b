//! Many at once: one user's batches in order, users side by side, edits and erasure in the middle of a batch.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use mneme_core::memory::Slot;
use mneme_core::ports::{BufferState, Jobs, Memories, Page};
use mneme_core::source::SourceKind;
use mneme_engine::api::{Attributes, ContextQuery, Outcome};
use mneme_testkit::{Answer, Step};

use crate::common::{House, done, until};

#[tokio::test(flavor = "multi_thread")]
async fn f6_a_synchronous_flush_waits_for_the_batch_in_flight() {
    let house = House::model().await;
    house.llm.configure(|config| config.delay_ms = 200);
    house.say("my work title is baker.").await;
    let running = house.flush().await;
    house.until_asked(Step::EntryNotes, 1).await;
    assert_eq!(
        house.flush().await,
        running,
        "there is nothing new, so it is the same batch"
    );
    done(house.settle_now().await);
    assert_eq!(house.slots().await, ["work::title: baker"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn f13_i16_overlapping_flushes_of_a_user_leave_one_row_for_a_slot() {
    let house = House::model().await;
    house.llm.configure(|config| config.delay_ms = 20);
    house
        .say("my work title is baker. my pet name is Rex.")
        .await;
    let first = house.flush().await;
    house
        .say("my work title is painter. my pet name is Rex.")
        .await;
    let second = house.flush().await;
    assert_ne!(first, second);
    let (first, second) = tokio::join!(house.wait(first), house.wait(second));
    assert_eq!((done(first).len(), done(second).len()), (1, 1));
    assert_eq!(
        house.slots().await,
        ["pet::name: Rex", "work::title: painter"]
    );
    assert_eq!(
        house.llm.stats().in_flight_max,
        1,
        "one batch of a user at a time"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn f13_two_flushes_of_the_same_buffer_are_one_batch() {
    let house = House::model().await;
    house.llm.configure(|config| config.delay_ms = 200);
    house.say("my work title is baker.").await;
    let (one, other) = tokio::join!(house.settle_now(), house.settle_now());
    assert_eq!((done(one).len(), done(other).len()), (1, 1));
    assert_eq!(
        (house.three_steps(), house.events().await.len()),
        ([1, 1, 1], 1)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn f14_three_flushes_in_a_row_run_in_order() {
    let house = House::model().await;
    let mut jobs = Vec::new();
    for title in ["baker", "painter", "sailor"] {
        house.say(&format!("my work title is {title}.")).await;
        jobs.push(house.flush().await);
    }
    assert_eq!(jobs.iter().collect::<BTreeSet<_>>().len(), 3);
    for job in jobs {
        done(house.wait(job).await);
    }
    let slot = house.slot("work", "title").await.unwrap();
    let revisions = house.store.revisions(&house.owner, slot.id).await.unwrap();
    let history: Vec<&str> = revisions
        .iter()
        .rev()
        .map(|old| old.content.as_str())
        .chain([slot.content.as_str()])
        .collect();
    assert_eq!(history, ["baker", "painter", "sailor"]);
    assert_eq!(house.llm.stats().in_flight_max, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn i15_reads_are_served_while_twenty_flushes_wait_for_the_model() {
    let house = House::model().await;
    house.llm.configure(|config| config.delay_ms = 60_000);
    for _ in 0..20 {
        let user = house.user().await;
        house.say_as(&user, "my work title is baker.").await;
        house.engine.flush(&user, SourceKind::Chat).await.unwrap();
    }
    house.until_asked(Step::EntryNotes, 16).await;
    let begun = Instant::now();
    for _ in 0..20 {
        house
            .engine
            .context(&house.owner, &ContextQuery::default())
            .await
            .unwrap();
        assert!(house.recall("what is my title").await.is_empty());
        house.say("more").await;
    }
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "{:?}",
        begun.elapsed()
    );
    let stats = house.store.queue_stats().await.unwrap();
    assert_eq!(
        (stats.running, stats.queued),
        (16, 4),
        "nothing has moved meanwhile"
    );
    assert_eq!(house.llm.stats().in_flight_max, 16);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_between_reading_and_commit_is_not_lost_and_only_judging_is_done_again() {
    let house = House::model().await;
    house.learn("my work title is baker.").await;
    house.llm.reset();
    house.llm.script(Step::Merge, [Answer::Stall(1000)], false);
    house.say("my work title is painter.").await;
    let job = house.flush().await;
    house.until_asked(Step::Merge, 1).await;
    let title = house.slot("work", "title").await.unwrap().id;
    assert!(
        house
            .engine
            .edit_slot(&house.owner, title, "chef".to_owned(), None)
            .await
            .unwrap()
    );
    house
        .engine
        .add_slot(
            &house.owner,
            Slot::new("pet", "name"),
            "Rex".to_owned(),
            Attributes::new(),
        )
        .await
        .unwrap();
    done(house.wait(job).await);
    assert_eq!(house.three_steps(), [1, 1, 2]);
    let requests = house.llm.requests();
    let merge = requests
        .iter()
        .rfind(|request| request.step == Step::Merge)
        .unwrap();
    assert!(
        merge.body.to_string().contains("current: chef"),
        "{}",
        merge.body
    );
    assert_eq!(
        house.slots().await,
        ["pet::name: Rex", "work::title: painter"]
    );
    let revisions = house.store.revisions(&house.owner, title).await.unwrap();
    assert_eq!(
        revisions
            .iter()
            .map(|old| old.content.as_str())
            .collect::<Vec<_>>(),
        ["chef", "baker"]
    );
    assert_eq!(house.events().await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_erased_user_stays_erased_when_a_batch_was_in_flight() {
    let mut house = House::model().await;
    house.learn("my work title is baker.").await;
    house.llm.script(Step::Merge, [Answer::Stall(1000)], false);
    house.say("my work title is painter.").await;
    let job = house.flush().await;
    house.until_asked(Step::Merge, 2).await;
    let (outcome, receipt) = tokio::join!(house.wait(job), house.engine.erase_user(&house.owner));
    assert_eq!(outcome, Outcome::Gone);
    assert!(receipt.unwrap().is_some());
    // The worker comes back from the model and ends.
    house.rest().await;
    assert_eq!(
        house.engine.erase_user(&house.owner).await.unwrap(),
        None,
        "there is no such user"
    );
    house
        .engine
        .create_user(&house.owner, None, None)
        .await
        .unwrap();
    assert_eq!(
        (
            house.slots().await.len(),
            house.events().await.len(),
            house.gists().await.len(),
            house.jobs(None).await.len()
        ),
        (0, 0, 0, 0)
    );
    let page = Page {
        offset: 0,
        limit: 10,
    };
    assert_eq!(
        house
            .engine
            .source_ids(&house.owner, SourceKind::Chat, page)
            .await
            .unwrap(),
        []
    );
    let rows = house
        .engine
        .erase_user(&house.owner)
        .await
        .unwrap()
        .unwrap()
        .rows;
    assert_eq!(
        rows.values().sum::<u64>(),
        1,
        "nothing but the user's own row: {rows:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_source_that_is_deleted_while_it_waits_leaves_nothing() {
    let house = House::model().await;
    house
        .llm
        .script(Step::EntryNotes, [Answer::Stall(1000)], false);
    let source = house.say("Alpha is a secret.").await.source;
    let job = house.flush().await;
    house.until_asked(Step::EntryNotes, 1).await;
    let other = house.say("Omega is not.").await;
    assert_ne!(other.source, source);
    let second = house.flush().await;
    assert!(
        house
            .engine
            .delete_source(&house.owner, other.source)
            .await
            .unwrap()
    );
    done(house.wait(job).await);
    done(house.wait(second).await);
    assert_eq!(
        (
            house.occurrences("Alpha").await,
            house.occurrences("Omega").await
        ),
        ((1, 1), (0, 0))
    );
    until(async || house.buffered(BufferState::Processing).await == 0).await;
}
