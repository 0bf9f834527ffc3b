//! Memories, their order in time, and their past.

use mneme_core::change::{ChangeSet, Revised};
use mneme_core::id::SubScope;
use mneme_core::memory::{Kind, Memory, Provenance, Reason, Slot, Times};
use mneme_core::ports::{Page, Store, TimelineFilter};
use mneme_core::time::{Happened, Precision};
use serde_json::json;

use super::given::*;

/// A memory with every field set to something that is easily lost.
fn full(number: u128, kind: Kind) -> Memory {
    let happened = Happened {
        from: at(-500),
        to: at(-400),
        precision: Precision::DayPart,
    };
    Memory {
        scope: SubScope {
            agent: Some("agent \0".to_owned()),
            session: Some(String::new()),
        },
        slot: (kind == Kind::Profile)
            .then(|| Slot::new(format!("  Töpic {number}"), "Sub\u{1f}Topic")),
        parent: Some(memory_id(400)),
        ordinal: 7,
        content: "NUL \0 emoji \u{1f468}\u{200d}\u{1f469} 中文 ' \" \\ \u{feff}".to_owned(),
        data: json!({"b": [1, {"x": null}], "a": 0.1 + 0.2})
            .as_object()
            .cloned()
            .unwrap_or_default(),
        speaker: Some("Zoë".to_owned()),
        times: Times {
            mentioned_at: Some(at(-1)),
            happened: Some(happened),
            valid_from: Some(at(-2)),
            valid_to: Some(at(900)),
            recorded_at: at(number as i64),
        },
        updated_at: at(3),
        importance: 0.1,
        tokens: u32::MAX,
        ..memory(number, kind, "")
    }
}

/// Every kind and precision, full and bare.
pub async fn any_memory_round_trips(store: &dyn Store) {
    let owner = user(store, 1).await;
    let mut all = Vec::new();
    for (number, kind) in Kind::ALL.into_iter().enumerate() {
        all.push(full(number as u128, kind));
        all.push(memory(
            100 + number as u128,
            if kind == Kind::Profile {
                Kind::Fact
            } else {
                kind
            },
            "",
        ));
    }
    for (number, precision) in Precision::ALL.into_iter().enumerate() {
        let mut timed = full(200 + number as u128, Kind::Event);
        timed.times.happened = Some(Happened {
            from: mneme_core::time::Timestamp(i64::MIN),
            to: at(0),
            precision,
        });
        all.push(timed);
    }
    commit(store, &owner, adding(all.clone()), at(0)).await;
    let ids: Vec<_> = all.iter().map(|memory| memory.id).collect();
    assert_eq!(store.memories(&owner, &ids).await.unwrap(), all);
}

/// The most recently updated first.
pub async fn the_profile_is_ordered_by_change(store: &dyn Store) {
    let owner = user(store, 1).await;
    let mut slots = Vec::new();
    for (number, second) in [(1, 5), (2, 9), (3, 7)] {
        slots.push(Memory {
            updated_at: at(second),
            ..slot(number, "t", &number.to_string(), "x")
        });
    }
    slots.push(memory(4, Kind::Fact, "not of the profile"));
    commit(store, &owner, adding(slots), at(0)).await;
    let order: Vec<_> = store
        .snapshot(&owner)
        .await
        .unwrap()
        .profile
        .into_iter()
        .map(|memory| memory.id)
        .collect();
    assert_eq!(order, [2, 3, 1].map(memory_id));
}

/// Ids that are not there are left out.
pub async fn memories_come_in_the_order_asked_for(store: &dyn Store) {
    let owner = user(store, 1).await;
    commit(
        store,
        &owner,
        adding((1..=5).map(|n| memory(n, Kind::Fact, "x")).collect()),
        at(0),
    )
    .await;
    let asked = [4, 9, 1, 5, 2].map(memory_id);
    let got: Vec<_> = store
        .memories(&owner, &asked)
        .await
        .unwrap()
        .into_iter()
        .map(|memory| memory.id)
        .collect();
    assert_eq!(got, [4, 1, 5, 2].map(memory_id));
    assert!(store.memories(&owner, &[]).await.unwrap().is_empty());
}

/// Pages of any size together are the whole, also where times are equal.
pub async fn the_timeline_is_total_and_newest_first(store: &dyn Store) {
    let owner = user(store, 1).await;
    let mut all = Vec::new();
    for number in 0..20_u128 {
        let mut one = memory(number * 13 % 20, Kind::ALL[1 + number as usize % 5], "x");
        one.times.recorded_at = at(number as i64 / 4);
        all.push(one);
    }
    commit(store, &owner, adding(all), at(0)).await;
    let whole = store
        .timeline(&owner, TimelineFilter::default(), ALL)
        .await
        .unwrap();
    assert_eq!(whole.len(), 20);
    assert!(
        whole
            .windows(2)
            .all(|pair| pair[0].times.recorded_at >= pair[1].times.recorded_at)
    );
    for limit in [1, 3, 7, 20] {
        let mut paged = Vec::new();
        for offset in (0..20).step_by(limit) {
            paged.extend(
                store
                    .timeline(&owner, TimelineFilter::default(), Page { offset, limit })
                    .await
                    .unwrap(),
            );
        }
        assert_eq!(paged, whole, "pages of {limit}");
    }
    assert!(
        store
            .timeline(
                &owner,
                TimelineFilter::default(),
                Page {
                    offset: 20,
                    limit: 5
                }
            )
            .await
            .unwrap()
            .is_empty()
    );
}

/// By kind and by time; the bound itself belongs to it.
pub async fn the_timeline_can_be_narrowed(store: &dyn Store) {
    let owner = user(store, 1).await;
    let mut all = Vec::new();
    for (number, kind) in [Kind::Event, Kind::Fact, Kind::Event, Kind::Raw]
        .into_iter()
        .enumerate()
    {
        let mut one = memory(number as u128, kind, &number.to_string());
        one.times.recorded_at = at(number as i64);
        all.push(one);
    }
    commit(store, &owner, adding(all), at(0)).await;
    let list = async |kinds: &[Kind], from: Option<i64>| -> Vec<String> {
        let filter = TimelineFilter {
            kinds: kinds.to_vec(),
            recorded_from: from.map(at),
        };
        store
            .timeline(&owner, filter, ALL)
            .await
            .unwrap()
            .into_iter()
            .map(|memory| memory.content)
            .collect()
    };
    assert_eq!(list(&[Kind::Event], None).await, ["2", "0"]);
    assert_eq!(list(&[Kind::Event, Kind::Raw], None).await, ["3", "2", "0"]);
    assert_eq!(list(&[], Some(2)).await, ["3", "2"]);
    assert_eq!(list(&[Kind::Fact], Some(2)).await, [""; 0]);
}

/// An event, then its lines as they were written, although all have the same time.
pub async fn gists_keep_the_order_of_their_lines(store: &dyn Store) {
    let owner = user(store, 1).await;
    let mut all = vec![
        memory(500, Kind::Event, "first event"),
        memory(10, Kind::Event, "second event"),
    ];
    for line in 0..6_u32 {
        for (event, base) in [(500, 20), (10, 40)] {
            // Ids run against the order of the lines.
            let number = base + 10 - u128::from(line);
            all.push(Memory {
                parent: Some(memory_id(event)),
                ordinal: line,
                ..memory(number, Kind::Gist, &format!("{event}-{line}"))
            });
        }
    }
    commit(store, &owner, adding(all), at(0)).await;
    let lines: Vec<_> = store
        .children(&owner, memory_id(500))
        .await
        .unwrap()
        .into_iter()
        .map(|gist| gist.content)
        .collect();
    assert_eq!(
        lines,
        (0..6).map(|line| format!("500-{line}")).collect::<Vec<_>>()
    );
    assert!(
        store
            .children(&owner, memory_id(20))
            .await
            .unwrap()
            .is_empty()
    );
    let filter = TimelineFilter {
        kinds: vec![Kind::Gist],
        recorded_from: None,
    };
    let shown: Vec<_> = store
        .timeline(&owner, filter, ALL)
        .await
        .unwrap()
        .into_iter()
        .map(|gist| gist.content)
        .collect();
    let by_event = |event: u32| {
        shown
            .iter()
            .filter(|line| line.starts_with(&format!("{event}-")))
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(by_event(500), lines);
    assert_eq!(shown.len(), 12);
    assert!(
        shown[..6] == by_event(500)[..] || shown[..6] == by_event(10)[..],
        "events are not mixed: {shown:?}"
    );
    let whole = store
        .timeline(&owner, TimelineFilter::default(), ALL)
        .await
        .unwrap();
    assert!(
        whole[0].kind == Kind::Event && whole[7].kind == Kind::Event,
        "an event comes before its lines"
    );
    let mut paged = Vec::new();
    for offset in (0..15).step_by(3) {
        let page = Page { offset, limit: 3 };
        paged.extend(
            store
                .timeline(&owner, TimelineFilter::default(), page)
                .await
                .unwrap(),
        );
    }
    assert_eq!(paged, whole);
}

/// Each earlier state with its interval, its reason, and everything that it was; the latest first.
pub async fn the_past_is_kept(store: &dyn Store) {
    let owner = user(store, 1).await;
    let first = full(1, Kind::Profile);
    commit(store, &owner, adding(vec![first.clone()]), at(0)).await;
    let mut second = next(&first, "second words", at(20));
    second.slot = Some(Slot::new("Other", "Place"));
    second.times.valid_from = Some(at(15));
    second.data = serde_json::Map::new();
    let revise = |next: &Memory, reason| ChangeSet {
        revise: vec![Revised {
            next: indexed(next.clone()),
            reason,
        }],
        ..ChangeSet::default()
    };
    commit(store, &owner, revise(&second, Reason::Superseded), at(20)).await;
    let mut third = next(&second, "third words", at(30));
    third.times.valid_from = None;
    commit(store, &owner, revise(&third, Reason::Edited), at(30)).await;

    assert_eq!(store.memories(&owner, &[first.id]).await.unwrap(), [third]);
    let past = store.revisions(&owner, first.id).await.unwrap();
    assert_eq!(
        past.iter().map(|state| state.revision).collect::<Vec<_>>(),
        [2, 1]
    );
    assert_eq!(
        (
            past[0].content.as_str(),
            past[0].reason,
            past[0].replaced_at
        ),
        ("second words", Reason::Edited, at(30))
    );
    assert_eq!((past[0].slot.clone(), past[0].data.len()), (second.slot, 0));
    assert_eq!(
        past[0].times.valid_to,
        Some(at(30)),
        "without a beginning of the next state, the moment of the change counts"
    );
    assert_eq!(
        (
            past[1].content.clone(),
            past[1].slot.clone(),
            past[1].data.clone()
        ),
        (first.content, first.slot, first.data)
    );
    assert_eq!(
        (past[1].memory, past[1].reason, past[1].replaced_at),
        (first.id, Reason::Superseded, at(20))
    );
    assert_eq!(
        past[1].times,
        Times {
            valid_to: Some(at(15)),
            ..first.times
        }
    );
    assert!(
        store
            .revisions(&owner, memory_id(2))
            .await
            .unwrap()
            .is_empty()
    );
}

/// Which words, in the order they came, also when the words themselves are gone.
pub async fn provenance_outlives_its_source(store: &dyn Store) {
    let owner = user(store, 1).await;
    append(store, &owner, &[1, 2], 1, at(0)).await;
    let first = memory(1, Kind::Fact, "x");
    let links = vec![
        Provenance {
            turn: Some(3),
            speaker: Some("Zoë \0".to_owned()),
            said_at: Some(at(-7)),
            ..link(1, 2)
        },
        link(1, 1),
        Provenance {
            turn: Some(u32::MAX),
            ..link(1, 1)
        },
    ];
    let change = ChangeSet {
        provenance: links.clone(),
        drop_sources: vec![source_id(1), source_id(2)],
        ..adding(vec![first.clone()])
    };
    commit(store, &owner, change, at(0)).await;
    assert_eq!(store.provenance(&owner, first.id).await.unwrap(), links);
    let later = Provenance {
        revision: 2,
        ..link(1, 9)
    };
    let change = ChangeSet {
        revise: vec![revised(next(&first, "y", at(1)))],
        provenance: vec![later.clone(), link(44, 1)],
        ..ChangeSet::default()
    };
    commit(store, &owner, change, at(1)).await;
    assert_eq!(
        store.provenance(&owner, first.id).await.unwrap(),
        [links, vec![later]].concat()
    );
    assert!(
        store
            .provenance(&owner, memory_id(44))
            .await
            .unwrap()
            .is_empty(),
        "a memory that is not there rests on nothing"
    );
}

/// The same ids of another user are other memories.
pub async fn memories_belong_to_one_user(store: &dyn Store) {
    let (one, two) = (user(store, 1).await, user(store, 2).await);
    commit(
        store,
        &one,
        adding(vec![slot(1, "t", "s", "of one")]),
        at(0),
    )
    .await;
    commit(
        store,
        &two,
        adding(vec![slot(1, "t", "s", "of two")]),
        at(0),
    )
    .await;
    commit(store, &one, forgetting(&[1]), at(1)).await;
    assert_eq!(contents(store, &two).await, ["of two"]);
    assert!(contents(store, &one).await.is_empty());
    let change = ChangeSet {
        revise: vec![revised(next(&slot(1, "t", "s", ""), "x", at(2)))],
        ..ChangeSet::default()
    };
    assert_kind(
        store.commit(&one, None, change, SPACE, at(2)).await,
        mneme_core::ports::StoreErrorKind::Conflict,
    );
}
