//! What may stand between the word and its value: `is`, `:`, `=`, 是, nothing, or a phrase that says more.

use super::chars;

/// How the value is tied to the word before it. The looser the tie, the more the value must look like a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tie {
    /// `is`, `was`, 是.
    Is,
    /// `:` and `=`.
    Assign,
    /// `==`, as program text compares.
    Compare,
    /// `--password X`.
    Flag,
    /// "…, it is X", "changed the password to X", "the password's X", "password – X".
    Loose,
    /// The next word.
    Bare,
}

/// The tie that follows the word which ends at `end`, and where its value begins.
pub(super) fn read(text: &str, start: usize, end: usize) -> Option<(Tie, usize)> {
    if let Some(owns) = ["'s ", "’s "]
        .into_iter()
        .find(|owns| text.get(end..).is_some_and(|rest| rest.starts_with(owns)))
    {
        return Some((Tie::Loose, end + owns.len()));
    }
    // Quotes and brackets around the word itself: `"password"`, `**password**`, `env["password"]`.
    let closed = end + chars::run(text, end, 4, |c| "\"'`*_]\\".contains(c));
    let at = chars::skip_blanks(text, closed);
    if let Some(tie) = direct(text, at) {
        return Some(tie);
    }
    if let Some(tie) = it_is(text, at) {
        return Some(tie);
    }
    if let Some(after) = bracketed(text, at) {
        return direct(text, chars::skip_blanks(text, after));
    }
    let spaced = at > closed || chars::at(text, at).is_some_and(|c| !chars::is_word(c));
    if !spaced {
        // Chinese needs no space: 密码hunter2.
        return chars::before(text, end)
            .is_some_and(chars::is_han)
            .then_some((Tie::Bare, at));
    }
    if let Some(tie) = said_more(text, at, start) {
        return Some(tie);
    }
    let flag = chars::tail(text, start, 16)
        .rsplit(char::is_whitespace)
        .next()
        .is_some_and(|name| name.starts_with("--"));
    (at > closed).then_some((if flag { Tie::Flag } else { Tie::Bare }, at))
}

/// A sign or a verb at that place.
fn direct(text: &str, at: usize) -> Option<(Tie, usize)> {
    let rest = text.get(at..)?;
    let mut signs = rest.chars();
    match (signs.next()?, signs.next()) {
        (':', Some(':')) => return None,
        (':', Some('/')) if signs.next() == Some('/') => return None,
        ('-' | '–' | '—', Some(' ')) => {
            let dash = chars::run(text, at, 3, |c| c != ' ');
            return Some((Tie::Loose, at + dash));
        }
        (':', Some('=')) | ('=' | '-', Some('>')) => return Some((Tie::Assign, at + 2)),
        ('=', Some('=')) => {
            let signs = chars::run(text, at, 3, |c| c == '=');
            return Some((Tie::Compare, at + signs));
        }
        ('>', _) => return element(text, at + 1).then_some((Tie::Assign, at + 1)),
        (sign @ (':' | '=' | '：' | '＝'), _) => {
            return Some((Tie::Assign, at + sign.len_utf8()));
        }
        _ => {}
    }
    english(text, at).or_else(|| chinese(text, at))
}

/// Whether a value and a closing tag stand there: `<password>X</password>`.
fn element(text: &str, from: usize) -> bool {
    const VALUE_BYTES_MAX: usize = 128;
    let length = chars::run(text, from, VALUE_BYTES_MAX, |c| c != '<' && c != '\n');
    text.get(from + length..)
        .is_some_and(|rest| rest.starts_with("</"))
}

/// `is`, `was`, `equals`, with the adverbs and the colon after it.
fn english(text: &str, at: usize) -> Option<(Tie, usize)> {
    const ADVERBS: &[&str] = &[
        "now",
        "still",
        "just",
        "actually",
        "simply",
        "currently",
        "literally",
        "always",
        "also",
        "probably",
    ];
    let rest = text.get(at..)?;
    let verb = ["is", "was", "will be", "should be", "equals"]
        .into_iter()
        .find(|verb| chars::strip_ascii_prefix(rest, verb).is_some_and(ends_word))?;
    let mut next = chars::skip_blanks(text, at + verb.len());
    for _ in 0..2 {
        let rest = text.get(next..)?;
        let adverb = ADVERBS
            .iter()
            .find(|adverb| chars::strip_ascii_prefix(rest, adverb).is_some_and(ends_word));
        let Some(adverb) = adverb else { break };
        next = chars::skip_blanks(text, next + adverb.len());
    }
    let sign = chars::run(text, next, 3, |c| ":=：".contains(c));
    Some((Tie::Is, next + sign))
}

fn ends_word(rest: &str) -> bool {
    rest.chars()
        .next()
        .is_none_or(|c| !chars::is_word(c) && c != '-' && c != '\'')
}

/// 是, 为 and 改成, with the adverbs before and the colon after it.
fn chinese(text: &str, at: usize) -> Option<(Tie, usize)> {
    const VERBS: &[&str] = &[
        "是",
        "为",
        "為",
        "改成",
        "改为",
        "设成",
        "设为",
        "设置成",
        "设置为",
        "设定为",
        "换成",
        "等于",
    ];
    let adverbs = chars::run(text, at, 12, |c| {
        "也就都还還一直仍然现在現已经经被".contains(c)
    });
    let verb = at + adverbs;
    let rest = text.get(verb..)?;
    let length = VERBS.iter().find(|verb| rest.starts_with(**verb))?.len();
    let after = verb + length + chars::run(text, verb + length, 3, |c| c == '了');
    let next = chars::skip_blanks(text, after);
    let sign = chars::run(text, next, 3, |c| ":=：".contains(c));
    Some((Tie::Is, next + sign))
}

/// The end of a remark in brackets: `password (wifi): X`.
fn bracketed(text: &str, at: usize) -> Option<usize> {
    const REMARK_BYTES_MAX: usize = 48;
    let closer = match chars::at(text, at)? {
        '(' => ')',
        '（' => '）',
        _ => return None,
    };
    let length = chars::run(text, at, REMARK_BYTES_MAX, |c| c != closer && c != '\n');
    (chars::at(text, at + length) == Some(closer)).then(|| at + length + closer.len_utf8())
}

/// "I forgot my password, it is X".
fn it_is(text: &str, at: usize) -> Option<(Tie, usize)> {
    let sign = chars::run(text, at, 3, |c| ",.;，。；".contains(c));
    let next = chars::skip_blanks(text, at + sign);
    let rest = text.get(next..)?;
    let phrase = ["it is", "it's", "it’s", "that is", "that's", "它是", "就是"]
        .into_iter()
        .find(|phrase| chars::strip_ascii_prefix(rest, phrase).is_some())?;
    Some((Tie::Loose, next + phrase.len()))
}

/// "password for the router is X", "changed the password to X".
fn said_more(text: &str, at: usize, start: usize) -> Option<(Tie, usize)> {
    const WORDS_MAX: usize = 5;
    let rest = text.get(at..)?;
    let preposition = ["for", "to", "on", "of", "at", "in"]
        .into_iter()
        .find(|word| {
            chars::strip_ascii_prefix(rest, word).is_some_and(|rest| rest.starts_with(' '))
        })?;
    let mut next = chars::skip_blanks(text, at + preposition.len());
    if preposition == "to" && changes(text, start) {
        return Some((Tie::Loose, next));
    }
    for _ in 0..WORDS_MAX {
        let word = chars::run(text, next, 32, |c| {
            chars::is_word(c) || "-.@'’/".contains(c)
        });
        if word == 0 {
            return None;
        }
        next = chars::skip_blanks(text, next + word);
        if let Some(tie) = direct(text, next) {
            return Some(tie);
        }
    }
    None
}

/// Whether the words right before say that something is changed.
fn changes(text: &str, start: usize) -> bool {
    const VERBS: &[&str] = &[
        "set", "change", "changed", "reset", "update", "updated", "switch", "switched", "changing",
        "setting",
    ];
    chars::tail(text, start, 40)
        .split(|c: char| !c.is_ascii_alphabetic())
        .rev()
        .filter(|word| !word.is_empty())
        .take(4)
        .any(|word| VERBS.iter().any(|verb| verb.eq_ignore_ascii_case(word)))
}
