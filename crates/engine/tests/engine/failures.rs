//! Answers that cannot be read and models that cannot be reached: the job says so, and no source is lost.

use std::time::Duration;

use mneme_core::job::{FailureKind, JobState};
use mneme_core::ports::{BufferState, Clock};
use mneme_engine::api::Outcome;
use mneme_testkit::{Answer, Step};

use crate::common::{House, Plan, done, failed};

/// Three sentences of a user, two of them with a mark that is counted later.
const FIRST: &str = "my work title is baker. Alpha went to the market.";
const SECOND: &str = "Omega went home.";

/// One attempt fails; the next flush distils everything exactly once.
async fn fails_then_heals(step: Step, answer: Answer, stage: &str, kind: FailureKind, calls: u64) {
    let house = House::model().await;
    house.llm.script(step, [answer.clone()], true);
    house.say(FIRST).await;
    let error = failed(house.settle().await);
    let case = format!("{step:?} {answer:?}");
    assert_eq!(
        (error.stage.as_str(), error.kind),
        (stage, kind),
        "{case}: {error:?}"
    );
    assert_eq!(house.calls(step), calls, "{case}");
    assert_eq!(
        (
            house.events().await.len(),
            house.slots().await.len(),
            house.gists().await.len()
        ),
        (0, 0, 0),
        "{case}"
    );
    assert_eq!(house.buffered(BufferState::Failed).await, 1, "{case}");
    let jobs = house.jobs(Some(JobState::Queued)).await;
    assert_eq!(
        (jobs.len(), jobs[0].error.as_ref(), jobs[0].attempt),
        (1, Some(&error), 1),
        "{case}"
    );

    house.llm.script(step, [], false);
    house.say(SECOND).await;
    done(house.settle().await);
    for mark in ["Alpha", "Omega"] {
        assert_eq!(house.occurrences(mark).await, (1, 1), "{case}: {mark}");
    }
    assert_eq!(house.slots().await, ["work::title: baker"], "{case}");
    assert_eq!(house.buffered(BufferState::Failed).await, 0, "{case}");
    assert_eq!(house.jobs(Some(JobState::Queued)).await.len(), 0, "{case}");
}

const STEPS: [(Step, &str); 3] = [
    (Step::EntryNotes, "entry_notes"),
    (Step::Extract, "extract"),
    (Step::Merge, "merge"),
];

#[tokio::test(flavor = "multi_thread")]
async fn a11_f04_f11_r04_prose_is_a_failure_after_one_repair() {
    for (step, stage) in STEPS {
        fails_then_heals(step, Answer::Prose, stage, FailureKind::Parse, 2).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn f04_an_empty_answer_to_extract_and_merge_is_a_failure() {
    for (step, stage) in &STEPS[1..] {
        fails_then_heals(
            *step,
            Answer::Text(String::new()),
            stage,
            FailureKind::Parse,
            2,
        )
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn f03_an_echoed_schema_is_a_failure() {
    let echo = Answer::Text(
        r#"{"$defs": {}, "type": "object", "properties": {"facts": {"type": "array"}}}"#.to_owned(),
    );
    fails_then_heals(Step::Extract, echo, "extract", FailureKind::Parse, 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_errs_or_breaks_off_is_unavailable() {
    let server_error = Answer::Status {
        status: 500,
        headers: [].into(),
        body: "oops".to_owned(),
    };
    for (step, stage) in STEPS {
        for answer in [server_error.clone(), Answer::Disconnect] {
            fails_then_heals(step, answer, stage, FailureKind::Unavailable, 1).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_and_an_answer_out_of_protocol_have_their_own_kinds() {
    fails_then_heals(
        Step::Extract,
        Answer::refusal(401, "no key"),
        "extract",
        FailureKind::Rejected,
        1,
    )
    .await;
    fails_then_heals(
        Step::Extract,
        Answer::RawBody("not json".to_owned()),
        "extract",
        FailureKind::Parse,
        1,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_stalls_is_unavailable() {
    let house = House::built(Plan {
        model_timeout: Duration::from_millis(200),
        ..Plan::default()
    })
    .await;
    house
        .llm
        .script(Step::EntryNotes, [Answer::Stall(60_000)], false);
    house.say(FIRST).await;
    assert_eq!(failed(house.settle().await).kind, FailureKind::Unavailable);
    assert_eq!(house.buffered(BufferState::Failed).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn g10_a_model_that_asks_us_to_wait_is_asked_no_sooner() {
    let house = House::model().await;
    house
        .llm
        .script(Step::EntryNotes, [Answer::too_many(90)], false);
    house.say(FIRST).await;
    assert_eq!(failed(house.settle().await).kind, FailureKind::Unavailable);
    let wait = house.jobs(Some(JobState::Queued)).await[0].run_at.0 - house.clock.now().0;
    assert!((85_000_000..=91_000_000).contains(&wait), "{wait} µs");
}

#[tokio::test(flavor = "multi_thread")]
async fn f01_an_answer_that_was_cut_off_is_asked_for_again_with_more_room() {
    for (step, stage) in STEPS {
        let house = House::model().await;
        house.llm.script(step, [Answer::CutOff(12)], false);
        house.say(FIRST).await;
        done(house.settle().await);
        let rooms: Vec<u64> = asked_rooms(&house, step);
        assert!(
            rooms.len() == 2 && rooms[1] > rooms[0],
            "{stage}: {rooms:?}"
        );
        assert_eq!(
            (house.slots().await, house.occurrences("Alpha").await),
            (vec!["work::title: baker".to_owned()], (1, 1))
        );
    }
}

fn asked_rooms(house: &House, step: Step) -> Vec<u64> {
    let requests = house
        .llm
        .requests()
        .into_iter()
        .filter(|request| request.step == step);
    requests
        .map(|request| request.body["max_tokens"].as_u64().unwrap())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn f01_r04_an_answer_that_is_cut_off_twice_or_never_whole_is_a_failure() {
    let cut = || Answer::CutOff(60);
    for (step, stage) in STEPS {
        for answers in [
            vec![cut(), cut()],
            vec![Answer::Prose, cut()],
            vec![cut(), Answer::Prose],
        ] {
            let house = House::model().await;
            house.llm.script(step, answers.clone(), false);
            house.say(FIRST).await;
            let error = failed(house.settle().await);
            assert_eq!(
                (error.stage.as_str(), error.kind),
                (stage, FailureKind::Parse),
                "{answers:?}"
            );
            assert_eq!(house.calls(step), 2, "{answers:?}");
            assert_eq!(house.events().await.len(), 0);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repair_that_cannot_be_asked_for_names_the_step() {
    let house = House::model().await;
    let down = Answer::Status {
        status: 503,
        headers: [].into(),
        body: String::new(),
    };
    house
        .llm
        .script(Step::Extract, [Answer::Prose, down], false);
    house.say(FIRST).await;
    let error = failed(house.settle().await);
    assert_eq!(
        (error.stage.as_str(), error.kind),
        ("extract", FailureKind::Unavailable)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_stand_in_for_a_model_that_is_down_where_that_is_allowed() {
    for (step, _) in STEPS {
        let house = House::with(|options| options.fall_back_to_rules = true).await;
        let down = Answer::Status {
            status: 500,
            headers: [].into(),
            body: String::new(),
        };
        house.llm.script(step, [down], true);
        house.say("My name is Gus. I live in Oslo.").await;
        let outcome = house.settle().await;
        assert!(
            matches!(outcome, Outcome::Finished(JobState::Done, _)),
            "{step:?}: {outcome:?}"
        );
        assert_eq!(
            house.slot("basic_info", "name").await.unwrap().content,
            "Gus"
        );
        assert_eq!(
            house.occurrences("I live in Oslo").await,
            (1, 1),
            "{step:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_do_not_stand_in_for_a_model_that_talks_nonsense() {
    let house = House::with(|options| options.fall_back_to_rules = true).await;
    house.llm.script_all([Answer::Prose], true);
    house.say(FIRST).await;
    assert_eq!(failed(house.settle().await).kind, FailureKind::Parse);
}
