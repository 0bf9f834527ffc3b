//! Near-duplicates in a ranked list: kept once, and never when they say different things.
//!
//! Two texts are near-duplicates when one is the other with at most one word in ten left out, in the same order. That is
//! stricter than comparing sets of words: another name, "tea" for "coffee", or "from Berlin to Paris" turned round is
//! another statement however long the rest is. What one text has more must be neither number, date nor negation.

use std::collections::HashMap;

use crate::analyze;
use crate::recall::fuse::Ranked;

/// How much of the longer text the shorter one must be: the Jaccard index of the two bags of words.
const SHARED_MIN: f64 = 0.9;
/// Hits that are compared; what is ranked behind them stays as it is. Bounds the work on a long list.
const COMPARED_MAX: usize = 500;

/// A hit with what it is compared by.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate<'a> {
    /// The hit.
    pub hit: Ranked,
    /// Its text.
    pub text: &'a str,
    /// What keeps equal texts apart although the text does not show it, such as the day that it happened or who said it.
    /// Hits are folded only when it is equal, or unknown for one of them.
    pub apart: Option<&'a str>,
}

/// A hit that stayed in the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// The hit.
    pub hit: Ranked,
    /// The hits that say the same and were ranked lower.
    pub folded: Vec<Ranked>,
}

/// Folds each hit onto the first one before it that says the same. The order stays.
#[must_use]
pub fn fold(candidates: Vec<Candidate<'_>>) -> Vec<Kept> {
    let mut kept: Vec<Kept> = Vec::new();
    let mut statements: Vec<(Statement, Option<&str>)> = Vec::new();
    for (place, candidate) in candidates.into_iter().enumerate() {
        if place >= COMPARED_MAX {
            kept.push(Kept {
                hit: candidate.hit,
                folded: Vec::new(),
            });
            continue;
        }
        let statement = Statement::of(candidate.text);
        let twin = statements.iter().position(|(earlier, apart)| {
            !differ(*apart, candidate.apart) && earlier.says_the_same(&statement)
        });
        if let Some(twin) = twin.and_then(|place| kept.get_mut(place)) {
            twin.folded.push(candidate.hit);
        } else {
            statements.push((statement, candidate.apart));
            kept.push(Kept {
                hit: candidate.hit,
                folded: Vec::new(),
            });
        }
    }
    kept
}

fn differ(left: Option<&str>, right: Option<&str>) -> bool {
    matches!((left, right), (Some(left), Some(right)) if left != right)
}

/// A text, ready to be compared.
struct Statement {
    words: Vec<String>,
    asks: bool,
}

impl Statement {
    fn of(text: &str) -> Self {
        Self {
            words: analyze::sequence(text),
            asks: text.contains(['?', '？', '؟']),
        }
    }

    fn says_the_same(&self, other: &Self) -> bool {
        let (longer, shorter) = if self.words.len() >= other.words.len() {
            (&self.words, &other.words)
        } else {
            (&other.words, &self.words)
        };
        // Texts without any word (punctuation only) cannot be compared.
        !shorter.is_empty()
            && self.asks == other.asks
            && shorter.len() as f64 >= SHARED_MIN * longer.len() as f64
            && is_within(shorter, longer)
            && !surplus(longer, shorter).any(is_weighty)
    }
}

/// Whether all words of the shorter text are in the longer one, in the same order.
fn is_within(shorter: &[String], longer: &[String]) -> bool {
    let mut rest = longer.iter();
    shorter.iter().all(|word| rest.any(|other| other == word))
}

/// The words that the longer text has more often.
fn surplus<'a>(longer: &'a [String], shorter: &[String]) -> impl Iterator<Item = &'a str> {
    let mut more: HashMap<&str, isize> = HashMap::new();
    for word in longer {
        *more.entry(word).or_insert(0) += 1;
    }
    for word in shorter {
        if let Some(count) = more.get_mut(word.as_str()) {
            *count -= 1;
        }
    }
    more.into_iter()
        .filter(|&(_, count)| count > 0)
        .map(|(word, _)| word)
}

/// Whether a word more or less changes what is said: numbers, dates, negations.
fn is_weighty(word: &str) -> bool {
    let mut letters = word.chars();
    let alone = letters.next().filter(|_| letters.next().is_none());
    word.contains(char::is_numeric)
        || word.ends_with("n't")
        || alone.is_some_and(|letter| HAN.contains(letter))
        || ENGLISH.contains(&word)
}

/// Negations, numerals, and the characters of dates and times, simplified and traditional.
const HAN: &str = "不没沒别別未无無非勿莫否零〇一二三四五六七八九十百千万萬亿億两兩半几幾年月日号號周週天昨今明前后後上下早晚点點时時岁歲";

/// Negations, number words, and the words of dates.
const ENGLISH: [&str; 81] = [
    "no",
    "not",
    "never",
    "none",
    "nobody",
    "nothing",
    "nowhere",
    "neither",
    "nor",
    "without",
    "cannot",
    "hardly",
    "barely",
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "hundred",
    "thousand",
    "million",
    "half",
    "once",
    "twice",
    "first",
    "second",
    "third",
    "last",
    "next",
    "ago",
    "today",
    "tomorrow",
    "yesterday",
    "tonight",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "day",
    "days",
    "week",
    "weeks",
    "month",
    "months",
    "year",
    "years",
    "weekend",
    "morning",
    "evening",
    "night",
    "spring",
    "summer",
    "autumn",
    "winter",
    "before",
    "after",
    "until",
    "since",
];

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::id::MemoryId;

    fn hit(number: usize) -> Ranked {
        Ranked {
            id: MemoryId(Uuid::from_u128(number as u128)),
            score: 0.5,
            fused: 0.0,
            components: crate::recall::fuse::Components::default(),
        }
    }

    /// The places of the texts that stayed, each with those folded onto it.
    fn folded(texts: &[(&str, Option<&str>)]) -> Vec<Vec<usize>> {
        let place = |hit: &Ranked| hit.id.0.as_u128() as usize;
        let candidates = texts
            .iter()
            .enumerate()
            .map(|(number, &(text, apart))| Candidate {
                hit: hit(number),
                text,
                apart,
            })
            .collect();
        fold(candidates)
            .iter()
            .map(|kept| {
                std::iter::once(&kept.hit)
                    .chain(&kept.folded)
                    .map(place)
                    .collect()
            })
            .collect()
    }

    fn same(left: &str, right: &str) -> bool {
        let there = folded(&[(left, None), (right, None)]).len() == 1;
        let back = folded(&[(right, None), (left, None)]).len() == 1;
        assert_eq!(there, back, "{left} / {right}");
        there
    }

    #[test]
    fn one_statement_in_two_spellings_is_kept_once() {
        for (left, right) in [
            ("Alice likes green tea.", "alice likes green tea"),
            ("We met at the Café!", "we met at the cafe"),
            ("用户喜欢喝绿茶。", "用户喜欢喝绿茶"),
            (
                "我下周要去北京参加一个很重要的会议",
                "我下周要去北京参加一个很重要的会议了",
            ),
            (
                "Alice and Bob went to the zoo with their two kids",
                "Alice and Bob also went to the zoo with their two kids",
            ),
        ] {
            assert!(same(left, right), "{left} / {right}");
        }
    }

    #[test]
    fn another_number_date_negation_or_name_is_another_statement() {
        for (left, right) in [
            ("The rate is 7.1", "The rate is 7.2"),
            (
                "Alice and Bob went to the big old zoo with kids",
                "Alice and Bob went to the big old zoo with 2 kids",
            ),
            (
                "Alice and Bob went to the zoo with all their kids",
                "Alice and Bob went to the zoo with all their kids yesterday",
            ),
            (
                "Alice and Bob do like to go to the old zoo",
                "Alice and Bob do not like to go to the old zoo",
            ),
            (
                "Alice and Bob did go to the big old zoo",
                "Alice and Bob didn't go to the big old zoo",
            ),
            (
                "Alice likes tea, and everybody in this house knows it well",
                "Emily likes tea, and everybody in this house knows it well",
            ),
            (
                "She moved from Berlin to Paris",
                "She moved from Paris to Berlin",
            ),
            ("He likes tea", "She likes tea"),
            ("Lives in Berlin", "Lived in Berlin"),
            ("Alice likes tea.", "Alice likes tea?"),
            (
                "我的女儿喜欢吃巧克力味的蛋糕",
                "我的女儿不喜欢吃巧克力味的蛋糕",
            ),
            (
                "我女儿身份证上写着生日是三月十四日",
                "我女儿身份证上写着生日是三月十五日",
            ),
            (
                "王磊和李娜参加了公司的年会",
                "王磊和李娜昨天参加了公司的年会",
            ),
            ("他没有去过上海的迪士尼乐园", "他有去过上海的迪士尼乐园"),
            ("…", "!"),
        ] {
            assert!(!same(left, right), "{left} / {right}");
        }
    }

    #[test]
    fn what_the_text_does_not_show_keeps_apart() {
        assert_eq!(
            folded(&[
                ("Went running", Some("2023-05-07")),
                ("Went running", Some("2023-05-08"))
            ])
            .len(),
            2
        );
        assert_eq!(
            folded(&[("Went running", Some("2023-05-07")), ("Went running", None)]).len(),
            1
        );
    }

    #[test]
    fn order_stays_and_the_better_one_is_kept() {
        let texts = [
            "Likes tea",
            "Has a cat",
            "likes TEA",
            "Has a dog",
            "Likes tea!",
            "has a dog.",
        ];
        let texts: Vec<_> = texts.iter().map(|text| (*text, None)).collect();
        assert_eq!(folded(&texts), [vec![0, 2, 4], vec![1], vec![3, 5]]);
        let many = vec![("Likes tea", None); COMPARED_MAX + 3];
        assert_eq!(folded(&many).len(), 4);
    }
}
