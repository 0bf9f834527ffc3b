//! `mneme context`, `profile`, `recall`, `jobs` and `forget`, for people and for programs.

use mneme_testkit::{Answer, FakeLlm};
use serde_json::json;
use uuid::Uuid;

use crate::home::Home;

const CHAT: &str = "[2026-03-01 10:00] Ana: My name is Ana and I live in Lisbon.\n[2026-03-02 09:00] Ana: We repaired the old sailing boat.\n";

async fn home_of_ana() -> Home {
    let home = Home::new();
    let file = home.file("chat.txt", CHAT);
    home.run(&["import", &file, "--user", "ana"]).await.text();
    home
}

#[tokio::test]
async fn what_is_known_is_printed_for_people() {
    let home = home_of_ana().await;
    let profile = home.run(&["profile", "--user", "ana"]).await;
    let mut lines: Vec<&str> = profile.text().lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        ["basic_info::name: Ana", "contact_info::city: Lisbon"]
    );
    let context = home.run(&["context", "--user", "ana"]).await;
    assert!(
        context.text().starts_with("---\n# Memory\n") && context.text().contains("sailing boat"),
        "{context:?}"
    );
    assert_eq!(context.stderr, "");
    let recall = home
        .run(&["recall", "boat", "--user", "ana", "--limit", "1"])
        .await;
    let (score, memory) = recall
        .text()
        .trim_end()
        .split_once("  ")
        .expect("a score and a memory");
    assert!(
        score.parse::<f32>().is_ok_and(|score| score > 0.0) && memory.contains("sailing boat"),
        "{recall:?}"
    );
    let jobs = home.run(&["jobs"]).await;
    assert!(
        jobs.text().lines().count() == 1 && jobs.text().contains("  done  distil:chat  "),
        "{jobs:?}"
    );
    let asked = home.run(&["forget", "--user", "ana"]).await;
    assert!(asked.refusal().contains("--yes"), "{asked:?}");
    let forgotten = home.run(&["forget", "--user", "ana", "--yes"]).await;
    assert!(forgotten.text().starts_with("Forgotten: "), "{forgotten:?}");
    assert_eq!(
        home.run(&["forget", "--user", "ana", "--yes"]).await.text(),
        "There is no such user.\n"
    );
    assert_eq!(home.run(&["profile", "--user", "ana"]).await.text(), "");
    assert_eq!(home.run(&["jobs"]).await.text(), "");
}

#[tokio::test]
async fn what_is_known_is_printed_for_programs() {
    let home = home_of_ana().await;
    let profile = home
        .run(&["--json", "profile", "--user", "ana"])
        .await
        .json();
    let name = profile
        .as_array()
        .expect("a list")
        .iter()
        .find(|slot| slot["sub_topic"] == "name")
        .expect("a name");
    assert_eq!(
        (&name["content"], &name["kind"], &name["mentioned_at"]),
        (
            &"Ana".into(),
            &"profile".into(),
            &"2026-03-01T10:00:00.000000Z".into()
        )
    );
    let context = home
        .run(&[
            "context", "--user", "ana", "--query", "boat", "--tokens", "500", "--json",
        ])
        .await
        .json();
    let tokens = context["tokens"].as_u64().expect("a number");
    assert!(
        (1..=500).contains(&tokens)
            && context["context"]
                .as_str()
                .is_some_and(|text| text.contains("sailing boat")),
        "{context}"
    );
    let recall = home
        .run(&["recall", "boat", "--user", "ana", "--json"])
        .await
        .json();
    assert!(
        recall[0]["content"]
            .as_str()
            .is_some_and(|text| text.contains("sailing boat")),
        "{recall}"
    );
    assert!(
        recall[0]["score"].as_f64().is_some_and(|score| score > 0.0),
        "{recall}"
    );
    let jobs = home
        .run(&["jobs", "--json", "--state", "done"])
        .await
        .json();
    assert_eq!(
        (jobs.as_array().map(Vec::len), &jobs[0]["state"]),
        (Some(1), &"done".into()),
        "{jobs}"
    );
    assert_eq!(
        home.run(&["jobs", "--json", "--state", "dead"])
            .await
            .json(),
        json!([])
    );
    // The same user under the id that the name stands for.
    let id = context["user"].as_str().expect("an id");
    assert_eq!(
        home.run(&["profile", "--user", id, "--json"]).await.json(),
        profile
    );
    let forgotten = home
        .run(&["forget", "--user", "ana", "--yes", "--json"])
        .await
        .json();
    assert!(
        forgotten["found"] == true && forgotten["rows"]["memory"].as_u64() >= Some(3),
        "{forgotten}"
    );
    assert_eq!(
        home.run(&["forget", "--user", "ana", "--yes", "--json"])
            .await
            .json()["found"],
        false
    );
}

#[tokio::test]
async fn unknown_users_have_no_memory_and_a_note_says_why() {
    let home = home_of_ana().await;
    for (arguments, printed) in [
        (&["profile", "--json"][..], "[]\n"),
        (&["profile"], ""),
        (&["recall", "boat"], ""),
        (&["recall", "boat", "--json"], "[]\n"),
    ] {
        let ended = home.run(&[arguments, &["--user", "annna"]].concat()).await;
        assert_eq!(
            (ended.text(), ended.stderr.as_str()),
            (printed, "note: there is no user annna\n"),
            "{arguments:?}"
        );
    }
    let context = home.run(&["context", "--user", "annna"]).await;
    assert!(
        context.text().starts_with("---\n# Memory\n") && !context.text().contains("Ana"),
        "{context:?}"
    );
    assert!(context.stderr.contains("annna"), "{context:?}");
}

#[tokio::test]
async fn dead_jobs_come_back() {
    let fake = FakeLlm::start().await;
    let home = Home::new()
        .with("MNEME_LLM_BASE_URL", &fake.base_url())
        .with("MNEME_LLM_MODEL", "fake")
        .with("MNEME_LLM_ATTEMPTS", "1");
    let file = home.file("chat.txt", "Ana: my work title is baker.\n");
    fake.script_all([Answer::refusal(500, "out of order")], true);
    let mut dead = json!([]);
    for _ in 0..20 {
        home.run(&["import", &file, "--user", "ana"])
            .await
            .refusal();
        dead = home
            .run(&["jobs", "--state", "dead", "--json"])
            .await
            .json();
        if dead != json!([]) {
            break;
        }
    }
    let id = dead[0]["id"].as_str().expect("a dead job").to_owned();
    let text = home.run(&["jobs", "--state", "dead"]).await;
    assert!(
        text.text().contains(&id) && text.text().contains("entry"),
        "{text:?}"
    );
    fake.script_all([], false);
    assert_eq!(
        home.run(&["jobs", "--replay", &id]).await.text(),
        format!("{id} is due again\n")
    );
    home.run(&["import", &file, "--user", "ana"]).await.text();
    assert_eq!(
        home.run(&["profile", "--user", "ana"]).await.text(),
        "work::title: baker\n"
    );
    let again = home.run(&["jobs", "--replay", &id, "--json"]).await;
    assert!(again.refusal().contains(&id), "{again:?}");
    let unknown = Uuid::new_v4().to_string();
    for (arguments, part) in [
        (["--replay", unknown.as_str()], unknown.as_str()),
        (["--replay", "x"], "`x`"),
        (["--state", "lost"], "`lost`"),
    ] {
        let ended = home.run(&[&["jobs"][..], &arguments].concat()).await;
        assert!(ended.refusal().contains(part), "{ended:?}");
    }
}
