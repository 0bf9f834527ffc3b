//! One order of words and meanings, and one score that means the same everywhere.
//!
//! # Order
//!
//! A memory's rank is decided by `z(cosine) + 8 · coverage + boosts`, where `z` counts standard deviations from the mean
//! cosine of the candidates. Measured on LoCoMo and on English and Chinese fact sets, this sum keeps the paraphrases that
//! rank fusion loses and the exact words that vectors lose.
//!
//! # Score
//!
//! Multiplied by the standard deviation, which changes no order, the same sum reads as a cosine: the one that a memory
//! without any word of the query would need for the same rank. It is shown as a share of the way from unrelated to equal,
//! `s = (cosine - unrelated) / (1 - unrelated)`, so that it means the same with every embedder, and bent into
//! `score = (1 + x / √(1 + x²)) / 2` with `x = (s - 0.3) / 0.19`. The bend has long tails: scores stay in (0, 1), rise
//! strictly with the order, and never all end up at 1.
//!
//! | `s` | score | what is there, with the built-in embedder |
//! |---|---|---|
//! | 0 | 0.08 | the average text of somebody else |
//! | 0.13 | 0.17 | the average text of the same conversation |
//! | 0.19 | 0.25 | the best of several hundred texts of somebody else |
//! | 0.33 | 0.57 | a text that answers the question in other words |
//! | 0.7 | 0.95 | one that also has the words |
//!
//! Without vectors, `s` is `0.1 + 1.2 · coverage`: a memory that has every word of the query once scores about 0.9, one
//! that has one word of three about 0.45, one that has one of six about 0.25.

use std::collections::{BTreeMap, HashMap};

use crate::id::MemoryId;

/// The default of [`FuseInput::floor`]: above it is what has to do with the query.
pub const FLOOR_DEFAULT: f32 = 0.25;

/// The least standard deviation of cosines that is believed, as a share of the way from unrelated to equal. It is that of
/// one user's whole memory, measured. A handful of candidates, or the nearest hundred of many, are closer together, and
/// dividing by that would drown the words.
const SPREAD: f64 = 0.1;
/// The same where no cosine is known: words then have to tell alone what is clear and what is not.
const SPREAD_OF_WORDS: f64 = 0.15;
/// How many candidates of the typical spread are added to those seen, so that two or three do not set the scale.
const SPREAD_WEIGHT: f64 = 10.0;
/// The place of a memory whose vector is not known, as a share of the way from unrelated to equal.
const UNKNOWN: f64 = 0.1;
/// The share of the way that scores one half, and how far from it the score bends.
const BEND: (f64, f64) = (0.3, 0.19);

/// How much each part counts, in standard deviations of the cosine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// Of full coverage.
    pub coverage: f32,
    /// Of a memory inside the interval that the query names.
    pub time: f32,
    /// Of a memory that is brand-new.
    pub recency: f32,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            coverage: 8.0,
            time: 1.5,
            recency: 0.3,
        }
    }
}

/// What speaks for a memory besides words and meaning.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Boost {
    /// How well it fits the time that the query names, 0 to 1.
    pub time: f32,
    /// How recent it is, 0 to 1.
    pub recency: f32,
    /// Anything else, such as good neighbours, in standard deviations of the cosine; may be negative.
    pub other: f32,
}

/// What is ranked.
#[derive(Debug, Clone, PartialEq)]
pub struct FuseInput {
    /// Cosines of the nearest memories; empty without vectors.
    pub dense: Vec<(MemoryId, f32)>,
    /// Coverage by [`super::bm25::coverage`]; empty without words.
    pub lexical: HashMap<MemoryId, f32>,
    /// The cosine of unrelated texts in the embedder's space.
    pub unrelated_cosine: f32,
    /// Boosts by memory. A memory that only has a boost is ranked if it fits the time asked for.
    pub boosts: HashMap<MemoryId, Boost>,
    /// How much each part counts.
    pub weights: Weights,
    /// Hits with a lower score are left out.
    pub floor: f32,
    /// Hits at most.
    pub limit: usize,
}

impl Default for FuseInput {
    fn default() -> Self {
        Self {
            dense: Vec::new(),
            lexical: HashMap::new(),
            unrelated_cosine: 0.0,
            boosts: HashMap::new(),
            weights: Weights::default(),
            floor: FLOOR_DEFAULT,
            limit: usize::MAX,
        }
    }
}

/// What a score is made of, for explanations.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Components {
    /// Calibrated similarity of meaning, 0 (unrelated) to 1 (equal); `None` when the memory was not among the nearest or
    /// has no vector.
    pub similarity: Option<f32>,
    /// How much of the query's words it has, 0 to 1.
    pub coverage: f32,
    /// How well it fits the time asked for, 0 to 1.
    pub time: f32,
    /// How recent it is, 0 to 1.
    pub recency: f32,
    /// Other boosts, in standard deviations.
    pub other: f32,
}

/// One hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranked {
    /// The memory.
    pub id: MemoryId,
    /// 0 to 1, higher is better, in the order of the list.
    pub score: f32,
    /// The sum that decides the order, in standard deviations; comparable inside one list only.
    pub fused: f32,
    /// What it is made of.
    pub components: Components,
}

/// Ranks candidates, best first, ties by id.
///
/// Numbers from outside that are not finite count as absent; those beyond their range as its end.
#[must_use]
pub fn rank(input: &FuseInput) -> Vec<Ranked> {
    let floor = finite(input.floor);
    let mut hits = scored(input);
    hits.retain(|(_, hit)| hit.score >= floor);
    hits.sort_by(|(left, left_hit), (right, right_hit)| {
        right
            .total_cmp(left)
            .then_with(|| left_hit.id.cmp(&right_hit.id))
    });
    hits.truncate(input.limit);
    hits.into_iter().map(|(_, hit)| hit).collect()
}

/// Every candidate with its unrounded place in the order.
fn scored(input: &FuseInput) -> Vec<(f64, Ranked)> {
    let unrelated = f64::from(finite(input.unrelated_cosine).clamp(-1.0, 0.99));
    let candidates = candidates(input);
    let scale = Scale::of(
        unrelated,
        candidates.values().filter_map(|candidate| candidate.cosine),
    );
    let weights = input.weights;
    candidates
        .into_iter()
        .map(|(id, candidate)| {
            let Candidate {
                cosine,
                coverage,
                boost,
            } = candidate;
            let words = weight(weights.coverage) * f64::from(coverage);
            let boosts = weight(weights.time) * f64::from(boost.time)
                + weight(weights.recency) * f64::from(boost.recency)
                + f64::from(boost.other);
            let fused =
                (cosine.unwrap_or(scale.unknown) - scale.mean) / scale.deviation + words + boosts;
            let components = Components {
                similarity: cosine.map(|cosine| scale.share(cosine).clamp(0.0, 1.0) as f32),
                coverage,
                time: boost.time,
                recency: boost.recency,
                other: boost.other,
            };
            let score = bend(scale.share(scale.mean + fused * scale.deviation)) as f32;
            (
                fused,
                Ranked {
                    id,
                    score,
                    fused: fused as f32,
                    components,
                },
            )
        })
        .collect()
}

/// What is known of one memory, within its bounds.
#[derive(Debug, Clone, Copy, Default)]
struct Candidate {
    cosine: Option<f64>,
    coverage: f32,
    boost: Boost,
}

fn candidates(input: &FuseInput) -> BTreeMap<MemoryId, Candidate> {
    let mut candidates: BTreeMap<MemoryId, Candidate> = BTreeMap::new();
    for &(id, cosine) in input.dense.iter().filter(|(_, cosine)| cosine.is_finite()) {
        let cosine = f64::from(cosine.clamp(-1.0, 1.0));
        let known = &mut candidates.entry(id).or_default().cosine;
        *known = Some(known.map_or(cosine, |earlier| earlier.max(cosine)));
    }
    for (&id, &coverage) in input
        .lexical
        .iter()
        .filter(|(_, coverage)| **coverage > 0.0)
    {
        candidates.entry(id).or_default().coverage = share(coverage);
    }
    for (&id, boost) in &input.boosts {
        let boost = Boost {
            time: share(boost.time),
            recency: share(boost.recency),
            other: finite(boost.other).clamp(-100.0, 100.0),
        };
        if boost.time > 0.0 || candidates.contains_key(&id) {
            candidates.entry(id).or_default().boost = boost;
        }
    }
    candidates
}

/// Where the cosines lie.
#[derive(Debug, Clone, Copy)]
struct Scale {
    unrelated: f64,
    mean: f64,
    deviation: f64,
    /// The cosine that stands for an unknown one.
    unknown: f64,
}

impl Scale {
    fn of(unrelated: f64, cosines: impl Iterator<Item = f64> + Clone) -> Self {
        let way = 1.0 - unrelated;
        let typical = SPREAD * way;
        let unknown = unrelated + UNKNOWN * way;
        let count = cosines.clone().count() as f64;
        if count == 0.0 {
            return Self {
                unrelated,
                mean: unknown,
                deviation: SPREAD_OF_WORDS * way,
                unknown,
            };
        }
        let mean = cosines.clone().sum::<f64>() / count;
        let squares: f64 = cosines.map(|cosine| (cosine - mean).powi(2)).sum();
        let variance = (squares + SPREAD_WEIGHT * typical.powi(2)) / (count + SPREAD_WEIGHT);
        // Not better than the average of those that are known.
        Self {
            unrelated,
            mean,
            deviation: variance.sqrt().max(typical),
            unknown: unknown.min(mean),
        }
    }

    /// How far a cosine is on the way from unrelated (0) to equal (1); below 0 for what is further away than unrelated.
    fn share(&self, cosine: f64) -> f64 {
        (cosine - self.unrelated) / (1.0 - self.unrelated)
    }
}

/// Strictly rising from 0 to 1, one half at the middle of [`BEND`].
fn bend(share: f64) -> f64 {
    let (middle, width) = BEND;
    let x = (share - middle) / width;
    f64::midpoint(1.0, x / x.hypot(1.0))
}

fn finite(number: f32) -> f32 {
    if number.is_finite() { number } else { 0.0 }
}

fn share(number: f32) -> f32 {
    finite(number).clamp(0.0, 1.0)
}

fn weight(weight: f32) -> f64 {
    f64::from(finite(weight).clamp(0.0, 1000.0))
}

#[cfg(test)]
mod tests;
