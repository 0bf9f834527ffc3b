//! How values become columns, and the hashes that are kept in them.

use mneme_core::memory::Kind;
use mneme_core::source::SourceKind;
use mneme_core::time::Timestamp;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// A SHA-256 as it is stored.
pub(crate) type Hash = [u8; 32];

/// A vector as little-endian bytes.
pub(crate) fn vector_bytes(vector: &[f32]) -> Vec<u8> {
    vector
        .iter()
        .flat_map(|component| component.to_le_bytes())
        .collect()
}

/// The inner product of a query with a stored vector; `None` when their dimensions differ.
///
/// Sums run in independent lanes, which the compiler can keep in vector registers; one running sum could not be, as
/// the order of additions of floats may not be changed.
pub(crate) fn dot(query: &[f32], stored: &[u8]) -> Option<f32> {
    const LANES: usize = 16;
    if stored.len() != query.len().checked_mul(4)? {
        return None;
    }
    let mut sums = [0.0_f32; LANES];
    let (blocks, query_rest) = query.as_chunks::<LANES>();
    let (words, _) = stored.as_chunks::<4>();
    let (word_blocks, words_rest) = words.as_chunks::<LANES>();
    for (block, words) in blocks.iter().zip(word_blocks) {
        for lane in 0..LANES {
            sums[lane] += block[lane] * f32::from_le_bytes(words[lane]);
        }
    }
    let rest: f32 = query_rest
        .iter()
        .zip(words_rest)
        .map(|(left, right)| left * f32::from_le_bytes(*right))
        .sum();
    Some(sums.iter().sum::<f32>() + rest)
}

/// The hash of what a source says: its kind and its body with the keys of all objects in order.
pub(crate) fn source_hash(kind: SourceKind, body: &Value) -> Hash {
    let mut text = String::new();
    canonical(body, &mut text);
    hash_of(&[kind.as_str().as_bytes(), text.as_bytes()])
}

fn canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort_unstable();
            out.push('{');
            for key in keys {
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                canonical(&map[key.as_str()], out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for item in items {
                canonical(item, out);
                out.push(',');
            }
            out.push(']');
        }
        plain => out.push_str(&plain.to_string()),
    }
}

/// What keeps a forgotten memory from coming back: what it was, in which slot, what it said, and whose words it
/// rested on. Case and blanks of the content do not count.
pub(crate) fn tombstone_hash(kind: Kind, slot_key: &str, content: &str, source: &[u8]) -> Hash {
    let plain = content
        .to_lowercase()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    hash_of(&[
        kind.as_str().as_bytes(),
        slot_key.as_bytes(),
        plain.as_bytes(),
        source,
    ])
}

/// The hash of several parts; each is preceded by its length, so that no two lists of parts run together.
fn hash_of(parts: &[&[u8]]) -> Hash {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// The day (UTC) that usage is booked on.
pub(crate) fn day(at: Timestamp) -> String {
    at.to_string()
        .chars()
        .take_while(|letter| *letter != 'T')
        .collect()
}

/// A count as SQLite keeps it; counts beyond its range stop at the end of it.
pub(crate) fn count(value: impl TryInto<i64>) -> i64 {
    value.try_into().unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    proptest! {
        #[test]
        fn dot_is_the_plain_sum(pairs in prop::collection::vec((-1.0_f32..1.0, -1.0_f32..1.0), 0..70)) {
            let (left, right): (Vec<f32>, Vec<f32>) = pairs.iter().copied().unzip();
            let plain: f64 = pairs.iter().map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
            let ours = dot(&left, &vector_bytes(&right)).unwrap();
            prop_assert!((f64::from(ours) - plain).abs() < 1e-4);
        }
    }

    #[test]
    fn vectors_of_another_dimension_are_not_compared() {
        assert_eq!(dot(&[1.0, 0.0], &vector_bytes(&[1.0])), None);
        assert_eq!(dot(&[1.0], &[0, 0, 0]), None);
        assert_eq!(dot(&[], &[]), Some(0.0));
    }

    #[test]
    fn the_order_of_keys_does_not_change_a_source_but_its_kind_and_text_do() {
        let one: Value = serde_json::from_str(r#"{"a":1,"b":[{"c":"x","d":null}]}"#).unwrap();
        let other: Value = serde_json::from_str(r#"{"b":[{"d":null,"c":"x"}],"a":1}"#).unwrap();
        assert_eq!(
            source_hash(SourceKind::Chat, &one),
            source_hash(SourceKind::Chat, &other)
        );
        assert_ne!(
            source_hash(SourceKind::Chat, &one),
            source_hash(SourceKind::Doc, &one)
        );
        assert_ne!(
            source_hash(SourceKind::Chat, &json!({"a": "1"})),
            source_hash(SourceKind::Chat, &json!({"a": 1}))
        );
    }

    #[test]
    fn tombstones_ignore_case_and_blanks_only() {
        let hash =
            |slot: &str, content: &str| tombstone_hash(Kind::Profile, slot, content, b"source");
        assert_eq!(hash("a", "Lives in  Ulm"), hash("a", "lives in\nulm "));
        assert_ne!(hash("a", "lives in ulm"), hash("b", "lives in ulm"));
        assert_ne!(hash("a", "bc"), hash("ab", "c"));
    }

    #[test]
    fn days_are_the_first_ten_letters() {
        assert_eq!(day(Timestamp(0)), "1970-01-01");
        assert_eq!(day(Timestamp(1_795_990_500_000_000)).len(), 10);
    }
}
