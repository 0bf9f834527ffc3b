//! Starting, refusing to start, stopping.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use mneme_testkit::{ChildServer, FakeLlm, Launch, request};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::time::sleep;
use uuid::Uuid;

use crate::home::{BINARY, Home, ask, data_of, run_over, said};

const USERS: &str = "/api/v1/users";

#[tokio::test]
async fn a_bare_start_tells_its_address_and_a_token_that_stays() {
    let home = Home::new().with("MNEME_LISTEN", "127.0.0.1:0");
    let mut first = home.serve(&[]).await;
    let (url, token) = (first.told("url").to_owned(), first.told("token").to_owned());
    assert_eq!(first.told("data"), home.data().display().to_string());
    assert!(token.len() >= 32, "{token}");
    let file = home.data().join("token");
    assert_eq!(
        std::fs::read_to_string(&file).expect("a token file").trim(),
        token
    );
    assert_eq!(
        std::fs::metadata(&file)
            .expect("a token file")
            .permissions()
            .mode()
            & 0o777,
        0o600
    );
    let body = json!({"data": {"k": 1}});
    for (wrong, status) in [
        (None, 401),
        (Some("other"), 401),
        (Some(token.as_str()), 200),
    ] {
        assert_eq!(
            request(&url, "POST", USERS, wrong, Some(&body))
                .await
                .expect("an answer")
                .status,
            status,
            "{wrong:?}"
        );
    }
    first.child.kill().await.expect("killed");
    let second = home.serve(&[]).await;
    assert_eq!(second.told("token"), token);
}

#[tokio::test]
async fn a_given_token_opens_and_is_not_printed() {
    let home = Home::new().with("MNEME_TOKEN", "of-the-environment");
    let serving = home
        .serve(&["serve", "--listen", "127.0.0.1:0", "--token", "of-the-flag"])
        .await;
    assert!(!serving.text.contains("of-the-"), "{}", serving.text);
    let url = serving.told("url");
    for (token, status) in [("of-the-flag", 200), ("of-the-environment", 401)] {
        let answer = request(url, "POST", USERS, Some(token), Some(&json!({})))
            .await
            .expect("an answer");
        assert_eq!(answer.status, status, "{token}");
    }
    assert!(!home.data().join("token").exists());
    drop(serving);
    let empty = home
        .run(&["serve", "--listen", "127.0.0.1:0", "--token", ""])
        .await;
    assert!(
        empty.refusal().contains("token must not be empty"),
        "{empty:?}"
    );
}

#[tokio::test]
async fn one_process_for_one_folder() {
    let server = ChildServer::start(Launch::new(BINARY).variable("MNEME_EMBEDDER", "tiny"))
        .await
        .expect("a server");
    let tiny = [("MNEME_EMBEDDER".to_owned(), "tiny".to_owned())];
    for arguments in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &["profile", "--user", "ana"],
        &["jobs", "--json"],
    ] {
        let second = run_over(server.data(), arguments, &tiny).await;
        let message = second.refusal();
        assert!(
            message.contains("another process uses the database"),
            "{message}"
        );
        assert!(
            message.contains(&server.data().display().to_string()),
            "{message}"
        );
    }
    // The first one was not disturbed.
    ask(&server, "POST", USERS, Some(&json!({}))).await;
}

#[tokio::test]
async fn a_port_in_use_is_named_and_the_folder_left_alone() {
    let taken = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = taken.local_addr().expect("bound").to_string();
    let home = Home::new();
    let ended = home.run(&["serve", "--listen", &address]).await;
    let message = ended.refusal();
    assert!(
        message.contains(&address) && message.contains("in use") && message.contains("--listen"),
        "{message}"
    );
    assert!(!home.data().exists());
    let ended = home.run(&["serve", "--listen", "nowhere"]).await;
    assert!(
        ended.refusal().contains("cannot listen on nowhere"),
        "{ended:?}"
    );
}

#[tokio::test]
async fn a_folder_that_cannot_be_used_is_named() {
    let home = Home::new();
    let file = home.file("file", "no folder");
    let ended = run_over(
        file.as_ref(),
        &["serve", "--listen", "127.0.0.1:0"],
        &[("MNEME_EMBEDDER".into(), "tiny".into())],
    )
    .await;
    assert!(ended.refusal().contains(&file), "{ended:?}");
}

/// Asked to end in the middle of a flush, the server ends the flush first.
async fn stop_in_flush(waits: bool) {
    let fake = FakeLlm::start().await;
    fake.configure(|config| config.delay_ms = 150);
    let launch = Launch::new(BINARY)
        .variable("MNEME_LLM_BASE_URL", fake.base_url())
        .variable("MNEME_LLM_MODEL", "fake")
        .variable("MNEME_EMBEDDER", "tiny");
    let mut server = ChildServer::start(launch).await.expect("a server");
    let user = Uuid::new_v4();
    ask(&server, "POST", USERS, Some(&json!({"id": user}))).await;
    ask(
        &server,
        "POST",
        &format!("/api/v1/blobs/insert/{user}"),
        Some(&said("my work title is baker.")),
    )
    .await;
    let (url, path) = (
        server.url().to_owned(),
        format!("/api/v1/users/buffer/{user}/chat?wait_process={waits}"),
    );
    let client =
        tokio::spawn(async move { request(&url, "POST", &path, Some("secret"), None).await });
    for _ in 0..500 {
        if !fake.requests().is_empty() {
            break;
        }
        sleep(Duration::from_millis(10)).await;
    }
    assert!(
        (1..3).contains(&fake.requests().len()),
        "the flush must be under way"
    );
    let status = server.stop().await.expect("it ends");
    assert_eq!(status.code(), Some(0));
    let answer = data_of(&client.await.expect("no panic").expect("an answer"));
    assert_eq!(answer.is_array(), waits, "{answer}");
    let asked = fake.requests().len();
    assert!(asked >= 3, "only {asked} steps were done");
    server.restart().await.expect("starts again");
    let profiles = ask(
        &server,
        "GET",
        &format!("/api/v1/users/profile/{user}"),
        None,
    )
    .await;
    assert_eq!(profiles["profiles"][0]["content"], "baker", "{profiles}");
    for state in ["idle", "processing", "failed"] {
        let left = ask(
            &server,
            "GET",
            &format!("/api/v1/users/buffer/capacity/{user}/chat?status={state}"),
            None,
        )
        .await;
        assert_eq!(left["ids"], json!([]), "{state}");
    }
    assert_eq!(fake.requests().len(), asked, "nothing was left to do");
}

#[tokio::test]
async fn a_stop_lets_a_flush_that_somebody_waits_for_finish() {
    stop_in_flush(true).await;
}

#[tokio::test]
async fn a_stop_lets_a_flush_in_the_background_finish() {
    stop_in_flush(false).await;
}
