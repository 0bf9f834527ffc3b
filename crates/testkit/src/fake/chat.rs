//! `/chat/completions`.

use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::Answer;
use super::behaviour;
use super::config::Config;
use super::state::State;
use super::stats::StepStats;
use super::step::Step;
use crate::words;

const PROSE: &str = "Sure! Here is what I found out about the person. It was a nice talk, and there is a lot to say about it. Let me know if you need more.";

/// What the fake reads of a chat request.
#[derive(Deserialize)]
struct Request {
    model: String,
    messages: Vec<Message>,
    #[serde(default)]
    max_tokens: Option<u64>,
    #[serde(default)]
    temperature: Option<f64>,
}

#[derive(Deserialize)]
struct Message {
    role: String,
    content: Value,
}

impl Request {
    /// The texts of one role, joined.
    fn said(&self, role: &str) -> String {
        self.messages
            .iter()
            .filter(|message| message.role == role)
            .map(Message::text)
            .collect::<Vec<_>>()
            .join("\n")
    }
}

impl Message {
    fn text(&self) -> String {
        match &self.content {
            Value::String(text) => text.clone(),
            Value::Array(parts) => parts
                .iter()
                .filter_map(|part| part.get("text"))
                .filter_map(Value::as_str)
                .collect(),
            _ => String::new(),
        }
    }
}

/// The step of a chat body.
pub(super) fn step(body: &Value) -> Step {
    let system =
        serde_json::from_value::<Request>(body.clone()).map(|request| request.said("system"));
    Step::of_system(&system.unwrap_or_default())
}

/// A status and a JSON body.
pub(super) type Reply = (u16, Value);

/// Answers a chat; `answer` is none of those that are no chat at all.
pub(super) fn reply(
    state: &State,
    config: &Config,
    step: Step,
    body: &Value,
    answer: &Answer,
) -> Reply {
    let request = match serde_json::from_value::<Request>(body.clone()) {
        Ok(request) => request,
        Err(error) => return refusal(&format!("cannot read the request: {error}"), None),
    };
    if config.refuse_max_tokens && request.max_tokens.is_some() {
        return refusal(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            Some("max_tokens"),
        );
    }
    if config.refuse_temperature
        && request
            .temperature
            .is_some_and(|temperature| temperature != 1.0)
    {
        return refusal(
            "Unsupported value: 'temperature' does not support this value with this model.",
            Some("temperature"),
        );
    }
    let (system, user) = (request.said("system"), request.said("user"));
    let usual = || {
        state
            .canned(step)
            .unwrap_or_else(|| behaviour::reply(step, &user))
    };
    let (text, finish) = match answer {
        Answer::Text(text) => (text.clone(), "stop"),
        Answer::Prose => (PROSE.to_owned(), "stop"),
        Answer::CutOff(chars) => (usual().chars().take(*chars).collect(), "length"),
        _ => (usual(), "stop"),
    };
    let prompt_tokens = request
        .messages
        .iter()
        .map(|message| words::tokens(&message.text()))
        .sum();
    let completion_tokens = words::tokens(&text);
    let cached_tokens = state.cached_tokens(&system);
    state.count(
        step,
        StepStats {
            prompt_tokens,
            completion_tokens,
            cached_tokens,
            ..StepStats::default()
        },
    );
    let mut reply = json!({
        "id": "chatcmpl-fake", "object": "chat.completion", "created": 0, "model": request.model,
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}],
    });
    if config.usage {
        reply["usage"] = json!({
            "prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens, "total_tokens": prompt_tokens + completion_tokens,
            "prompt_tokens_details": {"cached_tokens": cached_tokens},
        });
    }
    (200, reply)
}

/// A 400 as OpenAI words it.
pub(super) fn refusal(message: &str, param: Option<&str>) -> Reply {
    (
        400,
        json!({"error": {"message": message, "type": "invalid_request_error", "param": param, "code": null}}),
    )
}
