//! Terms and the statistics of one user.

use std::collections::BTreeMap;

use mneme_core::change::{ChangeSet, IndexEntry, Indexed};
use mneme_core::memory::Kind;
use mneme_core::ports::{Posting, Postings, Store};

use super::given::*;

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|word| (*word).to_owned()).collect()
}

/// What another user or project stores changes no number.
pub async fn statistics_are_the_users_own(store: &dyn Store) {
    let (one, two) = (user(store, 1).await, user(store, 2).await);
    let twin = user_in(store, "q", 1).await;
    commit(
        store,
        &one,
        adding(vec![
            memory(1, Kind::Fact, "red car red"),
            memory(2, Kind::Fact, "blue car"),
        ]),
        at(0),
    )
    .await;
    let terms = words(&["red", "car", "nothing", "car"]);
    let before = store.postings(&one, &[], &terms).await.unwrap();
    let posting = |number, count, length| Posting {
        memory: memory_id(number),
        count,
        length,
    };
    let mut cars = vec![posting(1, 1, 3), posting(2, 1, 2)];
    cars.sort_by_key(|posting| posting.memory);
    let expected = Postings {
        documents: 2,
        length_total: 5,
        terms: vec![vec![posting(1, 2, 3)], cars.clone(), vec![], cars],
    };
    assert_eq!(before, expected);
    for other in [&two, &twin] {
        commit(
            store,
            other,
            adding((1..50).map(|n| memory(n, Kind::Fact, "red car")).collect()),
            at(0),
        )
        .await;
    }
    assert_eq!(store.postings(&one, &[], &terms).await.unwrap(), before);
    let nobody = store.postings(&owner(9), &[], &terms).await.unwrap();
    assert_eq!(
        nobody,
        Postings {
            terms: vec![vec![]; 4],
            ..Postings::default()
        }
    );
}

/// Revised memories are found by their new words and counted once; a changed kind counts as the new kind.
pub async fn postings_follow_the_change(store: &dyn Store) {
    let owner = user(store, 1).await;
    let first = memory(1, Kind::Fact, "old shared words");
    commit(store, &owner, adding(vec![first.clone()]), at(0)).await;
    let mut second = next(&first, "new shared", at(1));
    second.kind = Kind::Preference;
    commit(
        store,
        &owner,
        ChangeSet {
            revise: vec![revised(second)],
            ..ChangeSet::default()
        },
        at(1),
    )
    .await;
    let found = store
        .postings(&owner, &[], &words(&["old", "new", "shared"]))
        .await
        .unwrap();
    assert_eq!((found.documents, found.length_total), (1, 2));
    assert_eq!(
        found.terms.iter().map(Vec::len).collect::<Vec<_>>(),
        [0, 1, 1]
    );
    assert_eq!(found.terms[2][0].length, 2);
    assert_eq!(
        store
            .postings(&owner, &[Kind::Fact], &words(&["shared"]))
            .await
            .unwrap()
            .documents,
        0
    );
    assert_eq!(
        store
            .postings(&owner, &[Kind::Preference], &words(&["shared"]))
            .await
            .unwrap()
            .terms[0]
            .len(),
        1
    );
}

/// Terms are compared byte for byte: no folding, no wildcards, no normalisation.
pub async fn terms_of_any_script_are_exact(store: &dyn Store) {
    let owner = user(store, 1).await;
    let terms = [
        "上周",
        "上",
        "e\u{301}",
        "\u{e9}",
        "%",
        "_",
        "a\0b",
        "a",
        "A",
        "\"",
        "'",
        "\u{1f600}",
    ];
    for (number, term) in terms.iter().enumerate() {
        let index = IndexEntry {
            terms: BTreeMap::from([((*term).to_owned(), number as u32 + 1)]),
            length: 99,
            vector: None,
            embed_text: None,
        };
        let add = vec![Indexed {
            memory: memory(number as u128, Kind::Fact, "x"),
            index,
        }];
        commit(
            store,
            &owner,
            ChangeSet {
                add,
                ..ChangeSet::default()
            },
            at(0),
        )
        .await;
    }
    let found = store.postings(&owner, &[], &words(&terms)).await.unwrap();
    for (number, postings) in found.terms.iter().enumerate() {
        let expected = Posting {
            memory: memory_id(number as u128),
            count: number as u32 + 1,
            length: 99,
        };
        assert_eq!(postings, &[expected], "{:?}", terms[number]);
    }
}

/// Only the kinds asked for are counted and found; a memory without terms is a document too.
pub async fn kinds_have_their_own_statistics(store: &dyn Store) {
    let owner = user(store, 1).await;
    let all = vec![
        memory(1, Kind::Fact, "car"),
        memory(2, Kind::Gist, "car car"),
        memory(3, Kind::Gist, ""),
        slot(4, "t", "s", "car"),
    ];
    commit(store, &owner, adding(all), at(0)).await;
    let ask = async |kinds: &[Kind]| {
        let found = store
            .postings(&owner, kinds, &words(&["car"]))
            .await
            .unwrap();
        (found.documents, found.length_total, found.terms[0].len())
    };
    assert_eq!(ask(&[Kind::Fact]).await, (1, 1, 1));
    assert_eq!(ask(&[Kind::Gist]).await, (2, 2, 1));
    assert_eq!(ask(&[Kind::Gist, Kind::Profile]).await, (3, 3, 2));
    assert_eq!(ask(&[Kind::Event]).await, (0, 0, 0));
    assert_eq!(ask(&[]).await, (4, 4, 3));
}
