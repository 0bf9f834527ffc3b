//! Change sets: all or nothing, under a lease and a version.

use mneme_core::change::{ChangeSet, JobStep, Version};
use mneme_core::id::SubScope;
use mneme_core::job::{JobState, Lease};
use mneme_core::memory::{Kind, Memory};
use mneme_core::ports::{BufferState, Store, StoreErrorKind};
use mneme_core::source::SourceKind;
use mneme_core::usage::{CallKind, Usage};
use serde_json::json;

use super::given::*;

/// No user, no memory; a snapshot of nobody is empty.
pub async fn a_commit_needs_its_user(store: &dyn Store) {
    assert_kind(
        store
            .commit(&owner(1), None, ChangeSet::default(), SPACE, at(0))
            .await,
        StoreErrorKind::NoSuchOwner,
    );
    let snapshot = store.snapshot(&owner(1)).await.unwrap();
    assert_eq!((snapshot.version, snapshot.profile.len()), (Version(0), 0));
}

/// Of two plans made against the same version the second is refused.
pub async fn a_stale_plan_is_refused(store: &dyn Store) {
    let owner = user(store, 1).await;
    let start = store.snapshot(&owner).await.unwrap().version;
    let plans: Vec<_> = (0..4_u128)
        .map(|n| {
            store.commit(
                &owner,
                Some(start),
                adding(vec![memory(n, Kind::Fact, "same plan")]),
                SPACE,
                at(0),
            )
        })
        .collect();
    let outcomes = join_all(plans).await;
    let after = store.snapshot(&owner).await.unwrap().version;
    assert!(after > start);
    assert_eq!(
        outcomes.iter().flatten().collect::<Vec<_>>(),
        [&after],
        "exactly one plan went through"
    );
    for refused in outcomes.into_iter().filter(Result::is_err) {
        assert_kind(refused, StoreErrorKind::Conflict);
    }
    assert_eq!(contents(store, &owner).await, ["same plan"]);
    store
        .commit(&owner, Some(after), forgetting(&[0, 1, 2, 3]), SPACE, at(1))
        .await
        .unwrap();
}

/// Progress and usage do not make plans stale.
pub async fn only_changes_of_memory_count(store: &dyn Store) {
    let owner = user(store, 1).await;
    append(store, &owner, &[1], 1, at(0)).await;
    let before = store.snapshot(&owner).await.unwrap().version;
    let usage = vec![Usage {
        call: CallKind::Embed,
        calls: 1,
        prompt_tokens: 1,
        completion_tokens: 0,
    }];
    let change = ChangeSet {
        usage,
        buffer_done: vec![buffer_id(1)],
        ..ChangeSet::default()
    };
    assert_eq!(commit(store, &owner, change, at(0)).await, before);
    assert_eq!(store.snapshot(&owner).await.unwrap().version, before);
    assert!(commit(store, &owner, forgetting(&[77]), at(0)).await > before);
}

/// A change with something of every sort, made against what [`a_failing_change_leaves_nothing`] sets up.
fn full_change(lease: Lease) -> ChangeSet {
    let usage = Usage {
        call: CallKind::Merge,
        calls: 1,
        prompt_tokens: 1,
        completion_tokens: 1,
    };
    ChangeSet {
        add: vec![with_vector(memory(3, Kind::Fact, "new fact"), &[1.0, 0.0])],
        revise: vec![revised(next(
            &slot(1, "t", "s", ""),
            "changed words",
            at(1),
        ))],
        forget: vec![memory_id(2)],
        confirm: vec![memory_id(1)],
        provenance: vec![link(3, 5)],
        buffer_done: vec![buffer_id(5)],
        drop_sources: vec![source_id(5)],
        usage: vec![usage],
        job: Some(JobStep {
            lease,
            result: Some(json!("progress")),
            finish: Some(JobState::Done),
        }),
    }
}

/// The same change, each with one more element that cannot be applied.
fn broken_changes(full: &ChangeSet) -> [ChangeSet; 5] {
    let mut broken = [(); 5].map(|()| full.clone());
    let slot_taken = slot(4, "T", " s ", "the slot is taken");
    broken[0].add.push(indexed(slot_taken));
    let id_taken = memory(3, Kind::Fact, "the same id again");
    broken[1].add.push(indexed(id_taken));
    let leap = Memory {
        revision: 9,
        ..memory(1, Kind::Fact, "")
    };
    broken[2].revise.push(revised(leap));
    let of_nothing = next(&memory(99, Kind::Fact, ""), "of nothing", at(1));
    broken[3].revise.push(revised(of_nothing));
    broken[4].confirm.push(memory_id(2));
    broken
}

/// Whatever element fails, nothing of the change is there: no memory, no index, no progress, no usage.
pub async fn a_failing_change_leaves_nothing(store: &dyn Store) {
    let owner = user(store, 1).await;
    let start = vec![
        slot(1, "t", "s", "kept words"),
        memory(2, Kind::Fact, "fact"),
    ];
    commit(store, &owner, adding(start), at(0)).await;
    start_job(store, &owner, 5, at(0)).await;
    let lease = claim(store, at(0)).await.lease;
    let version = store.snapshot(&owner).await.unwrap().version;
    let full = full_change(lease);
    for broken in broken_changes(&full) {
        let refused = store.commit(&owner, None, broken, SPACE, at(1)).await;
        assert_kind(refused, StoreErrorKind::Conflict);
    }
    assert_eq!(contents(store, &owner).await, ["fact", "kept words"]);
    assert_eq!(store.snapshot(&owner).await.unwrap().version, version);
    assert!(
        store
            .revisions(&owner, memory_id(1))
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        store
            .provenance(&owner, memory_id(3))
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(taken(store, &owner, lease).await, [source_id(5)]);
    let job = store.job(&owner.project, job(5)).await.unwrap().unwrap();
    assert!(job.result.is_empty());
    let usage = store.usage(&owner.project, "").await.unwrap();
    assert!(usage.iter().all(|row| row.call == "insert"));
    let terms = ["new".to_owned(), "fact".to_owned()];
    let found = store.postings(&owner, &[], &terms).await.unwrap();
    assert_eq!(
        (found.documents, found.terms[0].len(), found.terms[1].len()),
        (2, 0, 1)
    );

    commit(store, &owner, full, at(1)).await;
    assert_eq!(contents(store, &owner).await, ["changed words", "new fact"]);
}

/// One current memory in a slot, however its headings are written; free again once it is forgotten.
pub async fn a_slot_is_taken_once(store: &dyn Store) {
    let owner = user(store, 1).await;
    commit(
        store,
        &owner,
        adding(vec![slot(1, "Basic Info", "Name", "Ann")]),
        at(0),
    )
    .await;
    let again = adding(vec![slot(2, "basic_info", " name", "Bob")]);
    assert_kind(
        store
            .commit(&owner, None, again.clone(), SPACE, at(1))
            .await,
        StoreErrorKind::Conflict,
    );
    let moved = Memory {
        slot: Some(mneme_core::memory::Slot::new("basic info", "NAME")),
        ..next(&slot(3, "x", "y", "z"), "z", at(1))
    };
    commit(store, &owner, adding(vec![slot(3, "x", "y", "z")]), at(1)).await;
    let into_taken = ChangeSet {
        revise: vec![revised(moved)],
        ..ChangeSet::default()
    };
    assert_kind(
        store.commit(&owner, None, into_taken, SPACE, at(2)).await,
        StoreErrorKind::Conflict,
    );
    commit(
        store,
        &owner,
        ChangeSet {
            forget: vec![memory_id(1)],
            ..again
        },
        at(2),
    )
    .await;
    assert_eq!(contents(store, &owner).await, ["Bob", "z"]);
}

/// Two memories may change places in one change.
pub async fn slots_can_be_traded(store: &dyn Store) {
    let owner = user(store, 1).await;
    let (one, two) = (slot(1, "a", "a", "one"), slot(2, "b", "b", "two"));
    commit(store, &owner, adding(vec![one.clone(), two.clone()]), at(0)).await;
    let moved_one = Memory {
        slot: two.slot.clone(),
        ..next(&one, "one", at(1))
    };
    let moved_two = Memory {
        slot: one.slot.clone(),
        ..next(&two, "two", at(1))
    };
    let change = ChangeSet {
        revise: vec![revised(moved_one.clone()), revised(moved_two.clone())],
        ..ChangeSet::default()
    };
    commit(store, &owner, change, at(1)).await;
    assert_eq!(
        store
            .memories(&owner, &[memory_id(1), memory_id(2)])
            .await
            .unwrap(),
        [moved_one, moved_two]
    );
    assert_kind(
        store
            .commit(
                &owner,
                None,
                adding(vec![slot(3, "b", "b", "three")]),
                SPACE,
                at(2),
            )
            .await,
        StoreErrorKind::Conflict,
    );
}

/// The same slot of another agent or session is another slot; none is not the empty name.
pub async fn scopes_keep_their_own_slots(store: &dyn Store) {
    let owner = user(store, 1).await;
    let names = [None, Some(String::new()), Some("a".to_owned())];
    let mut number = 0;
    let mut all = Vec::new();
    for agent in &names {
        for session in &names {
            number += 1;
            let scope = SubScope {
                agent: agent.clone(),
                session: session.clone(),
            };
            all.push(Memory {
                scope,
                ..slot(number, "t", "s", "x")
            });
        }
    }
    commit(store, &owner, adding(all.clone()), at(0)).await;
    assert_eq!(store.snapshot(&owner).await.unwrap().profile.len(), 9);
    for taken in all {
        let twin = Memory {
            id: memory_id(50),
            ..taken
        };
        assert_kind(
            store
                .commit(&owner, None, adding(vec![twin]), SPACE, at(1))
                .await,
            StoreErrorKind::Conflict,
        );
    }
}

/// A plan for another state than the stored one is stale.
pub async fn a_revision_must_follow_the_stored_one(store: &dyn Store) {
    let owner = user(store, 1).await;
    let first = memory(1, Kind::Fact, "one");
    commit(store, &owner, adding(vec![first.clone()]), at(0)).await;
    for revision in [0, 1, 3, u32::MAX] {
        let wrong = Memory {
            revision,
            ..next(&first, "wrong", at(1))
        };
        let change = ChangeSet {
            revise: vec![revised(wrong)],
            ..ChangeSet::default()
        };
        assert_kind(
            store.commit(&owner, None, change, SPACE, at(1)).await,
            StoreErrorKind::Conflict,
        );
    }
    commit(
        store,
        &owner,
        ChangeSet {
            revise: vec![revised(next(&first, "two", at(1)))],
            ..ChangeSet::default()
        },
        at(1),
    )
    .await;
    assert_eq!(contents(store, &owner).await, ["two"]);
}

/// Said again: the time of the last change moves, and nothing else.
pub async fn a_confirmed_memory_only_moves_up(store: &dyn Store) {
    let owner = user(store, 1).await;
    let (old, new) = (
        slot(1, "a", "a", "said twice"),
        Memory {
            updated_at: at(5),
            ..slot(2, "b", "b", "said once")
        },
    );
    let version = commit(store, &owner, adding(vec![old.clone(), new.clone()]), at(5)).await;
    let again = mneme_core::memory::Provenance {
        revision: 1,
        ..link(1, 7)
    };
    let change = ChangeSet {
        confirm: vec![memory_id(1)],
        provenance: vec![again.clone()],
        ..ChangeSet::default()
    };
    assert!(commit(store, &owner, change, at(9)).await > version);
    let profile = store.snapshot(&owner).await.unwrap().profile;
    assert_eq!(
        profile,
        [
            Memory {
                updated_at: at(9),
                ..old
            },
            new
        ]
    );
    assert!(
        store
            .revisions(&owner, memory_id(1))
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(
        store.provenance(&owner, memory_id(1)).await.unwrap(),
        [again]
    );
    assert_eq!(
        store
            .postings(&owner, &[], &["twice".to_owned()])
            .await
            .unwrap()
            .documents,
        2
    );
}

/// Batch after batch, each with its entry in the result, the last with the final state.
pub async fn a_batch_is_committed_with_its_job(store: &dyn Store) {
    let owner = user(store, 1).await;
    append(store, &owner, &[1, 2], 60, at(0)).await;
    let lease = claim(store, at(0)).await.lease;
    for (number, finish) in [(1, None), (2, Some(JobState::Partial))] {
        let mut change = adding(vec![memory(
            number,
            Kind::Event,
            &format!("event {number}"),
        )]);
        change.buffer_done = vec![buffer_id(number)];
        change.job = Some(JobStep {
            lease,
            result: Some(json!({"batch": number as u64, "nul": "\0"})),
            finish,
        });
        commit(store, &owner, change, at(number as i64)).await;
    }
    let ended = store.job(&owner.project, job(1)).await.unwrap().unwrap();
    assert_eq!(
        ended.result,
        [
            json!({"batch": 1, "nul": "\0"}),
            json!({"batch": 2, "nul": "\0"})
        ]
    );
    assert_eq!(
        (ended.state, ended.finished_at),
        (JobState::Partial, Some(at(2)))
    );
    assert_eq!(
        store
            .buffered(&owner, SourceKind::Chat, BufferState::Done)
            .await
            .unwrap()
            .len(),
        2
    );
    assert_eq!(
        store
            .source_ids(&owner, SourceKind::Chat, ALL)
            .await
            .unwrap()
            .len(),
        2,
        "sources are kept"
    );
    assert_kind(
        store
            .commit(&owner, None, step(lease, None), SPACE, at(9))
            .await,
        StoreErrorKind::LeaseLost,
    );
}

/// Dropped sources take their place in the buffer along, idle ones their count.
pub async fn sources_can_be_dropped_with_the_change(store: &dyn Store) {
    let owner = user(store, 1).await;
    start_job(store, &owner, 1, at(0)).await;
    append(store, &owner, &[2], 90, at(0)).await;
    let lease = claim(store, at(0)).await.lease;
    let change = ChangeSet {
        drop_sources: vec![source_id(1), source_id(2), source_id(3)],
        ..step(lease, Some(JobState::Done))
    };
    commit(store, &owner, change, at(1)).await;
    assert!(
        store
            .source_ids(&owner, SourceKind::Chat, ALL)
            .await
            .unwrap()
            .is_empty()
    );
    for state in BufferState::ALL {
        assert!(
            store
                .buffered(&owner, SourceKind::Chat, state)
                .await
                .unwrap()
                .is_empty()
        );
    }
    assert_eq!(
        append(store, &owner, &[4], 90, at(2)).await.job,
        None,
        "the dropped one does not count"
    );
}

/// A slot that changed twice within one batch is new and has its history at once.
pub async fn a_new_memory_may_have_several_states(store: &dyn Store) {
    let owner = user(store, 1).await;
    let first = slot(1, "contact", "city", "Lisbon");
    let second = next(&first, "Porto", at(10));
    let third = next(&second, "Faro", at(20));
    let change = ChangeSet {
        add: vec![indexed(first)],
        revise: vec![revised(second), revised(third)],
        ..ChangeSet::default()
    };
    commit(store, &owner, change, at(30)).await;
    let profile = store.snapshot(&owner).await.unwrap().profile;
    assert_eq!(profile.len(), 1);
    assert_eq!(
        (profile[0].content.as_str(), profile[0].revision),
        ("Faro", 3)
    );
    let past = store.revisions(&owner, memory_id(1)).await.unwrap();
    let contents: Vec<&str> = past.iter().map(|r| r.content.as_str()).collect();
    assert_eq!(contents, ["Porto", "Lisbon"]);
}
