//! Clauses of a sentence, who each is about, and whether it states anything.

use super::lexicon::{
    ADVERBS, NOT_SAID, OPENERS, QUESTION_HEADS, SHARED_VERBS, TEXT_ORDERS, UNSURE,
};
use super::token::{Cursor, Token};

/// Signs that belong to what they stand in.
const INNER_SIGNS: &[&str] = &["&", "/", "'", "’", "%", "$", "#", "+", "_", "@"];
const CONJUNCTIONS: &[&str] = &[
    "and", "but", "because", "so", "although", "though", "while", "plus", "then", "or", "since",
];
/// Verbs that begin a clause behind "and" though no pattern begins with them.
const OTHER_VERBS: &[&str] = &[
    "use", "play", "want", "need", "read", "watch", "try", "go", "went", "run", "write", "spend",
    "own", "know", "think", "feel", "did", "was", "had", "would", "will", "usually", "often",
];
const PRONOUNS: &[&str] = &[
    "i", "my", "we", "he", "she", "they", "you", "it", "there", "her", "his", "our", "their",
];
const PRONOUN_SUBJECTS: &[&str] = &["i", "you", "we", "he", "she", "they", "it"];
/// What may stand in front of "to" in a clause whose subject goes on into the next.
const PLAIN_TO: &[&str] = &[
    "love",
    "like",
    "moved",
    "relocated",
    "allergic",
    "married",
    "back",
    "over",
    "prefer",
    "enjoy",
    "listening",
    "close",
    "next",
    "due",
];
/// Longest clause without a subject that leaves the subject as it was, words.
const FRAGMENT_WORDS_MAX: usize = 3;

/// How a clause begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Head {
    /// "I …"; the cursor stands behind it.
    Me,
    /// "my …"; the cursor stands behind it.
    Mine,
    /// "call me …"; the cursor stands behind it.
    CallMe,
    /// About something else, or not certain.
    Other,
}

/// A clause: its head and the cursor behind it.
#[derive(Clone, Copy)]
pub(super) struct Clause<'t, 'a> {
    pub(super) head: Head,
    pub(super) cursor: Cursor<'t, 'a>,
}

/// Whether the sentence states something by itself: no question, no condition, nobody else's words, no order about a
/// text.
pub(super) fn is_statement(sentence: &str, tokens: &[Token<'_>]) -> bool {
    let ending = sentence
        .trim_end()
        .chars()
        .rev()
        .take_while(|c| !c.is_alphanumeric());
    if ending.into_iter().any(|c| matches!(c, '?' | '？'))
        || tokens.iter().any(|token| token.is(NOT_SAID))
    {
        return false;
    }
    let mut head = Cursor {
        sentence,
        all: tokens,
        at: 0,
        end: tokens.len(),
    };
    // "You can call me Mo" must not lose its "you".
    while head
        .peek()
        .is_some_and(|token| (token.is(OPENERS) && !token.is(&["you"])) || !token.is_word())
    {
        head.at += 1;
    }
    if is_in_a_play(head) {
        return false;
    }
    if head.eat(&["may", "will", "might", "have", "had"]) {
        return !head.peek().is_some_and(|token| token.is(PRONOUN_SUBJECTS));
    }
    !head
        .peek()
        .is_some_and(|token| token.is(QUESTION_HEADS) || token.is(TEXT_ORDERS))
}

/// "… in the school play": what is so there is not so here.
fn is_in_a_play(cursor: Cursor<'_, '_>) -> bool {
    const STAGES: &[&str] = &[
        "game",
        "play",
        "story",
        "dream",
        "dreams",
        "novel",
        "script",
        "musical",
        "campaign",
        "movie",
        "film",
        "skit",
        "fantasy",
        "simulation",
        "scenario",
    ];
    let words = cursor.rest();
    (0..words.len()).any(|at| {
        // "in the school play", "in my dream", but not "in the film industry".
        let named = words.get(at..).unwrap_or_default();
        let opens = matches!(named, [preposition, article, ..] if preposition.is(&["in"]) && article.is(&["the", "this", "my", "a", "our", "that"]));
        opens && (2..=3).any(|place| named.get(place).is_some_and(|token| token.is(STAGES)) && named.get(place + 1).is_none_or(|next| !next.is_word() || next.is(&["and", "but", "i"])))
    })
}

/// The clauses of a statement in order.
pub(super) fn clauses<'t, 'a>(sentence: &'a str, all: &'t [Token<'a>]) -> Vec<Clause<'t, 'a>> {
    let mut found = Vec::new();
    let mut carries_me = false;
    let mut start = 0;
    while start < all.len() {
        let end = clause_end(all, start);
        let words = all.get(start..end).unwrap_or_default();
        if !words.is_empty() {
            let whole = Cursor {
                sentence,
                all,
                at: start,
                end,
            };
            let clause = headed(whole, carries_me, is_labelled(all, start));
            carries_me = match clause.head {
                Head::Me => is_plain(words),
                Head::Mine | Head::CallMe => false,
                Head::Other => carries_me && is_fragment(words),
            };
            found.push(clause);
        }
        // A sign is left out; a conjunction begins the next clause.
        start = if all.get(end).is_some_and(is_border) {
            end + 1
        } else {
            end.max(start + 1)
        };
    }
    found
}

/// Whether a sign stands between clauses.
pub(super) fn is_border(token: &Token<'_>) -> bool {
    !token.is_word() && !token.is_quotation() && !token.is(INNER_SIGNS) && !token.is(&["'s"])
}

fn clause_end(all: &[Token<'_>], start: usize) -> usize {
    let rest = all.iter().enumerate().skip(start);
    let end = rest
        .into_iter()
        .find(|&(at, token)| is_border(token) || (at > start && begins_clause(all, at)));
    end.map_or(all.len(), |(at, _)| at)
}

/// Whether a conjunction here joins a new clause and not a further thing.
fn begins_clause(all: &[Token<'_>], at: usize) -> bool {
    let Some(joint) = all.get(at).filter(|token| token.is(CONJUNCTIONS)) else {
        return false;
    };
    let next = all.iter().skip(at + 1).find(|token| !token.is(ADVERBS));
    next.is_some_and(|next| {
        next.is(PRONOUNS)
            || (joint.is(&["and", "but"]) && (next.is(SHARED_VERBS) || next.is(OTHER_VERBS)))
    })
}

/// Whether a colon stands in front and something else than an opening before it: `Bob: I am a nurse`.
fn is_labelled(all: &[Token<'_>], start: usize) -> bool {
    let colon = start
        .checked_sub(1)
        .and_then(|before| all.get(before))
        .is_some_and(|token| token.is(&[":"]));
    colon
        && !all
            .iter()
            .take(start - 1)
            .all(|token| token.is(OPENERS) || !token.is_word())
}

fn headed<'t, 'a>(whole: Cursor<'t, 'a>, carries_me: bool, is_labelled: bool) -> Clause<'t, 'a> {
    let other = Clause {
        head: Head::Other,
        cursor: whole,
    };
    if is_labelled || whole.rest().iter().any(|token| token.is(UNSURE)) {
        return other;
    }
    let mut cursor = whole;
    if calls_me(&mut cursor) {
        return Clause {
            head: Head::CallMe,
            cursor,
        };
    }
    cursor = whole;
    while cursor
        .peek()
        .is_some_and(|token| token.is(OPENERS) || !token.is_word())
    {
        cursor.at += 1;
    }
    if calls_me(&mut cursor) {
        return Clause {
            head: Head::CallMe,
            cursor,
        };
    }
    if cursor.eat(&["i"]) {
        return Clause {
            head: Head::Me,
            cursor,
        };
    }
    if cursor.eat(&["my"]) {
        return if calls_me(&mut cursor) {
            Clause {
                head: Head::CallMe,
                cursor,
            }
        } else {
            Clause {
                head: Head::Mine,
                cursor,
            }
        };
    }
    let mut shared = whole;
    shared.skip(&["and", "but", "also"]);
    shared.skip(ADVERBS);
    if carries_me && shared.peek().is_some_and(|token| token.is(SHARED_VERBS)) {
        return Clause {
            head: Head::Me,
            cursor: shared,
        };
    }
    other
}

/// Steps over "you can call me", "friends call me", "call me".
fn calls_me(cursor: &mut Cursor<'_, '_>) -> bool {
    let mut ahead = *cursor;
    ahead.skip(&["but", "and", "so", "please", "just", "also"]);
    ahead.any_phrase(&[
        "you can",
        "you may",
        "everyone",
        "everybody",
        "people",
        "friends",
        "most people",
        "my friends",
    ]);
    ahead.skip(&["just", "please", "all", "usually"]);
    let fits = ahead.any_phrase(&["call me", "calls me"]);
    if fits {
        cursor.at = ahead.at;
    }
    fits
}

/// Whether "I" goes on into a following clause that begins with a verb.
fn is_plain(words: &[Token<'_>]) -> bool {
    let is_unsure = words
        .iter()
        .any(|token| token.is(UNSURE) || token.is(&["will", "used", "may"]));
    let is_open = words
        .windows(2)
        .any(|pair| matches!(pair, [before, to] if to.is(&["to"]) && !before.is(PLAIN_TO)));
    // "I love the peace and love theme"
    let is_noun = words.windows(2).any(|pair| matches!(pair, [verb, article] if verb.is(SHARED_VERBS) && article.is(&["the", "a", "an", "your", "this", "that"])));
    let is_negated = words.iter().any(|token| token.is(&["not", "never"]));
    !is_unsure && !is_open && !is_negated && !is_noun
}

fn is_fragment(words: &[Token<'_>]) -> bool {
    words.len() <= FRAGMENT_WORDS_MAX && !words.iter().any(|token| token.is(PRONOUNS))
}
