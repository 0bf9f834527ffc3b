//! Shape errors in the form that Memobase's server (FastAPI) gives them: HTTP 422 with
//! `{"detail":[{"type","loc","msg","input"}]}`, all errors of a request at once.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use serde_path_to_error::Segment;

/// Errors that are shown at most.
const FLAWS_MAX: usize = 50;
/// Characters of a refused text that are shown at most.
const INPUT_CHARS_MAX: usize = 256;
/// Characters of a message at most; messages of the JSON reader quote what they refuse.
const MESSAGE_CHARS_MAX: usize = 300;

/// A step on the way to the place of an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(crate) enum Step {
    /// A part of the request, or a key.
    Name(String),
    /// A place in a list, from 0.
    Index(usize),
}

impl From<&str> for Step {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

/// One shape error.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Flaw {
    #[serde(rename = "type")]
    kind: &'static str,
    loc: Vec<Step>,
    msg: String,
    input: Value,
}

impl Flaw {
    /// An error at `part.key`.
    pub(crate) fn at(
        part: &str,
        key: &str,
        kind: &'static str,
        message: &str,
        input: Option<&str>,
    ) -> Self {
        let input = input.map_or(Value::Null, |text| {
            Value::String(cut(text, INPUT_CHARS_MAX))
        });
        Self {
            kind,
            loc: vec![part.into(), key.into()],
            msg: message.to_owned(),
            input,
        }
    }

    /// `part.key` has to be there.
    pub(crate) fn missing(part: &str, key: &str) -> Self {
        Self::at(part, key, "missing", "Field required", None)
    }

    /// The body as a whole is wrong.
    pub(crate) fn body(kind: &'static str, message: &str) -> Self {
        Self {
            kind,
            loc: vec!["body".into()],
            msg: cut(message, MESSAGE_CHARS_MAX),
            input: Value::Null,
        }
    }
}

/// The shape errors of one request.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Flaws(Vec<Flaw>);

impl Flaws {
    /// Keeps one more.
    pub(crate) fn push(&mut self, flaw: Flaw) {
        if self.0.len() < FLAWS_MAX {
            self.0.push(flaw);
        }
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The errors in the order they were found.
    pub(crate) fn into_vec(self) -> Vec<Flaw> {
        self.0
    }
}

/// What a typed reader found wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Misfit {
    /// The way to the place.
    pub(crate) path: Vec<Step>,
    /// What is wrong there.
    pub(crate) message: String,
}

impl Misfit {
    /// As a 422 error of the body.
    pub(crate) fn into_flaw(self) -> Flaw {
        let mut loc = vec![Step::from("body")];
        loc.extend(self.path);
        if let Some(field) = self
            .message
            .strip_prefix("missing field `")
            .and_then(|rest| rest.strip_suffix('`'))
        {
            loc.push(field.into());
            return Flaw {
                kind: "missing",
                loc,
                msg: "Field required".to_owned(),
                input: Value::Null,
            };
        }
        let kind = if self.message.starts_with("unknown variant") {
            "enum"
        } else {
            "type_error"
        };
        Flaw {
            kind,
            loc,
            msg: self.message,
            input: Value::Null,
        }
    }

    /// As one sentence: `messages.0.role: unknown variant …`.
    pub(crate) fn into_sentence(self) -> String {
        let place: Vec<String> = self
            .path
            .into_iter()
            .map(|step| match step {
                Step::Name(name) => name,
                Step::Index(index) => index.to_string(),
            })
            .collect();
        if place.is_empty() {
            self.message
        } else {
            format!("{}: {}", place.join("."), self.message)
        }
    }
}

/// Reads a JSON value as a `T`; unknown keys are left out.
pub(crate) fn read_typed<T: DeserializeOwned>(value: Value) -> Result<T, Misfit> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error
            .path()
            .iter()
            .filter_map(|segment| match segment {
                Segment::Seq { index } => Some(Step::Index(*index)),
                Segment::Map { key } => Some(Step::Name(cut(key, INPUT_CHARS_MAX))),
                Segment::Enum { .. } | Segment::Unknown => None,
            })
            .collect();
        Misfit {
            path,
            message: cut(&error.into_inner().to_string(), MESSAGE_CHARS_MAX),
        }
    })
}

fn cut(text: &str, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Item {
        #[expect(dead_code, reason = "only its presence matters here")]
        tag: String,
    }

    #[derive(Debug, Deserialize)]
    struct Outer {
        #[expect(dead_code, reason = "only its shape matters here")]
        items: Vec<Item>,
    }

    #[test]
    fn a_missing_key_is_named_with_its_place() {
        let misfit = read_typed::<Outer>(json!({"items": [{"tag": "a"}, {}]})).unwrap_err();
        let flaw = serde_json::to_value(misfit.into_flaw()).unwrap();
        assert_eq!(
            flaw,
            json!({"type": "missing", "loc": ["body", "items", 1, "tag"], "msg": "Field required", "input": null})
        );
    }

    #[test]
    fn a_wrong_type_is_named_with_its_place() {
        let misfit = read_typed::<Outer>(json!({"items": [{"tag": 5}]})).unwrap_err();
        assert_eq!(
            misfit.clone().into_sentence(),
            "items.0.tag: invalid type: integer `5`, expected a string"
        );
        assert_eq!(
            misfit.into_flaw().loc,
            ["body", "items"]
                .map(Step::from)
                .into_iter()
                .chain([Step::Index(0), "tag".into()])
                .collect::<Vec<_>>()
        );
    }

    #[test]
    fn long_inputs_and_many_flaws_are_cut() {
        let flaw = Flaw::at("query", "q", "int_parsing", "no", Some(&"é".repeat(1000)));
        assert_eq!(
            flaw.input.as_str().map(|text| text.chars().count()),
            Some(INPUT_CHARS_MAX + 1)
        );
        let mut flaws = Flaws::default();
        for _ in 0..1000 {
            flaws.push(flaw.clone());
        }
        assert_eq!(flaws.into_vec().len(), FLAWS_MAX);
    }

    proptest! {
        #[test]
        fn cutting_never_panics(text in any::<String>(), at in 0_usize..20) {
            prop_assert!(cut(&text, at).chars().count() <= at + 1);
        }
    }
}
