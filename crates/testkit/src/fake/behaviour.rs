//! What each step answers when nothing is scripted.
//!
//! * entry notes: a bullet for every sentence of a user's line;
//! * extract: `- TOPIC::SUBTOPIC::VALUE` for every `my TOPIC SUBTOPIC is VALUE`;
//! * merge: append what is new, update what differs, abort what is the same;
//! * repair: whichever of extract and merge the input fits; pick: the first profile; tag: `emotion::happy`.

use super::facts::{facts, sentences};
use super::step::Step;

/// Words that stand for an empty value.
const EMPTY: [&str; 5] = ["-", "none", "(none)", "(empty)", "null"];

/// The usual answer of a step to a user message.
#[must_use]
pub fn reply(step: Step, user: &str) -> String {
    match step {
        Step::EntryNotes => entry_notes(user),
        Step::Extract => extract(user),
        Step::Merge => merge(user),
        Step::Repair => repair(user),
        Step::Pick => r#"{"reason": "the first one fits", "ids": [0]}"#.to_owned(),
        Step::Tag => "- emotion::happy".to_owned(),
        Step::Embeddings | Step::Other => "ok".to_owned(),
    }
}

/// One line of the chat's text form with the lines that follow it.
struct Said<'a> {
    date: &'a str,
    by_user: bool,
    text: String,
}

fn entry_notes(user: &str) -> String {
    let notes = chat(user).into_iter().filter(|said| said.by_user);
    let bullets = notes.flat_map(|said| {
        let date = said.date;
        sentences(&said.text)
            .into_iter()
            .map(|sentence| format!("- {sentence} [mention {date}] // info"))
            .collect::<Vec<_>>()
    });
    bullets.collect::<Vec<_>>().join("\n")
}

/// The messages in a text; what comes before the first one is no message.
fn chat(text: &str) -> Vec<Said<'_>> {
    let mut chat: Vec<Said<'_>> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if let Some(said) = header(line) {
            chat.push(said);
            inside = true;
        } else if ["#", "<", "```", "---"]
            .iter()
            .any(|mark| line.starts_with(mark))
        {
            // A new part of the prompt.
            inside = false;
        } else if let Some(last) = chat.last_mut().filter(|_| inside) {
            last.text.push('\n');
            last.text.push_str(line);
        }
    }
    chat
}

/// A line such as `[2026/11/29] user: text` or `[2026/11/29] Al(user): text`.
fn header(line: &str) -> Option<Said<'_>> {
    let (date, rest) = line.strip_prefix('[')?.split_once("] ")?;
    // An alias may hold anything; the role in front of the first colon after it decides.
    let ends = ["user: ", "assistant: ", "user):", "assistant):"];
    let (at, end) = ends
        .iter()
        .filter_map(|end| rest.find(end).map(|at| (at, *end)))
        .min()?;
    let by_user = end.starts_with("user");
    let alone = end.ends_with(' ');
    if alone && at != 0 {
        return None;
    }
    Some(Said {
        date,
        by_user,
        text: rest[at + end.len()..].trim().to_owned(),
    })
}

fn extract(user: &str) -> String {
    let lines = facts(user)
        .into_iter()
        .map(|fact| format!("- {}::{}::{}", fact.topic, fact.sub_topic, fact.value));
    std::iter::once("---".to_owned())
        .chain(lines)
        .collect::<Vec<_>>()
        .join("\n")
}

/// One record of a merge.
#[derive(Debug, Default)]
struct Record {
    number: u32,
    current: String,
    new: String,
}

fn merge(user: &str) -> String {
    let lines = records(user).into_iter().map(|record| {
        let Record {
            number,
            current,
            new,
        } = record;
        match current.trim() {
            current if current.is_empty() || EMPTY.contains(&current.to_lowercase().as_str()) => {
                format!("{number}. APPEND::{new}")
            }
            current if current == new.trim() => format!("{number}. ABORT::"),
            _ => format!("{number}. UPDATE::{new}"),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The records of a merge: `1. topic::sub_topic`, then a `current:` and a `new:` line, either of which may go on.
fn records(user: &str) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    // Whether following lines go on with the new value; `None` outside a value.
    let mut in_new: Option<bool> = None;
    for line in user.lines() {
        if let Some(number) = record_number(line) {
            records.push(Record {
                number,
                ..Record::default()
            });
            in_new = None;
            continue;
        }
        let Some(record) = records.last_mut() else {
            continue;
        };
        let line = line.trim();
        let (field, text) = if let Some(text) = line.strip_prefix("current:") {
            in_new = Some(false);
            (&mut record.current, text)
        } else if let Some(text) = line.strip_prefix("new:") {
            in_new = Some(true);
            (&mut record.new, text)
        } else if line.is_empty() {
            in_new = None;
            continue;
        } else {
            match in_new {
                Some(true) => (&mut record.new, line),
                Some(false) => (&mut record.current, line),
                None => continue,
            }
        };
        if !field.is_empty() {
            field.push(' ');
        }
        field.push_str(text.trim());
    }
    records.retain(|record| !record.new.is_empty());
    records
}

/// The number of a line `N. topic::sub_topic`.
fn record_number(line: &str) -> Option<u32> {
    let (number, rest) = line.split_once(". ")?;
    rest.contains("::").then(|| number.parse().ok()).flatten()
}

fn repair(user: &str) -> String {
    if !records(user).is_empty() {
        merge(user)
    } else if !facts(user).is_empty() {
        extract(user)
    } else {
        "ok".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_what_users_said() {
        let user = "Known slots:\n- basic_info::name::Gus\n\nChat:\n[2026/11/29] user: my work title is baker. I like tea!\n\
            [2026/11/29] assistant: my name is Bot.\n[2026/11/30] Al(user): 我喜欢茶。\nand a second line\n[2026/11/30] Bo(assistant): no.\n---\nno message";
        let expected = "- my work title is baker. [mention 2026/11/29] // info\n- I like tea! [mention 2026/11/29] // info\n\
            - 我喜欢茶。 [mention 2026/11/30] // info\n- and a second line [mention 2026/11/30] // info";
        assert_eq!(reply(Step::EntryNotes, user), expected);
        assert_eq!(
            reply(Step::EntryNotes, "[2026/11/29] assistant: hello user: you"),
            ""
        );
        assert_eq!(reply(Step::EntryNotes, "nothing said"), "");
    }

    #[test]
    fn facts_come_after_a_rule() {
        let notes = "- my work title is baker. [mention 2026/11/29] // info\n- My name is Gus. [mention 2026/11/29] // info\n- I like tea! // info";
        assert_eq!(
            reply(Step::Extract, notes),
            "---\n- work::title::baker\n- basic_info::name::Gus"
        );
        assert_eq!(reply(Step::Extract, "- I like tea"), "---");
    }

    #[test]
    fn merges_append_update_and_abort() {
        let user = "Records:\n1. work::title\n   current: baker\n   new: painter\n2. work::city\n   current:\n   new: Ulm\n\
            3. a::b\n   current: same\n   new: same\n12. c::d\n   current: (none)\n   new: one\n   two\n\nEnd of records.";
        assert_eq!(
            reply(Step::Merge, user),
            "1. UPDATE::painter\n2. APPEND::Ulm\n3. ABORT::\n12. APPEND::one two"
        );
        assert_eq!(reply(Step::Merge, "nothing"), "");
    }

    #[test]
    fn repair_follows_its_input() {
        assert_eq!(
            reply(Step::Repair, "my work title is baker."),
            "---\n- work::title::baker"
        );
        assert_eq!(
            reply(Step::Repair, "1. a::b\n current: x\n new: y"),
            "1. UPDATE::y"
        );
        assert_eq!(reply(Step::Repair, "?"), "ok");
    }

    proptest::proptest! {
        #[test]
        fn any_input_is_answered(user in "(\\PC|\\[a\\] user: |1\\. a::b\\n|current:|new:|my x y is z|\\n){0,60}") {
            for step in Step::ALL {
                let _ = reply(step, &user);
            }
        }
    }
}
