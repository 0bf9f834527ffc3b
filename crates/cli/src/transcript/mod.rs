//! Chat transcripts in files: Memobase-style JSON messages, plain lines, LoCoMo's JSON.

mod json;
mod lines;
mod locomo;

use mneme_core::source::{Role, Turn};

/// Something that was said, before it is known who is the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// The speaker's name or role.
    pub(crate) speaker: String,
    /// The role, where the file gives one.
    pub(crate) role: Option<Role>,
    /// The words.
    pub(crate) content: String,
    /// When, in the file's own words.
    pub(crate) time: Option<String>,
    /// The session, where the file tells sessions apart.
    pub(crate) session: Option<String>,
}

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    /// None of the known forms.
    #[error("{0}")]
    Form(String),
    /// Several conversations and none chosen, or the chosen one is not there.
    #[error("{message}; the file has: {}", known.join(", "))]
    Conversation {
        /// What is wrong.
        message: String,
        /// The conversations of the file.
        known: Vec<String>,
    },
}

/// Reads a transcript in any of the forms.
pub(crate) fn read(text: &str, conversation: Option<&str>) -> Result<Vec<Line>, ReadError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(ReadError::Form("the file is empty".to_owned()));
    }
    // A plain transcript may begin with a bracket too: `[2023-05-08] Ana: hello`.
    if text.trim_start().starts_with(['{', '['])
        && let Some(values) = json::values(text)
    {
        return match locomo::read(&values, conversation) {
            Some(lines) => lines,
            None => json::messages(&values),
        };
    }
    lines::read(text)
}

/// Who of the speakers is the user: the one asked for, else the one that the user's name names, else the one whose
/// role is user, else the first.
pub(crate) fn user_speaker(lines: &[Line], asked: Option<&str>, user: &str) -> Option<String> {
    let same = |a: &str, b: &str| a.trim().to_lowercase() == b.trim().to_lowercase();
    if let Some(asked) = asked {
        return lines
            .iter()
            .find(|line| same(&line.speaker, asked))
            .map(|line| line.speaker.clone());
    }
    let named = lines.iter().find(|line| same(&line.speaker, user));
    let by_role = || lines.iter().find(|line| line.role == Some(Role::User));
    named
        .or_else(by_role)
        .or_else(|| lines.first())
        .map(|line| line.speaker.clone())
}

/// A line as a turn of the user's memory: the user's own, the assistant's, or another person's.
///
/// Who only goes by the role `user` is the user, and where nobody else is named as the user, so is everybody in that
/// role: names may be given with some messages and left out of others.
pub(crate) fn turn(line: &Line, user_speaker: &str) -> Turn {
    let unnamed = |name: &str| Role::parse(&name.to_lowercase()) == Some(Role::User);
    let role = match line.role {
        Some(role @ (Role::Assistant | Role::System | Role::Tool)) => role,
        _ if line.speaker == user_speaker => Role::User,
        Some(Role::User) if unnamed(&line.speaker) || unnamed(user_speaker) => Role::User,
        _ => role_of_name(&line.speaker).unwrap_or(Role::Other),
    };
    let named = Role::parse(&line.speaker.to_lowercase()).is_none();
    Turn {
        role,
        alias: named.then(|| line.speaker.clone()),
        content: line.content.clone(),
        created_at: line.time.clone(),
    }
}

/// Names that are roles.
fn role_of_name(name: &str) -> Option<Role> {
    match name.trim().to_lowercase().as_str() {
        "assistant" | "ai" | "bot" | "model" | "gpt" | "助手" | "机器人" => {
            Some(Role::Assistant)
        }
        "system" | "系统" => Some(Role::System),
        "tool" | "工具" => Some(Role::Tool),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn roles(text: &str, user: &str) -> Vec<(Role, Option<String>, String)> {
        let lines = read(text, None).expect("readable");
        let speaker = user_speaker(&lines, None, user).expect("somebody");
        lines
            .iter()
            .map(|line| turn(line, &speaker))
            .map(|t| (t.role, t.alias, t.content))
            .collect()
    }

    #[test]
    fn memobase_messages() {
        let expected = [
            (Role::User, None, "hi".to_owned()),
            (Role::Assistant, Some("Her".to_owned()), "hello".to_owned()),
        ];
        let messages = r#"[{"role":"user","content":"hi"},{"role":"assistant","alias":"Her","content":"hello","created_at":"2025-01-14"}]"#;
        assert_eq!(roles(messages, "u1"), expected);
        assert_eq!(
            roles(&format!("{{\"messages\":{messages}}}"), "u1"),
            expected
        );
        assert_eq!(
            roles(
                "{\"role\":\"user\",\"content\":\"hi\"}\n{\"role\":\"assistant\",\"alias\":\"Her\",\"content\":\"hello\"}\n",
                "u1"
            ),
            expected
        );
    }

    #[test]
    fn names_may_be_left_out() {
        let unnamed = r#"{"role":"user","content":"a"}"#;
        let ana = r#"{"role":"user","alias":"Ana","content":"b"}"#;
        let ben = r#"{"role":"user","alias":"Ben","content":"c"}"#;
        let user = |text: &str, name: &str| -> Vec<bool> {
            roles(text, name)
                .into_iter()
                .map(|(role, ..)| role == Role::User)
                .collect()
        };
        assert_eq!(user(&format!("[{unnamed},{ana}]"), "u1"), [true, true]);
        assert_eq!(user(&format!("[{ana},{unnamed}]"), "u1"), [true, true]);
        // A talk of several: only one of them is the user.
        assert_eq!(user(&format!("[{ana},{ben}]"), "u1"), [true, false]);
        assert_eq!(user(&format!("[{ana},{ben}]"), "ben"), [false, true]);
    }

    #[test]
    fn plain_lines() {
        let text = "[2023-05-08 13:56] Ana: hello\nsecond line\n[2023-05-08 13:57] Bot: hi\n\n[2023-05-08 13:58] Ben: hey: you\n";
        let lines = read(text, None).expect("readable");
        assert_eq!(lines[0].content, "hello\nsecond line");
        assert_eq!(lines[0].time.as_deref(), Some("2023-05-08 13:56"));
        let turns: Vec<Turn> = lines.iter().map(|line| turn(line, "Ana")).collect();
        assert_eq!(
            turns.iter().map(|t| t.role).collect::<Vec<_>>(),
            [Role::User, Role::Assistant, Role::Other]
        );
        assert_eq!(turns[2].content, "hey: you");
    }

    #[test]
    fn locomo_files() {
        let text = r#"{"conversations":[{"id":"26","speaker_a":"Caroline","speaker_b":"Melanie","turns":[
            {"dia_id":"D1:1","session":1,"date":"1:56 pm on 8 May, 2023","speaker":"Caroline","text":"Hey!","caption":null},
            {"dia_id":"D1:2","session":1,"date":"1:56 pm on 8 May, 2023","speaker":"Melanie","text":"Look","caption":"a lake"}]},
            {"id":"30","speaker_a":"A","speaker_b":"B","turns":[]}]}"#;
        let lines = read(text, Some("26")).expect("readable");
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[1].content, "Look [photo: a lake]");
        assert_eq!(
            user_speaker(&lines, None, "caroline").as_deref(),
            Some("Caroline")
        );
        assert!(
            read(text, None)
                .expect_err("several")
                .to_string()
                .contains("26, 30")
        );
        assert!(read(text, Some("99")).is_err());
    }

    #[test]
    fn original_locomo_files() {
        let text = r#"[{"sample_id":"conv-26","conversation":{"speaker_a":"A","speaker_b":"B","session_1_date_time":"1:56 pm on 8 May, 2023",
            "session_1":[{"speaker":"A","dia_id":"D1:1","text":"Hey","blip_caption":"a dog"}],"session_2_date_time":"2:00 pm on 9 May, 2023",
            "session_2":[{"speaker":"B","dia_id":"D2:1","text":"Yo"}]}}]"#;
        let lines = read(text, Some("26")).expect("readable");
        assert_eq!(
            (
                lines.len(),
                lines[1].time.as_deref(),
                lines[1].session.as_deref()
            ),
            (2, Some("2:00 pm on 9 May, 2023"), Some("2"))
        );
    }

    #[test]
    fn unreadable_files_say_so() {
        for text in ["", "   ", "just some words", "[1, 2, 3]", "{\"a\": 1}"] {
            assert!(read(text, None).is_err(), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(text in "\\PC{0,200}", lines in "([\\[\\]:a\u{e9} 0-9-]{0,20}\n){0,6}") {
            let _ = read(&text, None);
            let _ = read(&lines, Some("x"));
        }
    }
}
