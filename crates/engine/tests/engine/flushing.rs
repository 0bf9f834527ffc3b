//! When a batch starts: by tokens, by hand, by rest.

use mneme_core::id::{SubScope, UserId, UserKey};
use mneme_core::ports::BufferState;
use mneme_core::source::SourceKind;
use mneme_engine::ErrorKind;
use mneme_models::O200k;
use serde_json::json;

use crate::common::{House, Plan, done};

/// A message whose text form has exactly that many tokens.
fn message_of(tokens: u32) -> String {
    let words = |count: u32| format!("tea{}", " tea".repeat(count.saturating_sub(1) as usize));
    let size = |text: &str| O200k::count_now(&format!("[2026/11/29] user: {text}"));
    let text = words(1 + tokens - size(&words(1)));
    assert_eq!(size(&text), tokens);
    text
}

async fn house() -> House {
    House::idle(Plan {
        model: false,
        ..Plan::default()
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_starts_above_1024_tokens_and_not_at_them() {
    let house = house().await;
    assert_eq!(house.say(&message_of(1024)).await.job, None);
    assert_eq!(house.buffered(BufferState::Idle).await, 1);
    assert!(house.say("more").await.job.is_some());
    let states = [BufferState::Idle, BufferState::Processing];
    assert_eq!(
        [
            house.buffered(states[0]).await,
            house.buffered(states[1]).await
        ],
        [0, 2]
    );

    let other = house.user().await;
    assert!(house.say_as(&other, &message_of(1025)).await.job.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn users_and_kinds_fill_their_buffers_apart() {
    let house = house().await;
    let other = house.user().await;
    let text = message_of(600);
    assert_eq!(house.say(&text).await.job, None);
    assert_eq!(house.say_as(&other, &text).await.job, None);
    assert_eq!(
        house
            .insert(
                &house.owner,
                SourceKind::Summary,
                json!({ "summary": text })
            )
            .await
            .job,
        None
    );
    assert!(house.say(&text).await.job.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_overflowing_buffer_is_distilled_without_a_flush() {
    let house = House::rules().await;
    assert_eq!(house.say("My name is Gus.").await.job, None);
    let job = house.say(&message_of(1024)).await.job;
    done(house.wait(job.expect("the buffer ran over")).await);
    assert_eq!(house.slots().await, ["basic_info::name: Gus"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flush_takes_everything_that_waits() {
    let house = House::rules().await;
    house.say("My name is Gus.").await;
    house.say("I live in Oslo.").await;
    assert_eq!(done(house.settle().await).len(), 1);
    assert_eq!(
        house.slots().await,
        ["basic_info::name: Gus", "contact_info::city: Oslo"]
    );
    assert_eq!(
        house
            .engine
            .flush(&house.owner, SourceKind::Chat)
            .await
            .unwrap(),
        None,
        "nothing is left"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn there_is_nothing_to_flush_of_nobody_and_of_what_is_never_distilled() {
    let house = house().await;
    let nobody = UserKey {
        user: UserId::from_name("nobody"),
        ..house.owner.clone()
    };
    assert_eq!(
        house.engine.flush(&nobody, SourceKind::Chat).await.unwrap(),
        None
    );
    assert_eq!(
        house
            .insert(
                &house.owner,
                SourceKind::Doc,
                json!({ "content": message_of(2000) })
            )
            .await
            .job,
        None
    );
    assert_eq!(
        house
            .engine
            .flush(&house.owner, SourceKind::Doc)
            .await
            .unwrap(),
        None
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_buffer_is_flushed_after_its_rest_once_and_not_before() {
    let house = house().await;
    house.say("one").await;
    house.clock.advance_seconds(3599);
    assert_eq!(house.engine.flush_idle_once().await.unwrap(), 0);
    // Whoever goes on talking does not rest.
    house.say("two").await;
    house.clock.advance_seconds(3599);
    assert_eq!(house.engine.flush_idle_once().await.unwrap(), 0);
    house.clock.advance_seconds(1);
    assert_eq!(house.engine.flush_idle_once().await.unwrap(), 1);
    assert_eq!(house.buffered(BufferState::Processing).await, 2);
    house.clock.advance_seconds(100_000);
    assert_eq!(house.engine.flush_idle_once().await.unwrap(), 0);
    assert_eq!(house.jobs(None).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn b03_a_repeated_write_is_one_source() {
    let house = house().await;
    let send = async |text: &str| {
        let body = json!({"messages": [{"role": "user", "content": text}]});
        let key = Some("key-1".to_owned());
        house
            .engine
            .insert(
                &house.owner,
                SourceKind::Chat,
                body,
                None,
                None,
                SubScope::default(),
                key,
            )
            .await
    };
    let first = send("hello").await.unwrap();
    let again = send("hello").await.unwrap();
    assert_eq!(
        (first.source, first.repeated, again.repeated),
        (again.source, false, true)
    );
    assert_eq!(house.buffered(BufferState::Idle).await, 1);
    assert_eq!(send("another").await.unwrap_err().kind, ErrorKind::Conflict);
}
