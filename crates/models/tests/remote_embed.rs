//! The remote embedder against a real HTTP server.

use std::sync::Arc;
use std::time::Duration;

use mneme_core::ports::{EmbedTask, Embedder, Llm, LlmRequest, ModelErrorKind};
use mneme_models::{EmbedConfig, Limiter, OpenAiChat, OpenAiEmbedder, RemoteConfig, SetupError};
use mneme_testkit::{Answer, FakeLlm, Step, words};
use serde_json::json;

const DIMENSION: usize = 32;

fn config(fake: &FakeLlm) -> EmbedConfig {
    let remote = RemoteConfig {
        timeout: Duration::from_secs(5),
        deadline: Duration::from_secs(20),
        attempts_max: 3,
        backoff: Duration::from_millis(10),
        ..RemoteConfig::new(fake.base_url(), "test-model")
    };
    EmbedConfig::new(remote)
}

async fn start() -> FakeLlm {
    let fake = FakeLlm::start().await;
    fake.configure(|config| config.dimension = DIMENSION);
    fake
}

fn embedder(config: EmbedConfig) -> OpenAiEmbedder {
    OpenAiEmbedder::new(config, DIMENSION, Arc::new(Limiter::new(4)))
        .expect("a valid configuration")
}

fn texts(count: usize) -> Vec<String> {
    (0..count)
        .map(|number| format!("text number {number} about topic{}", number * 7))
        .collect()
}

/// Each vector is the one of its own text.
fn assert_aligned(texts: &[String], vectors: &[Vec<f32>]) {
    assert_eq!(texts.len(), vectors.len());
    for (text, vector) in texts.iter().zip(vectors) {
        let expected = words::vector(text, DIMENSION);
        assert!(cosine(&expected, vector) > 0.9999, "{text}");
    }
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn calls(fake: &FakeLlm) -> u64 {
    fake.stats().of(Step::Embeddings).calls
}

fn raw(vectors: &serde_json::Value) -> Answer {
    let data: Vec<_> = vectors
        .as_array()
        .into_iter()
        .flatten()
        .map(|vector| json!({"embedding": vector}))
        .collect();
    Answer::RawBody(json!({"data": data}).to_string())
}

#[tokio::test]
async fn batches_are_bounded_and_aligned() {
    let fake = start().await;
    let embedder = embedder(config(&fake));
    let many = texts(130);
    assert_aligned(
        &many,
        &embedder
            .embed(EmbedTask::Passage, &many)
            .await
            .expect("answers"),
    );
    let sizes: Vec<usize> = fake
        .requests()
        .iter()
        .map(|request| request.body["input"].as_array().map_or(0, Vec::len))
        .collect();
    assert_eq!(sizes, [64, 64, 2]);
    assert!(
        fake.requests()
            .iter()
            .all(|request| request.body["model"] == "test-model")
    );
    assert!(
        embedder
            .embed(EmbedTask::Query, &[])
            .await
            .expect("nothing to do")
            .is_empty()
    );
    assert_eq!(calls(&fake), 3);
    let space = embedder.space();
    assert_eq!(
        (space.name.as_str(), space.dimension, space.unrelated_cosine),
        ("openai/test-model/32", 32, 0.0)
    );
}

#[tokio::test]
async fn prefixes_tell_the_tasks_apart() {
    let fake = start().await;
    let embedder = embedder(EmbedConfig {
        query_prefix: "query: ".into(),
        passage_prefix: "passage: ".into(),
        ..config(&fake)
    });
    for task in [EmbedTask::Query, EmbedTask::Passage] {
        embedder
            .embed(task, &["tea".to_owned()])
            .await
            .expect("answers");
    }
    let inputs: Vec<_> = fake
        .requests()
        .iter()
        .map(|request| request.body["input"][0].clone())
        .collect();
    assert_eq!(inputs, ["query: tea", "passage: tea"]);
}

#[tokio::test]
async fn g03_one_vector_for_many_texts_is_never_misaligned() {
    let fake = start().await;
    fake.configure(|config| config.embed_one_vector = true);
    let embedder = embedder(config(&fake));
    let many = texts(99);
    for _ in 0..3 {
        assert_aligned(
            &many,
            &embedder
                .embed(EmbedTask::Passage, &many)
                .await
                .expect("one by one"),
        );
    }
    // Two miscounts are enough to know this provider.
    assert_eq!(calls(&fake), 2 + 3 * 99);
}

#[tokio::test]
async fn g03_places_are_honoured() {
    let fake = start().await;
    fake.configure(|config| config.embed_reversed = true);
    let many = texts(10);
    assert_aligned(
        &many,
        &embedder(config(&fake))
            .embed(EmbedTask::Passage, &many)
            .await
            .expect("answers"),
    );
    assert_eq!(calls(&fake), 1);
}

#[tokio::test]
async fn g03_a_missing_vector_for_one_text_is_an_error() {
    let fake = start().await;
    fake.script(Step::Embeddings, [Answer::CutOff(0)], true);
    let error = embedder(config(&fake))
        .embed(EmbedTask::Query, &texts(3))
        .await
        .expect_err("nothing came");
    assert_eq!(error.kind, ModelErrorKind::Protocol);
    assert!(
        error.message.contains("0 vectors came for 1 text"),
        "{error}"
    );
    assert_eq!(calls(&fake), 2);
}

#[tokio::test]
async fn g06_only_an_embedder_without_key() {
    let fake = start().await;
    embedder(config(&fake))
        .embed(EmbedTask::Query, &texts(1))
        .await
        .expect("answers");
    assert!(fake.requests()[0].authorization.is_none());
}

#[tokio::test]
async fn g07_the_dimension_is_sent_and_checked() {
    let fake = FakeLlm::start().await;
    let sending = embedder(EmbedConfig {
        send_dimensions: true,
        ..config(&fake)
    });
    assert_eq!(
        sending
            .embed(EmbedTask::Query, &texts(1))
            .await
            .expect("answers")[0]
            .len(),
        DIMENSION
    );
    assert_eq!(fake.requests()[0].body["dimensions"], DIMENSION);
    let silent = embedder(config(&fake));
    let error = silent
        .embed(EmbedTask::Query, &texts(1))
        .await
        .expect_err("1536 came");
    assert_eq!(error.kind, ModelErrorKind::Protocol);
    assert!(
        error.message.contains("1536") && error.message.contains("32"),
        "{error}"
    );
    assert!(fake.requests()[1].body.get("dimensions").is_none());
}

#[tokio::test]
async fn g07_a_refused_dimension_says_what_to_do() {
    let fake = start().await;
    fake.configure(|config| config.refuse_dimensions = true);
    let error = embedder(EmbedConfig {
        send_dimensions: true,
        ..config(&fake)
    })
    .embed(EmbedTask::Query, &texts(70))
    .await
    .expect_err("refused");
    assert!(
        error.kind == ModelErrorKind::Rejected && error.message.contains("send_dimensions"),
        "{error}"
    );
    assert_eq!(calls(&fake), 1);
}

#[tokio::test]
async fn the_dimension_is_asked_once_when_unknown() {
    let fake = start().await;
    let limiter = Arc::new(Limiter::new(1));
    let found = OpenAiEmbedder::connect(config(&fake), Arc::clone(&limiter))
        .await
        .expect("answers");
    assert_eq!((found.space().dimension, calls(&fake)), (DIMENSION, 1));
    let known = EmbedConfig {
        dimension: Some(77),
        ..config(&fake)
    };
    assert_eq!(
        OpenAiEmbedder::connect(known, Arc::clone(&limiter))
            .await
            .expect("no call")
            .space()
            .name,
        "openai/test-model/77"
    );
    assert_eq!(calls(&fake), 1);
    fake.script(
        Step::Embeddings,
        [
            Answer::refusal(401, "no"),
            Answer::RawBody(r#"{"data":[{"embedding":[]}]}"#.into()),
        ],
        false,
    );
    let refused = OpenAiEmbedder::connect(config(&fake), Arc::clone(&limiter))
        .await
        .err()
        .expect("refused");
    assert!(
        matches!(&refused, SetupError::Probe(error) if error.message.contains("401")),
        "{refused}"
    );
    let empty = OpenAiEmbedder::connect(config(&fake), limiter)
        .await
        .err()
        .expect("no components");
    assert!(matches!(empty, SetupError::Size { .. }), "{empty}");
}

#[tokio::test]
async fn unusable_vectors_are_named() {
    let fake = start().await;
    let tiny = OpenAiEmbedder::new(config(&fake), 2, Arc::new(Limiter::new(1))).expect("valid");
    for (vectors, part) in [
        (json!([[0.0, 0.0]]), "zero"),
        (json!([[1e39, 1.0]]), ""),
        (json!([["a", 1.0]]), ""),
        (json!([[null, 1.0]]), ""),
    ] {
        fake.script(Step::Embeddings, [raw(&vectors)], false);
        let error = tiny
            .embed(EmbedTask::Query, &texts(1))
            .await
            .expect_err("unusable");
        assert!(
            error.kind == ModelErrorKind::Protocol && error.message.contains(part),
            "{vectors}: {error}"
        );
    }
    fake.script(Step::Embeddings, [raw(&json!([[3.0, 4.0]]))], false);
    let vector = tiny
        .embed(EmbedTask::Query, &texts(1))
        .await
        .expect("usable")
        .remove(0);
    assert!(
        (vector[0] - 0.6).abs() < 1e-6 && (vector[1] - 0.8).abs() < 1e-6,
        "{vector:?}"
    );
}

#[tokio::test]
async fn g10_chat_and_embeddings_share_one_limiter() {
    let fake = start().await;
    fake.configure(|config| {
        config.delay_ms = 30;
        config.embed_delay_ms = 30;
    });
    let limiter = Arc::new(Limiter::new(2));
    let chat = OpenAiChat::new(&config(&fake).remote, Arc::clone(&limiter)).expect("valid");
    let embedder =
        OpenAiEmbedder::new(config(&fake), DIMENSION, Arc::clone(&limiter)).expect("valid");
    let request = LlmRequest {
        system: String::new(),
        user: "x".into(),
        answer_tokens_max: 9,
        temperature: 0.0,
    };
    let one = texts(1);
    let (a, b, c, d, e, f) = tokio::join!(
        chat.complete(&request),
        chat.complete(&request),
        chat.complete(&request),
        embedder.embed(EmbedTask::Query, &one),
        embedder.embed(EmbedTask::Query, &one),
        embedder.embed(EmbedTask::Query, &one),
    );
    assert!(a.is_ok() && b.is_ok() && c.is_ok() && d.is_ok() && e.is_ok() && f.is_ok());
    assert_eq!(fake.stats().in_flight_max, 2);
    // A 429 to an embedding holds the chat back too.
    fake.script(Step::Embeddings, [Answer::too_many(3_600)], false);
    assert_eq!(
        embedder
            .embed(EmbedTask::Query, &one)
            .await
            .expect_err("wait")
            .kind,
        ModelErrorKind::RateLimited
    );
    assert_eq!(
        chat.complete(&request).await.expect_err("wait").kind,
        ModelErrorKind::RateLimited
    );
}

fn long_text(words: usize) -> String {
    (0..words).map(|number| format!("word{number} ")).collect()
}

#[tokio::test]
async fn g14_long_text_is_cut_to_the_configured_limit_and_pooled() {
    let fake = start().await;
    fake.configure(|config| config.embed_max_chars = Some(500));
    let embedder = embedder(EmbedConfig {
        text_chars_max: 500,
        ..config(&fake)
    });
    let texts = vec!["short".to_owned(), long_text(500), "我喜欢喝茶".repeat(300)];
    let vectors = embedder
        .embed(EmbedTask::Passage, &texts)
        .await
        .expect("answers");
    assert_eq!(calls(&fake), 1);
    let sent: Vec<String> = fake.requests()[0].body["input"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|text| text.as_str().map(str::to_owned))
        .collect();
    assert_eq!(sent.concat(), texts.concat(), "nothing is dropped");
    for (text, vector) in texts.iter().zip(&vectors) {
        assert!(
            cosine(&words::vector(text, DIMENSION), vector) > 0.9,
            "the pool is close to the whole"
        );
        assert!((cosine(vector, vector) - 1.0).abs() < 1e-5);
    }
}

#[tokio::test]
async fn g14_an_unknown_limit_is_found_and_remembered() {
    for status in [400, 413, 422, 500] {
        let fake = start().await;
        fake.configure(|config| {
            config.embed_max_chars = Some(1_200);
            config.embed_long_status = status;
        });
        let embedder = embedder(config(&fake));
        let texts: Vec<String> = (0..5)
            .map(|number| format!("{number} {}", long_text(600)))
            .collect();
        let vectors = embedder
            .embed(EmbedTask::Passage, &texts)
            .await
            .expect("found by halving");
        assert_eq!(vectors.len(), 5);
        let first = calls(&fake);
        assert!(first < 30, "{status}: {first} calls");
        embedder
            .embed(EmbedTask::Passage, &texts)
            .await
            .expect("known now");
        assert_eq!(calls(&fake), first + 1, "{status}: the limit is remembered");
        let accepted: usize = fake
            .stats()
            .of(Step::Embeddings)
            .items
            .try_into()
            .expect("small");
        assert!(accepted >= 2 * 5 * 4, "every part was embedded: {accepted}");
    }
}

#[tokio::test]
async fn g14_a_bad_text_among_good_ones_is_found_fast_and_teaches_nothing() {
    let fake = start().await;
    fake.script(Step::Embeddings, [Answer::refusal(400, "bad input")], true);
    let embedder = embedder(config(&fake));
    let error = embedder
        .embed(EmbedTask::Passage, &vec![long_text(1_000); 64])
        .await
        .expect_err("everything is refused");
    assert_eq!(error.kind, ModelErrorKind::Rejected);
    assert!(calls(&fake) < 20, "{}", calls(&fake));
    fake.script(Step::Embeddings, [], false);
    fake.reset();
    embedder
        .embed(EmbedTask::Passage, &[long_text(1_000)])
        .await
        .expect("answers");
    assert_eq!(
        fake.requests()[0].body["input"].as_array().map(Vec::len),
        Some(1),
        "still sent whole"
    );
}

#[tokio::test]
async fn short_texts_are_tried_again_at_500_and_blank_ones_have_a_vector() {
    let fake = start().await;
    fake.script(
        Step::Embeddings,
        [Answer::refusal(500, "x"), Answer::refusal(500, "x")],
        false,
    );
    let vectors = embedder(config(&fake))
        .embed(
            EmbedTask::Query,
            &[String::new(), " \n".to_owned(), "tea".to_owned()],
        )
        .await
        .expect("third attempt");
    assert_eq!((vectors.len(), calls(&fake)), (3, 3));
    assert!(
        vectors
            .iter()
            .all(|vector| (cosine(vector, vector) - 1.0).abs() < 1e-5)
    );
}
