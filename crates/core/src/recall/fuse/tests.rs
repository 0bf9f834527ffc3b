use proptest::prelude::*;
use uuid::Uuid;

use super::*;

fn id(number: u128) -> MemoryId {
    MemoryId(Uuid::from_u128(number))
}

fn dense(cosines: &[f32]) -> Vec<(MemoryId, f32)> {
    cosines
        .iter()
        .enumerate()
        .map(|(number, &cosine)| (id(number as u128), cosine))
        .collect()
}

fn words(coverages: &[(u128, f32)]) -> HashMap<MemoryId, f32> {
    coverages
        .iter()
        .map(|&(number, coverage)| (id(number), coverage))
        .collect()
}

fn order(hits: &[Ranked]) -> Vec<u128> {
    hits.iter().map(|hit| hit.id.0.as_u128()).collect()
}

/// The built-in embedder's.
const UNRELATED: f32 = 0.763;

#[test]
fn a_threshold_keeps_coffee_and_drops_books() {
    // Query "coffee", memories "likes coffee" and "likes books": with both legs, and with each alone.
    let (cosines, coverage) = (dense(&[0.86, 0.80]), words(&[(0, 0.45)]));
    for (dense, lexical) in [
        (cosines.clone(), coverage.clone()),
        (cosines, HashMap::new()),
        (Vec::new(), coverage),
    ] {
        let hits = rank(&FuseInput {
            dense,
            lexical,
            unrelated_cosine: UNRELATED,
            floor: 0.5,
            ..FuseInput::default()
        });
        assert_eq!(order(&hits), [0]);
    }
}

#[test]
fn unrelated_memories_are_ordered_and_below_the_floor() {
    let input = FuseInput {
        dense: dense(&[0.765, 0.775, 0.76]),
        unrelated_cosine: UNRELATED,
        floor: 0.0,
        ..FuseInput::default()
    };
    let hits = rank(&input);
    assert_eq!(order(&hits), [1, 0, 2]);
    assert!(hits.is_sorted_by(|left, right| left.score > right.score));
    assert_eq!(
        rank(&FuseInput {
            floor: FLOOR_DEFAULT,
            ..input
        }),
        []
    );
}

#[test]
fn the_same_nearness_scores_alike_in_every_space() {
    let score = |unrelated: f32, share: f32| {
        let cosine = |share: f32| unrelated + share * (1.0 - unrelated);
        let dense = dense(&[cosine(share), cosine(0.1), cosine(0.0)]);
        rank(&FuseInput {
            dense,
            unrelated_cosine: unrelated,
            floor: 0.0,
            ..FuseInput::default()
        })[0]
            .score
    };
    assert!((score(0.1, 0.5) - score(0.8, 0.5)).abs() < 1e-4);
    assert!((score(0.1, 0.3) - 0.5).abs() < 1e-4);
}

#[test]
fn words_alone_tell_clear_from_faint() {
    let lexical = words(&[(1, 0.45), (2, 0.3), (3, 0.15), (4, 0.05)]);
    let hits = rank(&FuseInput {
        lexical,
        floor: 0.0,
        ..FuseInput::default()
    });
    let scores: Vec<f32> = hits.iter().map(|hit| hit.score).collect();
    assert_eq!(order(&hits), [1, 2, 3, 4]);
    assert!(
        scores[1] > 0.5
            && scores[2] > FLOOR_DEFAULT
            && scores[2] < 0.5
            && scores[3] < FLOOR_DEFAULT,
        "{scores:?}"
    );
    assert_eq!(
        hits[0].components,
        Components {
            coverage: 0.45,
            ..Components::default()
        }
    );
}

#[test]
fn a_memory_that_waits_for_its_vector_is_found_by_words() {
    let input = FuseInput {
        dense: dense(&[0.80, 0.79, 0.78]),
        lexical: words(&[(9, 0.4)]),
        unrelated_cosine: UNRELATED,
        ..FuseInput::default()
    };
    let hits = rank(&input);
    assert_eq!(order(&hits), [9]);
    assert!(hits[0].score > 0.5);
    assert_eq!(hits[0].components.similarity, None);
}

#[test]
fn words_and_meaning_add_up() {
    let input = FuseInput {
        dense: dense(&[0.85, 0.85, 0.77]),
        lexical: words(&[(1, 0.3), (2, 0.3)]),
        unrelated_cosine: UNRELATED,
        floor: 0.0,
        ..FuseInput::default()
    };
    let hits = rank(&input);
    assert_eq!(hits[0].id, id(1));
    let similarity = hits[0].components.similarity.unwrap();
    assert!((similarity - (0.85 - UNRELATED) / (1.0 - UNRELATED)).abs() < 1e-5);
}

#[test]
fn the_time_asked_for_lifts_and_finds() {
    let boost = |time, recency, other| Boost {
        time,
        recency,
        other,
    };
    let boosts = HashMap::from([
        (id(1), boost(1.0, 0.0, 0.0)),
        (id(7), boost(1.0, 0.0, 0.0)),
        (id(8), boost(0.0, 1.0, 0.0)),
    ]);
    let input = FuseInput {
        dense: dense(&[0.84, 0.84]),
        boosts,
        unrelated_cosine: UNRELATED,
        floor: 0.0,
        ..FuseInput::default()
    };
    let hits = rank(&input);
    // 7 has nothing but the right time; 8 is only recent, which is no reason to show it.
    assert_eq!(order(&hits), [1, 0, 7]);
    let none = rank(&FuseInput {
        weights: Weights {
            time: 0.0,
            ..Weights::default()
        },
        ..input.clone()
    });
    assert_eq!(order(&none)[..2], [0, 1]);
    let lowered = rank(&FuseInput {
        boosts: HashMap::from([(id(1), boost(0.0, 0.0, -2.0))]),
        ..input
    });
    assert_eq!(order(&lowered), [0, 1]);
    assert!(lowered[1].score < lowered[0].score);
}

#[test]
fn one_candidate_and_equal_ones_have_a_scale() {
    for cosines in [&[0.9_f32][..], &[0.9, 0.9, 0.9]] {
        let hits = rank(&FuseInput {
            dense: dense(cosines),
            unrelated_cosine: UNRELATED,
            ..FuseInput::default()
        });
        assert_eq!(order(&hits), (0..cosines.len() as u128).collect::<Vec<_>>());
        assert!(hits.iter().all(|hit| hit.score > 0.5 && hit.score < 1.0));
    }
    assert_eq!(rank(&FuseInput::default()), []);
}

#[test]
fn the_order_is_the_measured_sum() {
    // Enough candidates, far enough apart, that the typical spread hardly matters.
    let cosines: Vec<f32> = (0..500_u16)
        .map(|number| f32::from(number * 37 % 500) / 500.0)
        .collect();
    let lexical: HashMap<_, _> = (0..500_u16)
        .map(|number| {
            (
                id(u128::from(number)),
                f32::from(number * 91 % 500) / 1100.0,
            )
        })
        .collect();
    let mean = cosines.iter().sum::<f32>() / 500.0;
    let deviation = (cosines
        .iter()
        .map(|cosine| (cosine - mean).powi(2))
        .sum::<f32>()
        / 500.0)
        .sqrt();
    let hits = rank(&FuseInput {
        dense: dense(&cosines),
        lexical: lexical.clone(),
        floor: 0.0,
        ..FuseInput::default()
    });
    assert_eq!(hits.len(), 500);
    let sum = |hit: &Ranked| {
        (cosines[hit.id.0.as_u128() as usize] - mean) / deviation + 8.0 * lexical[&hit.id]
    };
    for hit in &hits {
        assert!(
            (hit.fused - sum(hit)).abs() < 0.05,
            "{} / {}",
            hit.fused,
            sum(hit)
        );
    }
}

/// Any number, often a likely one, sometimes none.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![6 => -1.0_f32..1.0, 1 => any::<f32>(), 1 => prop::sample::select(vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 0.0])]
}

fn numbers() -> impl Strategy<Value = Vec<(MemoryId, f32)>> {
    prop::collection::vec(((0_u128..20).prop_map(id), number()), 0..20)
}

prop_compose! {
    fn input()(dense in numbers(), lexical in numbers(), times in numbers(), others in numbers(), unrelated_cosine in number(),
        weights in (number(), number(), number()), floor in number(), limit in 0_usize..30) -> FuseInput {
        let mut boosts: HashMap<MemoryId, Boost> = times.into_iter().map(|(id, time)| (id, Boost { time, recency: -time, other: 0.0 })).collect();
        for (id, other) in others {
            boosts.entry(id).or_default().other = other;
        }
        let weights = Weights { coverage: weights.0, time: weights.1, recency: weights.2 };
        FuseInput { dense, lexical: lexical.into_iter().collect(), unrelated_cosine, boosts, weights, floor, limit }
    }
}

proptest! {
    #[test]
    fn hits_are_sound(input in input()) {
        let (floor, limit) = (finite(input.floor), input.limit);
        let hits = rank(&input);
        prop_assert!(hits.len() <= limit);
        prop_assert!(hits.iter().all(|hit| (0.0..=1.0).contains(&hit.score) && hit.score >= floor && hit.fused.is_finite()));
        prop_assert!(hits.is_sorted_by(|left, right| left.score >= right.score && left.fused >= right.fused));
        let mut ids = order(&hits);
        ids.sort_unstable();
        ids.dedup();
        prop_assert_eq!(ids.len(), hits.len());
    }

    #[test]
    fn more_words_never_lower_a_score(dense in numbers(), coverage in 0.0_f32..1.0, more in 0.0_f32..1.0) {
        let score = |coverage: f32| {
            let lexical = words(&[(3, coverage)]);
            let hits = rank(&FuseInput { dense: dense.clone(), lexical, unrelated_cosine: 0.2, floor: 0.0, ..FuseInput::default() });
            hits.iter().find(|hit| hit.id == id(3)).map_or(0.0, |hit| hit.score)
        };
        prop_assert!(score(coverage) <= score((coverage + more).min(1.0)));
    }

    #[test]
    fn the_order_of_arrival_does_not_matter(input in input()) {
        let backwards = FuseInput { dense: input.dense.iter().rev().copied().collect(), ..input.clone() };
        prop_assert_eq!(rank(&backwards), rank(&input));
    }
}
