//! The whole way through the house, with nothing configured but the data folder.

use std::fmt::Write as _;

use mneme_testkit::{ChildServer, Launch};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::home::{BINARY, Home, ask, said};

#[tokio::test]
async fn a_chinese_chat_becomes_a_profile_and_a_context() {
    let server = ChildServer::start(
        Launch::new(BINARY)
            .variable("MNEME_EMBEDDER", "tiny")
            .variable("MNEME_LANGUAGE", "zh"),
    )
    .await
    .expect("a server");
    let user = Uuid::new_v4();
    ask(&server, "POST", "/api/v1/users", Some(&json!({"id": user}))).await;
    ask(
        &server,
        "POST",
        &format!("/api/v1/blobs/insert/{user}"),
        Some(&said(
            "我叫李明，今年32岁，住在杭州，是一名软件工程师。我喜欢喝龙井茶。",
        )),
    )
    .await;
    let mut asked = said("你觉得我应该搬到北京吗？");
    asked["blob_data"]["messages"]
        .as_array_mut()
        .expect("a list")
        .push(json!({"role": "assistant", "content": "我住在上海，我喜欢咖啡。"}));
    ask(
        &server,
        "POST",
        &format!("/api/v1/blobs/insert/{user}"),
        Some(&asked),
    )
    .await;
    let done = ask(
        &server,
        "POST",
        &format!("/api/v1/users/buffer/{user}/chat?wait_process=true"),
        None,
    )
    .await;
    assert!(done[0]["event_id"].is_string(), "{done}");
    let profiles = ask(
        &server,
        "GET",
        &format!("/api/v1/users/profile/{user}"),
        None,
    )
    .await;
    let slots: Vec<&Value> = profiles["profiles"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|slot| &slot["content"])
        .collect();
    for value in ["李明", "32", "杭州", "软件工程师", "龙井茶"] {
        assert!(
            slots
                .iter()
                .any(|slot| slot.as_str().is_some_and(|text| text.contains(value))),
            "{value}: {profiles}"
        );
    }
    for wrong in ["北京", "上海", "咖啡"] {
        assert!(!profiles.to_string().contains(wrong), "{wrong}: {profiles}");
    }
    // 喝茶, as a caller writes it in a query.
    let found = ask(&server, "GET", &format!("/api/v1/users/event_gist/search/{user}?query=%E5%96%9D%E8%8C%B6&similarity_threshold=-1"), None).await;
    assert!(
        found["gists"][0]["gist_data"]["content"]
            .as_str()
            .is_some_and(|text| text.contains("龙井茶")),
        "{found}"
    );
    let context = ask(
        &server,
        "GET",
        &format!("/api/v1/users/context/{user}"),
        None,
    )
    .await;
    let context = context["context"].as_str().expect("a text");
    assert!(
        context.contains("李明") && context.contains("龙井茶"),
        "{context}"
    );
}

/// Turns of the long chat.
const TURNS: usize = 2_000;

/// A chat about ever different things over months, with one thing in the middle that stands nowhere else.
fn long_chat() -> String {
    let who = [
        "my neighbour",
        "the plumber",
        "an old friend",
        "my cousin",
        "the librarian",
        "a colleague",
        "the dentist",
    ];
    let did = [
        "fixed",
        "lost",
        "painted",
        "bought",
        "borrowed",
        "sold",
        "cleaned",
        "found",
        "described",
        "hid",
        "repaired",
    ];
    let what = [
        "a bicycle",
        "the fence",
        "two chairs",
        "a green lamp",
        "an umbrella",
        "the map",
        "some books",
        "a kettle",
        "the radio",
        "a carpet",
        "a clock",
        "the ladder",
        "a tent",
    ];
    let place = [
        "behind the station",
        "near the harbour",
        "in the market hall",
        "at the school",
        "by the river",
    ];
    let mut text = String::new();
    for turn in 0..TURNS {
        let (month, day, minute) = (1 + turn / 200, 1 + turn / 8 % 25, turn % 60);
        let speaker = if turn % 4 == 3 { "Bot" } else { "Ana" };
        let said = if turn == TURNS / 2 + 1 {
            "The spare key of the beehive shed hangs under the walnut tree.".to_owned()
        } else {
            format!(
                "Today {} {} {} {}.",
                who[turn % 7],
                did[turn % 11],
                what[turn % 13],
                place[turn % 5]
            )
        };
        // Infallible: it is written to a string.
        let _ = writeln!(
            text,
            "[2026-{month:02}-{day:02} 10:{minute:02}] {speaker}: {said}"
        );
    }
    text
}

#[tokio::test]
async fn a_long_chat_is_taken_in_and_a_needle_found() {
    let home = Home::new();
    let file = home.file("long.txt", &long_chat());
    let report = home
        .run(&["import", &file, "--user", "ana", "--json"])
        .await
        .json();
    assert_eq!(
        (&report["turns"], &report["skipped"]),
        (&TURNS.into(), &0.into()),
        "{report}"
    );
    assert!(report["gists"].as_u64() >= Some(1_000), "{report}");
    let hits = home
        .run(&[
            "recall",
            "where is the key of the beehive shed?",
            "--user",
            "ana",
            "--limit",
            "3",
            "--json",
        ])
        .await
        .json();
    assert!(
        hits[0]["content"]
            .as_str()
            .is_some_and(|text| text.contains("walnut tree")),
        "{hits}"
    );
    let context = home
        .run(&[
            "context",
            "--user",
            "ana",
            "--query",
            "where is the key of the beehive shed?",
        ])
        .await;
    assert!(context.text().contains("walnut tree"), "{context:?}");
    let again = home
        .run(&["import", &file, "--user", "ana", "--json"])
        .await
        .json();
    assert_eq!(
        (&again["added"], &again["skipped"], &again["gists"]),
        (&0.into(), &report["added"], &0.into()),
        "{again}"
    );
}
