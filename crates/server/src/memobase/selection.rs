//! The parameters that choose profile memories, shared by the profile listing and the context.

use std::collections::BTreeMap;

use mneme_engine::api::{ChatMessage, ProfileQuery};
use serde::Deserialize;
use serde_json::Value;

use super::blob_shape::Speaker;
use crate::call::Fields;
use crate::coerce::{self, INT_ABS_MAX};
use crate::error::Failure;
use crate::repair::repair_json;
use crate::validation::read_typed;

/// The parameters as text and numbers, their JSON not read yet.
#[derive(Debug)]
pub(super) struct Selection {
    prefer_topics: Vec<String>,
    only_topics: Option<Vec<String>>,
    max_subtopic_size: Option<i64>,
    topic_limits: Option<String>,
    chats: Option<String>,
}

impl Selection {
    /// Reads them from the query. `topic_limits` is what the TypeScript SDK calls `topic_limits_json`.
    pub(super) fn read(fields: &mut Fields) -> Option<Self> {
        let max_subtopic_size = fields.maybe_int("max_subtopic_size")?;
        Some(Self {
            prefer_topics: fields.maybe_list("prefer_topics").unwrap_or_default(),
            only_topics: fields.maybe_list("only_topics").map(|topics| {
                topics
                    .into_iter()
                    .filter(|topic| !topic.is_empty())
                    .collect()
            }),
            max_subtopic_size,
            topic_limits: fields
                .maybe_text("topic_limits_json")
                .or_else(|| fields.maybe_text("topic_limits")),
            chats: fields.maybe_text("chats_str"),
        })
    }

    /// Reads the JSON inside. `complaint` begins the message when it is wrong.
    pub(super) fn into_query(self, complaint: &str) -> Result<ProfileQuery, Failure> {
        let refuse = |reason: String| Failure::invalid(format!("{complaint}: {reason}"));
        Ok(ProfileQuery {
            prefer_topics: self.prefer_topics,
            only_topics: self.only_topics,
            max_subtopic_size: self.max_subtopic_size,
            topic_limits: topic_limits(self.topic_limits.as_deref().unwrap_or_default())
                .map_err(refuse)?,
            topk: None,
            max_token_size: None,
            chats: chats(self.chats.as_deref().unwrap_or_default()).map_err(refuse)?,
        })
    }
}

fn json(name: &str, text: &str) -> Result<Value, String> {
    serde_json::from_str(&repair_json(text)).map_err(|error| format!("{name}: {error}"))
}

fn topic_limits(text: &str) -> Result<BTreeMap<String, i64>, String> {
    if text.is_empty() {
        return Ok(BTreeMap::new());
    }
    let Value::Object(map) = json("topic_limits_json", text)? else {
        return Err("topic_limits_json: expected an object".to_owned());
    };
    map.into_iter()
        .map(|(topic, limit)| match limit_of(&limit) {
            Some(limit) => Ok((topic, limit)),
            None => Err(format!(
                "topic_limits_json: the limit of {topic:?} is not an integer"
            )),
        })
        .collect()
}

fn limit_of(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) if number.is_u64() => {
            Some(number.as_i64().unwrap_or(INT_ABS_MAX).min(INT_ABS_MAX))
        }
        Value::Number(number) => number.as_i64().map(|limit| limit.max(-INT_ABS_MAX)),
        Value::String(text) => coerce::int(text),
        _ => None,
    }
}

#[derive(Debug, Deserialize)]
struct Chat {
    role: Speaker,
    content: String,
}

fn chats(text: &str) -> Result<Vec<ChatMessage>, String> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let chats: Vec<Chat> = read_typed(json("chats_str", text)?)
        .map_err(|misfit| format!("chats_str: {}", misfit.into_sentence()))?;
    Ok(chats
        .into_iter()
        .map(|chat| ChatMessage {
            role: chat.role.as_str().to_owned(),
            content: chat.content,
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits() {
        assert_eq!(topic_limits(""), Ok(BTreeMap::new()));
        let limits = topic_limits(
            r#"{"a":1,"b":"2","c":-1,"d":0,"e":99999999999999999999,"f":18446744073709551615}"#,
        );
        assert!(limits.is_err(), "a number beyond 64 bits is a float");
        let limits =
            topic_limits(r#"{"a":1,"b":" 2 ","c":-1,"d":0,"f":18446744073709551615}"#).unwrap();
        assert_eq!(
            limits.into_values().collect::<Vec<_>>(),
            [1, 2, -1, 0, INT_ABS_MAX]
        );
        for text in [
            "[",
            "[]",
            "1",
            r#"{"a":1.5}"#,
            r#"{"a":null}"#,
            r#"{"a":true}"#,
            r#"{"a":"x"}"#,
        ] {
            assert!(topic_limits(text).is_err(), "{text}");
        }
    }

    #[test]
    fn conversations() {
        assert_eq!(chats(""), Ok(vec![]));
        let read =
            chats(r#"[{"role":"user","content":"a & b \ud83d","alias":null,"created_at":null}]"#)
                .unwrap();
        assert_eq!(
            read,
            [ChatMessage {
                role: "user".to_owned(),
                content: "a & b \u{fffd}".to_owned()
            }]
        );
        for text in [
            "[{",
            "{}",
            r#"[{"role":"system","content":"x"}]"#,
            r#"[{"role":"user"}]"#,
            "[1]",
        ] {
            assert!(chats(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_complaint_comes_first() {
        let selection = Selection {
            prefer_topics: vec![],
            only_topics: None,
            max_subtopic_size: None,
            topic_limits: Some("[".to_owned()),
            chats: None,
        };
        let Err(Failure::Refused { errno, message }) =
            selection.into_query("Invalid JSON requests")
        else {
            panic!("refused")
        };
        assert_eq!(errno, 400);
        assert!(
            message.starts_with("Invalid JSON requests: topic_limits_json: "),
            "{message}"
        );
    }
}
