use insta::assert_json_snapshot;
use mneme_core::id::{MemoryId, ProjectId, SourceId, SubScope, UserId, UserKey};
use mneme_core::memory::{Kind, Times};

use super::*;

fn memory(kind: Kind, content: &str, data: &Value) -> Memory {
    Memory {
        id: MemoryId(Uuid::from_u128(0x67e5_5044_10b1_426f_9247_bb68_0e5f_e0c8)),
        kind,
        scope: SubScope::default(),
        slot: (kind == Kind::Profile).then(|| Slot::new("interest", "foods")),
        parent: None,
        ordinal: 0,
        content: content.to_owned(),
        data: data.as_object().cloned().unwrap_or_default(),
        speaker: None,
        times: Times {
            mentioned_at: None,
            happened: None,
            valid_from: None,
            valid_to: None,
            recorded_at: Timestamp(1_700_000_000_000_000),
        },
        updated_at: Timestamp(1_700_000_001_500_000),
        importance: 0.5,
        tokens: 3,
        revision: 2,
    }
}

fn id(number: u128) -> MemoryId {
    MemoryId(Uuid::from_u128(number))
}

#[test]
fn a_profile_memory() {
    let view = ProfileView::from(memory(
        Kind::Profile,
        "Chinese food",
        &json!({"update_hits": 1, "topic": "stale"}),
    ));
    assert_json_snapshot!(ProfilesReply {
        profiles: vec![view]
    });
}

#[test]
fn a_listed_event() {
    let event = memory(
        Kind::Event,
        "- User likes tea",
        &json!({"profile_delta": [{"content": "tea", "attributes": {"topic": "interest"}}, {"content": "x", "attributes": null}, 5], "event_tags": [{"tag": "emotion", "value": "happy"}]}),
    );
    assert_json_snapshot!(EventsReply::listed(vec![event]));
}

#[test]
fn an_event_without_data_keeps_its_list() {
    assert_json_snapshot!(EventsReply::listed(vec![memory(
        Kind::Event,
        "- x",
        &json!({"event_tags": null})
    )]));
}

#[test]
fn a_found_event() {
    assert_json_snapshot!(EventsReply::found(vec![Hit {
        memory: memory(Kind::Event, "- x", &json!({})),
        similarity: 0.5
    }]));
}

#[test]
fn found_gists_are_under_both_names() {
    let hits = [0.75, f32::NAN].map(|similarity| Hit {
        memory: memory(Kind::Gist, "- x", &json!({})),
        similarity,
    });
    assert_json_snapshot!(GistsReply::found(hits.to_vec()));
}

#[test]
fn an_insert() {
    let modal = ChatModal::from(BatchResult {
        event: Some(id(1)),
        added: vec![id(2)],
        updated: vec![id(3)],
        deleted: vec![id(4)],
        ..BatchResult::default()
    });
    let idle = ChatModal::from(BatchResult::default());
    assert_json_snapshot!(InsertReply {
        id: id(9).0,
        chat_results: vec![modal, idle]
    });
}

#[test]
fn a_user() {
    let owner = UserKey {
        project: ProjectId::root(),
        user: UserId(Uuid::nil()),
    };
    let user = User {
        owner,
        name: Some("not shown".to_owned()),
        fields: Some(json!({"n": "x"})),
        created_at: Timestamp(0),
        updated_at: Timestamp(1),
    };
    assert_json_snapshot!(UserView::from(user));
}

#[test]
fn a_blob() {
    let source = Source {
        id: SourceId(Uuid::nil()),
        scope: SubScope::default(),
        kind: SourceKind::Doc,
        body: json!({"content": "d"}),
        fields: None,
        said_at: Timestamp(0),
        received_at: Timestamp(1_000_000),
    };
    assert_json_snapshot!(BlobView::from(source));
}
