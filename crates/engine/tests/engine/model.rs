//! The three calls to a language model, and what comes of their answers.

use mneme_core::job::JobState;
use mneme_core::ports::{BufferState, Memories};
use mneme_core::source::SourceKind;
use mneme_engine::api::Outcome;
use mneme_testkit::{Answer, Step};
use serde_json::json;

use crate::common::{House, done};

fn text(text: &str) -> [Answer; 1] {
    [Answer::Text(text.to_owned())]
}

#[tokio::test(flavor = "multi_thread")]
async fn r02_a_flush_asks_three_times() {
    let house = House::model().await;
    house
        .learn("my work title is baker. My name is Gus. I like tea.")
        .await;
    assert_eq!(
        (house.three_steps(), house.llm.requests().len()),
        ([1, 1, 1], 3)
    );
    assert_eq!(
        house.slots().await,
        ["basic_info::name: Gus", "work::title: baker"]
    );
    assert_eq!(house.gists().await.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_facts_nothing_is_merged() {
    let house = House::model().await;
    let batches = house.learn("I like tea.").await;
    assert_eq!(house.three_steps(), [1, 1, 0]);
    assert_eq!(
        (house.slots().await.len(), house.events().await.len()),
        (0, 1)
    );
    assert_eq!(house.events().await[0].data["profile_delta"], json!([]));
    assert!(batches[0].event.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_notes_nothing_more_is_asked_and_nothing_stays() {
    let house = House::model().await;
    house
        .chat(
            &house.owner,
            json!([{"role": "assistant", "content": "I am a machine."}]),
        )
        .await;
    let batches = done(house.settle().await);
    assert_eq!((house.three_steps(), batches[0].event), ([1, 0, 0], None));
    assert_eq!(
        (
            house.events().await.len(),
            house.buffered(BufferState::Idle).await
        ),
        (0, 0)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn r03_nothing_new_asks_nothing() {
    let house = House::model().await;
    house.learn("my work title is baker.").await;
    assert_eq!(
        house
            .engine
            .flush(&house.owner, SourceKind::Chat)
            .await
            .unwrap(),
        None
    );
    assert_eq!(house.llm.requests().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn tags_are_asked_for_beside_the_facts() {
    let house = House::model().await;
    house.configure("event_tags: [Emotion]").await;
    house
        .llm
        .configure(|config| config.step_delay_ms = [(Step::Extract, 300), (Step::Tag, 300)].into());
    house.learn("my work title is baker.").await;
    assert_eq!(
        (house.three_steps(), house.calls(Step::Tag)),
        ([1, 1, 1], 1)
    );
    assert_eq!(house.llm.stats().in_flight_max, 2);
    assert_eq!(
        house.events().await[0].data["event_tags"],
        json!([{"tag": "emotion", "value": "happy"}])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_without_its_tags_is_better_than_none() {
    let house = House::model().await;
    house.configure("event_tags: [emotion]").await;
    house.llm.script(Step::Tag, [Answer::Prose], true);
    house.say("my work title is baker.").await;
    let Outcome::Finished(JobState::Partial, batches) = house.settle().await else {
        panic!("not partial")
    };
    assert_eq!(
        batches[0]
            .defects
            .iter()
            .map(|defect| defect.stage.as_str())
            .collect::<Vec<_>>(),
        ["tag"]
    );
    assert_eq!(house.slots().await, ["work::title: baker"]);
    assert_eq!(house.events().await[0].data["event_tags"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn strict_mode_lets_only_configured_slots_in() {
    let house = House::model().await;
    house.configure("profile_strict_mode: true\noverwrite_user_profiles: [{topic: work, sub_topics: [title]}]").await;
    house
        .learn("my work title is baker. my pet name is Rex. my work place is Ulm.")
        .await;
    assert_eq!(house.slots().await, ["work::title: baker"]);
    assert_eq!(house.gists().await.len(), 3, "the words stay");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_validation_only_filled_slots_are_judged() {
    let house = House::model().await;
    house.configure("profile_validate_mode: false\nadditional_user_profiles: [{topic: pet, sub_topics: [{name: name, validate_value: true}]}]").await;
    house.learn("my work title is baker.").await;
    assert_eq!(house.three_steps(), [1, 1, 0]);
    house.learn("my work title is painter.").await;
    assert_eq!(house.three_steps(), [2, 2, 1]);
    // A slot may ask for it by itself.
    house.learn("my pet name is Rex.").await;
    assert_eq!(house.three_steps(), [3, 3, 2]);
    assert_eq!(
        house.slots().await,
        ["pet::name: Rex", "work::title: painter"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_summary_is_its_own_notes() {
    let house = House::model().await;
    house
        .insert(
            &house.owner,
            SourceKind::Summary,
            json!({"summary": "my work title is baker. That\nis all"}),
        )
        .await;
    let job = house
        .engine
        .flush(&house.owner, SourceKind::Summary)
        .await
        .unwrap()
        .unwrap();
    done(house.wait(job).await);
    assert_eq!(house.three_steps(), [0, 1, 1]);
    assert_eq!(house.slots().await, ["work::title: baker"]);
    assert_eq!(
        house.events().await[0].content,
        "- my work title is baker. That is all[2026/11/29]"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn f02_f07_thinking_fences_json_and_null_lists_are_read() {
    for (answer, slots) in [
        (
            "<think>my pet name is Rex\n- pet::name::Rex</think>\n```\n- work::title::baker\n```",
            vec!["work::title: baker"],
        ),
        (
            r#"{"facts": [{"topic": "Work", "sub_topic": "Title", "memo": "baker"}]}"#,
            vec!["work::title: baker"],
        ),
        (r#"{"facts": null}"#, vec![]),
        ("[]", vec![]),
    ] {
        let house = House::model().await;
        house.llm.script(Step::Extract, text(answer), false);
        house.learn("I bake bread.").await;
        assert_eq!(
            (house.slots().await, house.calls(Step::Extract)),
            (slots.iter().map(ToString::to_string).collect(), 1),
            "{answer}"
        );
        assert_eq!(house.events().await.len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a06_values_that_say_nothing_are_left_out_and_the_job_says_so() {
    let house = House::model().await;
    house.llm.script(
        Step::Extract,
        text("- work::title::not mentioned\n- work::company::Acme\n- basic_info::name::未提及"),
        false,
    );
    house.say("I am at Acme.").await;
    let Outcome::Finished(JobState::Partial, batches) = house.settle().await else {
        panic!("not partial")
    };
    assert_eq!((batches[0].added.len(), batches[0].defects.len()), (1, 2));
    assert_eq!(house.slots().await, ["work::company: Acme"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_without_a_verdict_is_kept() {
    let house = House::model().await;
    house
        .llm
        .script(Step::Merge, text("1. APPEND::APPEND"), false);
    house
        .say("my work title is baker. my pet name is Rex.")
        .await;
    assert!(matches!(
        house.settle().await,
        Outcome::Finished(JobState::Partial, _)
    ));
    assert_eq!(
        house.slots().await,
        ["pet::name: Rex", "work::title: baker"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn b07_an_update_replaces_the_content_and_leaves_a_revision() {
    let house = House::model().await;
    house.learn("my work tenure is 5 years at G.").await;
    let first = house.slot("work", "tenure").await.unwrap();
    house.clock.advance_seconds(19 * 86_400);
    let batches = house.learn("my work tenure is 6 years at G.").await;
    let second = house.slot("work", "tenure").await.unwrap();
    assert_eq!(
        (batches[0].updated.as_slice(), second.id),
        ([first.id].as_slice(), first.id)
    );
    assert_eq!(
        (
            second.content.as_str(),
            second.revision,
            second.data["update_hits"].as_i64()
        ),
        ("6 years at G", 2, Some(1))
    );
    let revisions = house.store.revisions(&house.owner, first.id).await.unwrap();
    assert_eq!(
        revisions
            .iter()
            .map(|old| old.content.as_str())
            .collect::<Vec<_>>(),
        ["5 years at G"]
    );
    assert_eq!(
        (revisions[0].times.valid_from, revisions[0].times.valid_to),
        (first.times.valid_from, second.times.valid_from)
    );
    assert_eq!(
        (
            house.occurrences("5 years at G").await.0,
            house.occurrences("6 years at G").await.0
        ),
        (1, 1)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn b01_the_same_fact_again_is_only_confirmed() {
    let house = House::model().await;
    house.learn("my pet name is Rex.").await;
    let first = house.slot("pet", "name").await.unwrap();
    for _ in 0..3 {
        house.clock.advance_seconds(60);
        house.learn("my pet name is Rex.").await;
    }
    let last = house.slot("pet", "name").await.unwrap();
    assert_eq!((last.content.as_str(), last.revision), ("Rex", 1));
    assert!(last.updated_at > first.updated_at);
    let sources = house.store.provenance(&house.owner, last.id).await.unwrap();
    assert_eq!(sources.len(), 4, "every source that says so is named");
}

/// All that a house knows, as text: ids, contents, times.
async fn story() -> String {
    let house = House::model().await;
    house.configure("event_tags: [emotion]").await;
    for words in [
        "my work title is baker. My name is Gus.",
        "my work title is painter. I like tea.",
        "my pet name is Rex.",
    ] {
        house.learn(words).await;
        house.clock.advance_seconds(3600);
    }
    let all = (
        house.profile_of(&house.owner).await,
        house.events().await,
        house.gists().await,
    );
    serde_json::to_string(&all).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_words_and_answers_give_the_same_memory() {
    let (first, second) = tokio::join!(story(), story());
    assert_eq!(first, second);
    assert!(first.contains("painter") && first.contains("Rex"));
}
