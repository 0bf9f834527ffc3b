//! What distilling cost is booked, whether it went well or not.

use mneme_core::job::FailureKind;
use mneme_testkit::{Answer, Step};

use crate::common::{House, failed};

#[tokio::test(flavor = "multi_thread")]
async fn r06_each_call_is_booked_with_its_tokens() {
    let house = House::model().await;
    house.learn("my work title is baker.").await;
    for (call, step) in [
        ("entry_notes", Step::EntryNotes),
        ("extract", Step::Extract),
        ("merge", Step::Merge),
    ] {
        let stats = house.llm.stats().of(step);
        assert_eq!(
            house.usage(call).await,
            (1, stats.prompt_tokens + stats.completion_tokens),
            "{call}"
        );
    }
    assert_eq!(house.usage("insert").await.0, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn r06_a_failed_attempt_is_booked_too() {
    let house = House::model().await;
    house.llm.script(Step::Extract, [Answer::Prose], true);
    house.say("my work title is baker.").await;
    assert_eq!(failed(house.settle().await).kind, FailureKind::Parse);
    assert_eq!(
        [
            house.usage("entry_notes").await.0,
            house.usage("extract").await.0,
            house.usage("repair").await.0
        ],
        [1, 1, 1]
    );
    assert_eq!(house.usage("merge").await.0, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn r06_a_provider_that_does_not_count_is_counted_by_us() {
    let house = House::model().await;
    house.llm.configure(|config| config.usage = false);
    house.learn("my work title is baker.").await;
    assert!(
        house.usage("entry_notes").await.1 > 100,
        "the instruction alone is longer"
    );
}
