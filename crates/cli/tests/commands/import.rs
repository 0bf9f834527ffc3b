//! `mneme import`.

use mneme_testkit::{Answer, FakeLlm};
use serde_json::Value;

use crate::home::Home;

const LINES: &str = "[2026-03-01 10:00] Ana: My name is Ana and I live in Lisbon.\n[2026-03-01 10:01] Bot: Nice to meet you.\n\
    [2026-03-02 09:00] Ana: I work as a nurse.\nI love cycling.\n";
const MESSAGES: &str = r#"{"messages": [
    {"role": "user", "content": "My name is Ana and I live in Lisbon.", "created_at": "2026-03-01T10:00:00Z"},
    {"role": "assistant", "content": "Nice to meet you.", "created_at": "2026-03-01T10:01:00Z"},
    {"role": "user", "alias": "Ana", "content": "I work as a nurse. I love cycling.", "created_at": "2026-03-02T09:00:00Z"}]}"#;
const LOCOMO: &str = r#"[
    {"sample_id": "conv-1", "conversation": {"speaker_a": "Ana", "speaker_b": "Rui",
        "session_1_date_time": "10:00 am on 1 March, 2026",
        "session_1": [
            {"speaker": "Ana", "dia_id": "D1:1", "text": "My name is Ana and I live in Lisbon."},
            {"speaker": "Rui", "dia_id": "D1:2", "text": "Good to see you. I live in Porto.", "blip_caption": "a bridge"}],
        "session_2_date_time": "9:00 am on 2 March, 2026",
        "session_2": [{"speaker": "Ana", "dia_id": "D2:1", "text": "I work as a nurse. I love cycling."}]}},
    {"sample_id": "conv-2", "conversation": {"speaker_a": "Eva", "speaker_b": "Jo", "session_1_date_time": "8:00 am on 3 March, 2026",
        "session_1": [{"speaker": "Eva", "dia_id": "D1:1", "text": "I live in Faro."}]}}]"#;

/// The three forms of the same talk, and the arguments that each needs.
const FORMS: [(&str, &str, &[&str]); 3] = [
    ("chat.txt", LINES, &[]),
    ("messages.json", MESSAGES, &[]),
    ("talks.json", LOCOMO, &["--conversation", "1"]),
];

/// `(slot, content)` of a user's profile, sorted.
async fn profile(home: &Home, user: &str) -> Vec<(String, String)> {
    let list = home
        .run(&["profile", "--user", user, "--json"])
        .await
        .json();
    let text = |slot: &Value, key: &str| slot[key].as_str().unwrap_or_default().to_owned();
    let slot = |slot: &Value| {
        (
            format!("{}::{}", text(slot, "topic"), text(slot, "sub_topic")),
            text(slot, "content"),
        )
    };
    let mut slots: Vec<_> = list.as_array().expect("a list").iter().map(slot).collect();
    slots.sort();
    slots
}

#[tokio::test]
async fn every_form_is_taken_in_and_a_second_time_adds_nothing() {
    let home = Home::new();
    for (name, text, more) in FORMS {
        let file = home.file(name, text);
        let arguments: Vec<&str> = ["import", &file, "--user", name, "--speaker", "ana"]
            .into_iter()
            .chain(more.iter().copied())
            .collect();
        let arguments = if name == "messages.json" {
            &arguments[..4]
        } else {
            &arguments[..]
        };
        let first = home.run(&[&["--json"], arguments].concat()).await.json();
        assert_eq!(
            (&first["turns"], &first["skipped"]),
            (&3.into(), &0.into()),
            "{name}: {first}"
        );
        let added = first["added"].as_u64().expect("a number");
        assert!(
            added >= 1
                && first["gists"].as_u64() >= Some(2)
                && first["slots_added"].as_u64() >= Some(3),
            "{name}: {first}"
        );
        let before = profile(&home, name).await;
        let wanted = [
            ("basic_info::name", "Ana"),
            ("contact_info::city", "Lisbon"),
            ("work::title", "nurse"),
        ];
        for (slot, value) in wanted {
            assert!(
                before.contains(&(slot.to_owned(), value.to_owned())),
                "{name}: {before:?}"
            );
        }
        assert!(
            !before.iter().any(|(_, content)| content.contains("Porto")),
            "{name}: what others say of themselves: {before:?}"
        );
        let context = home
            .run(&["context", "--user", name])
            .await
            .text()
            .to_owned();
        assert!(
            context.contains("2026-03-02") && context.matches("I love cycling.").count() == 1,
            "{name}: {context}"
        );
        let second = home.run(&[&["--json"], arguments].concat()).await.json();
        assert_eq!(
            (&second["added"], second["skipped"].as_u64()),
            (&0.into(), Some(added)),
            "{name}: {second}"
        );
        assert_eq!(
            (&second["gists"], &second["slots_added"]),
            (&0.into(), &0.into()),
            "{name}: {second}"
        );
        assert_eq!(profile(&home, name).await, before, "{name}");
        assert_eq!(
            home.run(&["context", "--user", name]).await.text(),
            context,
            "{name}"
        );
    }
}

#[tokio::test]
async fn people_read_a_sentence() {
    let home = Home::new();
    let file = home.file("chat.txt", LINES);
    let first = home.run(&["import", &file, "--user", "ana"]).await;
    assert!(
        first
            .text()
            .starts_with("3 turns as Ana: 2 sources added, 0 known already"),
        "{first:?}"
    );
    let second = home.run(&["import", &file, "--user", "ana"]).await;
    assert!(
        second
            .text()
            .starts_with("3 turns as Ana: 0 sources added, 2 known already"),
        "{second:?}"
    );
}

#[tokio::test]
async fn talks_that_stand_in_the_file_twice_are_kept_twice() {
    let home = Home::new();
    // Sessions of the same words: the second one is not a repetition of the first.
    let session = r#"[{"speaker": "Ana", "dia_id": "D", "text": "I went running."}]"#;
    let text = format!(
        r#"{{"sample_id": "a", "conversation": {{"speaker_a": "Ana", "speaker_b": "Jo", "session_1": {session}, "session_2": {session}}}}}"#
    );
    let file = home.file("talk.json", &text);
    for (added, skipped) in [(2, 0), (0, 2)] {
        let report = home
            .run(&["import", &file, "--user", "ana", "--json"])
            .await
            .json();
        assert_eq!(
            (&report["added"], &report["skipped"]),
            (&added.into(), &skipped.into()),
            "{report}"
        );
    }
}

#[tokio::test]
async fn files_that_cannot_be_taken_in_are_refused_before_anything_is_stored() {
    let home = Home::new();
    let talks = home.file("talks.json", LOCOMO);
    let chat = home.file("chat.txt", LINES);
    let empty = home.file("empty.txt", " \n");
    let words = home.file("words.txt", "just some words\n");
    let other = home.file("other.json", r#"{"a": [1, 2]}"#);
    let folder = home.file("x", "").replace("/x", "");
    let cases: [(&[&str], &[&str]); 8] = [
        (&[&talks], &["--conversation", "conv-1, conv-2"]),
        (&[&talks, "--conversation", "9"], &["`9`", "conv-1, conv-2"]),
        (
            &["/nonexistent/chat.txt"],
            &["cannot read /nonexistent/chat.txt"],
        ),
        (&[&folder], &["cannot read"]),
        (&[&empty], &["empty.txt", "the file is empty"]),
        (&[&words], &["words.txt", "[time] name: text"]),
        (&[&other], &["other.json", "no messages found"]),
        (&[&chat, "--speaker", "Zoe"], &["Zoe"]),
    ];
    for (arguments, parts) in cases {
        let ended = home
            .run(&[&["import", "--user", "ana"], arguments].concat())
            .await;
        let message = ended.refusal();
        for part in parts {
            assert!(message.contains(part), "{arguments:?}: {message}");
        }
    }
    assert!(!home.data().exists());
}

#[tokio::test]
async fn a_failed_import_goes_on_where_it_stopped() {
    let fake = FakeLlm::start().await;
    let home = Home::new()
        .with("MNEME_LLM_BASE_URL", &fake.base_url())
        .with("MNEME_LLM_MODEL", "fake")
        .with("MNEME_LLM_ATTEMPTS", "1");
    let file = home.file(
        "chat.txt",
        "[2026-03-01] Ana: my work title is baker.\n[2026-03-02] Ana: my basic_info name is Ana.\n",
    );
    fake.script_all([Answer::refusal(500, "out of order")], true);
    let failed = home
        .run(&["import", &file, "--user", "ana", "--json"])
        .await;
    let message = failed.refusal();
    assert!(message.contains("Nothing is lost"), "{message}");
    let jobs = home.run(&["jobs", "--json"]).await.json();
    assert!(
        jobs[0]["error"]["message"]
            .as_str()
            .is_some_and(|text| !text.is_empty()),
        "{jobs}"
    );
    fake.script_all([], false);
    let again = home
        .run(&["import", &file, "--user", "ana", "--json"])
        .await
        .json();
    assert_eq!(
        (&again["added"], &again["skipped"], &again["gists"]),
        (&0.into(), &2.into(), &2.into()),
        "{again}"
    );
    assert_eq!(
        profile(&home, "ana").await,
        [
            ("basic_info::name".to_owned(), "Ana".to_owned()),
            ("work::title".to_owned(), "baker".to_owned())
        ]
    );
    let context = home.run(&["context", "--user", "ana"]).await;
    assert_eq!(
        context.text().matches("my work title is baker").count(),
        1,
        "{context:?}"
    );
}
