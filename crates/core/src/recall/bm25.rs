//! Scores by words: Okapi BM25 over one user's postings, and its normalised form, coverage.
//!
//! `idf(t) = ln(1 + (N - df + 0.5) / (df + 0.5))` and
//! `BM25(q, d) = Σ idf(t) · tf · (k1 + 1) / (tf + k1 · (1 - b + b · |d| / avg|d|))`, after Robertson and Zaragoza, "The
//! Probabilistic Relevance Framework: BM25 and Beyond" (2009); the `1 +` inside the logarithm, which keeps the weight of
//! frequent terms positive, is Lucene's.

use std::collections::HashMap;

use crate::id::MemoryId;
use crate::ports::{Posting, Postings};

/// How soon more occurrences of a term stop to add: the usual value, best for short turns when measured on LoCoMo.
const K1: f64 = 1.2;
/// How much long memories are held back: less than the usual 0.75, because memories are of similar length.
const B: f64 = 0.5;

/// The BM25 score of each memory that has at least one of the terms: positive, unbounded.
#[must_use]
pub fn scores(postings: &Postings) -> HashMap<MemoryId, f32> {
    weighed(postings, 1.0)
}

/// How much of the query each memory covers, 0 to 1: BM25 divided by the most that the query's terms could give.
///
/// Terms that no memory has count in the divisor, so a query whose words mostly do not occur covers nothing much and
/// leaves the word to the vectors. One occurrence of every term in a memory of average length covers
/// `1 / (k1 + 1)`, about 0.45.
#[must_use]
pub fn coverage(postings: &Postings) -> HashMap<MemoryId, f32> {
    let most: f64 = postings
        .terms
        .iter()
        .map(|having| inverse_frequency(postings, having) * (K1 + 1.0))
        .sum();
    if most > 0.0 {
        weighed(postings, 1.0 / most)
    } else {
        HashMap::new()
    }
}

/// BM25 times a factor. Summed in the order of the terms, so that equal postings give equal bits.
fn weighed(postings: &Postings, factor: f64) -> HashMap<MemoryId, f32> {
    let mut sums: HashMap<MemoryId, f64> = HashMap::new();
    let average = average_length(postings);
    for having in &postings.terms {
        let weight = inverse_frequency(postings, having);
        for posting in having {
            *sums.entry(posting.memory).or_insert(0.0) += weight * saturation(posting, average);
        }
    }
    // The narrowing is meant: scores are compared and shown, not summed further.
    sums.into_iter()
        .map(|(memory, sum)| (memory, (sum * factor) as f32))
        .collect()
}

fn inverse_frequency(postings: &Postings, having: &[Posting]) -> f64 {
    let having = having.len() as f64;
    // Counts and postings may be read at slightly different moments; the weight stays positive all the same.
    let documents = (postings.documents as f64).max(having);
    ((documents - having + 0.5) / (having + 0.5)).ln_1p()
}

/// Between 0 and `k1 + 1`.
fn saturation(posting: &Posting, average_length: f64) -> f64 {
    let count = f64::from(posting.count);
    let length = f64::from(posting.length) / average_length;
    count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * length))
}

fn average_length(postings: &Postings) -> f64 {
    (postings.length_total as f64 / postings.documents.max(1) as f64).max(1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn posting(memory: u128, count: u32, length: u32) -> Posting {
        Posting {
            memory: MemoryId(Uuid::from_u128(memory)),
            count,
            length,
        }
    }

    fn of(scores: &HashMap<MemoryId, f32>, memory: u128) -> f32 {
        scores[&MemoryId(Uuid::from_u128(memory))]
    }

    /// Three memories of 4, 8 and 6 terms (6 on average). The first term is in two of them, the second in one, the
    /// third in none.
    fn example() -> Postings {
        Postings {
            documents: 3,
            length_total: 18,
            terms: vec![
                vec![posting(1, 1, 4), posting(2, 2, 8)],
                vec![posting(2, 1, 8)],
                vec![],
            ],
        }
    }

    #[test]
    fn agrees_with_a_calculation_by_hand() {
        // idf: ln(1 + 1.5/2.5) = 0.470004, ln(1 + 2.5/1.5) = 0.980829, ln(1 + 3.5/0.5) = 2.079442.
        // Memory 1: tf 1, K = 1.2 (0.5 + 0.5 * 4/6) = 1.0: 0.470004 * 2.2 / 2.0 = 0.517004.
        // Memory 2: K = 1.2 (0.5 + 0.5 * 8/6) = 1.4: 0.470004 * 4.4 / 3.4 + 0.980829 * 2.2 / 2.4 = 0.608240 + 0.899093.
        let scores = scores(&example());
        assert!((of(&scores, 1) - 0.517_004).abs() < 1e-5);
        assert!((of(&scores, 2) - 1.507_333).abs() < 1e-5);
        // The most: 2.2 * (0.470004 + 0.980829 + 2.079442) = 7.766605.
        let coverage = coverage(&example());
        assert!((of(&coverage, 1) - 0.066_568).abs() < 1e-5);
        assert!((of(&coverage, 2) - 0.194_079).abs() < 1e-5);
    }

    #[test]
    fn a_term_in_every_memory_still_counts_a_little() {
        let postings = Postings {
            documents: 2,
            length_total: 2,
            terms: vec![vec![posting(1, 1, 1), posting(2, 1, 1)]],
        };
        assert!(of(&scores(&postings), 1) > 0.0);
    }

    #[test]
    fn nothing_asked_covers_nothing() {
        assert!(coverage(&Postings::default()).is_empty());
        assert!(
            coverage(&Postings {
                documents: 5,
                length_total: 9,
                terms: vec![vec![], vec![]]
            })
            .is_empty()
        );
    }

    proptest! {
        #[test]
        fn coverage_is_a_share(
            documents in 0_u64..40,
            length_total in 0_u64..400,
            terms in prop::collection::vec(prop::collection::btree_map(0_u128..30, (any::<u32>(), any::<u32>()), 0..20), 0..6),
        ) {
            let terms = terms.into_iter().map(|having| having.into_iter().map(|(memory, (count, length))| posting(memory, count, length)).collect()).collect();
            let postings = Postings { documents, length_total, terms };
            for share in coverage(&postings).into_values() {
                prop_assert!((0.0..=1.0).contains(&share), "{share}");
            }
            prop_assert!(scores(&postings).into_values().all(f32::is_finite));
        }
    }
}
