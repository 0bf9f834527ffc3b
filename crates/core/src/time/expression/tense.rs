//! Whether a sentence looks back or ahead from a time word: the nearest cue decides.
//!
//! "On Friday" names two days. A cue close by ("went", "will", "了", "打算") tells which; without one the callers
//! take the past, since memories are mostly about what has been.

use super::token::{Kind, Token};

/// Where a sentence looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tense {
    Past,
    Future,
}

/// Tokens to either side that are looked at: bounds the work on texts without sentence ends.
const MAX_DISTANCE: usize = 16;

/// How far cues are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Up to a comma.
    Clause,
    Sentence,
}

impl Reach {
    fn ends_at(self, token: &Token<'_>) -> bool {
        token.ends_sentence() || self == Self::Clause && matches!(token.text, "," | "，")
    }
}

const FUTURE: [&str; 20] = [
    "will", "shall", "gonna", "ll", "tomorrow", "upcoming", "plan", "plans", "planning", "hope",
    "hoping", "let", "remind", "going", "want", "wait", "forward", "soon", "should", "must",
];
const BOOKED: [&str; 4] = ["due", "scheduled", "booked", "planned"];
const PRESENT_BE: [&str; 6] = ["am", "is", "are", "m", "re", "s"];
const PAST: [&str; 61] = [
    "was", "were", "did", "had", "went", "saw", "met", "got", "took", "came", "made", "bought",
    "said", "told", "been", "found", "gave", "left", "ran", "ate", "won", "lost", "began", "felt",
    "thought", "spent", "held", "brought", "caught", "drove", "wrote", "heard", "built", "taught",
    "sold", "sent", "flew", "fell", "broke", "chose", "grew", "knew", "sang", "slept", "spoke",
    "stood", "swam", "threw", "woke", "wore", "kept", "paid", "became", "ve", "sat", "rode",
    "hung", "led", "dealt", "didn", "wasn",
];
/// Words in -ed and -ing that say nothing about time.
const NO_CUE: [&str; 19] = [
    "need",
    "indeed",
    "hundred",
    "speed",
    "feed",
    "seed",
    "bed",
    "red",
    "morning",
    "evening",
    "during",
    "something",
    "nothing",
    "anything",
    "everything",
    "thing",
    "amazing",
    "exciting",
    "interesting",
];

/// The tense around the tokens `first..end`, if a cue is near: in the same clause, else in the same sentence.
pub(super) fn tense(tokens: &[Token<'_>], first: usize, end: usize) -> Option<Tense> {
    if copula_before(tokens, first) {
        return Some(Tense::Future);
    }
    nearest_cue(tokens, first, end, Reach::Clause)
        .or_else(|| deadline(tokens, first, end))
        .or_else(|| nearest_cue(tokens, first, end, Reach::Sentence))
}

/// The nearest cue to either side.
fn nearest_cue(tokens: &[Token<'_>], first: usize, end: usize, reach: Reach) -> Option<Tense> {
    let (mut left_open, mut right_open) = (true, true);
    for distance in 0..MAX_DISTANCE {
        for (open, at) in [
            (&mut left_open, first.checked_sub(distance + 1)),
            (&mut right_open, end.checked_add(distance)),
        ] {
            if !*open {
                continue;
            }
            match at.and_then(|at| tokens.get(at).map(|token| (at, token))) {
                Some((at, token)) if !reach.ends_at(token) => {
                    if let Some(found) = cue(tokens, at) {
                        return Some(found);
                    }
                }
                _ => *open = false,
            }
        }
    }
    None
}

/// "By Friday", 周五之前: a clause without any cue that names a deadline looks ahead to it.
fn deadline(tokens: &[Token<'_>], first: usize, end: usize) -> Option<Tense> {
    let by = before(tokens, first, 1).is_some_and(|token| token.one_of(&["by", "until", "till"]));
    let behind = (
        tokens.get(end).map_or("", |token| token.text),
        tokens.get(end + 1).map_or("", |token| token.text),
    );
    (by || matches!(behind, ("之" | "以", "前" | "后"))).then_some(Tense::Future)
}

/// "The exam is on Friday": a present "is" right before the expression (or its preposition) looks ahead.
fn copula_before(tokens: &[Token<'_>], first: usize) -> bool {
    (1..=2).any(|back| {
        first
            .checked_sub(back)
            .and_then(|at| tokens.get(at))
            .is_some_and(|token| token.one_of(&["is", "are"]))
    })
}

/// Whether "born" or "birthday" stands near: a yearless date beside them is no event near the anchor.
pub(super) fn speaks_of_birth(tokens: &[Token<'_>], first: usize, end: usize) -> bool {
    let from = first.saturating_sub(6);
    let to = end.saturating_add(6).min(tokens.len());
    tokens.get(from..to).is_some_and(|near| {
        near.iter()
            .any(|token| token.one_of(&["born", "birthday", "birthdays"]))
            || near.windows(2).any(|pair| {
                matches!(
                    (pair[0].text, pair[1].text),
                    ("出", "生") | ("生", "日" | "于")
                )
            })
    })
}

fn cue(tokens: &[Token<'_>], at: usize) -> Option<Tense> {
    let token = tokens.get(at)?;
    match token.kind {
        Kind::Word => english_cue(tokens, at, token),
        Kind::Han => chinese_cue(tokens, at, token),
        Kind::Number | Kind::Mark => None,
    }
}

fn before<'a>(tokens: &'a [Token<'a>], at: usize, back: usize) -> Option<&'a Token<'a>> {
    at.checked_sub(back).and_then(|index| tokens.get(index))
}

fn english_cue(tokens: &[Token<'_>], at: usize, token: &Token<'_>) -> Option<Tense> {
    if token.one_of(&NO_CUE) {
        return None;
    }
    let previous = before(tokens, at, 1);
    let after_be = previous.is_some_and(|word| word.one_of(&PRESENT_BE))
        || before(tokens, at, 2).is_some_and(|word| word.one_of(&PRESENT_BE));
    let after_was = previous.is_some_and(|word| word.one_of(&["was", "were", "had", "been"]));
    if token.one_of(&BOOKED) {
        return (!after_was).then_some(Tense::Future);
    }
    if after_was && token.text.ends_with("ing") {
        return Some(Tense::Past);
    }
    // "I have an appointment on 3 June", but not "I have lived".
    if token.one_of(&["have", "has"]) {
        let owns = tokens
            .get(at + 1)
            .is_some_and(|word| word.one_of(&["a", "an", "the", "my", "our", "another"]));
        return owns.then_some(Tense::Future);
    }
    if token.is("going") {
        return after_be.then_some(Tense::Future);
    }
    if token.is("wait") {
        return previous
            .is_some_and(|word| word.one_of(&["t", "cannot"]))
            .then_some(Tense::Future);
    }
    if token.is("forward") {
        return previous
            .is_some_and(|word| word.is("looking"))
            .then_some(Tense::Future);
    }
    if token.one_of(&FUTURE) {
        return Some(Tense::Future);
    }
    if token.one_of(&PAST) {
        return Some(Tense::Past);
    }
    if token.text.len() < 4 {
        return None;
    }
    if token.text.ends_with("ed") {
        // "I'm excited", "she's married": a state, not the past.
        return (!after_be).then_some(Tense::Past);
    }
    (token.text.ends_with("ing") && after_be).then_some(Tense::Future)
}

fn chinese_cue(tokens: &[Token<'_>], at: usize, token: &Token<'_>) -> Option<Tense> {
    let next = tokens.get(at + 1).map_or("", |token| token.text);
    let previous = before(tokens, at, 1).map_or("", |token| token.text);
    let around = (previous, token.text, next);
    let ahead = matches!(
        around,
        (_, "打", "算")
            | (_, "准", "备")
            | (_, "计", "划")
            | (_, "即", "将")
            | (_, "答", "应")
            | (_, "预", "约" | "订")
    );
    // What was signed up for (报名了) or set for a day (定在) lies ahead.
    let agreed = matches!(
        around,
        ("名" | "约" | "应" | "订", "了", _) | ("定" | "约" | "改" | "排", "在" | "到", _)
    );
    if ahead || agreed {
        return Some(Tense::Future);
    }
    let other_word = matches!(
        around,
        ("需" | "重" | "主", "要", _)
            | (_, "要", "求" | "是" | "不")
            | (_, "将", "军")
            | (_, "会", "议" | "员" | "场" | "计")
            | (
                "机" | "社" | "开" | "聚" | "晚" | "例" | "年" | "大" | "班",
                "会",
                _
            )
            | (_, "过", "去" | "年" | "程" | "节")
            | ("不" | "通" | "经", "过", _)
            | (_, "了", "解")
            | ("好", "了", _)
    );
    match (token.text, next) {
        _ if other_word => None,
        ("要" | "将" | "会", _) => Some(Tense::Future),
        ("了" | "过" | "曾", _) | ("已", "经") => Some(Tense::Past),
        _ => None,
    }
}
