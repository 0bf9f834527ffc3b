//! What holds for every text.

use proptest::prelude::*;

use super::{fresh, said};
use crate::distil::builtin::items::{contains_words, words};
use crate::distil::builtin::small_talk;

/// Sentences that the rules know, broken and mixed.
fn talk() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "I",
        "my",
        "name is",
        "am",
        "I'm",
        "live in",
        "moved to",
        "Oslo",
        "Anna",
        "love",
        "hate",
        "can't stand",
        "sushi",
        "and",
        "but",
        ",",
        ".",
        "?",
        "\"",
        "“",
        "”",
        "work at",
        "as a",
        "nurse",
        "34",
        "years old",
        "my sister",
        "is called",
        "favourite food is",
        "allergic to",
        "nuts",
        "no longer",
        "the",
        "to",
        "'s",
        "I've been at",
        "for",
        "5 years",
        "我",
        "叫",
        "小林",
        "在",
        "杭州",
        "做",
        "前端",
        "，",
        "。",
        "喜欢",
        "讨厌",
        "香菜",
        "吗",
        "的",
        "对",
        "过敏",
        "老婆",
        "有",
        "两个孩子",
        "养了一只猫",
        "毕业于",
        "浙江大学",
        "从",
        "离职了",
        "、",
        "和",
        "\n",
        "> ",
        "```",
        ":",
        "(",
        ")",
        "don’t",
        "like",
        "born on",
        "May 5, 1990",
        "İ",
        "👩‍👩‍👧",
        "call me",
        "Max",
        "ß",
        "'",
        "have",
        "two",
        "dogs",
        "named",
        "Rex",
        "studied",
        "law at",
        "Yale",
    ]);
    prop::collection::vec((piece, prop::bool::ANY), 0..24).prop_map(|pieces| {
        pieces
            .into_iter()
            .map(|(piece, space)| {
                if space {
                    format!("{piece} ")
                } else {
                    piece.to_owned()
                }
            })
            .collect()
    })
}

fn holds(text: &str) -> Result<(), TestCaseError> {
    let distilled = fresh(&[said(text)]);
    let said_words = words(text);
    // Nothing is lost: the gists, behind their prefixes, have all words in order.
    if !small_talk::says_nothing(text) {
        let kept: Vec<String> = distilled
            .lines
            .iter()
            .flat_map(|line| {
                words(
                    line.text
                        .split_once("user: ")
                        .map_or("", |(_, words)| words),
                )
            })
            .collect();
        let mut rest = kept.iter();
        for word in said_words.iter().filter(|word| word.chars().count() < 100) {
            prop_assert!(
                rest.any(|kept| kept == word),
                "{word:?} is missing in {kept:?}"
            );
        }
    }
    // Nothing is made up: every word of a fact stands in the text, and each thing in one piece.
    for (fact, _) in &distilled.facts {
        for item in fact.value.split("; ") {
            let bare = [
                "(not any more: ",
                "(formerly ",
                "（不再喜欢：",
                "（不再讨厌：",
                "（曾经：",
            ]
            .iter()
            .find_map(|marker| item.strip_prefix(marker))
            .unwrap_or(item);
            for part in bare.split([',', '、', '(', ')', '）']) {
                let part = words(part);
                prop_assert!(
                    part.is_empty() || contains_words(&said_words, &part),
                    "{item:?} is not in {text:?}"
                );
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_is_kept_and_nothing_made_up(text in any::<String>()) {
        holds(&text)?;
    }

    #[test]
    fn talk_is_kept_and_nothing_made_up(text in talk()) {
        holds(&text)?;
    }

    #[test]
    fn distilling_is_deterministic(text in talk()) {
        let turns = [said(&text)];
        prop_assert_eq!(fresh(&turns), fresh(&turns));
    }
}
