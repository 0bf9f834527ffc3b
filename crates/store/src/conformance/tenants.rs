//! Projects and what they used.

use mneme_core::change::ChangeSet;
use mneme_core::id::ProjectId;
use mneme_core::ports::{Project, Store, UsageRow};
use mneme_core::time::Timestamp;
use mneme_core::usage::{CallKind, Usage};

use super::given::*;

/// Making it again keeps what it has.
pub async fn a_project_is_made_once(store: &dyn Store) {
    let id = ProjectId("p".to_owned());
    assert_eq!(store.project(&id).await.unwrap(), None);
    assert!(!store.set_profile_config(&id, "x", at(0)).await.unwrap());
    store.ensure_project(&id, at(0)).await.unwrap();
    assert_eq!(
        store.project(&id).await.unwrap(),
        Some(Project {
            id: id.clone(),
            profile_config: String::new()
        })
    );
    assert!(store.set_profile_config(&id, "kept", at(1)).await.unwrap());
    store.ensure_project(&id, at(2)).await.unwrap();
    assert_eq!(
        store.project(&id).await.unwrap().unwrap().profile_config,
        "kept"
    );
    assert_eq!(
        store.project(&ProjectId("P".to_owned())).await.unwrap(),
        None
    );
}

/// Any text, long ones too.
pub async fn configuration_is_kept_verbatim(store: &dyn Store) {
    let id = ProjectId::root();
    store.ensure_project(&id, at(0)).await.unwrap();
    for text in ["language: zh\n\t'\"\0\u{1f98a}", "", &"长".repeat(65_535)] {
        assert!(store.set_profile_config(&id, text, at(1)).await.unwrap());
        assert_eq!(
            store.project(&id).await.unwrap().unwrap().profile_config,
            text
        );
    }
}

fn used(call: CallKind, calls: u32, prompt_tokens: u64, completion_tokens: u64) -> Usage {
    Usage {
        call,
        calls,
        prompt_tokens,
        completion_tokens,
    }
}

/// Summed over the users of a project; days are those of UTC, newest first.
pub async fn usage_adds_up_by_day_and_call(store: &dyn Store) {
    let (one, two) = (user(store, 1).await, user(store, 2).await);
    append(store, &one, &[1, 2, 3], 1, at(0)).await;
    append(store, &two, &[4], 1, at(86_399)).await;
    append(store, &two, &[5], 1, at(86_400)).await;
    for (owner, second) in [(&one, 10), (&two, 20), (&one, 86_400)] {
        let usage = vec![
            used(CallKind::Merge, 1, 100, 10),
            used(CallKind::EntryNotes, 2, 7, 3),
            used(CallKind::Merge, 1, 1, 1),
        ];
        commit(
            store,
            owner,
            ChangeSet {
                usage,
                ..ChangeSet::default()
            },
            Timestamp(at(second).0 + 1),
        )
        .await;
    }
    let row = |day: &str, call: &str, calls, prompt_tokens, completion_tokens| UsageRow {
        day: day.to_owned(),
        call: call.to_owned(),
        calls,
        prompt_tokens,
        completion_tokens,
    };
    let second_day = [
        row("2026-11-30", "entry_notes", 2, 7, 3),
        row("2026-11-30", "insert", 1, 0, 0),
        row("2026-11-30", "merge", 2, 101, 11),
    ];
    let first_day = [
        row("2026-11-29", "entry_notes", 4, 14, 6),
        row("2026-11-29", "insert", 4, 0, 0),
        row("2026-11-29", "merge", 4, 202, 22),
    ];
    let all = [second_day.clone(), first_day].concat();
    assert_eq!(store.usage(&one.project, "2026-11-29").await.unwrap(), all);
    assert_eq!(
        store.usage(&one.project, "2026-11-30").await.unwrap(),
        second_day
    );
    assert!(
        store
            .usage(&one.project, "2026-12-01")
            .await
            .unwrap()
            .is_empty()
    );
}

/// A project sees its own.
pub async fn usage_of_others_is_not_shown(store: &dyn Store) {
    let (one, other) = (user(store, 1).await, user_in(store, "q", 1).await);
    append(store, &other, &[1], 1, at(0)).await;
    assert!(store.usage(&one.project, "").await.unwrap().is_empty());
    assert_eq!(store.usage(&other.project, "").await.unwrap().len(), 1);
}
