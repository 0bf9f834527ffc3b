//! Secrets are taken out before anything is written or sent.

use mneme_core::memory::Slot;

use crate::common::House;

const PASSWORD: &str = "hunter2-marker";
const KEY: &str = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789";

#[tokio::test(flavor = "multi_thread")]
async fn o08_secrets_do_not_reach_the_memory() {
    let house = House::rules().await;
    house
        .learn(&format!(
            "My name is Ana, my db password is {PASSWORD} and my key is {KEY}."
        ))
        .await;
    house
        .engine
        .add_slot(
            &house.owner,
            Slot::new("notes", "login"),
            format!("password: {PASSWORD}"),
            serde_json::Map::new(),
        )
        .await
        .unwrap();
    let shown = format!(
        "{:?} {:?} {:?}",
        house.slots().await,
        house.gists().await,
        house.events().await
    );
    assert!(
        shown.contains("Ana") && shown.contains("[redacted: password]"),
        "{shown}"
    );
    assert!(!shown.contains(PASSWORD) && !shown.contains(KEY), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn o08_secrets_are_not_sent_to_a_model() {
    let house = House::model().await;
    house
        .learn(&format!(
            "my work tool is rust. my db password is {PASSWORD}."
        ))
        .await;
    let asked = format!("{:?}", house.llm.requests());
    assert!(asked.contains("rust") && !asked.contains(PASSWORD));
}
