//! Reading what a language model answered, tolerantly: fences, thinking, JSON instead of lines, missing numbers.
//!
//! Reading never fails because of a single bad item: bad items become [`Defect`]s. It fails with [`Unreadable`] when
//! nothing in a non-empty answer has the asked form, so that "completed" is never said of an answer that was prose.

use std::collections::BTreeMap;

use serde_json::Value;

use super::prompts::{NONE, SEPARATOR};
use super::{Defect, EventTag, Verdict};
use crate::config::TagSpec;
use crate::memory::{Slot, normalise_heading};

/// The answer has nothing of the asked form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the model's answer could not be read: {0}")]
pub struct Unreadable(pub String);

/// Notes as read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Notes {
    /// The whole text, trimmed; becomes the event's notes.
    pub text: String,
    /// Its lines, each beginning with `- `.
    pub lines: Vec<String>,
}

/// Reads the answer to the entry-notes step. Nothing to note is an empty result.
///
/// # Errors
/// [`Unreadable`] when the answer has words but no bullet.
pub fn notes(answer: &str) -> Result<Notes, Unreadable> {
    if answer.trim().is_empty() {
        return Ok(Notes::default());
    }
    let text = clean(answer);
    if is_rule(&text) {
        return Err(Unreadable("it ends before its notes".to_owned()));
    }
    if is_none(&text) {
        return Ok(Notes::default());
    }
    let lines: Vec<String> = text
        .lines()
        .filter_map(bullet)
        .filter(|line| !is_meaningless(line))
        .map(|line| format!("- {line}"))
        .collect();
    if lines.is_empty() {
        return Err(Unreadable("no line begins with \"- \"".to_owned()));
    }
    Ok(Notes { text, lines })
}

/// A fact as read: slot and value.
pub type ReadFact = (Slot, String);

/// Reads the answer to the extraction step: `- TOPIC::SUB_TOPIC::VALUE` lines, or JSON with such objects.
///
/// # Errors
/// [`Unreadable`] when the answer has words but no fact and no sign that there is none.
pub fn facts(answer: &str) -> Result<(Vec<ReadFact>, Vec<Defect>), Unreadable> {
    let text = clean(answer);
    if text.is_empty() {
        return Err(Unreadable("it is empty".to_owned()));
    }
    let body = after_rule(&text);
    if is_none(body) {
        return Ok((Vec::new(), Vec::new()));
    }
    let mut defects = Vec::new();
    let lines: Vec<ReadFact> = body
        .lines()
        .filter_map(bullet)
        .filter_map(|line| fact_line(line, &mut defects))
        .collect();
    if !lines.is_empty() || !defects.is_empty() {
        return Ok((lines, defects));
    }
    if let Some(value) = json_value(body) {
        return facts_of_json(&value).map(|facts| (facts, defects));
    }
    Err(Unreadable(
        "no line has the form \"- TOPIC::SUB_TOPIC::VALUE\"".to_owned(),
    ))
}

fn fact_line(line: &str, defects: &mut Vec<Defect>) -> Option<ReadFact> {
    // The value may hold the separator itself.
    let mut parts = line.splitn(3, SEPARATOR).map(str::trim);
    let (topic, sub_topic, value) = (parts.next()?, parts.next()?, parts.next()?);
    if topic.is_empty() || sub_topic.is_empty() {
        defects.push(defect("extract", "a fact without a topic or sub-topic"));
        return None;
    }
    if is_meaningless(value) {
        defects.push(defect("extract", "a value that says nothing"));
        return None;
    }
    Some((Slot::normalised(topic, sub_topic), value.to_owned()))
}

fn facts_of_json(value: &Value) -> Result<Vec<ReadFact>, Unreadable> {
    if value.get("$defs").is_some()
        || (value.get("properties").is_some() && value.get("type").is_some())
    {
        return Err(Unreadable("the answer repeats a schema".to_owned()));
    }
    let list = match value {
        Value::Array(items) => items.as_slice(),
        Value::Object(map) => match ["facts", "profiles", "items", "memories"]
            .iter()
            .find_map(|key| map.get(*key))
        {
            Some(Value::Array(items)) => items.as_slice(),
            Some(Value::Null) => &[],
            _ => return Err(Unreadable("JSON without a list of facts".to_owned())),
        },
        _ => return Err(Unreadable("JSON without a list of facts".to_owned())),
    };
    let text = |item: &Value, keys: &[&str]| {
        keys.iter()
            .find_map(|key| item.get(*key).and_then(Value::as_str))
            .map(str::to_owned)
    };
    Ok(list
        .iter()
        .filter_map(|item| {
            let (topic, sub) = (
                text(item, &["topic"])?,
                text(item, &["sub_topic", "subtopic"])?,
            );
            let value = text(item, &["memo", "value", "content"])?;
            (!topic.trim().is_empty() && !sub.trim().is_empty() && !is_meaningless(&value))
                .then(|| (Slot::normalised(&topic, &sub), value.trim().to_owned()))
        })
        .collect())
}

/// Reads the answer to the merge step for `count` records. Numbers that are missing or unclear are left out of the
/// map and named as defects.
///
/// # Errors
/// [`Unreadable`] when no line has the asked form.
pub fn verdicts(
    answer: &str,
    count: usize,
) -> Result<(BTreeMap<usize, Verdict>, Vec<Defect>), Unreadable> {
    let text = clean(answer);
    let body = after_rule(&text);
    let mut verdicts = BTreeMap::new();
    let mut defects = Vec::new();
    for (number, rest) in body.lines().filter_map(numbered) {
        if number == 0 || number > count {
            continue;
        }
        let (action, content) = rest.split_once(SEPARATOR).unwrap_or((rest, ""));
        let verdict = match action.trim().to_uppercase().as_str() {
            "APPEND" => Verdict::Append,
            "ABORT" => Verdict::Abort,
            "UPDATE" if is_meaningless(content) => {
                defects.push(defect("merge", "an update without content"));
                continue;
            }
            "UPDATE" => Verdict::Update(content.trim().to_owned()),
            _ => continue,
        };
        verdicts.insert(number - 1, verdict);
    }
    if verdicts.is_empty() && defects.is_empty() && count > 0 {
        return Err(Unreadable(
            "no line has the form \"N. ACTION::TEXT\"".to_owned(),
        ));
    }
    let missing = (0..count)
        .filter(|index| !verdicts.contains_key(index))
        .count();
    if missing > 0 {
        defects.push(defect(
            "merge",
            &format!("{missing} of {count} records without a usable verdict"),
        ));
    }
    Ok((verdicts, defects))
}

/// Reads the answer to the tagging step; only configured tags count.
///
/// # Errors
/// [`Unreadable`] when the answer has words but no tag line.
pub fn tags(answer: &str, known: &[TagSpec]) -> Result<Vec<EventTag>, Unreadable> {
    let text = clean(answer);
    let body = after_rule(&text);
    if is_none(body) {
        return Ok(Vec::new());
    }
    let pairs: Vec<(String, String)> = body
        .lines()
        .filter_map(bullet)
        .filter_map(|line| line.split_once(SEPARATOR))
        .map(|(tag, value)| (normalise_heading(tag), value.trim().to_owned()))
        .collect();
    if pairs.is_empty() {
        return Err(Unreadable(
            "no line has the form \"- TAG::VALUE\"".to_owned(),
        ));
    }
    Ok(pairs
        .into_iter()
        .filter(|(tag, value)| known.iter().any(|spec| spec.name == *tag) && !is_meaningless(value))
        .map(|(tag, value)| EventTag { tag, value })
        .collect())
}

/// Reads the numbers that a model picked; `None` when there is no list of numbers. Numbers from `count` on and
/// repeats are left out.
#[must_use]
pub fn picked(answer: &str, count: usize) -> Option<Vec<usize>> {
    let text = clean(answer);
    let mut rest = text.as_str();
    while let Some(start) = rest.find('[') {
        let inner = rest.get(start + 1..)?;
        let end = inner.find(']')?;
        let parsed: Option<Vec<usize>> = inner
            .get(..end)?
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
            .map(|item| item.parse().ok())
            .collect();
        if let Some(numbers) = parsed {
            let mut seen = std::collections::BTreeSet::new();
            return Some(
                numbers
                    .into_iter()
                    .filter(|&n| n < count && seen.insert(n))
                    .collect(),
            );
        }
        rest = inner;
    }
    None
}

/// Whether a value says nothing: a fixed list of whole phrases in two languages, so that names such as Simone, NBA
/// or Nonna stay.
#[must_use]
pub fn is_meaningless(value: &str) -> bool {
    const PHRASES: &[&str] = &[
        "",
        "-",
        "none",
        "null",
        "nil",
        "n/a",
        "na",
        "nan",
        "unknown",
        "undefined",
        "unspecified",
        "not specified",
        "not mentioned",
        "not provided",
        "not stated",
        "not given",
        "not available",
        "not applicable",
        "not known",
        "no information",
        "no info",
        "no data",
        "nothing",
        "empty",
        "user did not say",
        "user did not mention",
        "the user did not say",
        "the user did not mention",
        "not mentioned by the user",
        "not mentioned by user",
        "无",
        "没有",
        "未知",
        "不知道",
        "不详",
        "未提及",
        "没有提及",
        "未提到",
        "没有提到",
        "未说明",
        "未提供",
        "不适用",
        "暂无",
        "无信息",
        "没有信息",
        "用户未提及",
        "用户没有提及",
        "用户没有说",
        "用户未说明",
    ];
    let text = value
        .trim()
        .trim_matches(|c: char| {
            matches!(
                c,
                '.' | '。' | '"' | '\'' | '(' | ')' | '（' | '）' | '[' | ']' | '<' | '>' | '*'
            )
        })
        .trim()
        .to_lowercase();
    PHRASES.contains(&text.as_str())
}

/// Nothing but dashes, or nothing at all.
fn is_rule(text: &str) -> bool {
    text.bytes().all(|b| b == b'-' || b.is_ascii_whitespace())
}

fn is_none(text: &str) -> bool {
    let text = text
        .trim()
        .trim_matches(|c: char| matches!(c, '.' | '`' | '"' | '-' | '*'))
        .trim();
    text.is_empty() || text.eq_ignore_ascii_case(NONE) || text == "无" || text == "没有"
}

/// The answer without thinking and code fences.
fn clean(answer: &str) -> String {
    // No store of text keeps NUL.
    let answer = answer.replace('\0', "");
    let mut text = answer.trim();
    // Thinking ends at its last closing tag; an unclosed one leaves nothing that could be trusted.
    for tag in ["think", "thinking", "reasoning"] {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        if let Some(at) = text.rfind(&close) {
            text = text.get(at + close.len()..).unwrap_or_default().trim();
        } else if text.starts_with(&open) {
            text = "";
        }
    }
    text.lines()
        .filter(|line| !line.trim_start().starts_with("```"))
        .collect::<Vec<_>>()
        .join("\n")
        .trim()
        .to_owned()
}

/// What stands after the last `---` line; the whole text when there is none.
fn after_rule(text: &str) -> &str {
    let mut offset = 0;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        offset += line.len();
        let line = line.trim();
        if line.len() >= 3 && line.bytes().all(|b| b == b'-') {
            start = offset;
        }
    }
    text.get(start..).unwrap_or(text)
}

/// The text of a bullet line.
fn bullet(line: &str) -> Option<&str> {
    let line = line.trim();
    let rest = line.strip_prefix(['-', '•', '*'])?;
    // `---` is a rule and `**bold**` a heading, not bullets.
    if rest.starts_with(['-', '*']) {
        return None;
    }
    let rest = rest.trim();
    (!rest.is_empty()).then_some(rest)
}

/// `12. text` or `12) text`.
fn numbered(line: &str) -> Option<(usize, &str)> {
    let line = line.trim().trim_start_matches(['-', '*']).trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let number = line.get(..digits)?.parse().ok()?;
    let rest = line.get(digits..)?.strip_prefix(['.', ')', '、'])?;
    Some((number, rest.trim()))
}

/// The outermost JSON value in a text.
fn json_value(text: &str) -> Option<Value> {
    let start = text.find(['{', '['])?;
    let mut stream = serde_json::Deserializer::from_str(text.get(start..)?).into_iter::<Value>();
    stream.next()?.ok()
}

fn defect(stage: &str, message: &str) -> Defect {
    Defect {
        stage: stage.to_owned(),
        message: message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn notes_are_bullets() {
        let read = notes("<think>hm</think>\n```\n- User is called Gus. // info\n* likes tea\n```")
            .expect("readable");
        assert_eq!(read.lines, ["- User is called Gus. // info", "- likes tea"]);
        for nothing in ["", "  ", "NONE", "none.", "- NONE", "无"] {
            assert_eq!(
                notes(nothing).expect("readable"),
                Notes::default(),
                "{nothing:?}"
            );
        }
        for prose in [
            "Sure! Here are the notes",
            "import memu\nclient.add()",
            "<think>no end",
            "---",
        ] {
            let result = notes(prose);
            assert!(result.is_err(), "{prose:?}");
        }
    }

    #[test]
    fn facts_may_hold_the_separator() {
        let (facts, defects) = facts("thinking - about it\n---\n- Interest::foods::std::vector\n- basic_info :: Name :: Simone\n- work::title::unknown").expect("readable");
        assert_eq!(
            facts,
            [
                (Slot::new("interest", "foods"), "std::vector".to_owned()),
                (Slot::new("basic_info", "name"), "Simone".to_owned())
            ]
        );
        assert_eq!(defects.len(), 1);
    }

    #[test]
    fn facts_in_json_are_read_too() {
        let answer = "<think>ok</think>\n```json\n{\"facts\":[{\"topic\":\"a\",\"sub_topic\":\"b\",\"memo\":\"c\"}]}\n```";
        assert_eq!(
            facts(answer).expect("readable").0,
            [(Slot::new("a", "b"), "c".to_owned())]
        );
        assert_eq!(facts("{\"facts\":null}").expect("readable").0, []);
        assert!(facts("{\"$defs\":{\"Fact\":{}},\"properties\":{}}").is_err());
    }

    #[test]
    fn prose_is_not_an_answer() {
        assert!(facts("The user seems nice.").is_err());
        assert!(verdicts("I would keep all of them.", 2).is_err());
        assert_eq!(
            facts("Nothing here for a profile.\n---\n")
                .expect("readable")
                .0,
            []
        );
        assert_eq!(facts("NONE").expect("readable").0, []);
    }

    #[test]
    fn verdicts_by_number() {
        let (verdicts, defects) = verdicts(
            "1. UPDATE::Gustav::x\n2. append::APPEND\n3) ABORT\n4. UPDATE::\n9. APPEND::x",
            5,
        )
        .expect("readable");
        assert_eq!(
            verdicts.get(&0),
            Some(&Verdict::Update("Gustav::x".to_owned()))
        );
        assert_eq!(verdicts.get(&1), Some(&Verdict::Append));
        assert_eq!(verdicts.get(&2), Some(&Verdict::Abort));
        assert_eq!(verdicts.len(), 3);
        assert_eq!(defects.len(), 2);
    }

    #[test]
    fn names_are_not_meaningless() {
        for name in [
            "Simone",
            "NBA",
            "DNA",
            "nuclear",
            "Ana",
            "phone",
            "not married",
            "Nonna",
            "None of the above bands",
        ] {
            assert!(!is_meaningless(name), "{name}");
        }
        for nothing in [
            "none",
            "N/A",
            "Unknown.",
            "not mentioned",
            "未提及",
            "无",
            "(none)",
            "\"\"",
        ] {
            assert!(is_meaningless(nothing), "{nothing}");
        }
    }

    #[test]
    fn tags_are_the_configured_ones() {
        let known = [TagSpec {
            name: "emotion_x".to_owned(),
            description: None,
        }];
        let read =
            tags("- Emotion X::happy\n- goal::run\n- emotion_x::none", &known).expect("readable");
        assert_eq!(
            read,
            [EventTag {
                tag: "emotion_x".to_owned(),
                value: "happy".to_owned()
            }]
        );
        assert!(tags("happy!", &known).is_err());
    }

    #[test]
    fn picks_are_numbers_in_range() {
        assert_eq!(
            picked("{\"reason\": \"[x]\", \"ids\": [2, 0, 2, 9]}", 3),
            Some(vec![2, 0])
        );
        assert_eq!(picked("[]", 3), Some(vec![]));
        assert_eq!(picked("none of them", 3), None);
    }

    proptest! {
        #[test]
        fn never_panics(answer in "\\PC{0,200}", lines in "([0-9]{0,3}[.:)\\-*]{0,3}[A-Z:]{0,12}\n){0,8}") {
            for text in [&answer, &lines] {
                let _ = notes(text);
                let _ = facts(text);
                let _ = verdicts(text, 3);
                let _ = tags(text, &[]);
                let _ = picked(text, 3);
            }
        }
    }
}
