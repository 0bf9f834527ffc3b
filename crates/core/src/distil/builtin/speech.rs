//! Which parts of a turn are the user speaking about themselves: no code, no quoted lines, no pasted documents, no
//! text that the assistant is to work on, no play.

/// Turns longer than this carry a pasted document, characters.
const OWN_CHARS_MAX: usize = 3_000;
/// Longest paragraph at either end of a pasted document that is taken for the user's own words, characters.
const FRAME_CHARS_MAX: usize = 300;

/// Words that turn a whole turn into play, a joke or an example.
const PLAY: &[&str] = &[
    "pretend",
    "role-play",
    "roleplay",
    "role play",
    "imagine you",
    "imagine that",
    "imagine i",
    "let's imagine",
    "act as",
    "you are now",
    "fictional",
    "just kidding",
    "i'm kidding",
    "i am kidding",
    "i’m kidding",
    "only joking",
    "just joking",
    "i'm joking",
    "i’m joking",
    "my character",
    "in character",
    "fanfic",
    "lyrics",
    "for example, a user",
    "假设你是",
    "假如你是",
    "扮演",
    "角色",
    "开玩笑",
    "逗你玩",
    "假装",
    "想象一下",
    "歌词",
    "台词",
    "開玩笑",
    "假裝",
    "想像一下",
];

/// Words that ask for work on a text; with one of [`POINTERS`] the text follows.
const WORK: &[&str] = &[
    "translate",
    "rewrite",
    "rephrase",
    "paraphrase",
    "proofread",
    "summarize",
    "summarise",
    "correct",
    "edit",
    "polish",
    "grammar",
    "fix",
    "review",
    "analyze",
    "analyse",
    "continue",
    "complete",
    "improve",
    "write",
    "draft",
    "reply to",
    "respond to",
    "classify",
    "extract",
    "翻译",
    "润色",
    "改写",
    "总结",
    "修改",
    "校对",
    "续写",
    "分析",
    "翻譯",
    "潤色",
    "改寫",
    "總結",
    "提取",
];
const POINTERS: &[&str] = &[
    ":\n",
    ": ",
    "：",
    "following",
    "below",
    "this text",
    "this sentence",
    "this paragraph",
    "this letter",
    "this email",
    "this essay",
    "以下",
    "下面",
    "如下",
    "这段",
    "这句",
    "这封",
    "這段",
    "這句",
    "這封",
];

/// The paragraphs of a turn in which the user may speak about themselves. Empty when the turn is play or when its text
/// is something to work on.
pub(super) fn own_words(content: &str) -> Vec<String> {
    let (paragraphs, is_framed) = paragraphs(content);
    let kept: Vec<String> = paragraphs
        .into_iter()
        .map(without_foreign_lines)
        .filter(|paragraph| !paragraph.trim().is_empty())
        .collect();
    let lower = kept.join("\n").to_lowercase();
    if PLAY.iter().any(|word| lower.contains(word)) {
        return Vec::new();
    }
    if !is_framed && asks_for_work(&lower) {
        return Vec::new();
    }
    kept
}

/// Whether the turn hands over a text to work on. The request may stand before or behind that text.
fn asks_for_work(lower: &str) -> bool {
    lower.lines().any(|line| {
        WORK.iter().any(|work| line.contains(work))
            && POINTERS
                .iter()
                .any(|pointer| format!("{line}\n").contains(pointer))
    })
}

/// The whole turn, or what frames a pasted document: a short first and a short last paragraph that a blank line sets
/// apart. `true` for a frame.
fn paragraphs(content: &str) -> (Vec<&str>, bool) {
    if content.char_indices().nth(OWN_CHARS_MAX).is_none() {
        return (vec![content], false);
    }
    let normal = content.trim();
    let is_short = |paragraph: &&str| paragraph.char_indices().nth(FRAME_CHARS_MAX).is_none();
    let first = normal.split("\n\n").next().filter(is_short);
    let last = normal.rsplit("\n\n").next().filter(is_short);
    (first.into_iter().chain(last).collect(), true)
}

/// A copy without fenced code and quoted lines; blank lines stand in their place.
fn without_foreign_lines(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut in_code = false;
    for line in text.lines() {
        let trimmed = line.trim_start();
        let is_fence = trimmed.starts_with("```") || trimmed.starts_with("~~~");
        in_code ^= is_fence;
        if !is_fence && !in_code && !trimmed.starts_with('>') && !trimmed.starts_with("| ") {
            kept.push_str(line);
        }
        kept.push('\n');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(content: &str) -> String {
        own_words(content)
            .join("|")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn foreign_lines_are_left_out() {
        assert_eq!(
            words("I live here.\n> I am a nurse\n```\nI am code\n```\nBye"),
            "I live here. Bye"
        );
    }

    #[test]
    fn play_and_work_are_left_out() {
        for text in [
            "Let's role-play. My name is Max.",
            "Translate the following: my name is Max",
            "My name is Max and I live in Rome.\nPlease proofread this text",
            "I'm a billionaire. Just kidding!",
            "假设你是医生，我叫小林",
            "帮我翻译：我叫小林",
        ] {
            assert_eq!(words(text), "", "{text}");
        }
        assert_eq!(
            words("I write a lot. I live in Rome."),
            "I write a lot. I live in Rome."
        );
    }

    #[test]
    fn of_a_pasted_document_only_the_frame_counts() {
        let document = "I am a heading. My name is Lee.\n".repeat(400);
        assert_eq!(
            words(&format!("{document}\n\nremember I prefer tabs")),
            "remember I prefer tabs"
        );
        assert_eq!(words(&format!("Here:\n\n{document}\n\nok")), "Here: |ok");
        assert_eq!(words(&"My name is Lee. ".repeat(1000)), "");
    }
}
