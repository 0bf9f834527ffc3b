//! JSON messages: an array, an object with `messages`, or one message a line.

use mneme_core::source::Role;
use serde_json::Value;

use super::{Line, ReadError};

/// All JSON values of a text, one after the other; `None` when it is not JSON throughout.
pub(super) fn values(text: &str) -> Option<Vec<Value>> {
    serde_json::Deserializer::from_str(text)
        .into_iter::<Value>()
        .collect::<Result<Vec<_>, _>>()
        .ok()
        .filter(|values| !values.is_empty())
}

pub(super) fn messages(values: &[Value]) -> Result<Vec<Line>, ReadError> {
    let mut lines = Vec::new();
    for value in values {
        match value {
            Value::Array(items) => lines.extend(items.iter().filter_map(message)),
            Value::Object(map) => match map
                .get("messages")
                .or_else(|| value.pointer("/blob_data/messages"))
            {
                Some(Value::Array(items)) => lines.extend(items.iter().filter_map(message)),
                _ => lines.extend(message(value)),
            },
            _ => {}
        }
    }
    if lines.is_empty() {
        return Err(ReadError::Form("no messages found: expected objects with role and content, lines \"[time] name: text\", or LoCoMo's JSON".to_owned()));
    }
    Ok(lines)
}

fn message(value: &Value) -> Option<Line> {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let role = text("role")?;
    let content = text("content")?;
    let speaker = text("alias")
        .or_else(|| text("name"))
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| role.clone());
    Some(Line {
        speaker,
        role: Role::parse(&role),
        content,
        time: text("created_at").or_else(|| text("timestamp")),
        session: text("session_id"),
    })
}
