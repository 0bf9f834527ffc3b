//! Scripts without blanks between words: overlapping pairs, and Han characters alone.
//!
//! Pairs need no dictionary, and for recall they were measured better than dictionary words on short facts.

use unicode_script::{Script, UnicodeScript};
use unicode_segmentation::UnicodeSegmentation;

use super::{Token, stop};

/// The terms of one run. `number` is the number that stands right before it: it binds the first character, so that
/// `5月` and `3岁` are terms.
pub(super) fn tokens(run: &str, number: Option<&str>, tokens: &mut Vec<Token>) {
    let units: Vec<&str> = run.graphemes(true).collect();
    if let (Some(number), Some(first)) = (number, units.first()) {
        tokens.push(Token::both(&format!("{number}{first}")));
    }
    let alone = units.len() == 1;
    for unit in &units {
        if !is_stop(unit) && (alone || stands_alone(unit)) {
            tokens.push(Token::both(unit));
        }
    }
    for pair in units.windows(2) {
        if let [left, right] = pair
            && !(is_stop(left) && is_stop(right))
        {
            tokens.push(Token::both(&format!("{left}{right}")));
        }
    }
}

/// Whether one character means something by itself: Han does, a syllable or letter hardly.
fn stands_alone(unit: &str) -> bool {
    unit.chars()
        .next()
        .is_some_and(|letter| letter.script() == Script::Han)
}

fn is_stop(unit: &str) -> bool {
    let mut letters = unit.chars();
    matches!((letters.next(), letters.next()), (Some(letter), None) if stop::is_han_stop(letter))
}
