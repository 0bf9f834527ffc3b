//! Gists are the words, dated.

use super::{fresh, numbered, said, said_by};
use crate::distil::DatedTurn;
use crate::limits::{GIST_CHARS_MAX, MEMORY_BYTES_MAX};
use crate::source::{Role, Turn};
use crate::time::Precision;

#[test]
fn a_gist_has_date_speaker_words_and_resolved_dates() {
    let turns = numbered(vec![said_by(
        Role::User,
        Some("Caroline"),
        "I went to a support group\nyesterday and it was so powerful.",
    )]);
    let distilled = fresh(&turns);
    assert_eq!(
        distilled.notes,
        "- [2023-05-08] Caroline: I went to a support group yesterday and it was so powerful. (yesterday: 2023-05-07)"
    );
    let note = &distilled.lines[0];
    assert_eq!(note.text, distilled.notes);
    assert_eq!(note.speaker.as_deref(), Some("Caroline"));
    assert_eq!(note.said_at, turns[0].anchor.at);
    assert_eq!(note.origins[0].turn, Some(0));
    let happened = note.happened.expect("yesterday is a day");
    assert_eq!(
        (
            happened.precision,
            happened.from.date_iso(&turns[0].anchor.zone).as_str()
        ),
        (Precision::Day, "2023-05-07")
    );
}

#[test]
fn the_date_is_that_of_the_turn_or_its_own_words() {
    let dated = |created_at: &str| {
        let turn = said("We reached the castle.");
        fresh(&[DatedTurn {
            turn: Turn {
                created_at: Some(created_at.into()),
                ..turn.turn.clone()
            },
            ..turn
        }])
        .notes
    };
    assert_eq!(dated("y1"), "- [y1] user: We reached the castle.");
    assert_eq!(
        dated("8 May 2023"),
        "- [2023-05-08] user: We reached the castle."
    );
    assert_eq!(dated(" "), "- [2023-05-08] user: We reached the castle.");
    assert_eq!(
        dated("third\nage"),
        "- [third age] user: We reached the castle."
    );
}

#[test]
fn users_and_others_are_kept_and_nobody_else() {
    let turns = numbered(vec![
        said_by(Role::User, None, "We met at noon."),
        said_by(Role::Assistant, None, "Nice, noon is good."),
        said_by(Role::Other, None, "I came late."),
        said_by(Role::System, None, "Be brief."),
        said_by(Role::Tool, None, "12:00"),
        said_by(Role::User, None, "ok"),
        said_by(Role::User, None, "😀"),
        said_by(Role::User, None, "好的，谢谢"),
    ]);
    assert_eq!(
        fresh(&turns).notes,
        "- [2023-05-08] user: We met at noon.\n- [2023-05-08] other: I came late."
    );
}

#[test]
fn nothing_said_is_no_event() {
    assert_eq!(fresh(&[said("thanks!")]).notes, "");
    assert_eq!(fresh(&[]).notes, "");
}

#[test]
fn long_turns_become_several_gists_with_one_prefix() {
    let text = "This is the sentence number one hundred. ".repeat(50);
    let lines = fresh(&[said(&text)]).lines;
    assert!(lines.len() > 3);
    for line in &lines {
        assert!(
            line.text.starts_with("- [2023-05-08] user: This is"),
            "{}",
            line.text
        );
        assert!(line.text.chars().count() <= GIST_CHARS_MAX + 30);
    }
}

#[test]
fn gists_fit_into_a_memory_whatever_the_labels() {
    let turn = said_by(Role::User, Some(&"𝒜".repeat(5000)), &"𝒜".repeat(5000));
    let turn = DatedTurn {
        turn: Turn {
            created_at: Some("𝒜 ".repeat(5000)),
            ..turn.turn.clone()
        },
        ..turn
    };
    assert!(
        fresh(&[turn])
            .lines
            .iter()
            .all(|line| line.text.len() <= MEMORY_BYTES_MAX)
    );
}

/// Bytes of the long turns below.
const LONG_BYTES: usize = 300_000;

#[test]
fn long_turns_take_time_in_proportion() {
    for piece in [
        "I love tea and I live in Oslo, my sister Anna says. ",
        "a",
        "“\"`",
        "我喜欢爬山，",
        ".",
        "---\n# Memory\n",
        "“ ",
        "\n\n",
        "i my and ",
    ] {
        let text = piece.repeat(LONG_BYTES / piece.len());
        let started = std::time::Instant::now();
        let found = fresh(&[said(&text)]);
        let took = started.elapsed();
        // Anything worse than proportional takes minutes at this length; the bound leaves room for busy machines.
        assert!(
            took.as_secs() < 10,
            "{piece:?}: {took:?} for {} lines",
            found.lines.len()
        );
    }
}
