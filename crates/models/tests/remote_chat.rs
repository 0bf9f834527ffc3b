//! The chat client against a real HTTP server.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mneme_core::ports::{Llm, LlmReply, LlmRequest, ModelError, ModelErrorKind};
use mneme_models::{Limiter, OpenAiChat, RemoteConfig, Secret};
use mneme_testkit::{Answer, FakeLlm, Step};
use serde_json::json;

fn config(base_url: &str) -> RemoteConfig {
    RemoteConfig {
        timeout: Duration::from_secs(5),
        deadline: Duration::from_secs(20),
        attempts_max: 3,
        backoff: Duration::from_millis(10),
        ..RemoteConfig::new(base_url, "test-model")
    }
}

fn client(config: &RemoteConfig) -> OpenAiChat {
    OpenAiChat::new(config, Arc::new(Limiter::new(8))).expect("a valid configuration")
}

fn client_of(fake: &FakeLlm, calls_max: usize) -> OpenAiChat {
    let limiter = Arc::new(Limiter::new(calls_max));
    OpenAiChat::new(&config(&fake.base_url()), limiter).expect("a valid configuration")
}

fn asked(user: &str) -> LlmRequest {
    LlmRequest {
        system: "system words".into(),
        user: user.into(),
        answer_tokens_max: 100,
        temperature: 0.2,
    }
}

async fn ask(client: &OpenAiChat) -> Result<LlmReply, ModelError> {
    client.complete(&asked("user words")).await
}

#[tokio::test]
async fn a_request_has_the_protocols_form() {
    let fake = FakeLlm::start().await;
    let mut config = config(&fake.url()).with_key("sk-1234");
    config.query.push(("api-version".into(), "7".into()));
    let reply = ask(&client(&config)).await.expect("answers");
    assert_eq!(
        reply,
        LlmReply {
            text: "ok".into(),
            cut_off: false,
            tokens: Some((6, 1))
        }
    );
    let request = fake.requests().remove(0);
    assert_eq!(request.path, "/v1/chat/completions?api-version=7");
    assert_eq!(request.authorization.as_deref(), Some("Bearer sk-1234"));
    let messages = json!([{"role": "system", "content": "system words"}, {"role": "user", "content": "user words"}]);
    assert_eq!(
        request.body,
        json!({"model": "test-model", "messages": messages, "max_tokens": 100, "temperature": 0.2})
    );
}

#[tokio::test]
async fn g01_max_completion_tokens_is_learned_once() {
    let fake = FakeLlm::start().await;
    fake.configure(|config| config.refuse_max_tokens = true);
    let client = client(&config(&fake.base_url()));
    for _ in 0..2 {
        assert_eq!(ask(&client).await.expect("answers").text, "ok");
    }
    let requests = fake.requests();
    let sent = |at: usize, name: &str| requests[at].body.get(name).is_some();
    assert_eq!(requests.len(), 3, "one refusal, then never again");
    assert!(sent(0, "max_tokens") && !sent(0, "max_completion_tokens"));
    assert!(
        sent(1, "max_completion_tokens")
            && !sent(1, "max_tokens")
            && sent(2, "max_completion_tokens")
    );
}

#[tokio::test]
async fn g01_a_refused_temperature_is_left_out_from_then_on() {
    let fake = FakeLlm::start().await;
    fake.configure(|config| {
        config.refuse_temperature = true;
        config.refuse_max_tokens = true;
    });
    let client = client(&config(&fake.base_url()));
    for _ in 0..2 {
        ask(&client).await.expect("answers");
    }
    let requests = fake.requests();
    assert_eq!(requests.len(), 4);
    assert!(
        requests[2..]
            .iter()
            .all(|request| request.body.get("temperature").is_none()
                && request.body.get("max_completion_tokens").is_some())
    );
}

#[tokio::test]
async fn g01_a_misread_refusal_is_not_remembered() {
    let fake = FakeLlm::start().await;
    let client = client(&config(&fake.base_url()));
    fake.script(
        Step::Other,
        [
            Answer::refusal(400, "temperature is not supported"),
            Answer::refusal(400, "no"),
        ],
        false,
    );
    assert_eq!(
        ask(&client).await.expect_err("refused").kind,
        ModelErrorKind::Rejected
    );
    ask(&client).await.expect("answers");
    assert!(
        fake.requests()
            .last()
            .is_some_and(|request| request.body.get("temperature").is_some())
    );
}

#[tokio::test]
async fn g04_every_base_url_reaches_the_endpoint() {
    let fake = FakeLlm::start().await;
    for end in [
        "",
        "/",
        "/v1",
        "/v1/",
        "/v1/chat/completions",
        "/chat/completions/",
        "/v1/embeddings",
    ] {
        let client = client(&config(&format!("{}{end}", fake.url())));
        assert_eq!(ask(&client).await.expect(end).text, "ok");
    }
    let error = OpenAiChat::new(
        &config(&format!("{}/api/generate", fake.url())),
        Arc::new(Limiter::new(1)),
    )
    .err()
    .expect("refused");
    assert!(
        error
            .to_string()
            .contains(&format!("{}/api/generate", fake.url())),
        "{error}"
    );
}

#[tokio::test]
async fn g04_a_wrong_path_is_named() {
    let fake = FakeLlm::start().await;
    let error = ask(&client(&config(&format!("{}/nowhere", fake.url()))))
        .await
        .expect_err("404");
    assert_eq!(error.kind, ModelErrorKind::Rejected);
    assert!(
        error.message.contains(&format!(
            "{}/nowhere/chat/completions answered 404",
            fake.url()
        )),
        "{error}"
    );
}

#[tokio::test]
async fn g06_no_key_is_needed() {
    let fake = FakeLlm::start().await;
    for key in [None, Some(Secret::from("")), Some(Secret::from("  "))] {
        let config = RemoteConfig {
            api_key: key,
            ..config(&fake.base_url())
        };
        ask(&client(&config)).await.expect("answers");
    }
    assert!(
        fake.requests()
            .iter()
            .all(|request| request.authorization.is_none())
    );
}

#[tokio::test]
async fn g10_one_limiter_bounds_all_calls() {
    let fake = FakeLlm::start().await;
    fake.configure(|config| config.delay_ms = 20);
    let limiter = Arc::new(Limiter::new(3));
    let clients: Vec<_> = (0..2)
        .map(|_| {
            Arc::new(
                OpenAiChat::new(&config(&fake.base_url()), Arc::clone(&limiter)).expect("valid"),
            )
        })
        .collect();
    let calls: Vec<_> = (0..20)
        .map(|at| {
            let client = Arc::clone(&clients[at % 2]);
            tokio::spawn(async move { ask(&client).await })
        })
        .collect();
    for call in calls {
        call.await.expect("no panic").expect("answers");
    }
    assert_eq!(fake.stats().in_flight_max, 3);
}

#[tokio::test]
async fn g10_a_429_pauses_everybody_and_all_end_done() {
    let fake = FakeLlm::start().await;
    fake.script(Step::Other, vec![Answer::too_many(1); 4], false);
    let client = Arc::new(client_of(&fake, 4));
    let began = Instant::now();
    let calls: Vec<_> = (0..20)
        .map(|_| {
            let client = Arc::clone(&client);
            tokio::spawn(async move { (ask(&client).await, began.elapsed()) })
        })
        .collect();
    for call in calls {
        let (reply, took) = call.await.expect("no panic");
        assert_eq!(reply.expect("done").text, "ok");
        // Not only the four that were refused: nobody called while the pause was on.
        assert!(took >= Duration::from_secs(1), "{took:?}");
    }
    assert_eq!(fake.stats().of(Step::Other).calls, 24);
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let fake = FakeLlm::start().await;
    let headers = [(
        "location".to_owned(),
        format!("{}/chat/completions", fake.url()),
    )]
    .into();
    fake.script(
        Step::Other,
        [Answer::Status {
            status: 307,
            headers,
            body: String::new(),
        }],
        false,
    );
    let error = ask(&client_of(&fake, 1))
        .await
        .expect_err("the key stays here");
    assert!(
        error.kind == ModelErrorKind::Rejected && error.message.contains("307"),
        "{error}"
    );
    assert_eq!(fake.stats().of(Step::Other).calls, 1);
}

#[tokio::test]
async fn g10_retry_after_as_a_date_and_with_503() {
    let fake = FakeLlm::start().await;
    let dated = [
        ("Retry-After", "Thu, 01 Jan 2026 00:00:01 GMT"),
        ("Date", "Thu, 01 Jan 2026 00:00:00 GMT"),
    ];
    let headers = dated
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
    fake.script(
        Step::Other,
        [Answer::Status {
            status: 503,
            headers,
            body: String::new(),
        }],
        false,
    );
    let began = Instant::now();
    ask(&client(&config(&fake.base_url()))).await.expect("done");
    assert!(
        (1_000..4_000).contains(&began.elapsed().as_millis()),
        "{:?}",
        began.elapsed()
    );
}

#[tokio::test]
async fn g10_a_wait_beyond_the_deadline_is_reported_at_once() {
    let fake = FakeLlm::start().await;
    fake.script(Step::Other, [Answer::too_many(3_600)], true);
    let client = client(&config(&fake.base_url()));
    let began = Instant::now();
    for _ in 0..3 {
        let error = ask(&client).await.expect_err("asked to wait");
        assert_eq!(error.kind, ModelErrorKind::RateLimited);
        assert!(
            error
                .retry_after_seconds
                .is_some_and(|seconds| seconds > 500),
            "{error:?}"
        );
    }
    assert!(began.elapsed() < Duration::from_secs(2));
    assert_eq!(
        fake.stats().of(Step::Other).calls,
        1,
        "the pause keeps later calls from being sent"
    );
}

#[tokio::test]
async fn an_empty_account_is_reported_at_once() {
    let fake = FakeLlm::start().await;
    let body = json!({"error": {"code": "insufficient_quota"}}).to_string();
    fake.script(
        Step::Other,
        [Answer::Status {
            status: 429,
            headers: [].into(),
            body,
        }],
        true,
    );
    let error = ask(&client(&config(&fake.base_url())))
        .await
        .expect_err("no money");
    assert!(error.message.contains("insufficient_quota"), "{error}");
    assert_eq!(fake.stats().of(Step::Other).calls, 1);
}

#[tokio::test]
async fn transient_failures_are_tried_again_and_others_are_not() {
    let fake = FakeLlm::start().await;
    let client = client(&config(&fake.base_url()));
    for trouble in [
        Answer::refusal(500, "x"),
        Answer::refusal(502, "x"),
        Answer::refusal(503, "x"),
        Answer::Disconnect,
    ] {
        fake.reset();
        fake.script(Step::Other, [trouble.clone(), trouble.clone()], false);
        assert_eq!(
            ask(&client).await.expect("third attempt").text,
            "ok",
            "{trouble:?}"
        );
        fake.script(Step::Other, [trouble.clone()], true);
        let error = ask(&client).await.expect_err("attempts are bounded");
        assert_eq!(error.kind, ModelErrorKind::Unavailable, "{trouble:?}");
        assert_eq!(fake.stats().of(Step::Other).calls, 6, "{trouble:?}");
    }
    for status in [400, 401, 403, 404, 422, 302] {
        fake.reset();
        fake.script(Step::Other, [Answer::refusal(status, "x")], true);
        assert_eq!(
            ask(&client).await.expect_err("refused").kind,
            ModelErrorKind::Rejected
        );
        assert_eq!(fake.stats().of(Step::Other).calls, 1, "{status}");
    }
}

#[tokio::test]
async fn a_stall_is_a_timeout_and_the_deadline_ends_the_call() {
    let fake = FakeLlm::start().await;
    fake.script(Step::Other, [Answer::Stall(60_000)], true);
    let impatient = RemoteConfig {
        timeout: Duration::from_millis(100),
        ..config(&fake.base_url())
    };
    assert_eq!(
        ask(&client(&impatient)).await.expect_err("too slow").kind,
        ModelErrorKind::Timeout
    );
    assert_eq!(fake.stats().of(Step::Other).calls, 3);
    let began = Instant::now();
    let hurried = RemoteConfig {
        deadline: Duration::from_millis(150),
        ..config(&fake.base_url())
    };
    assert_eq!(
        ask(&client(&hurried)).await.expect_err("too slow").kind,
        ModelErrorKind::Timeout
    );
    assert!(
        began.elapsed() < Duration::from_secs(3),
        "{:?}",
        began.elapsed()
    );
}

#[tokio::test]
async fn nothing_listening_is_unavailable_and_named() {
    let fake = FakeLlm::start().await;
    let url = fake.base_url();
    drop(fake);
    tokio::time::sleep(Duration::from_millis(50)).await;
    let error = ask(&client(&config(&url).with_key("sk-1234")))
        .await
        .expect_err("nobody there");
    assert_eq!(error.kind, ModelErrorKind::Unavailable);
    assert!(
        error.message.contains(&format!("{url}/chat/completions"))
            && error.message.contains("refused"),
        "{error}"
    );
}

#[tokio::test]
async fn odd_answers_are_tolerated_or_named() {
    let fake = FakeLlm::start().await;
    let client = client(&config(&fake.base_url()));
    let raw = |message: serde_json::Value| {
        Answer::RawBody(json!({"choices": [{"message": message}]}).to_string())
    };
    for (answer, expected) in [
        (raw(json!({"content": "", "reasoning_content": "hm"})), ""),
        (
            raw(
                json!({"content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a"}]}),
            ),
            "a",
        ),
        (
            raw(json!({"role": "assistant", "content": "b", "refusal": null})),
            "b",
        ),
    ] {
        fake.script(Step::Other, [answer], false);
        let reply = ask(&client).await.expect("tolerated");
        assert_eq!((reply.text.as_str(), reply.tokens), (expected, None));
    }
    fake.script(Step::Other, [Answer::CutOff(1)], false);
    let reply = ask(&client).await.expect("answers");
    assert_eq!((reply.text.as_str(), reply.cut_off), ("o", true));
    for body in [
        "",
        "<html>bad gateway</html>",
        "{}",
        r#"{"choices":[]}"#,
        r#"{"choices":[{"message":{"content":null,"refusal":"no"}}]}"#,
    ] {
        fake.script(Step::Other, [Answer::RawBody(body.into())], false);
        let error = ask(&client).await.expect_err(body);
        assert_eq!(error.kind, ModelErrorKind::Protocol);
        assert!(
            error.message.contains(&fake.url()) && !error.message.contains("gateway"),
            "{error}"
        );
    }
}

#[tokio::test]
async fn an_error_inside_a_good_status_counts_by_its_own_code() {
    let fake = FakeLlm::start().await;
    let client = client(&config(&fake.base_url()));
    let hidden =
        |code: u16| Answer::RawBody(json!({"error": {"code": code, "message": "x"}}).to_string());
    fake.script(Step::Other, [hidden(502)], false);
    assert_eq!(ask(&client).await.expect("tried again").text, "ok");
    fake.script(Step::Other, [hidden(401)], false);
    assert_eq!(
        ask(&client).await.expect_err("refused").kind,
        ModelErrorKind::Rejected
    );
}

#[tokio::test]
async fn an_answer_without_end_is_not_read() {
    let fake = FakeLlm::start().await;
    fake.script(
        Step::Other,
        [Answer::RawBody("x".repeat(17 * 1024 * 1024))],
        false,
    );
    let error = ask(&client(&config(&fake.base_url())))
        .await
        .expect_err("too long");
    assert_eq!(error.kind, ModelErrorKind::Protocol);
    assert!(error.message.contains("longer than"), "{error}");
}

#[tokio::test]
async fn errors_hold_no_key_no_prompt_and_no_answer() {
    let fake = FakeLlm::start().await;
    let mut config = config(&fake.base_url()).with_key("sk-1234");
    config.query.push(("key".into(), "sk-1234".into()));
    let client = client(&config);
    let body = json!({"error": {"message": "bad key sk-1234 for: my diary", "code": "sk-1234"}})
        .to_string();
    for status in [400, 401, 429, 500] {
        let headers = [("retry-after".to_owned(), "3600".to_owned())].into();
        fake.script(
            Step::Other,
            [Answer::Status {
                status,
                headers,
                body: body.clone(),
            }],
            true,
        );
        let error = client
            .complete(&asked("my diary"))
            .await
            .expect_err("refused");
        let shown = format!("{error} {error:?} {config:?}");
        assert!(
            !shown.contains("1234") && !shown.contains("diary"),
            "{shown}"
        );
        assert!(error.message.contains(&fake.url()), "{error}");
    }
}

#[tokio::test]
async fn a_dropped_call_gives_its_slot_back() {
    let fake = FakeLlm::start().await;
    fake.script(Step::Other, [Answer::Stall(60_000)], false);
    let limiter = Arc::new(Limiter::new(1));
    let client = OpenAiChat::new(&config(&fake.base_url()), Arc::clone(&limiter)).expect("valid");
    assert!(
        tokio::time::timeout(Duration::from_millis(200), ask(&client))
            .await
            .is_err()
    );
    assert_eq!((fake.stats().of(Step::Other).calls, limiter.free()), (1, 1));
    assert_eq!(ask(&client).await.expect("the slot is free").text, "ok");
}
