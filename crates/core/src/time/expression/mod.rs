//! Time words in running text, English and Chinese, resolved to intervals against the time of the message.
//!
//! The reading is conservative: an expression without a clear interval ("the other day", 最近) or with an everyday
//! second meaning ("may I", 目前天气) is left alone. The rules that had to be chosen:
//!
//! - A week begins on Monday. A weekend is its Saturday and Sunday.
//! - "N units ago" is the whole calendar unit that lies there: "two weeks ago" is a week, "three months ago" a month.
//!   Vague amounts ("a few days ago") span all that they may mean, and their precision is a step coarser.
//! - "On Friday", "in May", "May 8th", 周五, 5月: the nearest in the direction of the sentence, which a cue near by
//!   decides ("went", "will", 了, 打算); without a cue the past. "On Friday" is never today.
//! - "Last Friday" is the nearest one before today; "next Friday" and 下周五 belong to the next week.
//! - Seasons are northern: March to May, June to August, September to November, December to February. "Last summer" is
//!   the most recent one that is not going on.
//! - Morning is 5 to 12, afternoon 12 to 18, evening 18 to 24, a night 18 to 6 of the next day.

mod amount;
mod calendar;
pub(super) mod chinese;
mod english;
pub(super) mod lexicon;
mod near;
mod notation;
mod tense;
pub(super) mod token;
pub(super) mod written;

#[cfg(test)]
mod tests;

pub(super) use self::calendar::instant;
use self::calendar::{Now, When};
use self::chinese::{Chinese, cursor::folded};
use self::english::English;
use self::token::{Kind, Token, tokens};
use super::{Anchor, Happened, Timestamp};
pub use notation::{annotate, format_happened};

/// Whether an expression needs the anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MentionKind {
    /// It means nothing without the time of the message: "yesterday", "in May", "May 8th".
    Relative,
    /// It names its year: "8 May 2023", "in 2022".
    Absolute,
}

/// Where an interval lies from the anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// It has ended.
    Past,
    /// The anchor lies in it.
    Present,
    /// It has not begun.
    Future,
}

/// A time expression in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mention {
    /// Byte offset of its first character; a mere preposition ("in May") stays outside.
    pub start: usize,
    /// Byte offset after its last character.
    pub end: usize,
    /// What it means.
    pub happened: Happened,
    /// Whether it needs the anchor.
    pub kind: MentionKind,
    /// Where it lies from the anchor.
    pub direction: Direction,
}

/// All time expressions of a text, in order and without overlap. Takes time in proportion to the text's length.
#[must_use]
pub fn find(text: &str, anchor: &Anchor) -> Vec<Mention> {
    let cut = tokens(text);
    let now = Now::new(anchor);
    let plain = folded(text);
    let folded_tokens: Vec<Token<'_>> = cut
        .iter()
        .map(|token| Token {
            text: plain.get(token.start..token.end()).unwrap_or(token.text),
            ..*token
        })
        .collect();
    let english = English {
        tokens: &folded_tokens,
        now: &now,
    };
    let chinese = Chinese {
        text: &plain,
        tokens: &folded_tokens,
        now: &now,
    };
    let mut found = Vec::new();
    let (mut at, mut free_from) = (0, 0);
    while let Some(token) = cut.get(at) {
        let mention = if token.start < free_from {
            None
        } else {
            mention_at(&english, &chinese, at, anchor)
        };
        if let Some(mention) = mention {
            free_from = mention.end;
            found.push(mention);
        }
        at += 1;
    }
    found
}

/// The longer of what the two languages read at that token.
fn mention_at(
    english: &English<'_>,
    chinese: &Chinese<'_>,
    at: usize,
    anchor: &Anchor,
) -> Option<Mention> {
    let token = english.tokens.get(at)?;
    let in_chinese = matches!(token.kind, Kind::Han | Kind::Number)
        .then(|| chinese.read(at))
        .flatten();
    let in_english = if matches!(token.kind, Kind::Word | Kind::Number) {
        english.read(at)
    } else {
        None
    };
    let in_english = in_english.and_then(|hit| {
        let (first, last) = (
            english.tokens.get(hit.first)?,
            english.tokens.get(hit.end.checked_sub(1)?)?,
        );
        Some((first.start, last.end(), hit.when, hit.fixed))
    });
    let in_chinese = in_chinese.map(|found| (found.start, found.end, found.when, found.fixed));
    let (start, end, when, fixed) = match (in_chinese, in_english) {
        (Some(one), Some(other)) if other.1 > one.1 => other,
        (Some(one), _) => one,
        (None, other) => other?,
    };
    let happened = match when {
        When::Civil(piece) => piece.happened(&anchor.zone)?,
        When::Exact {
            from,
            to,
            precision,
        } => Happened {
            from,
            to,
            precision,
        },
    };
    if happened.from >= happened.to || end <= start {
        return None;
    }
    let kind = if fixed {
        MentionKind::Absolute
    } else {
        MentionKind::Relative
    };
    Some(Mention {
        start,
        end,
        happened,
        kind,
        direction: direction(&happened, anchor.at),
    })
}

fn direction(happened: &Happened, at: Timestamp) -> Direction {
    if happened.to <= at {
        Direction::Past
    } else if happened.from > at {
        Direction::Future
    } else {
        Direction::Present
    }
}

/// The time that a question asks about: its most specific expression, the first of equals.
#[must_use]
pub fn query_interval(text: &str, anchor: &Anchor) -> Option<Happened> {
    let length = |happened: &Happened| happened.to.0.saturating_sub(happened.from.0);
    find(text, anchor)
        .into_iter()
        .map(|mention| mention.happened)
        .min_by_key(|happened| (happened.precision, length(happened)))
}
