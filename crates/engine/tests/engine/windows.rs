//! More than a window holds: nothing is left out, nothing comes twice.

use std::fmt::Write as _;

use mneme_core::job::{FailureKind, JobState};
use mneme_core::ports::BufferState;
use mneme_engine::Options;
use mneme_engine::api::Outcome;
use mneme_testkit::{Answer, Step};
use serde_json::json;

use crate::common::{House, Plan, done, failed};

/// A sentence with a mark of its own.
fn sentence(number: usize) -> String {
    format!("Place number {number:03}q has a garden, a river and a bridge. ")
}

async fn house(model: bool, window_tokens_max: u32) -> House {
    let options = Options {
        window_tokens_max,
        ..Options::default()
    };
    House::built(Plan {
        model,
        options,
        ..Plan::default()
    })
    .await
}

async fn each_once(house: &House, count: usize) {
    for number in 0..count {
        assert_eq!(
            house.occurrences(&format!("{number:03}q")).await,
            (1, 1),
            "{number}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn b11_a_chat_larger_than_a_window_goes_through_several_in_one_batch() {
    for model in [true, false] {
        let house = house(model, 200).await;
        let messages: Vec<_> = (0..60)
            .map(|number| json!({"role": "user", "content": sentence(number).trim()}))
            .collect();
        house.chat(&house.owner, json!(messages)).await;
        let batches = done(house.settle_now().await);
        each_once(&house, 60).await;
        assert_eq!(batches.len(), 1, "a source is distilled as a whole");
        if model {
            let windows = house.calls(Step::EntryNotes);
            assert!(
                windows > 4 && house.events().await.len() as u64 == windows,
                "{windows}"
            );
        }
        assert_eq!(house.buffered(BufferState::Processing).await, 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn b11_a_single_message_larger_than_a_window_goes_through_several() {
    for model in [true, false] {
        let house = house(model, 200).await;
        let text = (0..60).fold(String::new(), |mut text, number| {
            let _ = write!(text, "{}", sentence(number));
            text
        });
        house.say(&text).await;
        done(house.settle_now().await);
        each_once(&house, 60).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_window_says_is_known_to_the_next() {
    let house = house(true, 60).await;
    let padding = "There is a river and a bridge and a garden. ".repeat(4);
    house
        .chat(
            &house.owner,
            json!([
                {"role": "user", "content": format!("my work title is baker. {padding}")},
                {"role": "user", "content": format!("my work title is painter. {padding}")},
            ]),
        )
        .await;
    done(house.settle_now().await);
    assert!(house.calls(Step::EntryNotes) >= 2);
    let slot = house.slot("work", "title").await.unwrap();
    assert_eq!(
        (slot.content.as_str(), slot.revision),
        ("painter", 1),
        "one batch, one state"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn b12_many_sources_are_committed_window_by_window() {
    let mut house = house(true, 60).await;
    for number in 0..8 {
        house.say(sentence(number).trim()).await;
    }
    // The second window fails: what the first one brought is kept.
    let down = Answer::Status {
        status: 500,
        headers: [].into(),
        body: String::new(),
    };
    house
        .llm
        .script(Step::EntryNotes, [Answer::Normal, down], false);
    let job = house.flush().await;
    assert_eq!(failed(house.wait(job).await).kind, FailureKind::Unavailable);
    let kept = house.gists().await.len();
    assert!((1..8).contains(&kept), "{kept}");
    assert_eq!(
        (
            house.events().await.len(),
            house.buffered(BufferState::Failed).await
        ),
        (1, 8 - kept)
    );
    house.later(5).await;
    let Outcome::Finished(JobState::Done, batches) = house.wait(job).await else {
        panic!("not done")
    };
    assert!(batches.len() > 2, "{batches:?}");
    assert_eq!(batches.iter().map(|batch| batch.gists).sum::<u32>(), 8);
    each_once(&house, 8).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_early_window_left_out_is_not_forgotten_by_a_later_attempt() {
    let mut house = house(true, 60).await;
    for number in 0..6 {
        house.say(sentence(number).trim()).await;
    }
    let nothing = Answer::Text("- work::title::not mentioned".to_owned());
    house.llm.script(Step::Extract, [nothing], false);
    let down = Answer::Status {
        status: 500,
        headers: [].into(),
        body: String::new(),
    };
    house
        .llm
        .script(Step::EntryNotes, [Answer::Normal, down], false);
    let job = house.flush().await;
    failed(house.wait(job).await);
    house.later(5).await;
    let outcome = house.wait(job).await;
    assert!(
        matches!(outcome, Outcome::Finished(JobState::Partial, _)),
        "{outcome:?}"
    );
}
