//! What the built-in embedders promise, with the real models.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use mneme_core::ports::{EmbedTask, Embedder, ModelError, Space};
use mneme_models::{CachedQueries, TINY_SPACE, Tiny};

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().copied().map(str::to_owned).collect()
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

async fn one(embedder: &dyn Embedder, task: EmbedTask, text: &str) -> Vec<f32> {
    embedder
        .embed(task, &[text.to_owned()])
        .await
        .unwrap()
        .remove(0)
}

/// How much nearer the passage is to the question than the other passage is.
async fn margin(embedder: &dyn Embedder, question: &str, related: &str, unrelated: &str) -> f32 {
    let question = one(embedder, EmbedTask::Query, question).await;
    let passages = embedder
        .embed(EmbedTask::Passage, &texts(&[related, unrelated]))
        .await
        .unwrap();
    cosine(&question, &passages[0]) - cosine(&question, &passages[1])
}

/// What holds for every embedder, with all kinds of texts.
async fn keeps_its_promises(embedder: &dyn Embedder) {
    let long = "The meeting about the garden moved to Thursday, 我们改到星期四开会。 ".repeat(250);
    let odd = texts(&[
        &long,
        "",
        " ",
        "\0",
        "\u{301}",
        "ꙮ",
        "<s></s>",
        "a",
        "😀",
        "我",
        "Hello there, how are you?",
        "x".repeat(3_000).as_str(),
    ]);
    // The long text once is enough: it takes its time.
    for (task, odd) in [
        (EmbedTask::Query, &odd[..]),
        (EmbedTask::Passage, &odd[1..]),
    ] {
        let vectors = embedder.embed(task, odd).await.unwrap();
        assert_eq!(vectors.len(), odd.len());
        for (text, vector) in odd.iter().zip(&vectors) {
            let start: String = text.chars().take(20).collect();
            assert_eq!(vector.len(), embedder.space().dimension, "{start:?}");
            assert!(
                vector.iter().all(|component| component.is_finite()),
                "{start:?}"
            );
            assert!((cosine(vector, vector) - 1.0).abs() < 1e-4, "{start:?}");
            // Alone, among others, and a second time: the same vector, in its place.
            let alone = one(embedder, task, text).await;
            assert!(
                vector.iter().zip(&alone).all(|(a, b)| (a - b).abs() < 1e-4),
                "{start:?}"
            );
        }
    }
    assert!(
        embedder
            .embed(EmbedTask::Query, &[])
            .await
            .unwrap()
            .is_empty()
    );
}

/// The end of a long text counts as much as its beginning.
async fn hears_the_end(embedder: &dyn Embedder) {
    let filler = "The weather was mild and nothing much happened that day. ".repeat(60);
    let dog = one(
        embedder,
        EmbedTask::Passage,
        &format!(
            "{filler}{}",
            "My dog Biscuit loves swimming in the lake. ".repeat(60)
        ),
    )
    .await;
    let plain = one(embedder, EmbedTask::Passage, &filler.repeat(2)).await;
    let question = one(embedder, EmbedTask::Query, "What does the dog love?").await;
    assert!(cosine(&question, &dog) > cosine(&question, &plain) + 0.01);
}

/// The space's `unrelated_cosine` is the median over questions and passages that have nothing to do with each other.
async fn knows_what_unrelated_looks_like(embedder: &dyn Embedder) {
    let sentences: Vec<String> = include_str!("../../../models/recipe/unrelated.txt")
        .lines()
        .map(str::to_owned)
        .collect();
    let questions = embedder.embed(EmbedTask::Query, &sentences).await.unwrap();
    let passages = embedder
        .embed(EmbedTask::Passage, &sentences)
        .await
        .unwrap();
    let language = sentences.len() / 2;
    let mut cosines: Vec<f32> = Vec::new();
    for (i, question) in questions.iter().enumerate() {
        let others = passages
            .iter()
            .enumerate()
            .filter(|&(j, _)| i != j && i / language == j / language);
        cosines.extend(others.map(|(_, passage)| cosine(question, passage)));
    }
    assert_eq!(cosines.len(), 1_104);
    cosines.sort_by(f32::total_cmp);
    let median = cosines[cosines.len() / 2];
    assert!(
        (median - embedder.space().unrelated_cosine).abs() < 0.01,
        "{median}"
    );
}

/// Question, a passage that answers it, and one that does not.
const ENGLISH: [(&str, &str, &str); 3] = [
    (
        "Which pet does my brother have?",
        "My brother adopted a golden retriever last spring.",
        "The train to the airport leaves every half hour.",
    ),
    (
        "When is the dentist appointment?",
        "The appointment at the dentist is on Monday at nine.",
        "Her favourite colour is dark green.",
    ),
    (
        "What does Anna do for a living?",
        "Anna works as a nurse in a children's hospital.",
        "We repainted the kitchen last summer.",
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn tiny_keeps_its_promises() {
    let tiny = Tiny::new();
    assert_eq!(
        (tiny.space().name.as_str(), tiny.space().dimension),
        (TINY_SPACE, 256)
    );
    keeps_its_promises(&tiny).await;
    hears_the_end(&tiny).await;
    knows_what_unrelated_looks_like(&tiny).await;
    for (question, related, unrelated) in ENGLISH {
        let margin = margin(&tiny, question, related, unrelated).await;
        assert!(margin > 0.1, "{question}: {margin}");
    }
}

/// Counts the texts that reach the embedder behind it.
struct Counted<E> {
    inner: E,
    texts: AtomicUsize,
}

#[async_trait]
impl<E: Embedder> Embedder for Counted<E> {
    fn space(&self) -> &Space {
        self.inner.space()
    }

    async fn embed(&self, task: EmbedTask, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        self.texts.fetch_add(texts.len(), Ordering::Relaxed);
        self.inner.embed(task, texts).await
    }
}

#[tokio::test]
async fn a_question_that_is_remembered_does_not_run_the_model() {
    let counted = Arc::new(Counted {
        inner: Tiny::new(),
        texts: AtomicUsize::new(0),
    });
    let cached = CachedQueries::with_entries(Arc::clone(&counted), NonZeroUsize::new(10).unwrap());
    let first = one(&cached, EmbedTask::Query, "Where do I live?").await;
    let second = one(&cached, EmbedTask::Query, "Where do I live?").await;
    assert_eq!(first, second);
    assert_eq!(counted.texts.load(Ordering::Relaxed), 1);
}

#[cfg(feature = "local-embedder")]
mod local {
    use std::time::Duration;

    use mneme_models::{LOCAL_SPACE, Local};

    use super::*;

    /// Question, a passage that answers it, and one that does not.
    const CHINESE: [(&str, &str, &str); 3] = [
        (
            "我哥哥养了什么宠物？",
            "去年春天，哥哥领养了一只金毛犬。",
            "去机场的火车每半小时一班。",
        ),
        (
            "什么时候去看牙医？",
            "牙科预约在星期一上午九点。",
            "她最喜欢的颜色是深绿色。",
        ),
        (
            "安娜是做什么工作的？",
            "安娜在一家儿童医院当护士。",
            "去年夏天我们重新粉刷了厨房。",
        ),
    ];

    #[tokio::test(flavor = "multi_thread")]
    async fn local_keeps_its_promises() {
        let local = Local::with_threads(2);
        assert_eq!(
            (local.space().name.as_str(), local.space().dimension),
            (LOCAL_SPACE, 384)
        );
        keeps_its_promises(&local).await;
        hears_the_end(&local).await;
        knows_what_unrelated_looks_like(&local).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn local_finds_what_is_related_in_both_languages_and_across_them() {
        let local = Local::new();
        for ((question, related, unrelated), (frage, antwort, anderes)) in
            ENGLISH.into_iter().zip(CHINESE)
        {
            for (asked, yes, no) in [
                (question, related, unrelated),
                (frage, antwort, anderes),
                (question, antwort, anderes),
                (frage, related, unrelated),
            ] {
                let margin = margin(&local, asked, yes, no).await;
                assert!(margin > 0.03, "{asked} {yes}: {margin}");
            }
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn questions_and_passages_are_told_apart() {
        let local = Local::new();
        let text = "My brother adopted a golden retriever.";
        let question = one(&local, EmbedTask::Query, text).await;
        let passage = one(&local, EmbedTask::Passage, text).await;
        assert!((0.8..0.9999).contains(&cosine(&question, &passage)));
    }

    /// One thread, an async worker that must stay free, and a question that must not wait for the whole backlog.
    #[tokio::test]
    async fn a_question_overtakes_a_backlog_and_the_async_worker_stays_free() {
        let local = Arc::new(Local::with_threads(1));
        one(&*local, EmbedTask::Query, "warm up").await;
        let backlog: Vec<String> = (0..40)
            .map(|number| {
                format!(
                    "Note {number}: {}",
                    "the lamp in the hall is broken. ".repeat(20)
                )
            })
            .collect();
        let background = tokio::spawn({
            let local = Arc::clone(&local);
            async move {
                local
                    .embed(EmbedTask::Passage, &backlog)
                    .await
                    .unwrap()
                    .len()
            }
        });
        tokio::time::sleep(Duration::from_millis(20)).await;
        one(&*local, EmbedTask::Query, "Which lamp is broken?").await;
        assert!(!background.is_finished());
        assert_eq!(background.await.unwrap(), 40);
    }
}
