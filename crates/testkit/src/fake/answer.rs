//! One scripted answer.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// What to answer instead of the usual. On the wire each has the form given.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// `{"normal": true}`: the usual answer, for scripts that need one in between.
    Normal,
    /// `{"text": "..."}`: this text. (Embeddings: the usual answer.)
    Text(String),
    /// `{"status": 429, "headers": {"retry-after": "1"}, "body": "..."}`: this status; headers and body may be left out.
    Status {
        /// HTTP status.
        status: u16,
        /// More headers.
        headers: BTreeMap<String, String>,
        /// The body, verbatim.
        body: String,
    },
    /// `{"stall_ms": N}`: the usual answer, so many milliseconds late.
    Stall(u64),
    /// `{"cut_off": N}`: the usual answer's first N characters, `finish_reason` `length`. (Embeddings: the first N
    /// vectors.)
    CutOff(usize),
    /// `{"prose": true}`: a chatty answer without any of the forms that were asked for. (Embeddings: the usual answer.)
    Prose,
    /// `{"raw_body": "..."}`: status 200 and this body, verbatim.
    RawBody(String),
    /// `{"disconnect": true}`: the connection breaks off inside the answer.
    Disconnect,
}

impl Answer {
    /// A refusal of that status with an OpenAI-like error object.
    pub fn refusal(status: u16, message: &str) -> Self {
        let body =
            serde_json::json!({"error": {"message": message, "type": "invalid_request_error"}})
                .to_string();
        Self::Status {
            status,
            headers: BTreeMap::new(),
            body,
        }
    }

    /// A 429 that asks to come back after that many seconds.
    #[must_use]
    pub fn too_many(retry_after_seconds: u64) -> Self {
        let headers = [("retry-after".to_owned(), retry_after_seconds.to_string())].into();
        Self::Status {
            status: 429,
            headers,
            body: String::new(),
        }
    }
}

/// The forms with a single key.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Single {
    Normal(serde::de::IgnoredAny),
    Text(String),
    StallMs(u64),
    CutOff(usize),
    Prose(bool),
    RawBody(String),
    Disconnect(bool),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Status {
    status: u16,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default)]
    body: String,
}

impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let wrong = |error: serde_json::Error| serde::de::Error::custom(error);
        if value.get("status").is_some() {
            let Status {
                status,
                headers,
                body,
            } = serde_json::from_value(value).map_err(wrong)?;
            return Ok(Self::Status {
                status,
                headers,
                body,
            });
        }
        Ok(match serde_json::from_value(value).map_err(wrong)? {
            Single::Text(text) => Self::Text(text),
            Single::StallMs(stall_ms) => Self::Stall(stall_ms),
            Single::CutOff(chars) => Self::CutOff(chars),
            Single::Prose(true) => Self::Prose,
            Single::RawBody(body) => Self::RawBody(body),
            Single::Disconnect(true) => Self::Disconnect,
            // Switched off, each of them leaves the usual answer.
            Single::Normal(_) | Single::Prose(_) | Single::Disconnect(_) => Self::Normal,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read() {
        let read = |text: &str| serde_json::from_str::<Answer>(text).ok();
        assert_eq!(read(r#"{"text":"a"}"#), Some(Answer::Text("a".into())));
        assert_eq!(
            read(r#"{"status":429,"headers":{"retry-after":"2"}}"#),
            Some(Answer::too_many(2))
        );
        assert_eq!(read(r#"{"stall_ms":5}"#), Some(Answer::Stall(5)));
        assert_eq!(read(r#"{"cut_off":7}"#), Some(Answer::CutOff(7)));
        assert_eq!(read(r#"{"prose":true}"#), Some(Answer::Prose));
        assert_eq!(
            read(r#"{"raw_body":"{}"}"#),
            Some(Answer::RawBody("{}".into()))
        );
        assert_eq!(read(r#"{"disconnect":true}"#), Some(Answer::Disconnect));
        assert_eq!(read(r#"{"normal":true}"#), Some(Answer::Normal));
        for wrong in [
            r#"{}"#,
            r#"{"txt":"a"}"#,
            r#"{"status":"a"}"#,
            r#"{"status":1,"bdy":""}"#,
            r#"{"text":"a","prose":true}"#,
            "1",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
