//! Takes our own context block out of a turn again.
//!
//! Applications put the recalled memory in front of what the user typed and then hand the whole back to us. Learning
//! from that would turn every memory into a new event. The block is recognised by its frame and by one of its inner
//! headings, so that a document of the user with a heading "Memory" stays whole.

use std::borrow::Cow;

const RULE: &str = "---";
const TITLES: [&str; 2] = ["# Memory", "# 记忆"];
const SECTIONS: [&str; 4] = [
    "## User Current Profile:",
    "## Past Events:",
    "## 用户当前状态：",
    "## 过去事件：",
];

/// The text without complete context blocks. Borrowed when there is none.
pub(super) fn strip(text: &str) -> Cow<'_, str> {
    if !TITLES.iter().any(|title| text.contains(title)) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        match block_end(&lines, at) {
            Some(end) => at = end,
            None => {
                kept.push_str(line);
                at += 1;
            }
        }
    }
    Cow::Owned(kept)
}

/// The line after the block that begins at this line.
fn block_end(lines: &[&str], at: usize) -> Option<usize> {
    if lines.get(at)?.trim() != RULE || !TITLES.contains(&lines.get(at + 1)?.trim()) {
        return None;
    }
    let inner = lines.get(at + 2..)?;
    // The next rule ends the search whatever is found, so the whole text is walked once.
    let length = inner.iter().position(|line| line.trim() == RULE)?;
    let is_ours = inner
        .iter()
        .take(length)
        .any(|line| SECTIONS.contains(&line.trim()));
    is_ours.then_some(at + 2 + length + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_goes_and_the_question_stays() {
        let block = "---\n# Memory\nSome advice.\n## User Current Profile:\n- a::b: c\n\n## Past Events:\n- x\n---\n";
        assert_eq!(
            strip(&format!("{block}I moved to Oslo.")),
            "I moved to Oslo."
        );
        assert_eq!(
            strip(&format!("Before.\n{block}After.\n{block}")),
            "Before.\nAfter.\n"
        );
        let chinese =
            "---\n# 记忆\n说明\n## 用户当前状态：\n- 甲::乙: 丙\n## 过去事件：\n---\n我搬到了上海";
        assert_eq!(strip(chinese), "我搬到了上海");
    }

    #[test]
    fn other_documents_stay_whole() {
        for text in [
            "---\n# Memory\nMy thesis on recall.\n---\nmore",
            "---\n# Memory\n## Past Events:\nno end",
            "# Memory\nx",
            "",
            "---",
        ] {
            assert_eq!(strip(text), text);
        }
    }
}
