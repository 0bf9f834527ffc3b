//! Plain transcripts: `[time] name: text`, or `name: text`; other lines go on with what was said before.

use super::{Line, ReadError};

/// Longest name of a speaker; a longer text before a colon is speech.
const NAME_CHARS_MAX: usize = 40;

pub(super) fn read(text: &str) -> Result<Vec<Line>, ReadError> {
    let mut lines: Vec<Line> = Vec::new();
    for raw in text.lines() {
        match spoken(raw) {
            Some(line) => lines.push(line),
            None if raw.trim().is_empty() => {}
            None => match lines.last_mut() {
                Some(last) => {
                    last.content.push('\n');
                    last.content.push_str(raw.trim_end());
                }
                None => {
                    return Err(ReadError::Form(
                        "the first line has not the form \"[time] name: text\"".to_owned(),
                    ));
                }
            },
        }
    }
    Ok(lines)
}

fn spoken(raw: &str) -> Option<Line> {
    let raw = raw.trim();
    let (time, rest) = match raw.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((time, rest)) => (Some(time.trim().to_owned()), rest.trim_start()),
        None => (None, raw),
    };
    let at = rest.find([':', '：'])?;
    let (name, tail) = rest.split_at(at);
    let name = name.trim();
    let content = tail.trim_start_matches([':', '：']).trim();
    let plausible = !name.is_empty()
        && name.chars().count() <= NAME_CHARS_MAX
        && !name.contains(['.', '!', '?', '/']);
    // Without a time, a single word before the colon is a name; more words may be speech.
    let certain = time.is_some() || name.split_whitespace().count() <= 2;
    (plausible && certain).then(|| Line {
        speaker: name.to_owned(),
        role: None,
        content: content.to_owned(),
        time,
        session: None,
    })
}
