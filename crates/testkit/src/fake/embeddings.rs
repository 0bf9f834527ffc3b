//! `/embeddings`.

use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::Answer;
use super::chat::{Reply, refusal};
use super::config::Config;
use super::state::State;
use super::stats::StepStats;
use super::step::Step;
use crate::words;

/// Most components that a request may ask for.
const DIMENSION_MAX: usize = 16_384;
/// Most texts in one request.
const TEXTS_MAX: usize = 2_048;

#[derive(Deserialize)]
struct Request {
    model: String,
    input: Input,
    #[serde(default)]
    dimensions: Option<usize>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Input {
    One(String),
    Many(Vec<String>),
}

/// Answers an embeddings request.
pub(super) fn reply(state: &State, config: &Config, body: &Value, answer: &Answer) -> Reply {
    let Request {
        model,
        input,
        dimensions,
    } = match serde_json::from_value(body.clone()) {
        Ok(request) => request,
        Err(error) => return refusal(&format!("cannot read the request: {error}"), None),
    };
    let texts = match input {
        Input::One(text) => vec![text],
        Input::Many(texts) => texts,
    };
    if texts.is_empty() || texts.len() > TEXTS_MAX || texts.iter().any(String::is_empty) {
        return refusal(
            "'input' must hold 1 to 2048 texts, none of them empty.",
            Some("input"),
        );
    }
    if config.refuse_dimensions && dimensions.is_some() {
        return refusal(
            "This model does not support specifying dimensions.",
            Some("dimensions"),
        );
    }
    let dimension = dimensions.unwrap_or(config.dimension);
    if !(1..=DIMENSION_MAX).contains(&dimension) {
        return refusal("'dimensions' is out of range.", Some("dimensions"));
    }
    if let Some(max) = config.embed_max_chars
        && texts.iter().any(|text| text.chars().count() > max)
    {
        let (_, body) = refusal(
            "This model's maximum context length is exceeded.",
            Some("input"),
        );
        return (config.embed_long_status, body);
    }
    let prompt_tokens = texts.iter().map(|text| words::tokens(text)).sum();
    state.count(
        Step::Embeddings,
        StepStats {
            items: texts.len() as u64,
            prompt_tokens,
            ..StepStats::default()
        },
    );
    let vector = |(index, text): (usize, &String)| json!({"object": "embedding", "index": index, "embedding": words::vector(text, dimension)});
    let mut data: Vec<Value> = texts.iter().enumerate().map(vector).collect();
    if let Answer::CutOff(count) = answer {
        data.truncate(*count);
    }
    if config.embed_one_vector {
        data.truncate(1);
    }
    if config.embed_reversed {
        data.reverse();
    }
    let mut reply = json!({"object": "list", "data": data, "model": model});
    if config.usage {
        reply["usage"] = json!({"prompt_tokens": prompt_tokens, "total_tokens": prompt_tokens});
    }
    (200, reply)
}
