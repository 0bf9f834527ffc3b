//! Users and their erasure.

use mneme_core::change::ChangeSet;
use mneme_core::job::JobState;
use mneme_core::memory::Reason;
use mneme_core::ports::{Idempotency, JobFilter, NearestQuery, Store, StoreErrorKind, User};
use mneme_core::source::SourceKind;
use serde_json::json;

use super::given::*;

/// All fields, in any script, with NUL and numbers that do not fit a short float.
pub async fn a_user_comes_back_as_it_was_made(store: &dyn Store) {
    store
        .ensure_project(&owner(1).project, at(0))
        .await
        .unwrap();
    let user = User {
        owner: owner(1),
        name: Some("Ανδρέας 安德 \u{1f98a}\0'; DROP TABLE app_user; --".to_owned()),
        fields: Some(
            json!({"pi": 0.1 + 0.2, "nul": "a\0b", "deep": [null, {"x": i64::MIN}], "": u64::MAX}),
        ),
        created_at: at(5),
        updated_at: at(6),
    };
    assert!(store.create_user(&user).await.unwrap());
    assert_eq!(store.user(&user.owner).await.unwrap(), Some(user));
    assert_eq!(store.user(&owner(2)).await.unwrap(), None);
}

/// A second one of the same id changes nothing.
pub async fn a_user_is_made_once(store: &dyn Store) {
    let owner = user(store, 1).await;
    let again = User {
        owner: owner.clone(),
        name: Some("other".to_owned()),
        fields: None,
        created_at: at(9),
        updated_at: at(9),
    };
    assert!(!store.create_user(&again).await.unwrap());
    let kept = store.user(&owner).await.unwrap().unwrap();
    assert_eq!((kept.name, kept.created_at), (None, at(0)));
}

/// A user of a project that is not there belongs to nobody.
pub async fn a_user_needs_its_project(store: &dyn Store) {
    let user = User {
        owner: owner_in("nowhere", 1),
        name: None,
        fields: None,
        created_at: at(0),
        updated_at: at(0),
    };
    assert_kind(store.create_user(&user).await, StoreErrorKind::NoSuchOwner);
}

/// No fields and the JSON value null are two things.
pub async fn fields_are_replaced_and_removed(store: &dyn Store) {
    let owner = user(store, 1).await;
    for (second, fields) in [
        (1, Some(json!({"a": [1, 2.5, "x"]}))),
        (2, Some(json!(null))),
        (3, None),
    ] {
        assert!(
            store
                .set_user_fields(&owner, fields.clone(), at(second))
                .await
                .unwrap()
        );
        let kept = store.user(&owner).await.unwrap().unwrap();
        assert_eq!(
            (kept.fields, kept.updated_at, kept.created_at),
            (fields, at(second), at(0))
        );
    }
    assert!(
        !store
            .set_user_fields(&super::given::owner(2), None, at(4))
            .await
            .unwrap()
    );
}

/// Ids and projects that are prefixes of each other, or the same id in two projects, are different users.
pub async fn users_that_look_alike_share_nothing(store: &dyn Store) {
    let mut owners = Vec::new();
    for project in ["p", "p1", "P", "p ", "%", "é"] {
        for number in [1, 1 << 64, u128::MAX] {
            owners.push(user_in(store, project, number).await);
        }
    }
    for (place, owner) in owners.iter().enumerate() {
        let number = place as u128;
        append(store, owner, &[number], 1, at(0)).await;
        commit(
            store,
            owner,
            adding(vec![slot(number, "t", "s", &format!("content {place}"))]),
            at(0),
        )
        .await;
    }
    for (place, owner) in owners.iter().enumerate() {
        let number = place as u128;
        assert_eq!(contents(store, owner).await, [format!("content {place}")]);
        assert_eq!(
            store
                .source_ids(owner, SourceKind::Chat, ALL)
                .await
                .unwrap(),
            [source_id(number)]
        );
        assert_eq!(store.snapshot(owner).await.unwrap().profile.len(), 1);
        let other = number.wrapping_add(1) % owners.len() as u128;
        assert_eq!(store.source(owner, source_id(other)).await.unwrap(), None);
        assert!(
            store
                .memories(owner, &[memory_id(other)])
                .await
                .unwrap()
                .is_empty()
        );
    }
}

/// Fills every table with something of the user.
async fn live(store: &dyn Store, number: u128) -> mneme_core::id::UserKey {
    let owner = user(store, number).await;
    let base = number * 100;
    let key = Idempotency {
        key: "key".to_owned(),
        content_hash: "hash".to_owned(),
    };
    store
        .append(&owner, vec![chat(base, 5)], policy(base), Some(key), at(0))
        .await
        .unwrap();
    let job = store
        .flush(&owner, SourceKind::Chat, job(base), at(0))
        .await
        .unwrap()
        .unwrap();
    append(store, &owner, &[base + 1], 5, at(0)).await;
    let profile = slot(base, "t", "s", "first words");
    let mut change = adding(vec![profile.clone()]);
    change.add.push(with_vector(
        memory(base + 1, mneme_core::memory::Kind::Fact, "a fact"),
        &[1.0, 0.0],
    ));
    change.add.push(without_vector(memory(
        base + 2,
        mneme_core::memory::Kind::Fact,
        "forgettable fact",
    )));
    change.add.push(without_vector(memory(
        base + 3,
        mneme_core::memory::Kind::Fact,
        "waiting fact",
    )));
    change.provenance = vec![link(base, base), link(base + 2, base)];
    commit(store, &owner, change, at(1)).await;
    let revise = mneme_core::change::Revised {
        next: indexed(next(&profile, "later words", at(2))),
        reason: Reason::Edited,
    };
    commit(
        store,
        &owner,
        ChangeSet {
            revise: vec![revise],
            ..forgetting(&[base + 2])
        },
        at(2),
    )
    .await;
    assert_eq!(job, super::given::job(base));
    owner
}

/// Everything of the user is gone, and a user of the same id starts anew. That no table still holds a row shows when
/// the new one is erased: there is only the user itself to remove.
pub async fn an_erase_leaves_nothing(store: &dyn Store) {
    let gone = live(store, 1).await;
    let receipt = store.erase_user(&gone).await.unwrap().unwrap();
    assert_eq!(receipt.rows.get("app_user"), Some(&1));
    assert!(
        receipt.rows.len() > 10,
        "the case should touch most tables: {receipt:?}"
    );
    assert_eq!(store.erase_user(&gone).await.unwrap(), None);

    assert_eq!(store.user(&gone).await.unwrap(), None);
    assert_kind(
        store
            .append(&gone, vec![chat(9, 1)], policy(9), None, at(3))
            .await,
        StoreErrorKind::NoSuchOwner,
    );
    assert!(
        store
            .jobs(&gone.project, JobFilter::default(), ALL)
            .await
            .unwrap()
            .is_empty()
    );
    assert!(store.idle_due(at(1_000_000), 10).await.unwrap().is_empty());
    assert_eq!(store.unembedded_count(SPACE, None).await.unwrap(), 0);
    assert!(store.usage(&gone.project, "").await.unwrap().is_empty());

    let again = user(store, 1).await;
    assert!(contents(store, &again).await.is_empty());
    assert_eq!(
        store
            .erase_user(&again)
            .await
            .unwrap()
            .unwrap()
            .rows
            .into_iter()
            .collect::<Vec<_>>(),
        [("app_user".to_owned(), 1)]
    );
}

/// Whoever works for the user finds out at the next step.
pub async fn an_erase_stops_a_running_job(store: &dyn Store) {
    let owner = user(store, 1).await;
    start_job(store, &owner, 1, at(0)).await;
    let claimed = claim(store, at(0)).await;
    store.erase_user(&owner).await.unwrap().unwrap();
    assert_kind(
        store.heartbeat(&owner, claimed.lease, at(100)).await,
        StoreErrorKind::LeaseLost,
    );
    assert_kind(
        store.take(&owner, claimed.lease, 10).await,
        StoreErrorKind::LeaseLost,
    );
    let change = step(claimed.lease, Some(JobState::Done));
    assert_kind(
        store.commit(&owner, None, change, SPACE, at(1)).await,
        StoreErrorKind::NoSuchOwner,
    );
    assert_eq!(claimed_job(store, at(1000)).await, None);
}

/// The neighbour keeps all that it had.
pub async fn an_erase_spares_everybody_else(store: &dyn Store) {
    let gone = live(store, 1).await;
    let kept = live(store, 2).await;
    let before = contents(store, &kept).await;
    store.erase_user(&gone).await.unwrap().unwrap();
    assert_eq!(contents(store, &kept).await, before);
    assert_eq!(
        store
            .source_ids(&kept, SourceKind::Chat, ALL)
            .await
            .unwrap()
            .len(),
        2
    );
    assert_eq!(
        store.revisions(&kept, memory_id(200)).await.unwrap().len(),
        1
    );
    let query = NearestQuery {
        space: SPACE.to_owned(),
        vector: vec![1.0, 0.0],
        limit: 9,
        ..NearestQuery::default()
    };
    assert_eq!(store.nearest(&kept, query).await.unwrap().len(), 1);
    assert_eq!(
        store
            .postings(&kept, &[], &["fact".to_owned()])
            .await
            .unwrap()
            .terms[0]
            .len(),
        2
    );
    assert_eq!(
        store
            .jobs(&kept.project, JobFilter::default(), ALL)
            .await
            .unwrap()
            .len(),
        1
    );
}
