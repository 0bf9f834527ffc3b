//! What somebody likes: free words up to the end of a clause, or a list of things.

use super::clause::is_border;
use super::lexicon::{ADVERBS, POINTING, SHARED_VERBS, TRAILERS, VALUE_ENDS};
use super::token::{Cursor, Token};
use super::value::unquoted;

/// Longest object of a liking, words.
pub(super) const OBJECT_WORDS_MAX: usize = 12;
/// Longest listed thing, words.
const ITEM_WORDS_MAX: usize = 3;
/// Most listed things.
const ITEMS_MAX: usize = 12;

/// A free object up to the end of its clause: `sushi`, `the Beatles`, `walking in the rain`. `None` when it points to
/// something outside itself. A list that goes on behind commas is taken whole.
pub(super) fn object(cursor: &mut Cursor<'_, '_>) -> Option<String> {
    let start = cursor.at;
    let first = cursor.peek()?;
    if first.is(&["the"]) && !cursor.ahead(1).is_some_and(Token::is_capital) {
        return None;
    }
    let mut end = start;
    while end < cursor.end
        && cursor
            .all
            .get(end)
            .is_some_and(|token| !token.is(VALUE_ENDS))
    {
        end += 1;
    }
    let reaches_border = end == cursor.end;
    let full_end = end;
    while end > start
        && cursor
            .all
            .get(end - 1)
            .is_some_and(|token| token.is(TRAILERS) || !(token.is_word() || token.is_quotation()))
    {
        end -= 1;
    }
    let words = cursor.all.get(start..end).unwrap_or_default();
    if words.is_empty()
        || words.len() > OBJECT_WORDS_MAX
        || words.iter().any(|token| token.is(POINTING))
    {
        return None;
    }
    // "creating a safe, warm place" breaks at the comma.
    let is_torn = reaches_border
        && matches!(words, [.., article, _] if article.is(&["a", "an"]))
        && cursor
            .all
            .get(cursor.end)
            .is_some_and(|token| token.is(&[","]));
    if is_torn {
        return None;
    }
    cursor.at = full_end;
    if reaches_border
        && end == full_end
        && let Some(list_end) = list_end(cursor.all, end)
    {
        return Some(cursor.slice(start, list_end).to_owned());
    }
    match words {
        [only] if only.is_quotation() => unquoted(only.text).map(str::to_owned),
        _ if words.iter().any(Token::is_quotation) => None,
        _ => Some(cursor.slice(start, end).to_owned()),
    }
}

/// Where a list that began before this comma ends: `hiking, old films and tea`. `None` when no "and" closes it.
fn list_end(all: &[Token<'_>], comma: usize) -> Option<usize> {
    let mut at = comma;
    for _ in 0..ITEMS_MAX {
        all.get(at).filter(|token| token.is(&[","]))?;
        let start = at + 1;
        let mut end = start;
        while all.get(end).is_some_and(|token| !is_border(token)) {
            end += 1;
        }
        let words = all.get(start..end).unwrap_or_default();
        let bad = |token: &Token<'_>| {
            token.is(POINTING)
                || token.is(&["my", "we"])
                || token.is(SHARED_VERBS)
                || token.is(ADVERBS)
                || token.is(&["but"])
        };
        let joint = words.iter().position(|token| token.is(&["and", "or"]));
        let longest = words
            .split(|token| token.is(&["and", "or"]))
            .map(<[_]>::len)
            .max()
            .unwrap_or(0);
        if words.is_empty()
            || longest > ITEM_WORDS_MAX
            || words.iter().any(bad)
            || words.last().is_some_and(|token| token.is(TRAILERS))
        {
            return None;
        }
        if joint.is_some() {
            return Some(end);
        }
        at = end;
    }
    None
}
