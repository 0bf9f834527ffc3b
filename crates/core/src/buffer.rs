//! The buffer's arithmetic: text forms that are counted, and windows that fit a model.

use jiff::tz::TimeZone;

use crate::distil::DatedTurn;
use crate::source::{Source, SourceKind};
use crate::time::message::MessageTime;
use crate::time::{Anchor, message};

/// The turns of a source with their times. A turn's own time counts where it can be read, else the source's.
#[must_use]
pub fn dated_turns(source: &Source, zone: &TimeZone) -> Vec<DatedTurn> {
    let fallback = Anchor {
        at: source.said_at,
        zone: zone.clone(),
    };
    source
        .turns()
        .into_iter()
        .enumerate()
        .map(|(index, turn)| {
            let own = turn
                .created_at
                .as_deref()
                .and_then(|text| message::read(text, zone));
            let anchor = own.map_or_else(|| fallback.clone(), MessageTime::anchor);
            DatedTurn {
                source: source.id,
                index: u32::try_from(index).unwrap_or(u32::MAX),
                turn,
                anchor,
            }
        })
        .collect()
}

/// The text form of a source: what its token size is counted on and what models read.
#[must_use]
pub fn text_form(source: &Source, zone: &TimeZone) -> String {
    let text = |key: &str| {
        source
            .body
            .get(key)
            .and_then(serde_json::Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    match source.kind {
        SourceKind::Chat | SourceKind::Transcript => dated_turns(source, zone)
            .iter()
            .map(DatedTurn::line)
            .collect::<Vec<_>>()
            .join("\n"),
        SourceKind::Summary => format!(
            "- {}[{}]",
            text("summary").replace('\n', " "),
            source.said_at.date_slashed(&TimeZone::UTC)
        ),
        SourceKind::Doc | SourceKind::Code => text("content"),
        SourceKind::Image => text("url"),
    }
}

/// Splits turns into windows of at most `tokens_max`, by the given sizes (tokens of each turn's line). A turn that is
/// larger than a window by itself is split at sentence, then blank, then character borders; nothing is left out.
#[must_use]
pub fn windows(turns: &[DatedTurn], sizes: &[u32], tokens_max: u32) -> Vec<Vec<DatedTurn>> {
    let mut windows = Vec::new();
    let mut current: Vec<DatedTurn> = Vec::new();
    let mut filled = 0_u32;
    for (turn, &size) in turns.iter().zip(sizes) {
        let parts = if size > tokens_max {
            split_turn(turn, size, tokens_max)
        } else {
            vec![(turn.clone(), size)]
        };
        for (part, part_size) in parts {
            if !current.is_empty() && filled.saturating_add(part_size) > tokens_max {
                windows.push(std::mem::take(&mut current));
                filled = 0;
            }
            filled = filled.saturating_add(part_size);
            current.push(part);
        }
    }
    if !current.is_empty() {
        windows.push(current);
    }
    windows
}

/// Cuts an oversized turn into parts of about the same size, each under the bound as far as tokens spread evenly; a
/// tenth of room is kept for where they do not.
fn split_turn(turn: &DatedTurn, size: u32, tokens_max: u32) -> Vec<(DatedTurn, u32)> {
    let parts = (u64::from(size) * 10)
        .div_ceil(u64::from(tokens_max.max(1)) * 9)
        .max(1);
    let bytes = usize::try_from((turn.turn.content.len() as u64).div_ceil(parts))
        .unwrap_or(usize::MAX)
        .max(4);
    let part_size = u32::try_from(u64::from(size).div_ceil(parts)).unwrap_or(tokens_max);
    split_text(&turn.turn.content, bytes)
        .into_iter()
        .map(|text| {
            let mut part = turn.clone();
            part.turn.content = text.to_owned();
            (part, part_size)
        })
        .collect()
}

/// Cuts a text into pieces of at most `bytes_max` bytes (at least 4), preferring the last sentence end, else the last
/// blank, in the second half of each piece. The pieces joined are the text.
#[must_use]
pub fn split_text(text: &str, bytes_max: usize) -> Vec<&str> {
    let bytes_max = bytes_max.max(4);
    let mut pieces = Vec::new();
    let mut rest = text;
    while rest.len() > bytes_max {
        let end = floor_char_boundary(rest, bytes_max);
        let half = floor_char_boundary(rest, bytes_max / 2);
        let (head, tail) = (&rest[..end], &rest[half..end]);
        let cut = last_after(tail, |c| {
            matches!(c, '.' | '!' | '?' | '\n' | '。' | '！' | '？')
        })
        .or_else(|| last_after(tail, char::is_whitespace))
        .map_or(head.len(), |at| half + at);
        let (piece, remaining) = rest.split_at(cut);
        pieces.push(piece);
        rest = remaining;
    }
    if !rest.is_empty() {
        pieces.push(rest);
    }
    pieces
}

/// The byte position just after the last character that fits the test.
fn last_after(text: &str, test: impl Fn(char) -> bool) -> Option<usize> {
    text.char_indices()
        .rev()
        .find(|&(_, c)| test(c))
        .map(|(at, c)| at + c.len_utf8())
}

/// The largest character border that is not after `at`.
#[must_use]
pub fn floor_char_boundary(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    (0..=at)
        .rev()
        .find(|&i| text.is_char_boundary(i))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::id::{SourceId, SubScope};
    use crate::time::Timestamp;

    fn chat(messages: &serde_json::Value) -> Source {
        let at = Timestamp::parse_rfc3339("2026-11-29T10:00:00Z").expect("valid");
        let body = json!({ "messages": messages });
        Source {
            id: SourceId(Uuid::nil()),
            scope: SubScope::default(),
            kind: SourceKind::Chat,
            body,
            fields: None,
            said_at: at,
            received_at: at,
        }
    }

    #[test]
    fn chat_lines_have_date_name_and_words() {
        let source = chat(&json!([
            {"role": "user", "content": "hello", "alias": null, "created_at": null},
            {"role": "assistant", "content": "hi", "alias": "Her", "created_at": "2025-01-14"},
        ]));
        assert_eq!(
            text_form(&source, &TimeZone::UTC),
            "[2026/11/29] user: hello\n[2025-01-14] Her(assistant): hi"
        );
    }

    #[test]
    fn summaries_have_their_date_behind() {
        let mut source = chat(&json!([]));
        source.kind = SourceKind::Summary;
        source.body = json!({"summary": "likes\ntea"});
        assert_eq!(
            text_form(&source, &TimeZone::UTC),
            "- likes tea[2026/11/29]"
        );
    }

    #[test]
    fn windows_keep_every_turn_in_order() {
        let source = chat(&json!(
            (0..10)
                .map(|i| json!({"role": "user", "content": format!("t{i}")}))
                .collect::<Vec<_>>()
        ));
        let turns = dated_turns(&source, &TimeZone::UTC);
        let split = windows(&turns, &[40; 10], 100);
        assert_eq!(
            split.iter().map(Vec::len).collect::<Vec<_>>(),
            [2, 2, 2, 2, 2]
        );
        assert_eq!(split.concat(), turns);
    }

    #[test]
    fn a_giant_turn_becomes_several_windows() {
        let words = "One two three. ".repeat(400);
        let source = chat(&json!([{"role": "user", "content": words}]));
        let turns = dated_turns(&source, &TimeZone::UTC);
        let split = windows(&turns, &[2000], 500);
        assert!(split.len() >= 4);
        let joined: String = split
            .concat()
            .iter()
            .map(|t| t.turn.content.as_str())
            .collect();
        assert_eq!(joined, words);
    }

    proptest! {
        #[test]
        fn pieces_joined_are_the_text(text in "\\PC{0,300}", max in 0_usize..40) {
            let pieces = split_text(&text, max);
            prop_assert!(pieces.iter().all(|p| p.len() <= max.max(4)));
            prop_assert_eq!(pieces.concat(), text.clone());
        }
    }
}
