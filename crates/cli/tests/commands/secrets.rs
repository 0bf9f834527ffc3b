//! Keys and tokens do not come out again.

use mneme_testkit::{Answer, ChildServer, FakeLlm, Launch};
use serde_json::json;
use uuid::Uuid;

use crate::home::{BINARY, Home, ask, run_over, said};

const MARK: &str = "secret-marker";

/// Answers that providers give to bad keys and that quote them, and a connection that breaks off.
fn failures() -> Vec<Answer> {
    vec![
        Answer::refusal(
            401,
            "Incorrect API key provided: sk-secret-marker. See your account.",
        ),
        Answer::Disconnect,
        Answer::refusal(
            400,
            "The header 'Authorization: Bearer sk-secret-marker' is not valid.",
        ),
        Answer::RawBody("{\"key\": \"sk-secret-marker\"".to_owned()),
        Answer::refusal(503, "sk-secret-marker is over its quota"),
    ]
}

#[tokio::test]
async fn secrets_are_in_no_log_and_no_answer() {
    let fake = FakeLlm::start().await;
    let home = Home::new();
    let log = home.file("log", "");
    let launch = Launch::with_arguments(
        BINARY,
        [
            "--data",
            Launch::DATA,
            "--json",
            "serve",
            "--listen",
            "127.0.0.1:0",
        ],
    )
    .variable("MNEME_TOKEN", "tok-secret-marker")
    .variable("MNEME_LLM_BASE_URL", fake.base_url())
    .variable("MNEME_LLM_MODEL", "fake")
    .variable("MNEME_LLM_API_KEY", "sk-secret-marker")
    .variable("MNEME_LLM_ATTEMPTS", "1")
    .variable("MNEME_EMBEDDING_BASE_URL", fake.base_url())
    .variable("MNEME_EMBEDDING_MODEL", "fake-embedder")
    .variable("MNEME_EMBEDDING_API_KEY", "emb-secret-marker")
    .variable("MNEME_LOG", "trace")
    .log(&log);
    let mut server = ChildServer::start(launch).await.expect("a server");
    let user = Uuid::new_v4();
    ask(&server, "POST", "/api/v1/users", Some(&json!({"id": user}))).await;
    ask(
        &server,
        "POST",
        &format!("/api/v1/blobs/insert/{user}"),
        Some(&said("my work title is baker.")),
    )
    .await;
    fake.script_all(failures(), true);
    for _ in 0..failures().len() {
        let path = format!("/api/v1/users/buffer/{user}/chat?wait_process=true");
        let answer = server
            .request("POST", &path, None)
            .await
            .expect("an answer");
        assert_ne!(answer.json()["errno"], 0, "{answer:?}");
        assert!(!answer.body.contains(MARK), "{answer:?}");
    }
    // A query goes to the embedder, whose failures are of the same kind.
    let path = format!("/api/v1/users/event/search/{user}?query=baker");
    let answer = server.request("GET", &path, None).await.expect("an answer");
    assert!(!answer.body.contains(MARK), "{answer:?}");
    let keys: Vec<_> = fake
        .requests()
        .into_iter()
        .filter_map(|request| request.authorization)
        .collect();
    for key in ["Bearer sk-secret-marker", "Bearer emb-secret-marker"] {
        assert!(
            keys.iter().any(|known| known == key),
            "{key} must have been used: {keys:?}"
        );
    }
    assert_eq!(server.stop().await.expect("it ends").code(), Some(0));
    let jobs = run_over(
        server.data(),
        &["jobs"],
        &[("MNEME_EMBEDDER".to_owned(), "tiny".to_owned())],
    )
    .await;
    assert!(
        jobs.text().contains("distil:chat") && !jobs.stdout.contains(MARK),
        "{jobs:?}"
    );
    let log = std::fs::read_to_string(log).expect("a log");
    assert!(
        log.contains("TRACE") && log.contains("a batch failed"),
        "the log must hold traces: {log}"
    );
    assert!(!log.contains('\u{1b}'), "colours are for terminals");
    let told: Vec<&str> = log.lines().filter(|line| line.contains(MARK)).collect();
    assert!(told.is_empty(), "{told:#?}");
}
