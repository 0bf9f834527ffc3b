//! A window's notes as lines with their times and the words they rest on.

use mneme_core::distil::reader;
use mneme_core::distil::{DatedTurn, Note, Origin};
use mneme_core::time::{Anchor, Happened, expression, message};

/// A summary as its own notes: one line for each, dated by its own time.
pub(super) fn summary_notes(window: &[DatedTurn]) -> (String, Vec<Note>) {
    let lines: Vec<Note> = window
        .iter()
        .map(|turn| {
            let words = turn
                .turn
                .content
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ");
            Note {
                text: format!(
                    "- {words}[{}]",
                    turn.anchor.at.date_slashed(&turn.anchor.zone)
                ),
                speaker: None,
                said_at: turn.anchor.at,
                happened: expression::query_interval(&words, &turn.anchor),
                origins: origins(std::slice::from_ref(turn)),
            }
        })
        .collect();
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    (texts.join("\n"), lines)
}

/// The notes' lines with their times: what the line itself says, else the window's last moment.
pub(super) fn lines_of(notes: &reader::Notes, window: &[DatedTurn]) -> Vec<Note> {
    let Some(anchor) = last_anchor(window) else {
        return Vec::new();
    };
    let origins = origins(window);
    notes
        .lines
        .iter()
        .map(|line| {
            let mentioned =
                marked(line, "mention ").and_then(|date| message::read(date, &anchor.zone));
            let said = mentioned.map_or_else(
                || anchor.clone(),
                |time| Anchor {
                    at: time.at,
                    zone: time.zone,
                },
            );
            Note {
                text: line.clone(),
                speaker: None,
                said_at: said.at,
                happened: happened(line, &said),
                origins: origins.clone(),
            }
        })
        .collect()
}

/// What a line says of when it happened: its `[happened …]` mark, else its words. When it was said is no answer to that.
fn happened(line: &str, said: &Anchor) -> Option<Happened> {
    let by_mark = marked(line, "happened ").and_then(|date| expression::query_interval(date, said));
    by_mark.or_else(|| expression::query_interval(&without_mentions(line), said))
}

/// What stands behind a name in square brackets, as in `[mention DATE]` and `[mention DATE; happened DATE]`.
fn marked<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    const ENDS: [&str; 3] = [";", ", mention ", ", happened "];
    let brackets = line
        .split('[')
        .skip(1)
        .filter_map(|rest| rest.split_once(']'));
    brackets.map(|(inside, _)| inside).find_map(|inside| {
        let (_, value) = inside.split_once(name)?;
        let end = ENDS
            .iter()
            .filter_map(|end| value.find(end))
            .min()
            .unwrap_or(value.len());
        value.get(..end).map(str::trim)
    })
}

/// The line without its `[mention …]` marks.
fn without_mentions(line: &str) -> String {
    let (mut kept, mut rest) = (String::with_capacity(line.len()), line);
    while let Some((before, mark)) = rest.split_once("[mention ") {
        kept.push_str(before);
        rest = mark.split_once(']').map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept
}

/// The latest moment of a window.
pub(super) fn last_anchor(window: &[DatedTurn]) -> Option<Anchor> {
    window
        .iter()
        .map(|turn| &turn.anchor)
        .max_by_key(|anchor| anchor.at)
        .cloned()
}

/// The sources of a window, each once.
pub(super) fn origins(window: &[DatedTurn]) -> Vec<Origin> {
    let mut origins: Vec<Origin> = Vec::new();
    for turn in window.iter().filter(|turn| turn.is_user()) {
        match origins
            .iter_mut()
            .find(|origin| origin.source == turn.source)
        {
            Some(origin) => origin.said_at = origin.said_at.max(turn.anchor.at),
            None => origins.push(Origin {
                source: turn.source,
                turn: None,
                speaker: turn.turn.alias.clone(),
                said_at: turn.anchor.at,
            }),
        }
    }
    origins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read_in_their_usual_spellings() {
        let both = [
            "- a [mention 2023/05/07] [happened 2023/05/06] // event",
            "- a [mention 2023/05/07; happened 2023/05/06]",
            "- a [x] [mention 2023/05/07, happened 2023/05/06]",
        ];
        for line in both {
            assert_eq!(
                (marked(line, "mention "), marked(line, "happened ")),
                (Some("2023/05/07"), Some("2023/05/06")),
                "{line}"
            );
        }
        assert_eq!(
            marked("- a [mention May 7, 2023]", "mention "),
            Some("May 7, 2023")
        );
        for line in [
            "- a",
            "- a [mention",
            "- [happened",
            "[]",
            "- we mention it",
        ] {
            assert_eq!(
                (marked(line, "mention "), marked(line, "happened ")),
                (None, None),
                "{line}"
            );
        }
    }

    #[test]
    fn only_mention_marks_are_taken_out() {
        assert_eq!(
            without_mentions("- a [mention x] b [c] [mention y]"),
            "- a  b [c] "
        );
        assert_eq!(without_mentions("- a [mention x"), "- a ");
    }
}
