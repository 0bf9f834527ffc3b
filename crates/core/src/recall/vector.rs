//! Vectors: the dot product, unit length, exact nearest neighbours, and the stored form.
//!
//! A vector is stored as its components in order, each a little-endian IEEE 754 `f32`.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Sums that run side by side. The order of additions of one sum is fixed by the language, which forbids SIMD; 32
/// independent ones fill the registers of every common CPU (measured: six times the plain loop, level with libraries that
/// are written for it).
const LANES: usize = 32;
/// Bytes of one component.
const COMPONENT_BYTES: usize = size_of::<f32>();
/// Bytes of one step of all lanes.
const STEP_BYTES: usize = LANES * COMPONENT_BYTES;

/// The dot product; the cosine when both are unit vectors. A shorter vector counts as filled up with zeros.
#[must_use]
pub fn dot(left: &[f32], right: &[f32]) -> f32 {
    let shared = left.len().min(right.len());
    let (left_steps, left_rest) = left[..shared].as_chunks::<LANES>();
    let (right_steps, right_rest) = right[..shared].as_chunks::<LANES>();
    let mut lanes = [0.0_f32; LANES];
    for (left, right) in left_steps.iter().zip(right_steps) {
        multiply_add(&mut lanes, left, right);
    }
    total(lanes) + rest(left_rest, right_rest.iter().copied())
}

/// The dot product of a query with a stored vector; `None` when the stored one has another number of components.
#[must_use]
pub fn dot_le_bytes(query: &[f32], stored: &[u8]) -> Option<f32> {
    if stored.len() != query.len().checked_mul(COMPONENT_BYTES)? {
        return None;
    }
    let (query_steps, query_rest) = query.as_chunks::<LANES>();
    let (stored_steps, stored_rest) = stored.as_chunks::<STEP_BYTES>();
    let mut lanes = [0.0_f32; LANES];
    for (query, bytes) in query_steps.iter().zip(stored_steps) {
        let mut step = [0.0_f32; LANES];
        for (component, bytes) in step.iter_mut().zip(bytes.as_chunks::<COMPONENT_BYTES>().0) {
            *component = f32::from_le_bytes(*bytes);
        }
        multiply_add(&mut lanes, query, &step);
    }
    Some(total(lanes) + rest(query_rest, components(stored_rest)))
}

/// The stored form of a vector.
#[must_use]
pub fn to_le_bytes(vector: &[f32]) -> Vec<u8> {
    vector
        .iter()
        .flat_map(|component| component.to_le_bytes())
        .collect()
}

/// The vector of a stored form; `None` when its bytes are not a whole number of components.
#[must_use]
pub fn from_le_bytes(stored: &[u8]) -> Option<Vec<f32>> {
    stored
        .len()
        .is_multiple_of(COMPONENT_BYTES)
        .then(|| components(stored).collect())
}

/// Scales to length 1. `false`, and no change, for a vector without a direction: empty, all zero, or with a component
/// that is not a finite number.
pub fn normalise(vector: &mut [f32]) -> bool {
    // In f64 no square of an f32 overflows or vanishes.
    let length = vector
        .iter()
        .map(|&component| f64::from(component).powi(2))
        .sum::<f64>()
        .sqrt();
    if !length.is_finite() || length <= 0.0 {
        return false;
    }
    for component in vector {
        *component = (f64::from(*component) / length) as f32;
    }
    true
}

/// The `count` vectors with the highest dot product with the query, best first, ties by id. Exact: every vector is
/// looked at.
pub fn top_k<'a, Id: Ord>(
    query: &[f32],
    vectors: impl IntoIterator<Item = (Id, &'a [f32])>,
    count: usize,
) -> Vec<(Id, f32)> {
    best(
        vectors
            .into_iter()
            .map(|(id, vector)| (id, dot(query, vector))),
        count,
    )
}

/// The `count` highest scores, best first, ties by id. Scores that are not finite numbers are left out.
pub fn best<Id: Ord>(scored: impl IntoIterator<Item = (Id, f32)>, count: usize) -> Vec<(Id, f32)> {
    if count == 0 {
        return Vec::new();
    }
    // The worst of the kept ones is on top, ready to be replaced.
    let mut kept: BinaryHeap<Scored<Id>> = BinaryHeap::new();
    for (id, score) in scored {
        // Adding zero makes -0.0 equal to 0.0.
        let candidate = Scored {
            id,
            score: score + 0.0,
        };
        if !candidate.score.is_finite() {
            continue;
        }
        if kept.len() < count {
            kept.push(candidate);
        } else if let Some(mut worst) = kept.peek_mut()
            && candidate < *worst
        {
            *worst = candidate;
        }
    }
    kept.into_sorted_vec()
        .into_iter()
        .map(|scored| (scored.id, scored.score))
        .collect()
}

/// A candidate; the better one is the lesser.
struct Scored<Id> {
    id: Id,
    score: f32,
}

impl<Id: Ord> Ord for Scored<Id> {
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .score
            .total_cmp(&self.score)
            .then_with(|| self.id.cmp(&other.id))
    }
}

impl<Id: Ord> PartialOrd for Scored<Id> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<Id: Ord> PartialEq for Scored<Id> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<Id: Ord> Eq for Scored<Id> {}

fn multiply_add(lanes: &mut [f32; LANES], left: &[f32; LANES], right: &[f32; LANES]) {
    for ((lane, left), right) in lanes.iter_mut().zip(left).zip(right) {
        *lane += left * right;
    }
}

/// Adds the lanes up in a fixed order, halving each time.
fn total(mut lanes: [f32; LANES]) -> f32 {
    let mut width = LANES;
    while width > 1 {
        width /= 2;
        let (low, high) = lanes.split_at_mut(width);
        for (low, high) in low.iter_mut().zip(high) {
            *low += *high;
        }
    }
    lanes[0]
}

fn rest(left: &[f32], right: impl Iterator<Item = f32>) -> f32 {
    left.iter()
        .zip(right)
        .map(|(left, right)| left * right)
        .sum()
}

fn components(stored: &[u8]) -> impl Iterator<Item = f32> {
    stored
        .as_chunks::<COMPONENT_BYTES>()
        .0
        .iter()
        .map(|bytes| f32::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn exact(left: &[f32], right: &[f32]) -> f64 {
        left.iter()
            .zip(right)
            .map(|(&left, &right)| f64::from(left) * f64::from(right))
            .sum()
    }

    #[test]
    fn unit_length() {
        let mut vector = [3.0, 4.0];
        assert!(normalise(&mut vector));
        assert_eq!(vector, [0.6, 0.8]);
        let mut huge = [f32::MAX, f32::MAX];
        assert!(normalise(&mut huge));
        assert!((dot(&huge, &huge) - 1.0).abs() < 1e-6);
        for mut lost in [
            vec![],
            vec![0.0, 0.0],
            vec![1.0, f32::NAN],
            vec![f32::INFINITY],
        ] {
            let before = format!("{lost:?}");
            assert!(!normalise(&mut lost));
            assert_eq!(format!("{lost:?}"), before);
        }
    }

    #[test]
    fn stored_form_is_little_endian() {
        assert_eq!(to_le_bytes(&[1.0, -2.0]), [0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0]);
        assert_eq!(from_le_bytes(&[0, 0, 0x80]), None);
        assert_eq!(dot_le_bytes(&[1.0], &[0; 8]), None);
        assert_eq!(dot_le_bytes(&[], &[]), Some(0.0));
    }

    #[test]
    fn best_first_and_ties_by_id() {
        let scored = [
            (4, 0.5),
            (2, 0.9),
            (3, f32::NAN),
            (1, 0.5),
            (5, f32::INFINITY),
            (6, -0.1),
        ];
        assert_eq!(best(scored, 3), [(2, 0.9), (1, 0.5), (4, 0.5)]);
        assert_eq!(best(scored, usize::MAX).len(), 4);
        assert_eq!(best(scored, 0), []);
        assert_eq!(best([(2, 0.0), (1, -0.0)], 2), [(1, 0.0), (2, 0.0)]);
        let vectors = [[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]];
        assert_eq!(
            top_k(
                &[0.0, 1.0],
                vectors.iter().map(<[f32; 2]>::as_slice).enumerate(),
                2
            ),
            [(2, 1.0), (1, 0.8)]
        );
    }

    proptest! {
        #[test]
        fn kernels_agree_with_plain_f64(pairs in prop::collection::vec((-1.0_f32..1.0, -1.0_f32..1.0), 0..500)) {
            let (left, right): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
            let wanted = exact(&left, &right);
            prop_assert!((f64::from(dot(&left, &right)) - wanted).abs() < 1e-4);
            // The same additions in the same order: the same bits.
            prop_assert_eq!(dot_le_bytes(&left, &to_le_bytes(&right)), Some(dot(&left, &right)));
        }

        #[test]
        fn a_shorter_vector_counts_as_filled_up(left in prop::collection::vec(-1.0_f32..1.0, 0..200), right in prop::collection::vec(-1.0_f32..1.0, 0..200)) {
            prop_assert!((f64::from(dot(&left, &right)) - exact(&left, &right)).abs() < 1e-4);
        }

        #[test]
        fn stored_form_comes_back(vector in prop::collection::vec(-1e30_f32..1e30, 0..100)) {
            prop_assert_eq!(from_le_bytes(&to_le_bytes(&vector)), Some(vector));
        }

        #[test]
        fn best_is_the_start_of_the_sorted_list(scores in prop::collection::vec(-3_i8..3, 0..60), count in 0_usize..70) {
            let scored: Vec<(usize, f32)> = scores.iter().map(|&score| f32::from(score)).enumerate().collect();
            let mut sorted = scored.clone();
            sorted.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
            sorted.truncate(count);
            prop_assert_eq!(best(scored, count), sorted);
        }
    }
}
