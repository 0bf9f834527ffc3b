//! Lists inside one slot: `hiking; sushi and ramen`.

use super::sentence::is_han;

/// Pairs that are one thing.
const FIXED_PAIRS: &[&str] = &[
    "arts and crafts",
    "bacon and eggs",
    "black and white",
    "bread and butter",
    "drum and bass",
    "dungeons and dragons",
    "fish and chips",
    "gin and tonic",
    "ham and cheese",
    "mac and cheese",
    "peanut butter and jelly",
    "pride and prejudice",
    "r and b",
    "rock and roll",
    "salt and pepper",
    "salt and vinegar",
    "song of ice and fire",
    "war and peace",
];

/// Han words with 和 inside.
const FIXED_HAN: &[&str] = &[
    "和平",
    "和服",
    "和牛",
    "和弦",
    "和谐",
    "和睦",
    "温和",
    "暖和",
    "柔和",
    "平和",
    "共和",
    "饱和",
    "随和",
    "和尚",
    "和菓子",
];

/// Longest part of a pair joined by "and" that is taken for a thing of its own, words.
const PAIR_WORDS_MAX: usize = 2;
/// The same for 和, characters.
const PAIR_HAN_MAX: usize = 4;

/// The things that a text lists, as they stand in it.
pub(super) fn items(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let pieces = text.split([',', ';', '，', '；', '、']).map(str::trim);
    for piece in pieces {
        let piece = ["and ", "or ", "& "]
            .iter()
            .find_map(|lead| piece.strip_prefix(lead))
            .unwrap_or(piece)
            .trim();
        match pair(piece).or_else(|| han_pair(piece)) {
            Some((first, second)) => found.extend([first, second]),
            None if piece.is_empty() => {}
            None => found.push(piece),
        }
    }
    found
}

fn pair(piece: &str) -> Option<(&str, &str)> {
    let lower = piece.to_ascii_lowercase();
    if FIXED_PAIRS.iter().any(|fixed| lower.contains(fixed)) {
        return None;
    }
    let (first, second) = [" and ", " or ", " & "]
        .iter()
        .find_map(|joint| piece.split_once(joint))?;
    let (first, second) = (first.trim(), second.trim());
    let is_short = |part: &str| (1..=PAIR_WORDS_MAX).contains(&part.split_whitespace().count());
    (is_short(first) && is_short(second)).then_some((first, second))
}

fn han_pair(piece: &str) -> Option<(&str, &str)> {
    if FIXED_HAN.iter().any(|fixed| piece.contains(fixed)) {
        return None;
    }
    let (first, second) = ["以及", "还有", "和", "跟"]
        .iter()
        .find_map(|joint| piece.split_once(joint))?;
    let (first, second) = (first.trim(), second.trim());
    let is_short =
        |part: &str| part.chars().any(is_han) && (1..=PAIR_HAN_MAX).contains(&part.chars().count());
    (is_short(first) && is_short(second)).then_some((first, second))
}

/// The words of a text for comparisons: lower case, without signs; each Han character is a word.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = false;
    for c in text.chars() {
        if !c.is_alphanumeric() {
            // A sign between letters or digits keeps them apart: 3.5 is not 35.
            open = false;
        } else if is_han(c) {
            found.push(c.to_string());
            open = false;
        } else {
            if !open {
                found.push(String::new());
            }
            found
                .last_mut()
                .into_iter()
                .for_each(|word| word.extend(c.to_lowercase()));
            open = true;
        }
    }
    found
}

/// Whether all words of `part` stand next to each other in `whole`. A part without words is contained in nothing.
pub(super) fn contains_words(whole: &[String], part: &[String]) -> bool {
    !part.is_empty() && whole.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_apart_and_pairs_stay() {
        for (text, expected) in [
            ("sushi", vec!["sushi"]),
            (
                "hiking, sushi, and old films",
                vec!["hiking", "sushi", "old films"],
            ),
            ("sushi and ramen; tea", vec!["sushi", "ramen", "tea"]),
            ("mac and cheese", vec!["mac and cheese"]),
            (
                "walking by the sea and reading old books",
                vec!["walking by the sea and reading old books"],
            ),
            ("爬山和游泳、看书", vec!["爬山", "游泳", "看书"]),
            ("和牛", vec!["和牛"]),
            ("", vec![]),
            (" , ", vec![]),
        ] {
            assert_eq!(items(text), expected, "{text}");
        }
    }

    #[test]
    fn words_compare_whole() {
        assert!(contains_words(&words("5 years at G"), &words("years at g")));
        assert!(!contains_words(&words("15 years"), &words("5 years")));
        assert!(contains_words(&words("爬山; 香菜"), &words("香菜")));
        assert!(!contains_words(&words("x"), &words("?")));
    }
}
