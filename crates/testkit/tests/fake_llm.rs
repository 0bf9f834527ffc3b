//! The fake model server over real HTTP.

use mneme_testkit::{Answer, FakeLlm, Step, request};
use serde_json::{Value, json};

async fn post(fake: &FakeLlm, path: &str, body: Value) -> (u16, Value) {
    let answer = request(&fake.url(), "POST", path, None, Some(&body))
        .await
        .expect("answers");
    (answer.status, answer.json())
}

async fn get(fake: &FakeLlm, path: &str) -> Value {
    request(&fake.url(), "GET", path, None, None)
        .await
        .expect("answers")
        .json()
}

fn chat(system: &str, user: &str) -> Value {
    json!({"model": "m", "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}]})
}

async fn say(fake: &FakeLlm, system: &str, user: &str) -> String {
    let (status, reply) = post(fake, "/v1/chat/completions", chat(system, user)).await;
    assert_eq!(status, 200, "{reply}");
    reply["choices"][0]["message"]["content"]
        .as_str()
        .expect("a text")
        .to_owned()
}

#[tokio::test]
async fn the_three_steps_understand_each_other() {
    let fake = FakeLlm::start().await;
    let notes = say(&fake, "# Task: entry notes\n...", "Known: none\n[2026/11/29] user: my work title is baker. hello.\n[2026/11/29] assistant: hi.").await;
    assert_eq!(
        notes,
        "- my work title is baker. [mention 2026/11/29] // info\n- hello. [mention 2026/11/29] // info"
    );
    assert_eq!(
        say(&fake, "# Task: extract profile", &notes).await,
        "---\n- work::title::baker"
    );
    assert_eq!(
        say(
            &fake,
            "# Task: merge profile",
            "1. work::title\n   current: cook\n   new: baker"
        )
        .await,
        "1. UPDATE::baker"
    );
    assert_eq!(say(&fake, "you are a pirate", "hello").await, "ok");
    assert_eq!(say(&fake, "# Task: merge profile", "").await, "");
    let stats = get(&fake, "/admin/stats").await;
    let calls = |step: &str| stats["steps"][step]["calls"].as_u64();
    assert_eq!(
        [
            calls("entry_notes"),
            calls("extract"),
            calls("merge"),
            calls("other"),
            calls("embeddings")
        ],
        [1, 1, 2, 1, 0].map(Some)
    );
    assert_eq!(stats["steps"]["merge"]["cached_tokens"], 6);
    assert!(
        stats["steps"]["extract"]["prompt_tokens"].as_u64() > Some(5)
            && stats["steps"]["extract"]["completion_tokens"].as_u64() > Some(3)
    );
    post(&fake, "/admin/reset", json!({})).await;
    assert_eq!(
        get(&fake, "/admin/stats").await["steps"]["merge"]["calls"],
        0
    );
}

#[tokio::test]
async fn usage_is_told_unless_switched_off() {
    let fake = FakeLlm::start().await;
    let (_, reply) = post(&fake, "/chat/completions", chat("abcd", "efgh")).await;
    assert_eq!(
        (
            &reply["usage"]["prompt_tokens"],
            &reply["usage"]["completion_tokens"]
        ),
        (&json!(2), &json!(1))
    );
    let (status, _) = post(&fake, "/admin/config", json!({"usage": false})).await;
    let (_, reply) = post(&fake, "/chat/completions", chat("abcd", "efgh")).await;
    assert_eq!((status, &reply["usage"]), (200, &Value::Null));
}

#[tokio::test]
async fn embeddings_have_the_asked_dimension_and_limit() {
    let fake = FakeLlm::start().await;
    let (_, reply) = post(
        &fake,
        "/v1/embeddings",
        json!({"model": "m", "input": ["tea", "coffee"]}),
    )
    .await;
    assert_eq!(reply["data"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        reply["data"][1]["embedding"].as_array().map(Vec::len),
        Some(1536)
    );
    let (_, one) = post(
        &fake,
        "/embeddings",
        json!({"model": "m", "input": "tea", "dimensions": 8}),
    )
    .await;
    assert_eq!(
        one["data"][0]["embedding"].as_array().map(Vec::len),
        Some(8)
    );
    post(
        &fake,
        "/admin/config",
        json!({"embed_max_chars": 3, "embed_long_status": 500, "dimension": 4}),
    )
    .await;
    assert_eq!(
        post(
            &fake,
            "/embeddings",
            json!({"model": "m", "input": ["tea", "coffee"]})
        )
        .await
        .0,
        500
    );
    let (status, reply) = post(
        &fake,
        "/embeddings",
        json!({"model": "m", "input": ["tea"]}),
    )
    .await;
    assert_eq!(
        (
            status,
            reply["data"][0]["embedding"].as_array().map(Vec::len)
        ),
        (200, Some(4))
    );
    assert_eq!(
        post(&fake, "/embeddings", json!({"model": "m", "input": [""]}))
            .await
            .0,
        400
    );
    let stats = fake.stats().of(Step::Embeddings);
    assert_eq!((stats.calls, stats.items), (5, 4));
}

#[tokio::test]
async fn scripts_are_followed_in_order() {
    let fake = FakeLlm::start().await;
    let answers = json!([
        {"text": "one"}, {"status": 429, "headers": {"Retry-After": "7"}, "body": "slow down"}, {"cut_off": 4}, {"prose": true},
        {"raw_body": "{\"odd\": 1}"}, {"disconnect": true}, {"stall_ms": 30}
    ]);
    let (status, _) = post(
        &fake,
        "/admin/script",
        json!({"step": "extract", "answers": answers}),
    )
    .await;
    assert_eq!(status, 200);
    let body = chat("# Task: extract profile", "my a b is c.");
    let ask = || request_raw(&fake, &body);
    assert_eq!(ask().await.1["choices"][0]["message"]["content"], "one");
    assert_eq!(ask().await.0, 429);
    let cut = ask().await.1;
    assert_eq!(
        (
            &cut["choices"][0]["message"]["content"],
            &cut["choices"][0]["finish_reason"]
        ),
        (&json!("---\n"), &json!("length"))
    );
    assert!(
        ask().await.1["choices"][0]["message"]["content"]
            .as_str()
            .is_some_and(|text| text.starts_with("Sure!"))
    );
    assert_eq!(ask().await.1, json!({"odd": 1}));
    assert!(
        request(
            &fake.url(),
            "POST",
            "/v1/chat/completions",
            None,
            Some(&body)
        )
        .await
        .is_err(),
        "the connection breaks"
    );
    let began = std::time::Instant::now();
    assert_eq!(
        ask().await.1["choices"][0]["message"]["content"],
        "---\n- a::b::c"
    );
    assert!(began.elapsed().as_millis() >= 30);
    assert_eq!(
        ask().await.1["choices"][0]["message"]["content"],
        "---\n- a::b::c"
    );
}

async fn request_raw(fake: &FakeLlm, body: &Value) -> (u16, Value) {
    post(fake, "/v1/chat/completions", body.clone()).await
}

#[tokio::test]
async fn scripts_repeat_and_serve_every_step() {
    let fake = FakeLlm::start().await;
    post(
        &fake,
        "/admin/script",
        json!({"step": "*", "answers": [{"status": 503}], "repeat": true}),
    )
    .await;
    for path in [
        "/v1/chat/completions",
        "/v1/embeddings",
        "/v1/chat/completions",
    ] {
        assert_eq!(
            post(
                &fake,
                path,
                json!({"model": "m", "input": "a", "messages": []})
            )
            .await
            .0,
            503
        );
    }
    fake.script_all([], false);
    fake.script(Step::Embeddings, [Answer::CutOff(1)], false);
    let (_, reply) = post(
        &fake,
        "/v1/embeddings",
        json!({"model": "m", "input": ["a", "b"]}),
    )
    .await;
    assert_eq!(reply["data"].as_array().map(Vec::len), Some(1));
    for wrong in [
        json!({"step": "nope", "answers": []}),
        json!({"step": "*", "answers": [{"x": 1}]}),
        json!({}),
        json!(3),
    ] {
        assert_eq!(
            post(&fake, "/admin/script", wrong.clone()).await.0,
            400,
            "{wrong}"
        );
    }
}

#[tokio::test]
async fn canned_texts_stay_until_taken_back() {
    let fake = FakeLlm::start().await;
    post(
        &fake,
        "/admin/canned",
        json!({"entry": "- User is Gus // info", "pick": "{\"ids\":[]}"}),
    )
    .await;
    for _ in 0..2 {
        assert_eq!(
            say(&fake, "# Task: entry notes", "[d] user: hello.").await,
            "- User is Gus // info"
        );
    }
    assert_eq!(
        say(&fake, "# Task: tag event", "x").await,
        "- emotion::happy"
    );
    post(&fake, "/admin/canned", json!({"entry": null})).await;
    assert_eq!(
        say(&fake, "# Task: entry notes", "[d] user: hello.").await,
        "- hello. [mention d] // info"
    );
    assert_eq!(
        say(&fake, "# Task: pick profiles", "x").await,
        "{\"ids\":[]}"
    );
}

#[tokio::test]
async fn requests_are_logged_with_step_and_key() {
    let fake = FakeLlm::start().await;
    say(&fake, "# Task: merge profile", "x").await;
    let body = json!({"model": "m", "input": "tea"});
    request(
        &fake.url(),
        "POST",
        "/v1/embeddings?a=b",
        Some("k"),
        Some(&body),
    )
    .await
    .expect("answers");
    let log = get(&fake, "/admin/requests").await;
    assert_eq!(
        (&log[0]["step"], &log[0]["authorization"]),
        (&json!("merge"), &Value::Null)
    );
    assert_eq!(
        log[1],
        json!({"step": "embeddings", "path": "/v1/embeddings?a=b", "authorization": "Bearer k", "body": body})
    );
    fake.configure(|config| config.api_key = Some("k".into()));
    assert_eq!(post(&fake, "/v1/embeddings", body.clone()).await.0, 401);
}

#[tokio::test]
async fn parameters_are_refused_on_demand_and_odd_bodies_always() {
    let fake = FakeLlm::start().await;
    post(
        &fake,
        "/admin/config",
        json!({"refuse_max_tokens": true, "refuse_temperature": true, "refuse_dimensions": true}),
    )
    .await;
    let mut body = chat("", "x");
    body["max_tokens"] = json!(5);
    assert_eq!(
        post(&fake, "/v1/chat/completions", body.clone()).await.0,
        400
    );
    body["max_tokens"] = Value::Null;
    body["temperature"] = json!(0.2);
    assert_eq!(post(&fake, "/v1/chat/completions", body).await.0, 400);
    assert_eq!(
        post(
            &fake,
            "/v1/embeddings",
            json!({"model": "m", "input": "a", "dimensions": 4})
        )
        .await
        .0,
        400
    );
    for odd in [json!(null), json!({"messages": 1}), json!([])] {
        assert_eq!(
            post(&fake, "/v1/chat/completions", odd.clone()).await.0,
            400,
            "{odd}"
        );
        assert_eq!(post(&fake, "/v1/embeddings", odd).await.0, 400);
    }
    assert_eq!(
        post(&fake, "/admin/config", json!({"nope": 1})).await.0,
        400
    );
}

#[tokio::test]
async fn delays_are_kept_and_parallel_requests_counted() {
    let fake = FakeLlm::start().await;
    post(
        &fake,
        "/admin/config",
        json!({"delay_ms": 60_000, "step_delay_ms": {"merge": 120}}),
    )
    .await;
    let began = std::time::Instant::now();
    tokio::join!(
        say(&fake, "# Task: merge profile", "x"),
        say(&fake, "# Task: merge profile", "y")
    );
    assert!(
        (120..5_000).contains(&began.elapsed().as_millis()),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(fake.stats().in_flight_max, 2);
}
