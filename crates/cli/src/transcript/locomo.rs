//! LoCoMo's conversations, in the original form and in a flattened one.

use serde_json::Value;

use super::{Line, ReadError};

/// `None` when the values are not LoCoMo's.
pub(super) fn read(
    values: &[Value],
    conversation: Option<&str>,
) -> Option<Result<Vec<Line>, ReadError>> {
    let items: Vec<&Value> = match values {
        [Value::Array(items)] => items.iter().collect(),
        [value] => match value.get("conversations") {
            Some(Value::Array(items)) => items.iter().collect(),
            _ => vec![value],
        },
        _ => return None,
    };
    let found: Vec<(String, &Value)> = items
        .into_iter()
        .filter_map(|item| Some((name(item)?, item)))
        .collect();
    if found.is_empty() {
        return None;
    }
    Some(choose(&found, conversation).map(lines))
}

/// The name of a conversation, if it is one.
fn name(item: &Value) -> Option<String> {
    let flat = item.get("turns").is_some_and(Value::is_array) && item.get("speaker_a").is_some();
    let original = item
        .get("conversation")
        .is_some_and(|c| c.get("speaker_a").is_some());
    if !flat && !original {
        return None;
    }
    let id = item.get("id").or_else(|| item.get("sample_id"))?;
    Some(id.as_str().map_or_else(|| id.to_string(), str::to_owned))
}

fn choose<'a>(found: &[(String, &'a Value)], asked: Option<&str>) -> Result<&'a Value, ReadError> {
    let known = || found.iter().map(|(name, _)| name.clone()).collect();
    match asked {
        None if found.len() == 1 => found
            .first()
            .map(|(_, item)| *item)
            .ok_or_else(|| ReadError::Form("no conversation".to_owned())),
        None => Err(ReadError::Conversation {
            message: "choose one of several conversations with --conversation".to_owned(),
            known: known(),
        }),
        Some(asked) => found
            .iter()
            .find(|(name, _)| name == asked || name.strip_prefix("conv-") == Some(asked))
            .map(|(_, item)| *item)
            .ok_or_else(|| ReadError::Conversation {
                message: format!("there is no conversation `{asked}`"),
                known: known(),
            }),
    }
}

fn lines(item: &Value) -> Vec<Line> {
    match item.get("turns").and_then(Value::as_array) {
        Some(turns) => turns
            .iter()
            .filter_map(|turn| {
                line(
                    turn,
                    turn.get("date"),
                    turn.get("session").map(plain),
                    "caption",
                )
            })
            .collect(),
        None => original(item.get("conversation").unwrap_or(&Value::Null)),
    }
}

/// `session_N` arrays beside `session_N_date_time` texts, in the order of N.
fn original(conversation: &Value) -> Vec<Line> {
    let Some(map) = conversation.as_object() else {
        return Vec::new();
    };
    let mut sessions: Vec<(u32, &Vec<Value>)> = map
        .iter()
        .filter_map(|(key, value)| {
            Some((
                key.strip_prefix("session_")?.parse().ok()?,
                value.as_array()?,
            ))
        })
        .collect();
    sessions.sort_by_key(|(number, _)| *number);
    sessions
        .into_iter()
        .flat_map(|(number, turns)| {
            let date = map.get(&format!("session_{number}_date_time"));
            turns
                .iter()
                .filter_map(move |turn| line(turn, date, Some(number.to_string()), "blip_caption"))
        })
        .collect()
}

fn line(
    turn: &Value,
    date: Option<&Value>,
    session: Option<String>,
    caption_key: &str,
) -> Option<Line> {
    let text = |key: &str| turn.get(key).and_then(Value::as_str);
    let mut content = text("text")?.to_owned();
    if let Some(caption) = text(caption_key).filter(|caption| !caption.trim().is_empty()) {
        content = format!("{content} [photo: {}]", caption.trim())
            .trim_start()
            .to_owned();
    }
    Some(Line {
        speaker: text("speaker")?.to_owned(),
        role: None,
        content,
        time: date.and_then(Value::as_str).map(str::to_owned),
        session,
    })
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
