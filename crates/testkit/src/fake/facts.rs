//! The little that the fake understands of language: sentences, and facts of the form `my TOPIC SUBTOPIC is VALUE`.

/// A fact that a text states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) topic: String,
    pub(super) sub_topic: String,
    pub(super) value: String,
}

/// The sentences of a text, their marks kept, without white space around them.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let before_space = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
        let ends = match c {
            '。' | '！' | '？' | '\n' => true,
            '.' | '!' | '?' => before_space,
            _ => false,
        };
        if ends {
            let end = at + c.len_utf8();
            sentences.push(&text[start..end]);
            start = end;
        }
    }
    sentences.push(&text[start..]);
    sentences
        .into_iter()
        .map(str::trim)
        .filter(|sentence| sentence.chars().any(char::is_alphanumeric))
        .collect()
}

/// The facts of a text, line by line and sentence by sentence, in order.
pub(super) fn facts(text: &str) -> Vec<Fact> {
    text.lines()
        .map(statement)
        .flat_map(sentences)
        .filter_map(fact)
        .collect()
}

/// A line without the marks that notes put after a statement.
fn statement(line: &str) -> &str {
    let end = [" [mention", " // "]
        .iter()
        .filter_map(|mark| line.find(mark))
        .min()
        .unwrap_or(line.len());
    &line[..end]
}

/// The fact that a sentence states.
fn fact(sentence: &str) -> Option<Fact> {
    let sentence = sentence.trim_end_matches(['.', '!', '?', '。', '！', '？']);
    let tokens: Vec<&str> = sentence.split_whitespace().collect();
    let is = |at: usize, word: &str| {
        tokens
            .get(at)
            .is_some_and(|token| token.eq_ignore_ascii_case(word))
    };
    let my =
        (0..tokens.len()).find(|&at| is(at, "my") && (is(at + 2, "is") || is(at + 3, "is")))?;
    let (topic, sub_topic, value) = if is(my + 1, "name") && is(my + 2, "is") {
        ("basic_info", "name", my + 3)
    } else if is(my + 3, "is") {
        (*tokens.get(my + 1)?, *tokens.get(my + 2)?, my + 4)
    } else {
        return None;
    };
    let value = tokens.get(value..)?.join(" ");
    let fact = Fact {
        topic: topic.to_owned(),
        sub_topic: sub_topic.to_owned(),
        value,
    };
    (!fact.value.is_empty()).then_some(fact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_keep_their_marks() {
        assert_eq!(
            sentences("I paid 3.50 euros. Really?  Yes!\nNew line"),
            ["I paid 3.50 euros.", "Really?", "Yes!", "New line"]
        );
        assert_eq!(sentences("我喜欢茶。他也是！"), ["我喜欢茶。", "他也是！"]);
        assert!(sentences(" ... \n").is_empty());
    }

    #[test]
    fn facts_are_found_in_notes_and_in_plain_text() {
        let found = |text: &str| {
            facts(text)
                .into_iter()
                .map(|f| [f.topic, f.sub_topic, f.value].join("::"))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            found("- my work work_3 is coffee river 77. [mention 2026/11/29] // info"),
            ["work::work_3::coffee river 77"]
        );
        assert_eq!(
            found("My NAME is Gus Müller!"),
            ["basic_info::name::Gus Müller"]
        );
        assert_eq!(
            found("Well, My favourite food IS ramen. my pet name is Rex"),
            ["favourite::food::ramen", "pet::name::Rex"]
        );
        assert_eq!(found("my size x is 3.5 m. And more"), ["size::x::3.5 m"]);
        for none in [
            "my work is hard.",
            "my work title is",
            "my",
            "",
            "is my name is",
            "Tell me about my coffee river",
        ] {
            assert!(found(none).is_empty(), "{none}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "(\\PC|my | is |[.\\n。]){0,80}") {
            let _ = (facts(&text), sentences(&text));
        }
    }
}
