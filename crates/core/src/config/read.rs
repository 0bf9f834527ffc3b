//! Reading and checking the YAML text.

use serde_json::{Map, Value};

use super::{ProfileConfig, SubTopic, TagSpec, Topic};
use crate::distil::Language;
use crate::limits::PROFILE_CONFIG_CHARS_MAX;
use crate::memory::normalise_heading;

/// Why a configuration is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// More than [`PROFILE_CONFIG_CHARS_MAX`] characters.
    #[error("Profile config is too long")]
    TooLong,
    /// Not YAML, or a value of the wrong shape; says what and where.
    #[error("Invalid profile config: {0}")]
    Invalid(String),
}

type Checked<T> = Result<T, ConfigError>;

fn invalid<T>(message: impl Into<String>) -> Checked<T> {
    Err(ConfigError::Invalid(message.into()))
}

/// Reads a configuration. An empty text, `null` or comments alone are the defaults. Unknown keys are let through:
/// a configuration may be written for a newer server.
///
/// # Errors
/// [`ConfigError`] says what is wrong and where.
pub fn parse(text: &str) -> Checked<ProfileConfig> {
    if text.chars().count() > PROFILE_CONFIG_CHARS_MAX {
        return Err(ConfigError::TooLong);
    }
    if text
        .lines()
        .all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
    {
        return Ok(ProfileConfig::default());
    }
    let value: Value = serde_saphyr::from_str(text)
        .map_err(|error| ConfigError::Invalid(first_line(&error.to_string())))?;
    match value {
        Value::Null => Ok(ProfileConfig::default()),
        Value::Object(map) => from_map(&map),
        other => invalid(format!(
            "expected a mapping of keys at the top, found {}",
            name_of(&other)
        )),
    }
}

fn from_map(map: &Map<String, Value>) -> Checked<ProfileConfig> {
    let overwrite = match present(map, "overwrite_user_profiles") {
        Some(value) => Some(topics(value, "overwrite_user_profiles")?),
        None => None,
    };
    let additional = match present(map, "additional_user_profiles") {
        Some(value) => topics(value, "additional_user_profiles")?,
        None => Vec::new(),
    };
    let event_tags = match present(map, "event_tags") {
        Some(value) => Some(tags(value)?),
        None => None,
    };
    Ok(ProfileConfig {
        language: language(map)?,
        overwrite,
        additional,
        strict: boolean(map, "profile_strict_mode", "profile_strict_mode")?,
        validate: boolean(map, "profile_validate_mode", "profile_validate_mode")?,
        event_theme: string(map, "event_theme_requirement", "event_theme_requirement")?,
        event_tags,
    })
}

fn language(map: &Map<String, Value>) -> Checked<Option<Language>> {
    match string(map, "language", "language")?.as_deref() {
        None => Ok(None),
        Some("en") => Ok(Some(Language::En)),
        Some("zh") => Ok(Some(Language::Zh)),
        Some(other) => invalid(format!(
            "language: `{other}` is not supported, use en or zh"
        )),
    }
}

fn topics(value: &Value, place: &str) -> Checked<Vec<Topic>> {
    let Value::Array(items) = value else {
        return invalid(format!(
            "{place}: expected a list of topics, found {}",
            name_of(value)
        ));
    };
    items
        .iter()
        .enumerate()
        .map(|(index, item)| topic(item, &format!("{place}[{index}]")))
        .collect()
}

fn topic(value: &Value, place: &str) -> Checked<Topic> {
    let Value::Object(map) = value else {
        return invalid(format!(
            "{place}: expected a topic with the keys topic and sub_topics, found {}",
            name_of(value)
        ));
    };
    if let Some(key) = map
        .keys()
        .find(|key| !["topic", "description", "sub_topics"].contains(&key.as_str()))
    {
        return invalid(format!(
            "{place}: unknown key `{key}`, a topic has topic, description and sub_topics"
        ));
    }
    let sub_topics = match present(map, "sub_topics") {
        None => Vec::new(),
        Some(Value::Array(items)) => items
            .iter()
            .enumerate()
            .map(|(index, item)| sub_topic(item, &format!("{place}.sub_topics[{index}]")))
            .collect::<Checked<_>>()?,
        Some(other) => {
            return invalid(format!(
                "{place}.sub_topics: expected a list, found {}",
                name_of(other)
            ));
        }
    };
    Ok(Topic {
        topic: heading(map, "topic", place)?,
        description: string(map, "description", &format!("{place}.description"))?,
        sub_topics,
    })
}

fn sub_topic(value: &Value, place: &str) -> Checked<SubTopic> {
    match value {
        Value::String(name) if !name.trim().is_empty() => Ok(SubTopic {
            name: normalise_heading(name),
            description: None,
            update_description: None,
            validate_value: false,
        }),
        Value::Object(map) => Ok(SubTopic {
            name: heading(map, "name", place)?,
            description: string(map, "description", &format!("{place}.description"))?,
            update_description: string(
                map,
                "update_description",
                &format!("{place}.update_description"),
            )?,
            validate_value: boolean(map, "validate_value", &format!("{place}.validate_value"))?
                .unwrap_or(false),
        }),
        other => invalid(format!(
            "{place}: expected a name or a mapping with the key name, found {}",
            name_of(other)
        )),
    }
}

fn tags(value: &Value) -> Checked<Vec<TagSpec>> {
    let Value::Array(items) = value else {
        return invalid(format!(
            "event_tags: expected a list, found {}",
            name_of(value)
        ));
    };
    items
        .iter()
        .enumerate()
        .map(|(index, item)| {
            let place = format!("event_tags[{index}]");
            match item {
                Value::String(name) if !name.trim().is_empty() => Ok(TagSpec {
                    name: normalise_heading(name),
                    description: None,
                }),
                Value::Object(map) => Ok(TagSpec {
                    name: heading(map, "name", &place)?,
                    description: string(map, "description", &format!("{place}.description"))?,
                }),
                other => invalid(format!(
                    "{place}: expected a name or a mapping with the key name, found {}",
                    name_of(other)
                )),
            }
        })
        .collect()
}

fn present<'a>(map: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    map.get(key).filter(|value| !value.is_null())
}

fn heading(map: &Map<String, Value>, key: &str, place: &str) -> Checked<String> {
    match present(map, key) {
        Some(Value::String(name)) if !name.trim().is_empty() => Ok(normalise_heading(name)),
        Some(Value::String(_)) => invalid(format!("{place}.{key}: must not be empty")),
        Some(other) => invalid(format!(
            "{place}.{key}: expected a text, found {}",
            name_of(other)
        )),
        None => invalid(format!("{place}: the key {key} is missing")),
    }
}

fn string(map: &Map<String, Value>, key: &str, place: &str) -> Checked<Option<String>> {
    match present(map, key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => invalid(format!(
            "{place}: expected a text, found {}",
            name_of(other)
        )),
    }
}

fn boolean(map: &Map<String, Value>, key: &str, place: &str) -> Checked<Option<bool>> {
    match present(map, key) {
        None => Ok(None),
        Some(Value::Bool(value)) => Ok(Some(*value)),
        Some(other) => invalid(format!(
            "{place}: expected true or false, found {}",
            name_of(other)
        )),
    }
}

fn name_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}

/// The parser's message with its place, without the excerpt of the text that follows it.
fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reason(text: &str) -> String {
        parse(text).expect_err("must be refused").to_string()
    }

    #[test]
    fn nothing_means_defaults() {
        for text in ["", "  \n", "null", "# only a comment\n", "~"] {
            assert_eq!(parse(text), Ok(ProfileConfig::default()), "{text:?}");
        }
    }

    #[test]
    fn every_key_is_read() {
        let config = parse(
            "language: zh\nprofile_strict_mode: true\nprofile_validate_mode: false\nevent_theme_requirement: moods\n\
             event_tags: [Goal, {name: Emotion X, description: how they feel}]\n\
             overwrite_user_profiles:\n  - topic: Special Topic\n    description: d\n    sub_topics:\n      - Plain Name\n      - name: full\n        \
             description: a\n        update_description: b\n        validate_value: true\n",
        )
        .expect("valid");
        assert_eq!(
            (config.language, config.strict, config.validate),
            (Some(Language::Zh), Some(true), Some(false))
        );
        assert_eq!(
            config
                .event_tags
                .expect("tags")
                .iter()
                .map(|t| t.name.clone())
                .collect::<Vec<_>>(),
            ["goal", "emotion_x"]
        );
        let topics = config.overwrite.expect("topics");
        assert_eq!(
            (
                topics[0].topic.as_str(),
                topics[0].sub_topics[0].name.as_str()
            ),
            ("special_topic", "plain_name")
        );
        assert!(topics[0].sub_topics[1].validate_value);
    }

    #[test]
    fn what_cannot_be_used_is_refused_with_its_place() {
        for (text, part) in [
            ("[[[", "Invalid profile config: "),
            ("just text", "mapping"),
            ("- a\n- b", "mapping"),
            ("42", "mapping"),
            ("language: 5", "language"),
            ("language: fr", "fr"),
            ("profile_strict_mode: maybe", "profile_strict_mode"),
            ("event_tags: happy", "event_tags"),
            ("event_tags: [{description: x}]", "event_tags[0]"),
            ("event_theme_requirement: [a]", "event_theme_requirement"),
            ("overwrite_user_profiles: work", "overwrite_user_profiles"),
            (
                "overwrite_user_profiles: [{sub_topics: [a]}]",
                "overwrite_user_profiles[0]",
            ),
            (
                "overwrite_user_profiles: [{topic: 5}]",
                "overwrite_user_profiles[0].topic",
            ),
            ("overwrite_user_profiles: [{topic: a, extra: b}]", "extra"),
            (
                "additional_user_profiles: [{topic: a, sub_topics: [{description: x}]}]",
                "sub_topics[0]",
            ),
            (
                "additional_user_profiles: [{topic: a, sub_topics: [{name: b, description: true}]}]",
                "description",
            ),
        ] {
            assert!(reason(text).contains(part), "{text:?}: {}", reason(text));
        }
    }

    #[test]
    fn a_topic_without_sub_topics_is_an_open_topic() {
        let config = parse("overwrite_user_profiles: [{topic: pets}]").expect("valid");
        let topics = config.topics(Language::En);
        assert!(ProfileConfig::allows(
            &topics,
            &crate::memory::Slot::new("pets", "anything")
        ));
        assert!(!ProfileConfig::allows(
            &topics,
            &crate::memory::Slot::new("work", "title")
        ));
    }

    #[test]
    fn length_is_counted_in_characters() {
        let long = format!("#{}", "é".repeat(PROFILE_CONFIG_CHARS_MAX - 1));
        assert!(parse(&long).is_ok());
        assert_eq!(parse(&format!("{long}é")), Err(ConfigError::TooLong));
    }

    proptest! {
        #[test]
        fn never_panics(text in ".{0,200}") {
            let _ = parse(&text);
        }
    }
}
