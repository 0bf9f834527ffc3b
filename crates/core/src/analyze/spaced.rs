//! Writing with blanks: words, numbers, addresses, ids.
//!
//! A chunk (what stands between blanks, quotes and brackets) falls into pieces at strong joiners (`/`, `:`, `@`, …), a
//! piece into atoms at weak ones (`.`, `-`, `_`, …). Ids, versions, addresses and dates are terms as a whole and in
//! parts: the whole outranks, the parts forgive.

use unicode_script::{Script, UnicodeScript};
use unicode_segmentation::UnicodeSegmentation;

use super::number::{self, Day};
use super::{Token, word};

const STRONG: [char; 10] = ['/', ':', '@', '?', '&', '=', '#', '%', ',', '~'];
const WEAK: [char; 5] = ['.', '-', '_', '\'', '+'];

/// The chunks of a run, without punctuation around them; none is empty.
pub(super) fn chunks(run: &str) -> impl Iterator<Item = &str> {
    run.split(is_border)
        .map(trimmed)
        .filter(|chunk| !chunk.is_empty())
}

/// The terms of one run.
pub(super) fn tokens(run: &str, tokens: &mut Vec<Token>) {
    for chunk in run.split(is_border) {
        if let Some(name) = programming_language(chunk) {
            tokens.push(Token::both(name));
        }
        chunk_tokens(trimmed(chunk), tokens);
    }
}

/// The number right at the end of a run, without leading zeros: what a counting word behind it counts.
pub(super) fn number_at_end(run: &str) -> Option<&str> {
    let start = run
        .trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.')
        .len();
    let number = run[start..].trim_start_matches(['.', '0']);
    (number.len() <= 16 && number.ends_with(|letter: char| letter.is_ascii_digit()))
        .then_some(number)
}

/// The day that an ISO 8601 text starts with.
pub(super) fn iso_day(text: &str) -> Option<Day> {
    let (day, rest) = text.split_at_checked(10)?;
    if rest.starts_with(|letter: char| letter.is_ascii_digit()) {
        return None;
    }
    number::day(day)
}

fn is_border(letter: char) -> bool {
    if letter.is_alphanumeric() || STRONG.contains(&letter) || WEAK.contains(&letter) {
        return false;
    }
    // What is neither letter nor punctuation is a mark of some script and belongs to the letter before it.
    letter.is_ascii() || matches!(letter.script(), Script::Common | Script::Unknown)
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|letter: char| !letter.is_alphanumeric())
}

/// `c++`, `c#` and their like, whose signs would be taken for punctuation.
fn programming_language(chunk: &str) -> Option<&str> {
    let chunk = chunk.trim_end_matches(['.', ',', ':', '?']);
    let letters = chunk
        .strip_suffix("++")
        .or_else(|| chunk.strip_suffix('#'))?;
    let short =
        matches!(letters.len(), 1 | 2) && letters.bytes().all(|letter| letter.is_ascii_lowercase());
    short.then_some(chunk)
}

fn chunk_tokens(chunk: &str, tokens: &mut Vec<Token>) {
    let pieces = pieces(chunk);
    if let Some(address) = address(chunk, &pieces) {
        tokens.push(Token::both(address));
    }
    for pair in pieces.windows(2) {
        if let [(_, name), ('@', host)] = pair
            && !name.is_empty()
            && !host.is_empty()
        {
            tokens.push(Token::both(&format!("{name}@{host}")));
        }
    }
    for (_, piece) in pieces {
        piece_tokens(piece, tokens);
    }
}

/// The pieces of a chunk, each with the joiner before it (a blank for the first). Between two digits `/`, `:` and `,`
/// belong to the number.
fn pieces(chunk: &str) -> Vec<(char, &str)> {
    let bytes = chunk.as_bytes();
    let digit = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(u8::is_ascii_digit)
    };
    let mut pieces = Vec::new();
    let (mut joiner, mut start) = (' ', 0);
    for (at, letter) in chunk
        .char_indices()
        .filter(|(_, letter)| STRONG.contains(letter))
    {
        let in_number =
            matches!(letter, '/' | ':' | ',') && digit(at.checked_sub(1)) && digit(Some(at + 1));
        if !in_number {
            pieces.push((joiner, trimmed(&chunk[start..at])));
            (joiner, start) = (letter, at + 1);
        }
    }
    pieces.push((joiner, trimmed(&chunk[start..])));
    pieces
}

/// A web address without its scheme.
fn address<'a>(chunk: &'a str, pieces: &[(char, &str)]) -> Option<&'a str> {
    let bare = match chunk.split_once("://") {
        Some((_, bare)) => bare,
        None => match pieces {
            [(_, host), ('/', _), ..] if host.contains('.') => chunk,
            _ => return None,
        },
    };
    let is_piece = pieces.iter().any(|(_, piece)| *piece == bare);
    (!is_piece && !bare.is_empty()).then_some(bare)
}

fn piece_tokens(piece: &str, tokens: &mut Vec<Token>) {
    if number::is_number(piece) {
        return number::tokens(piece, tokens);
    }
    if let (Some(day), Some(time)) = (
        iso_day(piece),
        piece.get(10..).and_then(|rest| rest.strip_prefix('t')),
    ) {
        number::day_tokens(day, tokens);
        return tokens.extend(chunks(time).map(Token::both));
    }
    if let Some((letters, digits)) = letters_and_number(piece) {
        tokens.push(Token::both(piece));
        number::tokens(digits, tokens);
        if letters.len() > 1 {
            word::tokens(letters, tokens);
        }
        return;
    }
    let Some(piece) = word::without_contraction(piece) else {
        return;
    };
    let atoms: Vec<&str> = piece
        .unicode_words()
        .flat_map(|word| word.split(|letter| WEAK.contains(&letter)))
        .filter(|atom| !atom.is_empty())
        .collect();
    if let [atom] = atoms[..] {
        return word::tokens(atom, tokens);
    }
    compound_tokens(piece, &atoms, tokens);
}

/// `iphone15`, `v1.2`, `15kg`: ASCII letters before or after a number.
fn letters_and_number(piece: &str) -> Option<(&str, &str)> {
    let letter = |letter: char| letter.is_ascii_alphabetic();
    let number = piece.trim_start_matches(letter);
    if number.len() < piece.len() && number::is_number(number) {
        return Some((&piece[..piece.len() - number.len()], number));
    }
    let number = piece.trim_end_matches(letter);
    (number.len() < piece.len() && number::is_number(number))
        .then(|| (&piece[number.len()..], number))
}

fn compound_tokens(piece: &str, atoms: &[&str], tokens: &mut Vec<Token>) {
    let single = |atom: &&str| atom.chars().nth(1).is_none();
    if atoms.is_empty() {
        return;
    }
    let joined = || word::stemmed(&atoms.concat());
    if atoms.iter().all(single) {
        // Initials: `u.s.a` is `usa`.
        return tokens.push(Token::both(&joined()));
    }
    if piece.contains(|letter: char| letter.is_numeric() || letter == '_' || letter == '.') {
        tokens.push(Token::both(piece));
    } else if atoms.iter().any(single) {
        // `e-mail` is `email`.
        tokens.push(Token::both(&joined()));
    } else {
        tokens.push(Token::document(&joined()));
    }
    for atom in atoms {
        word::tokens(atom, tokens);
    }
}
