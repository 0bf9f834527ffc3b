//! The English rules: a sentence in, findings about its speaker out.

mod clause;
mod education;
mod gazetteer;
mod kin;
mod lexicon;
mod name;
mod object;
mod personal;
mod residence;
mod taste;
mod token;
mod value;
mod work;

use std::ops::Range;

use super::field::Finding;
use clause::Head;
use lexicon::ADVERBS;
use token::Cursor;

/// What a sentence says about its speaker. `quoted` are the byte ranges of quotations in it, in order.
pub(super) fn read(sentence: &str, quoted: &[Range<usize>]) -> Vec<Finding> {
    let tokens = token::tokens(sentence, quoted);
    let mut found = Vec::new();
    if !clause::is_statement(sentence, &tokens) {
        return found;
    }
    for clause in clause::clauses(sentence, &tokens) {
        let cursor = clause.cursor;
        match clause.head {
            Head::Me => {
                let mut cursor = cursor;
                cursor.skip(ADVERBS);
                let is_state = cursor.eat(&["am"]);
                if is_state {
                    cursor.skip(ADVERBS);
                }
                read_with(if is_state { I_AM } else { I_DO }, cursor, &mut found);
            }
            Head::Mine => read_with(MY, cursor, &mut found),
            Head::CallMe => found.extend(name::call_me(cursor)),
            Head::Other => {}
        }
    }
    found.extend(kin::named_in_passing(Cursor {
        sentence,
        all: &tokens,
        at: 0,
        end: tokens.len(),
    }));
    found
}

/// Reads a clause from a place behind its subject.
type Reader = fn(Cursor<'_, '_>, &mut Vec<Finding>);

/// Behind "I am".
const I_AM: &[Reader] = &[
    personal::i_am,
    taste::i_am,
    residence::i_am,
    education::i_am,
    work::i_am,
    name::i_am_called,
];
/// Behind "I" and any other verb.
const I_DO: &[Reader] = &[
    personal::i_do,
    taste::i_do,
    residence::i_do,
    work::i_do,
    education::i_do,
    kin::i_do,
];
/// Behind "my".
const MY: &[Reader] = &[
    personal::my,
    taste::my,
    residence::my,
    work::my,
    education::my,
    kin::my,
];

/// The findings of the first reader that has any.
fn read_with(readers: &[Reader], cursor: Cursor<'_, '_>, found: &mut Vec<Finding>) {
    let before = found.len();
    for reader in readers {
        reader(cursor, found);
        if found.len() > before {
            return;
        }
    }
}
