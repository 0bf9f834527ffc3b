//! Proxies from the environment. The environment of a process cannot be changed safely while it runs, so the test
//! starts itself again as a child with other variables.

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use mneme_core::ports::{Llm, LlmRequest};
use mneme_models::{Limiter, OpenAiChat, RemoteConfig};
use mneme_testkit::{FakeLlm, Step};

/// Tells the child what to ask.
const TARGET: &str = "MNEME_TEST_PROXY_TARGET";
/// Tells the child to use this proxy explicitly.
const EXPLICIT: &str = "MNEME_TEST_PROXY_EXPLICIT";

/// Asks once; the answer's text, or the error.
async fn ask(base_url: &str, proxy: Option<String>) -> String {
    let config = RemoteConfig {
        proxy: proxy.map(Into::into),
        attempts_max: 1,
        timeout: Duration::from_secs(5),
        ..RemoteConfig::new(base_url, "test-model")
    };
    let client = OpenAiChat::new(&config, Arc::new(Limiter::new(1))).expect("valid");
    let request = LlmRequest {
        system: String::new(),
        user: "x".into(),
        answer_tokens_max: 9,
        temperature: 0.0,
    };
    client
        .complete(&request)
        .await
        .map_or_else(|error| error.message, |reply| reply.text)
}

#[tokio::test]
async fn child() {
    // Without a parent there is nothing to ask.
    let Ok(target) = std::env::var(TARGET) else {
        return;
    };
    assert_eq!(ask(&target, std::env::var(EXPLICIT).ok()).await, "ok");
}

async fn run_child(target: &str, variables: &[(&str, &str)]) -> bool {
    let mut command = tokio::process::Command::new(std::env::current_exe().expect("known"));
    command
        .args(["--exact", "child"])
        .env(TARGET, target)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    for name in [
        "HTTP_PROXY",
        "http_proxy",
        "HTTPS_PROXY",
        "https_proxy",
        "ALL_PROXY",
        "all_proxy",
        "NO_PROXY",
        "no_proxy",
    ] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    command.status().await.expect("starts").success()
}

#[tokio::test]
async fn g09_loopback_goes_around_the_proxy_of_the_environment() {
    let (model, proxy) = (FakeLlm::start().await, FakeLlm::start().await);
    let (model_url, proxy_url) = (model.base_url(), proxy.url());
    let calls = |fake: &FakeLlm| fake.stats().of(Step::Other).calls;
    let environment = [
        ("http_proxy", proxy_url.as_str()),
        ("all_proxy", proxy_url.as_str()),
    ];
    assert!(run_child(&model_url, &environment).await);
    assert_eq!((calls(&model), calls(&proxy)), (1, 0));
    // The same variables do work for other hosts, so the first half of this test means something.
    assert!(run_child("http://models.invalid/v1", &environment).await);
    assert_eq!((calls(&model), calls(&proxy)), (1, 1));
    // And a proxy that is configured is used for loopback too.
    assert!(run_child(&model_url, &[(EXPLICIT, proxy_url.as_str())]).await);
    assert_eq!((calls(&model), calls(&proxy)), (1, 2));
}
