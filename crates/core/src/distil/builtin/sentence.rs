//! Sentences of free text, English and Chinese, and the parts of it that are somebody else's words.

use std::ops::Range;

/// Words whose full stop does not end a sentence.
const ABBREVIATIONS: &[&str] = &[
    "dr", "mr", "mrs", "ms", "prof", "st", "mt", "jr", "sr", "vs", "e.g", "i.e", "approx", "u.s",
    "u.k", "ph.d",
];
/// What may follow the end sign and still belongs to the sentence.
const CLOSERS: &[char] = &[
    '"', '”', '’', '\'', ')', '）', '」', '』', ']', '】', '!', '?', '！', '？', '.', '。', '…',
    '~', '～',
];

/// Splits a text behind every end of a sentence or line. The pieces together are the text; none is empty.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (sentence, after) = rest.split_at(first_end(rest).unwrap_or(rest.len()));
        rest = after;
        Some(sentence)
    })
}

/// The byte offset behind the first sentence.
fn first_end(text: &str) -> Option<usize> {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let mut end = at + c.len_utf8();
        match c {
            '\n' => return Some(end),
            '。' | '！' | '？' | '…' => {}
            '.' | '!' | '?' => {
                let followed = chars.peek().map(|&(_, next)| next);
                let breaks = followed.is_none_or(|next| {
                    next.is_whitespace() || CLOSERS.contains(&next) || (c != '.' && is_han(next))
                });
                if !breaks
                    || (c == '.' && ends_with_abbreviation(text.get(..at).unwrap_or_default()))
                {
                    continue;
                }
            }
            _ => continue,
        }
        while let Some(&(next_at, next)) = chars.peek() {
            if !CLOSERS.contains(&next) {
                break;
            }
            end = next_at + next.len_utf8();
            chars.next();
        }
        return Some(end);
    }
    None
}

fn ends_with_abbreviation(before: &str) -> bool {
    let start = before
        .char_indices()
        .rev()
        .take(8)
        .take_while(|(_, c)| c.is_ascii_alphabetic() || *c == '.')
        .last()
        .map(|(at, _)| at);
    let Some(word) = start.and_then(|start| before.get(start..)) else {
        return false;
    };
    let is_initial = word.len() == 1 && word.chars().all(|c| c.is_ascii_uppercase()) && word != "I";
    is_initial
        || ABBREVIATIONS
            .iter()
            .any(|known| word.eq_ignore_ascii_case(known))
}

/// How a question begins that is put behind a statement: "I'm allergic to nuts, what can I cook?"
#[rustfmt::skip]
const ASKING_TAILS: &[&str] = &[
    "what ", "what's ", "where ", "who ", "when ", "why ", "which ", "how ", "can you ", "could you ",
    "would you ", "will you ", "do you ", "are you ", "have you ", "and you", "you", "你", "您",
    "请问", "那你", "有什么", "有没有", "怎么", "什么", "哪", "能不能", "能推荐", "可以推荐",
];
/// Tails that ask whether the statement itself is so.
const DOUBTING_TAILS: &[&str] = &[
    "do you think",
    "would you say",
    "you think",
    "you know",
    "你说",
    "你觉得我",
];

/// The sentence without a question to the listener that follows a statement behind a comma. Whether the statement
/// stands by itself is still to be judged.
pub(super) fn without_asking_tail(sentence: &str) -> &str {
    let trimmed = sentence.trim_end_matches(|c: char| !c.is_alphanumeric());
    let asks = sentence
        .get(trimmed.len()..)
        .is_some_and(|signs| signs.contains(['?', '？']));
    if !asks && !trimmed.ends_with(['吗', '呢']) {
        return sentence;
    }
    let Some((statement, tail)) = trimmed.rsplit_once([',', '，']) else {
        return sentence;
    };
    let tail = tail.trim_start().to_lowercase();
    let begins = |heads: &[&str]| heads.iter().any(|head| tail.starts_with(head));
    if begins(ASKING_TAILS) && !begins(DOUBTING_TAILS) {
        statement
    } else {
        sentence
    }
}

/// Whether a character is a Han ideograph.
pub(super) fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// Whether a character belongs to a script that the rules do not know, though it may stand beside Han or Latin.
pub(super) fn is_foreign(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{ac00}'..='\u{d7af}' | '\u{1100}'..='\u{11ff}')
}

/// The byte ranges of quoted text, quotation marks included, in order and apart from each other. A quotation ends with
/// its paragraph; one that was never closed reaches until there, for it is safer to take too much for a quotation.
pub(super) fn quotations(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(usize, char)> = None;
    let mut before = '\n';
    let mut line_is_blank = true;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        if c == '\n' {
            if line_is_blank && let Some((start, _)) = open.take() {
                found.push(start..at);
            }
            line_is_blank = true;
        } else if !c.is_whitespace() {
            line_is_blank = false;
        }
        match open {
            Some((start, closer)) if c == closer => {
                found.push(start..end);
                open = None;
            }
            Some(_) => {}
            None => open = closer_of(c, before).map(|closer| (at, closer)),
        }
        before = c;
    }
    if let Some((start, _)) = open {
        found.push(start..text.len());
    }
    found
}

/// The sign that closes what this one opens.
fn closer_of(c: char, before: char) -> Option<char> {
    match c {
        '“' => Some('”'),
        '「' => Some('」'),
        '『' => Some('』'),
        '«' => Some('»'),
        '`' => Some('`'),
        // Behind a digit it means inches.
        '"' if !before.is_ascii_digit() => Some('"'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(text: &str) -> Vec<&str> {
        sentences(text)
            .map(str::trim)
            .filter(|piece| !piece.is_empty())
            .collect()
    }

    #[test]
    fn splits_where_sentences_end() {
        for (text, expected) in [
            (
                "I am here. You are not!  Why?",
                vec!["I am here.", "You are not!", "Why?"],
            ),
            (
                "I use Node.js 3.5 daily. Fine",
                vec!["I use Node.js 3.5 daily.", "Fine"],
            ),
            (
                "Dr. Lee lives in St. Louis. I do too.",
                vec!["Dr. Lee lives in St. Louis.", "I do too."],
            ),
            ("我叫小林。你呢？好！", vec!["我叫小林。", "你呢？", "好！"]),
            ("真的?我不信", vec!["真的?", "我不信"]),
            ("one\ntwo", vec!["one", "two"]),
            (
                "He said \"no.\" Then he left...",
                vec!["He said \"no.\"", "Then he left..."],
            ),
            ("see a?b=c", vec!["see a?b=c"]),
            ("So did I. He went.", vec!["So did I.", "He went."]),
        ] {
            assert_eq!(split(text), expected);
        }
    }

    #[test]
    fn questions_behind_statements_come_off() {
        for (text, expected) in [
            (
                "I'm allergic to nuts, what can I cook?",
                "I'm allergic to nuts",
            ),
            ("我叫张三，你呢？", "我叫张三"),
            ("我叫张三，你呢", "我叫张三"),
            ("I like tea, right?", "I like tea, right?"),
            ("I like tea, do you think?", "I like tea, do you think?"),
            ("Where do I live?", "Where do I live?"),
            ("I like tea, what fun.", "I like tea, what fun."),
        ] {
            assert_eq!(without_asking_tail(text), expected);
        }
    }

    #[test]
    fn quotations_are_found() {
        let quoted = |text: &'static str| {
            quotations(text)
                .into_iter()
                .map(|range| &text[range])
                .collect::<Vec<_>>()
        };
        assert_eq!(
            quoted("he wrote “I am. A nurse” and \"b\""),
            ["“I am. A nurse”", "\"b\""]
        );
        assert_eq!(quoted("I am 5'8\" tall"), Vec::<&str>::new());
        assert_eq!(quoted("他说「我叫王」。"), ["「我叫王」"]);
        assert_eq!(quoted("a \"open\nstill\n\nfree"), ["\"open\nstill\n"]);
        assert_eq!(quoted("use `I am` here"), ["`I am`"]);
    }

    proptest! {
        #[test]
        fn pieces_are_the_text(text in any::<String>()) {
            prop_assert_eq!(sentences(&text).collect::<String>(), text.clone());
            prop_assert!(sentences(&text).all(|piece| !piece.is_empty()));
            for range in quotations(&text) {
                prop_assert!(text.get(range).is_some());
            }
        }
    }
}
