//! Reads the answer of a chat endpoint, tolerant of everything that does not change its meaning.

use mneme_core::ports::LlmReply;
use serde_json::Value;

/// The reply in an answer's bytes, or what is wrong with them, in words without any part of the answer.
///
/// A missing `usage`, a content in parts and fields about reasoning are fine. An answer without any text is not: a model
/// that refuses has not said that there is nothing.
pub(crate) fn read(bytes: &[u8]) -> Result<LlmReply, &'static str> {
    let answer: Value = serde_json::from_slice(bytes).map_err(|_| "the answer is not JSON")?;
    let choice = answer
        .get("choices")
        .and_then(Value::as_array)
        .and_then(|choices| choices.first())
        .ok_or("the answer has no choices")?;
    let text = match choice.get("message") {
        Some(message) => content_text(message.get("content").unwrap_or(&Value::Null)),
        None => Some(
            choice
                .get("text")
                .and_then(Value::as_str)
                .map(str::to_owned)
                .ok_or("the answer's choice has no message")?,
        ),
    };
    let finish = choice
        .get("finish_reason")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let cut_off =
        finish.eq_ignore_ascii_case("length") || finish.eq_ignore_ascii_case("max_tokens");
    if finish.eq_ignore_ascii_case("content_filter") {
        return Err("the provider held the answer back");
    }
    let Some(text) = text.or_else(|| cut_off.then(String::new)) else {
        return Err("the answer has no text");
    };
    Ok(LlmReply {
        text,
        cut_off,
        tokens: tokens(answer.get("usage")),
    })
}

/// The text of a content: a text, or an array of parts of which only texts count. `None` when there is none, as when a
/// model refuses.
fn content_text(content: &Value) -> Option<String> {
    match content {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let texts: Vec<&str> = parts.iter().filter_map(part_text).collect();
            (!texts.is_empty()).then(|| texts.concat())
        }
        _ => None,
    }
}

/// A part's text; reasoning, refusals and images have none.
fn part_text(part: &Value) -> Option<&str> {
    if let Value::String(text) = part {
        return Some(text);
    }
    match part.get("type").and_then(Value::as_str) {
        None | Some("text" | "output_text") => part.get("text").and_then(Value::as_str),
        Some(_) => None,
    }
}

fn tokens(usage: Option<&Value>) -> Option<(u64, u64)> {
    let usage = usage?;
    let count = |name: &str| usage.get(name).and_then(Value::as_u64);
    match (count("prompt_tokens"), count("completion_tokens")) {
        (None, None) => None,
        (prompt, completion) => Some((prompt.unwrap_or(0), completion.unwrap_or(0))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reply(answer: &Value) -> LlmReply {
        read(answer.to_string().as_bytes()).expect("readable")
    }

    #[test]
    fn contents_in_every_form() {
        for (message, expected) in [
            (json!({"content": "a"}), "a"),
            (
                json!({"content": "a", "reasoning_details": [{"text": "hm"}]}),
                "a",
            ),
            (
                json!({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}),
                "ab",
            ),
            (
                json!({"content": [{"type": "thinking", "thinking": "hm"}, {"type": "output_text", "text": "b"}, "c"]}),
                "bc",
            ),
            (json!({"content": ""}), ""),
        ] {
            let reply = reply(&json!({"choices": [{"message": message}]}));
            assert_eq!(
                (reply.text.as_str(), reply.cut_off, reply.tokens),
                (expected, false, None),
                "{message}"
            );
        }
    }

    #[test]
    fn an_answer_without_text_is_no_answer() {
        for choice in [
            json!({"message": {"content": null, "reasoning_content": "hm"}, "finish_reason": "stop"}),
            json!({"message": {"content": null, "refusal": "no"}}),
            json!({"message": {"reasoning": "hm"}}),
            json!({"message": {"content": [{"type": "reasoning", "text": "hm"}]}}),
            json!({"message": {"content": 5}}),
            json!({"message": {"content": "half"}, "finish_reason": "content_filter"}),
        ] {
            let answer = json!({"choices": [choice]});
            assert!(read(answer.to_string().as_bytes()).is_err(), "{answer}");
        }
        let spent = json!({"choices": [{"message": {"content": null}, "finish_reason": "length"}]});
        assert!(reply(&spent).cut_off);
    }

    #[test]
    fn cut_off_and_usage() {
        let answer = json!({"choices": [{"message": {"content": "a"}, "finish_reason": "length"}], "usage": {"prompt_tokens": 3}});
        assert_eq!(
            reply(&answer),
            LlmReply {
                text: "a".into(),
                cut_off: true,
                tokens: Some((3, 0))
            }
        );
        let answer = json!({"choices": [{"message": {"content": "a"}, "finish_reason": null}], "usage": null});
        assert_eq!(
            reply(&answer),
            LlmReply {
                text: "a".into(),
                cut_off: false,
                tokens: None
            }
        );
    }

    #[test]
    fn other_answers_are_named() {
        for (body, part) in [
            ("<html>", "JSON"),
            ("{}", "choices"),
            (r#"{"choices":[]}"#, "choices"),
            (r#"{"choices":[{}]}"#, "message"),
            ("[]", "choices"),
        ] {
            assert!(read(body.as_bytes()).expect_err(body).contains(part));
        }
    }
}
