//! A child process is started, asked, stopped, killed and started again. The fake model server stands for a server here.

use std::time::Duration;

use mneme_testkit::{ChildError, ChildServer, Launch, request};

const BINARY: &str = env!("CARGO_BIN_EXE_mneme-fake-llm");

fn launch() -> Launch {
    Launch::with_arguments(BINARY, ["--json", "--port", "0"])
}

#[tokio::test]
async fn killed_and_started_again() {
    let mut server = ChildServer::start(launch()).await.expect("starts");
    let folder = server.data().to_owned();
    assert!(folder.is_dir() && server.token().is_none() && server.pid().is_some());
    assert_eq!(
        server
            .request("GET", "/admin/stats", None)
            .await
            .expect("answers")
            .status,
        200
    );
    let old = server.url().to_owned();
    server.kill().await.expect("killed");
    assert!(
        request(&old, "GET", "/admin/stats", None, None)
            .await
            .is_err()
    );
    server.kill().await.expect("killing twice is fine");
    server.restart().await.expect("starts again");
    assert_eq!(server.data(), folder);
    assert_eq!(
        server
            .request("GET", "/admin/stats", None)
            .await
            .expect("answers")
            .status,
        200
    );
    drop(server);
    assert!(!folder.exists());
}

#[tokio::test]
async fn stops_on_sigterm() {
    let mut server = ChildServer::start(launch()).await.expect("starts");
    let status = server.stop().await.expect("ends");
    // The fake has no handler, so the signal itself ends it.
    assert_eq!(
        std::os::unix::process::ExitStatusExt::signal(&status),
        Some(15)
    );
}

#[tokio::test]
async fn failures_say_what_happened() {
    assert!(matches!(
        ChildServer::start(Launch::new("/nonexistent/mneme")).await,
        Err(ChildError::Io(_))
    ));
    let ended = ChildServer::start(launch().argument("--nope"))
        .await
        .expect_err("unknown argument");
    assert!(matches!(ended, ChildError::Ended(_)), "{ended}");
    let silent = Launch::with_arguments("sleep", ["60"]).patience(Duration::from_millis(200));
    assert!(matches!(
        ChildServer::start(silent).await,
        Err(ChildError::TooSlow(_))
    ));
}
