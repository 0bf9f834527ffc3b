//! The content of each kind of blob: checked, and brought into the shape in which it is stored and given back
//!. Unknown keys are dropped, optional ones are filled with `null`.

use mneme_core::source::SourceKind;
use mneme_core::time::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::datetime;
use crate::validation::{Misfit, read_typed};

/// Who may speak in a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Speaker {
    /// The person whom the memory is about.
    User,
    /// The model.
    Assistant,
}

impl Speaker {
    /// The name on the wire.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Message {
    role: Speaker,
    content: String,
    alias: Option<String>,
    /// Any text: clients send dates of stories, too.
    created_at: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Chat {
    messages: Vec<Message>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Summary {
    summary: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Doc {
    content: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Code {
    content: String,
    language: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Image {
    url: Option<String>,
    base64: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Transcript {
    transcripts: Vec<Spoken>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Spoken {
    content: String,
    start_timestamp_in_seconds: f64,
    end_time_timestamp_in_seconds: Option<f64>,
    speaker: Option<String>,
}

/// What the TypeScript SDK sends inside the content, because it sends the whole blob.
#[derive(Debug, Deserialize)]
struct Inner {
    fields: Option<Map<String, Value>>,
    #[serde(default, deserialize_with = "datetime::maybe")]
    created_at: Option<Timestamp>,
}

/// A blob's content, ready to be stored.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shaped {
    /// The content in the shape of its kind.
    pub(super) body: Value,
    /// Fields that stood inside the content.
    pub(super) fields: Option<Map<String, Value>>,
    /// The time that stood inside the content.
    pub(super) said_at: Option<Timestamp>,
}

/// Checks the content of a blob of that kind.
///
/// # Errors
/// One sentence that names the place.
pub(super) fn shape(kind: SourceKind, mut data: Map<String, Value>) -> Result<Shaped, String> {
    let beside = ["fields", "created_at"]
        .into_iter()
        .filter_map(|key| Some((key.to_owned(), data.remove(key)?)))
        .collect();
    let inner: Inner = read_typed(Value::Object(beside)).map_err(Misfit::into_sentence)?;
    let body = match kind {
        SourceKind::Chat => through::<Chat>(data),
        SourceKind::Summary => through::<Summary>(data),
        SourceKind::Doc => through::<Doc>(data),
        SourceKind::Code => through::<Code>(data),
        SourceKind::Image => through::<Image>(data),
        SourceKind::Transcript => through::<Transcript>(data),
    }?;
    Ok(Shaped {
        body,
        fields: inner.fields,
        said_at: inner.created_at,
    })
}

/// Into the type and out again: what remains is exactly what the type knows.
fn through<T: Serialize + DeserializeOwned>(data: Map<String, Value>) -> Result<Value, String> {
    let typed: T = read_typed(Value::Object(data)).map_err(Misfit::into_sentence)?;
    serde_json::to_value(typed).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn shaped(kind: SourceKind, data: Value) -> Result<Shaped, String> {
        let Value::Object(map) = data else {
            panic!("an object")
        };
        shape(kind, map)
    }

    #[test]
    fn stored_shapes() {
        let table = [
            (
                SourceKind::Chat,
                json!({"type": "chat", "messages": [{"role": "user", "content": "hi", "x": 1}, {"role": "assistant", "content": "", "alias": "Al", "created_at": "y1"}]}),
                json!({"messages": [{"role": "user", "content": "hi", "alias": null, "created_at": null}, {"role": "assistant", "content": "", "alias": "Al", "created_at": "y1"}]}),
            ),
            (
                SourceKind::Chat,
                json!({"messages": []}),
                json!({"messages": []}),
            ),
            (
                SourceKind::Summary,
                json!({"summary": "s"}),
                json!({"summary": "s"}),
            ),
            (
                SourceKind::Doc,
                json!({"content": "d", "type": "doc"}),
                json!({"content": "d"}),
            ),
            (
                SourceKind::Code,
                json!({"content": "c"}),
                json!({"content": "c", "language": null}),
            ),
            (
                SourceKind::Image,
                json!({"url": "u"}),
                json!({"url": "u", "base64": null}),
            ),
            (
                SourceKind::Transcript,
                json!({"transcripts": [{"content": "t", "start_timestamp_in_seconds": 1}]}),
                json!({"transcripts": [{"content": "t", "start_timestamp_in_seconds": 1.0, "end_time_timestamp_in_seconds": null, "speaker": null}]}),
            ),
        ];
        for (kind, data, stored) in table {
            assert_eq!(shaped(kind, data).map(|shaped| shaped.body), Ok(stored));
        }
    }

    #[test]
    fn wrong_shapes_are_named() {
        let table = [
            (
                SourceKind::Chat,
                json!({"messages": [{"role": "tool", "content": "x"}]}),
                "messages.0.role: unknown variant `tool`, expected `user` or `assistant`",
            ),
            (
                SourceKind::Chat,
                json!({"messages": [{"role": "user", "content": [{"type": "text"}]}]}),
                "messages.0.content: invalid type: sequence, expected a string",
            ),
            (
                SourceKind::Chat,
                json!({"messages": [{"role": "user"}]}),
                "messages.0: missing field `content`",
            ),
            (SourceKind::Chat, json!({}), "missing field `messages`"),
            (
                SourceKind::Doc,
                json!({"content": 5}),
                "content: invalid type: integer `5`, expected a string",
            ),
            (
                SourceKind::Summary,
                json!({"content": "x"}),
                "missing field `summary`",
            ),
            (
                SourceKind::Doc,
                json!({"content": "d", "fields": 1}),
                "fields: invalid type: integer `1`, expected a map",
            ),
            (
                SourceKind::Doc,
                json!({"content": "d", "created_at": "soon"}),
                "created_at: Input should be a valid datetime",
            ),
        ];
        for (kind, data, message) in table {
            assert_eq!(shaped(kind, data), Err(message.to_owned()));
        }
    }

    #[test]
    fn fields_and_time_may_stand_inside() {
        let shaped = shaped(
            SourceKind::Doc,
            json!({"content": "d", "fields": {"k": 1}, "created_at": "2025-01-14T10:00:00.000Z"}),
        )
        .unwrap();
        assert_eq!(shaped.body, json!({"content": "d"}));
        assert_eq!(shaped.fields.map(Value::Object), Some(json!({"k": 1})));
        assert_eq!(
            shaped.said_at.map(|at| at.to_string()).as_deref(),
            Some("2025-01-14T10:00:00.000000Z")
        );
    }

    proptest! {
        #[test]
        fn shaping_twice_changes_nothing(content in any::<String>(), alias in proptest::option::of(any::<String>())) {
            let once = shaped(SourceKind::Chat, json!({"messages": [{"role": "user", "content": content, "alias": alias}]})).unwrap();
            prop_assert_eq!(shaped(SourceKind::Chat, once.body.clone()).unwrap(), once);
        }
    }
}
