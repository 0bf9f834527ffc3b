//! Measures the built-in models on this machine: memory, milliseconds, and the cosine of unrelated sentences.
//!
//! `cargo run --release -p mneme-models --example measure`

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a report for a person"
)]

use std::time::Instant;

use mneme_core::ports::{EmbedTask, Embedder, TokenCounter};
#[cfg(feature = "local-embedder")]
use mneme_models::Local;
use mneme_models::{O200k, Tiny};

/// Half English, half Chinese, the same 24 sentences; no two of one language have to do with each other.
const UNRELATED: &str = include_str!("../../../models/recipe/unrelated.txt");
const WORDS: &str = "yesterday our neighbour told me that the old library near the station will open again in spring, 昨天邻居告诉我图书馆明年春天重新开放 ";

#[tokio::main]
async fn main() {
    memory("bare process");
    tokens().await;
    embedder("tiny", &Tiny::new()).await;
    #[cfg(feature = "local-embedder")]
    {
        let local = Local::new();
        embedder("local", &local).await;
        let started = Instant::now();
        for number in 0..200 {
            let task = if number % 2 == 0 {
                EmbedTask::Query
            } else {
                EmbedTask::Passage
            };
            local
                .embed(task, &[text(20 + number * 480 / 199)])
                .await
                .unwrap();
        }
        println!(
            "200 texts of 20 to 500 tokens, one after another: {:.1} s",
            started.elapsed().as_secs_f64()
        );
        memory("after them");
        let passages: Vec<String> = (0..100)
            .map(|number| format!("{number} {}", text(126)))
            .collect();
        let started = Instant::now();
        local.embed(EmbedTask::Passage, &passages).await.unwrap();
        println!(
            "100 passages of 128 tokens, all cores: {:.1} s",
            started.elapsed().as_secs_f64()
        );
        memory("after them");
    }
}

async fn tokens() {
    let started = Instant::now();
    O200k.count(vec!["first".to_owned()]).await;
    println!("o200k: ready after {:.1} ms", ms(started));
    let long = WORDS.repeat(8_000);
    let bytes = long.len();
    let started = Instant::now();
    let tokens = O200k.count(vec![long]).await[0];
    println!(
        "o200k: {tokens} tokens, {:.1} MB/s",
        bytes as f64 / 1e3 / ms(started)
    );
    memory("with o200k");
}

async fn embedder(name: &str, embedder: &dyn Embedder) {
    let started = Instant::now();
    embedder
        .embed(EmbedTask::Query, &["first".to_owned()])
        .await
        .unwrap();
    println!("{name}: ready after {:.1} ms", ms(started));
    memory("with it");
    for (task, tokens) in [
        (EmbedTask::Query, 20),
        (EmbedTask::Passage, 128),
        (EmbedTask::Passage, 508),
        (EmbedTask::Passage, 5_000),
    ] {
        let text = [text(tokens)];
        let mut times: Vec<f64> = Vec::new();
        for _ in 0..(40_000 / tokens).clamp(5, 200) {
            let started = Instant::now();
            embedder.embed(task, &text).await.unwrap();
            times.push(ms(started));
        }
        times.sort_by(f64::total_cmp);
        println!(
            "{name}: {task:?} of about {tokens} tokens: {:.3} ms (median), {:.3} ms (fastest)",
            times[times.len() / 2],
            times[0]
        );
    }
    unrelated(name, embedder).await;
}

/// All pairs of a question and a passage that say different things.
async fn unrelated(name: &str, embedder: &dyn Embedder) {
    let sentences: Vec<String> = UNRELATED.lines().map(str::to_owned).collect();
    let half = sentences.len() / 2;
    let questions = embedder.embed(EmbedTask::Query, &sentences).await.unwrap();
    let passages = embedder
        .embed(EmbedTask::Passage, &sentences)
        .await
        .unwrap();
    let cosines = |from: &[Vec<f32>], to: &[Vec<f32>]| {
        let mut cosines = Vec::new();
        for (i, a) in from.iter().enumerate() {
            for (_, b) in to.iter().enumerate().filter(|&(j, _)| j != i) {
                cosines.push(a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>());
            }
        }
        cosines
    };
    let english = cosines(&questions[..half], &passages[..half]);
    let chinese = cosines(&questions[half..], &passages[half..]);
    let across = cosines(&questions[..half], &passages[half..]);
    let both = [english.clone(), chinese.clone()].concat();
    for (which, mut cosines) in [
        ("English", english),
        ("Chinese", chinese),
        ("English and Chinese", both),
        ("English to Chinese", across),
    ] {
        cosines.sort_by(f32::total_cmp);
        let at = |share: f64| cosines[((cosines.len() - 1) as f64 * share) as usize];
        println!(
            "{name}: unrelated, {which}, {} pairs: median {:.3}, 5 % {:.3}, 95 % {:.3}",
            cosines.len(),
            at(0.5),
            at(0.05),
            at(0.95)
        );
    }
}

/// About that many tokens of mixed text.
fn text(tokens: usize) -> String {
    let per_repeat = O200k::count_now(WORDS).max(1) as usize;
    let words: Vec<char> = WORDS.repeat(tokens / per_repeat + 1).chars().collect();
    words[..(words.len() * tokens) / ((tokens / per_repeat + 1) * per_repeat)]
        .iter()
        .collect()
}

fn ms(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1e3
}

fn memory(when: &str) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let field = |name: &str| {
        let kilobytes: f64 = status
            .lines()
            .find_map(|line| {
                line.strip_prefix(name)?
                    .trim_start_matches(':')
                    .trim()
                    .strip_suffix(" kB")?
                    .parse()
                    .ok()
            })
            .unwrap_or(0.0);
        kilobytes / 1024.0
    };
    println!(
        "memory, {when}: {:.1} MiB (own {:.1}, file {:.1}), peak {:.1}",
        field("VmRSS"),
        field("RssAnon"),
        field("RssFile"),
        field("VmHWM")
    );
}
