//! Vectors: the search, the spaces, and the backlog.

use mneme_core::change::{ChangeSet, Indexed};
use mneme_core::memory::{Kind, Memory};
use mneme_core::ports::{NearestQuery, Store, Unembedded};

use super::given::*;

fn ask(space: &str, vector: &[f32], limit: usize) -> NearestQuery {
    NearestQuery {
        space: space.to_owned(),
        vector: vector.to_vec(),
        limit,
        ..NearestQuery::default()
    }
}

/// Unit vectors that look random and are the same on every run.
fn spread(number: u64, dimension: u64) -> Vec<f32> {
    let noise = |n: u64| {
        let mixed = n
            .wrapping_add(0x9e37_79b9_7f4a_7c15)
            .wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 31)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed >> 40) as f32) / 8_388_608.0 - 1.0
    };
    let raw: Vec<f32> = (0..dimension)
        .map(|place| noise(number * dimension + place))
        .collect();
    let length = raw.iter().map(|x| x * x).sum::<f32>().sqrt();
    raw.into_iter().map(|x| x / length).collect()
}

fn adding_indexed(add: Vec<Indexed>) -> ChangeSet {
    ChangeSet {
        add,
        ..ChangeSet::default()
    }
}

/// The same answer as comparing with each one by hand, of the user alone, best first, ties by id.
pub async fn nearest_is_exact(store: &dyn Store) {
    let (owner, other) = (user(store, 1).await, user(store, 2).await);
    let vectors: Vec<Vec<f32>> = (0..300).map(|n| spread(n % 290, 37)).collect();
    let add = |vectors: &[Vec<f32>]| {
        vectors
            .iter()
            .enumerate()
            .map(|(n, vector)| with_vector(memory(n as u128, Kind::Gist, "x"), vector))
            .collect()
    };
    commit(store, &owner, adding_indexed(add(&vectors)), at(0)).await;
    commit(store, &other, adding_indexed(add(&vectors[..50])), at(0)).await;
    for (question, limit) in [
        (1_000, 10),
        (1_001, 1),
        (5, 20),
        (1_002, 300),
        (1_003, 1_000),
        (1_004, 0),
    ] {
        let query = spread(question, 37);
        let mut expected: Vec<_> = vectors
            .iter()
            .enumerate()
            .map(|(n, vector)| {
                (
                    memory_id(n as u128),
                    vector
                        .iter()
                        .zip(&query)
                        .map(|(a, b)| f64::from(*a) * f64::from(*b))
                        .sum::<f64>(),
                )
            })
            .collect();
        expected.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        expected.truncate(limit);
        let got = store
            .nearest(&owner, ask(SPACE, &query, limit))
            .await
            .unwrap();
        assert_eq!(
            got.iter().map(|hit| hit.0).collect::<Vec<_>>(),
            expected.iter().map(|hit| hit.0).collect::<Vec<_>>()
        );
        assert!(
            got.iter()
                .zip(&expected)
                .all(|(ours, by_hand)| (f64::from(ours.1) - by_hand.1).abs() < 1e-5)
        );
    }
}

/// By kind and by time.
pub async fn nearest_can_be_narrowed(store: &dyn Store) {
    let owner = user(store, 1).await;
    let mut add = Vec::new();
    for (number, kind) in [Kind::Gist, Kind::Fact, Kind::Gist, Kind::Event]
        .into_iter()
        .enumerate()
    {
        let mut one = memory(number as u128, kind, "x");
        one.times.recorded_at = at(number as i64);
        add.push(with_vector(one, &[1.0, number as f32 / -10.0]));
    }
    commit(store, &owner, adding_indexed(add), at(0)).await;
    let find = async |kinds: &[Kind], from: Option<i64>| -> Vec<_> {
        let query = NearestQuery {
            kinds: kinds.to_vec(),
            recorded_from: from.map(at),
            ..ask(SPACE, &[0.6, 0.8], 9)
        };
        store
            .nearest(&owner, query)
            .await
            .unwrap()
            .into_iter()
            .map(|(id, _)| id)
            .collect()
    };
    assert_eq!(find(&[Kind::Gist], None).await, [0, 2].map(memory_id));
    assert_eq!(
        find(&[Kind::Gist, Kind::Event], Some(2)).await,
        [2, 3].map(memory_id)
    );
    assert_eq!(find(&[], Some(1)).await, [1, 2, 3].map(memory_id));
}

/// A vector of another space or dimension is not there.
pub async fn spaces_are_never_compared(store: &dyn Store) {
    let owner = user(store, 1).await;
    commit(
        store,
        &owner,
        adding_indexed(vec![with_vector(memory(1, Kind::Fact, "x"), &[1.0, 0.0])]),
        at(0),
    )
    .await;
    let other = adding_indexed(vec![with_vector(memory(2, Kind::Fact, "y"), &[1.0, 0.0])]);
    store
        .commit(&owner, None, other, "other", at(0))
        .await
        .unwrap();
    assert_eq!(
        store
            .nearest(&owner, ask(SPACE, &[1.0, 0.0], 9))
            .await
            .unwrap(),
        [(memory_id(1), 1.0)]
    );
    assert_eq!(
        store
            .nearest(&owner, ask("other", &[1.0, 0.0], 9))
            .await
            .unwrap(),
        [(memory_id(2), 1.0)]
    );
    assert!(
        store
            .nearest(&owner, ask("test/two", &[1.0, 0.0], 9))
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        store
            .nearest(&owner, ask(SPACE, &[1.0, 0.0, 0.0], 9))
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        store
            .nearest(&owner, ask(SPACE, &[], 9))
            .await
            .unwrap()
            .is_empty()
    );
}

fn texts(waiting: &[Unembedded]) -> Vec<&str> {
    waiting.iter().map(|one| one.text.as_str()).collect()
}

/// Across users, each with its text and revision; what got its vector is off the list and can be found.
pub async fn the_backlog_is_worked_off_oldest_first(store: &dyn Store) {
    let (one, two) = (user(store, 1).await, user(store, 2).await);
    for (number, owner) in [(1, &one), (2, &two), (3, &one)] {
        let mut add = vec![
            without_vector(memory(number, Kind::Fact, &format!("text {number} \0 中"))),
            indexed(memory(number + 10, Kind::Fact, "never")),
        ];
        add.push(with_vector(
            memory(number + 20, Kind::Fact, "has one"),
            &[0.0, 1.0],
        ));
        commit(store, owner, adding_indexed(add), at(number as i64)).await;
    }
    let all = store.unembedded(SPACE, 9).await.unwrap();
    assert_eq!(
        texts(&all),
        ["text 1 \0 中", "text 2 \0 中", "text 3 \0 中"]
    );
    assert_eq!(
        (all[1].owner.clone(), all[1].memory, all[1].revision),
        (two.clone(), memory_id(2), 1)
    );
    assert_eq!(store.unembedded(SPACE, 2).await.unwrap(), all[..2]);
    assert_eq!(store.unembedded_count(SPACE, None).await.unwrap(), 3);
    assert_eq!(store.unembedded_count(SPACE, Some(&one)).await.unwrap(), 2);

    let made = all[..2]
        .iter()
        .map(|one| (one.clone(), vec![1.0, 0.0]))
        .collect();
    assert_eq!(store.put_vectors(SPACE, made).await.unwrap(), 2);
    assert_eq!(
        texts(&store.unembedded(SPACE, 9).await.unwrap()),
        ["text 3 \0 中"]
    );
    assert_eq!(
        store
            .nearest(&one, ask(SPACE, &[1.0, 0.0], 1))
            .await
            .unwrap(),
        [(memory_id(1), 1.0)]
    );
    assert_eq!(store.unembedded_count(SPACE, Some(&two)).await.unwrap(), 0);
}

/// Made for a state that is no more, or a memory that is gone: dropped, and the new state still waits.
pub async fn stale_vectors_are_dropped(store: &dyn Store) {
    let owner = user(store, 1).await;
    let first = memory(1, Kind::Fact, "one");
    let add = vec![
        without_vector(first.clone()),
        without_vector(memory(2, Kind::Fact, "two")),
    ];
    commit(store, &owner, adding_indexed(add), at(0)).await;
    let old = store.unembedded(SPACE, 9).await.unwrap();
    let mut change = forgetting(&[2]);
    let next = without_vector(next(&first, "one again", at(1)));
    change.revise = vec![mneme_core::change::Revised {
        next,
        reason: mneme_core::memory::Reason::Edited,
    }];
    commit(store, &owner, change, at(1)).await;
    let made = old.into_iter().map(|one| (one, vec![1.0, 0.0])).collect();
    assert_eq!(store.put_vectors(SPACE, made).await.unwrap(), 0);
    assert!(
        store
            .nearest(&owner, ask(SPACE, &[1.0, 0.0], 9))
            .await
            .unwrap()
            .is_empty()
    );
    let waits = store.unembedded(SPACE, 9).await.unwrap();
    assert_eq!((texts(&waits), waits[0].revision), (vec!["one again"], 2));
    store.erase_user(&owner).await.unwrap();
    let late = waits.into_iter().map(|one| (one, vec![1.0, 0.0])).collect();
    assert_eq!(store.put_vectors(SPACE, late).await.unwrap(), 0);
}

/// The old vector does not stand for the new words.
pub async fn a_revised_memory_needs_a_new_vector(store: &dyn Store) {
    let owner = user(store, 1).await;
    let first = memory(1, Kind::Fact, "one");
    commit(
        store,
        &owner,
        adding_indexed(vec![with_vector(first.clone(), &[1.0, 0.0])]),
        at(0),
    )
    .await;
    let revise = |next: Indexed| ChangeSet {
        revise: vec![mneme_core::change::Revised {
            next,
            reason: mneme_core::memory::Reason::Extended,
        }],
        ..ChangeSet::default()
    };
    let second: Memory = next(&first, "two", at(1));
    commit(store, &owner, revise(without_vector(second.clone())), at(1)).await;
    assert!(
        store
            .nearest(&owner, ask(SPACE, &[1.0, 0.0], 9))
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(store.unembedded_count(SPACE, None).await.unwrap(), 1);
    commit(
        store,
        &owner,
        revise(with_vector(next(&second, "three", at(2)), &[0.0, 1.0])),
        at(2),
    )
    .await;
    assert_eq!(
        store
            .nearest(&owner, ask(SPACE, &[0.0, 1.0], 9))
            .await
            .unwrap(),
        [(memory_id(1), 1.0)]
    );
    assert_eq!(store.unembedded_count(SPACE, None).await.unwrap(), 0);
}

/// After a change of embedder every memory waits for its vector there, while the old space still answers; and so it is
/// after a change back.
pub async fn a_new_space_wants_all_vectors(store: &dyn Store) {
    let owner = user(store, 1).await;
    let add = vec![
        with_vector(memory(1, Kind::Fact, "one"), &[1.0, 0.0]),
        without_vector(memory(2, Kind::Fact, "two")),
        indexed(memory(3, Kind::Fact, "never")),
    ];
    commit(store, &owner, adding_indexed(add), at(0)).await;
    assert_eq!(store.unembedded_count(SPACE, None).await.unwrap(), 1);
    let mut waits = store.unembedded("new", 9).await.unwrap();
    waits.sort_by(|left, right| left.text.cmp(&right.text));
    assert_eq!(texts(&waits), ["one", "two"]);
    assert_eq!(
        store.unembedded_count("new", Some(&owner)).await.unwrap(),
        2
    );
    let made = waits
        .into_iter()
        .map(|one| (one, vec![0.5, 0.5, 0.5]))
        .collect();
    assert_eq!(store.put_vectors("new", made).await.unwrap(), 2);
    assert_eq!(store.unembedded_count("new", None).await.unwrap(), 0);
    assert_eq!(
        store
            .nearest(&owner, ask(SPACE, &[1.0, 0.0], 9))
            .await
            .unwrap()
            .len(),
        1,
        "the old space still answers"
    );

    let add = vec![with_vector(memory(4, Kind::Fact, "four"), &[0.1, 0.2, 0.3])];
    store
        .commit(&owner, None, adding_indexed(add), "new", at(1))
        .await
        .unwrap();
    let mut back = store.unembedded(SPACE, 9).await.unwrap();
    back.sort_by(|left, right| left.text.cmp(&right.text));
    assert_eq!(texts(&back), ["four", "two"]);
}
