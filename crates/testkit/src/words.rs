//! Bag-of-words vectors by hashing: the same text gives the same vector everywhere, texts that share words are
//! similar, and no model is needed.

/// The words of a text: runs of letters and digits in lower case; each CJK character is a word.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for c in text.chars() {
        let alone = is_cjk(c);
        if (alone || !c.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if alone {
            words.push(c.to_string());
        } else if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Han, kana and hangul.
fn is_cjk(c: char) -> bool {
    matches!(u32::from(c), 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// Components that each word adds to; several, so that two words that meet in one of them stay distinct.
const PLACES: usize = 4;

/// The unit vector of a text with that many components (at least one). Never zero, also for a text without words.
#[must_use]
pub fn vector(text: &str, dimension: usize) -> Vec<f32> {
    let dimension = dimension.max(1);
    let mut sums = vec![0.0_f32; dimension];
    for word in words(text) {
        let mut hash = hash(&word);
        for _ in 0..PLACES {
            let sign = if hash >> 63 == 0 { 1.0 } else { -1.0 };
            sums[place(hash, dimension)] += sign;
            hash = mix(hash);
        }
    }
    let mut norm = sums.iter().map(|sum| sum * sum).sum::<f32>().sqrt();
    if norm == 0.0 {
        // No words, or words that cancel each other out.
        sums[place(hash(text), dimension)] = 1.0;
        norm = 1.0;
    }
    sums.iter().map(|sum| sum / norm).collect()
}

fn place(hash: u64, dimension: usize) -> usize {
    // Within `dimension`, so it fits again.
    (hash % dimension as u64) as usize
}

/// FNV-1a, then mixed, so that short words spread over all bits.
fn hash(text: &str) -> u64 {
    mix(text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    }))
}

/// Scatters the bits of a number (the finaliser of SplitMix64).
pub(crate) fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Roughly what a tokenizer would count: a token for four ASCII characters, one for each other character.
#[must_use]
pub fn tokens(text: &str) -> u64 {
    let (ascii, other) = text.chars().fold((0_u64, 0_u64), |(ascii, other), c| {
        if c.is_ascii() {
            (ascii + 1, other)
        } else {
            (ascii, other + 1)
        }
    });
    ascii.div_ceil(4) + other
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cosine(a: &str, b: &str) -> f32 {
        vector(a, 256)
            .iter()
            .zip(vector(b, 256))
            .map(|(a, b)| a * b)
            .sum()
    }

    #[test]
    fn words_of_mixed_text() {
        assert_eq!(
            words("I LIKE Ramen, 我喜欢茶! id-42 é"),
            [
                "i", "like", "ramen", "我", "喜", "欢", "茶", "id", "42", "é"
            ]
        );
        assert!(words(" ,.!").is_empty());
    }

    #[test]
    fn shared_words_are_similar() {
        assert!((cosine("Coffee by the river", "the RIVER by coffee") - 1.0).abs() < 1e-5);
        assert!(cosine("coffee by the river", "coffee by the sea") > 0.5);
        assert!(cosine("coffee by the river", "quantum chess lessons").abs() < 0.3);
        assert!(cosine("我喜欢喝茶", "他喜欢茶") > 0.5);
    }

    #[test]
    fn tokens_are_counted_roughly() {
        assert_eq!(
            (tokens(""), tokens("abcd"), tokens("abcde"), tokens("我a")),
            (0, 1, 2, 2)
        );
    }

    proptest::proptest! {
        #[test]
        fn always_a_unit_vector(text in "\\PC{0,60}", dimension in 0_usize..40) {
            let vector = vector(&text, dimension);
            proptest::prop_assert_eq!(vector.len(), dimension.max(1));
            let norm: f32 = vector.iter().map(|c| c * c).sum();
            proptest::prop_assert!((norm - 1.0).abs() < 1e-4);
        }
    }
}
