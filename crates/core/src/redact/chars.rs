//! Small questions about characters and their neighbours, all in constant time.

/// A Chinese character. It ends a Latin word without a space.
pub(super) fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Full-width punctuation: what ends a value in Chinese text.
pub(super) fn is_wide_punctuation(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{303f}' | '“' | '”' | '‘' | '’' | '…')
        || (matches!(c, '\u{ff01}'..='\u{ff65}') && !c.is_alphanumeric())
}

/// Part of a word of a script that parts words by spaces.
pub(super) fn is_word(c: char) -> bool {
    c == '_' || (c.is_alphanumeric() && !is_han(c))
}

/// The character that ends right before that byte.
pub(super) fn before(text: &str, at: usize) -> Option<char> {
    text.get(..at)?.chars().next_back()
}

/// The character that starts at that byte.
pub(super) fn at(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

/// The first place at or after `from` that is not a space or a tab.
pub(super) fn skip_blanks(text: &str, from: usize) -> usize {
    // More blanks than this part two things that have nothing to do with each other.
    const BLANKS_MAX: usize = 16;
    let rest = text.get(from..).unwrap_or_default();
    from + rest
        .bytes()
        .take(BLANKS_MAX)
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

/// The length in bytes of the run at `from` whose characters all pass, at most `max` bytes.
pub(super) fn run(text: &str, from: usize, max: usize, passes: impl Fn(char) -> bool) -> usize {
    let mut length = 0;
    for c in text.get(from..).unwrap_or_default().chars() {
        if !passes(c) || length + c.len_utf8() > max {
            break;
        }
        length += c.len_utf8();
    }
    length
}

/// The last at most `max` bytes before that place, cut at a character border.
pub(super) fn tail(text: &str, end: usize, max: usize) -> &str {
    let start = text.floor_char_boundary(end.saturating_sub(max));
    text.get(start..end).unwrap_or_default()
}

/// The at most `max` bytes after that place, cut at a character border.
pub(super) fn head(text: &str, start: usize, max: usize) -> &str {
    let end = text.floor_char_boundary(start.saturating_add(max));
    text.get(start..end).unwrap_or_default()
}

/// The text without that beginning, in whatever case it is written.
pub(super) fn strip_ascii_prefix<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix)
        .then(|| text.get(prefix.len()..))?
}

/// Whether the text ends so, in whatever case it is written.
pub(super) fn ends_with_ascii(text: &str, end: &str) -> bool {
    text.len()
        .checked_sub(end.len())
        .and_then(|start| text.get(start..))
        .is_some_and(|last| last.eq_ignore_ascii_case(end))
}

/// Whether letters and digits are mixed, in at least `min` bytes of them and signs.
pub(super) fn is_mixed(text: &str, min: usize) -> bool {
    text.len() >= min
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// Whether it looks drawn at random: base64 or hex of at least `min` bytes, in which letters, digits and cases change
/// far more often than in words.
pub(super) fn is_random(text: &str, min: usize) -> bool {
    let bytes = text.as_bytes();
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=_-.".contains(byte);
    if bytes.len() < min || !bytes.iter().all(fits) || !is_mixed(text, min) {
        return false;
    }
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        _ => 3,
    };
    let turns = bytes
        .windows(2)
        .filter(|pair| {
            let (left, right) = (class(pair[0]), class(pair[1]));
            left != right && left != 3 && right != 3
        })
        .count();
    turns * 6 >= bytes.len()
}

/// Whether it has the form of a UUID.
pub(super) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
