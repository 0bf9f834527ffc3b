//! Forgetting, and that the forgotten does not come back.

use mneme_core::change::ChangeSet;
use mneme_core::id::SubScope;
use mneme_core::memory::{Kind, Memory, Provenance};
use mneme_core::ports::{NearestQuery, NewBuffer, NewSource, Store};
use serde_json::json;

use super::given::*;

/// With an event go its gists, their past, and what they rest on.
pub async fn forgetting_an_event_forgets_its_gists(store: &dyn Store) {
    let owner = user(store, 1).await;
    let gist = |number, event| Memory {
        parent: Some(memory_id(event)),
        ..memory(number, Kind::Gist, &format!("gist {number}"))
    };
    let all = vec![
        memory(1, Kind::Event, "event 1"),
        gist(2, 1),
        gist(3, 1),
        memory(4, Kind::Event, "event 4"),
        gist(5, 4),
    ];
    commit(
        store,
        &owner,
        ChangeSet {
            provenance: vec![link(2, 8)],
            ..adding(all)
        },
        at(0),
    )
    .await;
    commit(store, &owner, forgetting(&[1]), at(1)).await;
    assert_eq!(contents(store, &owner).await, ["event 4", "gist 5"]);
    assert!(
        store
            .children(&owner, memory_id(1))
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        store
            .provenance(&owner, memory_id(2))
            .await
            .unwrap()
            .is_empty()
    );
    commit(store, &owner, forgetting(&[5]), at(2)).await;
    assert_eq!(
        contents(store, &owner).await,
        ["event 4"],
        "a gist goes alone"
    );
}

/// One source with the same words under different ids.
fn same_words(number: u128) -> NewSource {
    NewSource {
        source: source(number, "the same words"),
        buffer: Some(NewBuffer {
            id: buffer_id(number),
            tokens: 1,
        }),
    }
}

async fn tell(store: &dyn Store, owner: &mneme_core::id::UserKey, source: NewSource) {
    store
        .append(owner, vec![source], policy(99), None, at(0))
        .await
        .unwrap();
}

/// The same words of the same source are left out, whichever ids they come with and even when the first source is
/// gone; the rest of the change is applied.
pub async fn forgotten_words_do_not_come_back(store: &dyn Store) {
    let owner = user(store, 1).await;
    tell(store, &owner, same_words(1)).await;
    tell(store, &owner, same_words(2)).await;
    let event = memory(2, Kind::Event, "an event");
    let change = ChangeSet {
        provenance: vec![link(1, 1), link(2, 1)],
        drop_sources: vec![source_id(1)],
        ..adding(vec![slot(1, "Home", "City", "Lives in Ulm"), event.clone()])
    };
    commit(store, &owner, change, at(0)).await;
    commit(store, &owner, forgetting(&[1, 2]), at(1)).await;

    let gist = Memory {
        parent: Some(memory_id(12)),
        ..memory(13, Kind::Gist, "its line")
    };
    let change = ChangeSet {
        provenance: vec![link(11, 2), link(12, 2), link(14, 2)],
        ..adding(vec![
            slot(11, "home", "city", "  lives in\nULM "),
            gist,
            Memory {
                id: memory_id(12),
                ..event
            },
            memory(14, Kind::Fact, "something else"),
        ])
    };
    commit(store, &owner, change, at(2)).await;
    assert_eq!(contents(store, &owner).await, ["something else"]);
    assert!(
        store
            .provenance(&owner, memory_id(11))
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(store.postings(&owner, &[], &[]).await.unwrap().documents, 1);
    assert!(store.snapshot(&owner).await.unwrap().profile.is_empty());
}

/// A tombstone names kind, slot, words and source; whatever differs in one of them may come.
pub async fn other_words_and_other_sources_may_come(store: &dyn Store) {
    let (owner, other) = (user(store, 1).await, user(store, 2).await);
    for owner in [&owner, &other] {
        tell(store, owner, same_words(1)).await;
        tell(store, owner, chat(3, 1)).await;
    }
    let forgotten = slot(1, "home", "city", "ulm");
    commit(
        store,
        &owner,
        ChangeSet {
            provenance: vec![link(1, 1)],
            ..adding(vec![forgotten.clone()])
        },
        at(0),
    )
    .await;
    commit(store, &owner, forgetting(&[1]), at(1)).await;
    let of_agent = |number, agent: &str| Memory {
        id: memory_id(number),
        scope: SubScope {
            agent: Some(agent.to_owned()),
            session: None,
        },
        ..forgotten.clone()
    };
    let allowed = [
        (memory(2, Kind::Fact, "ulm"), Some(1)),
        (slot(3, "birth", "city", "ulm"), Some(1)),
        (slot(4, "home", "city", "bonn"), Some(1)),
        (of_agent(5, "a"), Some(3)),
        (of_agent(6, "b"), None),
    ];
    for (memory, source) in allowed {
        let provenance = source.map(|source| Provenance {
            memory: memory.id,
            ..link(0, source)
        });
        let change = ChangeSet {
            provenance: provenance.into_iter().collect(),
            ..adding(vec![memory.clone()])
        };
        commit(store, &owner, change, at(2)).await;
        assert_eq!(
            store.memories(&owner, &[memory.id]).await.unwrap().len(),
            1,
            "{memory:?}"
        );
    }
    commit(
        store,
        &other,
        ChangeSet {
            provenance: vec![link(1, 1)],
            ..adding(vec![forgotten])
        },
        at(2),
    )
    .await;
    assert_eq!(
        contents(store, &other).await,
        ["ulm"],
        "another user's tombstones do not count"
    );
}

/// No index, no count, no backlog knows it.
pub async fn nothing_of_the_forgotten_is_found(store: &dyn Store) {
    let owner = user(store, 1).await;
    let add = vec![
        with_vector(memory(1, Kind::Fact, "blue house"), &[1.0, 0.0]),
        without_vector(memory(2, Kind::Fact, "blue car")),
        with_vector(memory(3, Kind::Fact, "red car"), &[0.0, 1.0]),
    ];
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
    let change = ChangeSet {
        revise: vec![revised(next(
            &memory(1, Kind::Fact, ""),
            "green house",
            at(1),
        ))],
        ..ChangeSet::default()
    };
    commit(store, &owner, change, at(1)).await;
    commit(store, &owner, forgetting(&[1, 2]), at(2)).await;
    let terms = ["blue", "green", "house", "car"].map(str::to_owned);
    let found = store.postings(&owner, &[], &terms).await.unwrap();
    assert_eq!((found.documents, found.length_total), (1, 2));
    assert_eq!(
        found.terms.iter().map(Vec::len).collect::<Vec<_>>(),
        [0, 0, 0, 1]
    );
    let query = NearestQuery {
        space: SPACE.to_owned(),
        vector: vec![1.0, 0.0],
        limit: 9,
        ..NearestQuery::default()
    };
    let nearest: Vec<_> = store
        .nearest(&owner, query)
        .await
        .unwrap()
        .into_iter()
        .map(|(id, _)| id)
        .collect();
    assert_eq!(nearest, [memory_id(3)]);
    assert_eq!(
        store.unembedded_count(SPACE, Some(&owner)).await.unwrap(),
        0
    );
    assert!(store.unembedded(SPACE, 9).await.unwrap().is_empty());
    assert!(
        store
            .revisions(&owner, memory_id(1))
            .await
            .unwrap()
            .is_empty()
    );
}

/// What is not there is forgotten already.
pub async fn forgetting_twice_is_forgetting_once(store: &dyn Store) {
    let owner = user(store, 1).await;
    commit(
        store,
        &owner,
        adding(vec![memory(1, Kind::Fact, "x"), memory(2, Kind::Fact, "y")]),
        at(0),
    )
    .await;
    commit(store, &owner, forgetting(&[1, 1, 77]), at(1)).await;
    commit(store, &owner, forgetting(&[1]), at(2)).await;
    assert_eq!(contents(store, &owner).await, ["y"]);
}

/// What the memory said before it was revised is forgotten with it.
pub async fn earlier_words_of_the_forgotten_stay_away(store: &dyn Store) {
    let owner = user(store, 1).await;
    let mut first = same_words(1);
    first.source.body = json!({"messages": [{"role": "user", "content": "x", "alias": "A"}]});
    tell(store, &owner, first.clone()).await;
    let profile = slot(1, "home", "city", "ulm");
    commit(
        store,
        &owner,
        ChangeSet {
            provenance: vec![link(1, 1)],
            ..adding(vec![profile.clone()])
        },
        at(0),
    )
    .await;
    commit(
        store,
        &owner,
        ChangeSet {
            revise: vec![revised(next(&profile, "bonn", at(1)))],
            ..ChangeSet::default()
        },
        at(1),
    )
    .await;
    commit(store, &owner, forgetting(&[1]), at(2)).await;
    for (number, content) in [(2, "Ulm"), (3, "Bonn")] {
        let change = ChangeSet {
            provenance: vec![link(number, 1)],
            ..adding(vec![slot(number, "home", "city", content)])
        };
        commit(store, &owner, change, at(3)).await;
    }
    assert!(contents(store, &owner).await.is_empty());
}
