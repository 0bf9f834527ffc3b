//! Where settings come from, and which source wins.

use mneme_testkit::{FakeLlm, request};
use serde_json::json;
use tokio::net::TcpListener;

use crate::home::Home;

const CHAT: &str = "Ana: my work title is baker.\n";

#[tokio::test]
async fn the_environment_is_put_over_the_file() {
    let fake = FakeLlm::start().await;
    let home = Home::new();
    let text = format!(
        "# models\nllm_base_url: {}\nllm_model: of-the-file\n",
        fake.base_url()
    );
    let config = home.file("mneme.yaml", &text);
    let chat = home.file("chat.txt", CHAT);
    home.run(&["--config", &config, "import", &chat, "--user", "a"])
        .await
        .text();
    let home = home
        .with("MNEME_CONFIG", &config)
        .with("MNEME_LLM_MODEL", "of-the-environment");
    home.run(&["import", &chat, "--user", "b"]).await.text();
    let models: Vec<String> = fake
        .requests()
        .iter()
        .map(|request| {
            request.body["model"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        })
        .collect();
    let (file, environment) = models.split_at(models.len() / 2);
    assert!(
        !file.is_empty() && file.iter().all(|model| model == "of-the-file"),
        "{models:?}"
    );
    assert!(
        environment
            .iter()
            .all(|model| model == "of-the-environment"),
        "{models:?}"
    );
}

#[tokio::test]
async fn the_flag_is_put_over_the_environment_over_the_file() {
    let taken = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let taken = taken
        .local_addr()
        .map(|address| (address.to_string(), taken))
        .expect("bound");
    let home = Home::new();
    let config = home.file(
        "mneme.yaml",
        &format!("listen: {}\ntoken: of-the-file\n", taken.0),
    );
    let ended = home.run(&["--config", &config, "serve"]).await;
    assert!(
        ended.refusal().contains(&taken.0),
        "the file's address counts: {ended:?}"
    );
    let home = home
        .with("MNEME_CONFIG", &config)
        .with("MNEME_LISTEN", "127.0.0.1:0");
    let serving = home.serve(&["serve"]).await;
    let answer = request(
        serving.told("url"),
        "POST",
        "/api/v1/users",
        Some("of-the-file"),
        Some(&json!({})),
    )
    .await;
    assert_eq!(answer.expect("an answer").status, 200);
    drop(serving);
    let home = home.with("MNEME_LISTEN", &taken.0);
    assert!(
        home.run(&["serve"]).await.refusal().contains(&taken.0),
        "the environment's address counts"
    );
    home.serve(&["serve", "--listen", "127.0.0.1:0"])
        .await
        .told("url");
}

#[tokio::test]
async fn empty_variables_count_as_none() {
    let mut home = Home::new();
    for name in [
        "CONFIG",
        "TOKEN",
        "LLM_BASE_URL",
        "LLM_MODEL",
        "LLM_API_KEY",
        "LLM_TIMEOUT_SECONDS",
        "TIMEZONE",
        "WORKERS",
        "DATA",
    ] {
        home = home.with(&format!("MNEME_{name}"), "");
    }
    let serving = home
        .with("MNEME_LISTEN", "127.0.0.1:0")
        .serve(&["serve"])
        .await;
    assert!(
        serving.told("token").len() >= 32 && serving.told("distils").starts_with("built-in"),
        "{}",
        serving.text
    );
}

#[tokio::test]
async fn settings_that_cannot_be_used_are_named_without_their_secrets() {
    let home = Home::new();
    let unknown = home.file(
        "unknown.yaml",
        "llm_api_key: sk-secret-marker\nllm_modle: x\n",
    );
    let broken = home.file("broken.yaml", "llm_api_key: [sk-secret-marker\n");
    let wrong = home.file("wrong.yaml", "llm_api_key: {sk-secret-marker: 1}\n");
    for (file, part) in [
        (unknown.as_str(), "llm_modle"),
        (&broken, "broken.yaml"),
        (&wrong, "wrong.yaml"),
        ("/nonexistent/x.yaml", "/nonexistent/x.yaml"),
    ] {
        let ended = home
            .run(&["--config", file, "profile", "--user", "ana"])
            .await;
        let message = ended.refusal();
        assert!(
            message.contains(part) && !message.contains("error: "),
            "{message}"
        );
        assert!(!message.contains("secret-marker"), "{message}");
    }
    for (name, value) in [
        ("MNEME_WORKERS", "many"),
        ("MNEME_LLM_API_KEY", "sk-secret-marker"),
        ("MNEME_TIMEZONE", "Mars/Base"),
        ("MNEME_EMBEDDER", "huge"),
    ] {
        let ended = Home::new()
            .with(name, value)
            .run(&["profile", "--user", "ana"])
            .await;
        let message = ended.refusal();
        let named = message
            .to_lowercase()
            .contains(&name.to_lowercase().replace("mneme_", ""));
        assert!(
            named || message.contains("llm_base_url"),
            "{name}: {message}"
        );
        assert!(!message.contains("secret-marker"), "{message}");
    }
}

#[tokio::test]
async fn arguments_that_are_not_known_are_refused() {
    let ended = Home::new().run(&["profile", "--usr", "ana"]).await;
    assert_eq!(
        (ended.code, ended.stdout.as_str()),
        (Some(2), ""),
        "{ended:?}"
    );
    assert!(ended.stderr.contains("--usr"), "{ended:?}");
    let ended = Home::new().run(&["profile", "--user", " "]).await;
    assert!(ended.refusal().contains("a user is named by"), "{ended:?}");
}
