//! The shapes that the SDKs read. Every optional value is written as `null`, none is left out.

use mneme_core::memory::{Memory, Slot};
use mneme_core::ports::User;
use mneme_core::source::{Source, SourceKind};
use mneme_core::time::Timestamp;
use mneme_engine::api::{BatchResult, Hit};
use serde::Serialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// What has one id.
#[derive(Debug, Serialize)]
pub(super) struct IdReply {
    pub(super) id: Uuid,
}

/// A list of ids.
#[derive(Debug, Serialize)]
pub(super) struct IdsReply {
    pub(super) ids: Vec<Uuid>,
}

/// The project's configuration: text, never `null`.
#[derive(Debug, Serialize)]
pub(super) struct ConfigReply {
    pub(super) profile_config: String,
}

/// The context.
#[derive(Debug, Serialize)]
pub(super) struct ContextReply {
    pub(super) context: String,
}

/// What one batch did.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct ChatModal {
    event_id: Option<Uuid>,
    add_profiles: Vec<Uuid>,
    update_profiles: Vec<Uuid>,
    delete_profiles: Vec<Uuid>,
}

impl From<BatchResult> for ChatModal {
    fn from(result: BatchResult) -> Self {
        let plain = |ids: Vec<mneme_core::id::MemoryId>| ids.into_iter().map(|id| id.0).collect();
        Self {
            event_id: result.event.map(|id| id.0),
            add_profiles: plain(result.added),
            update_profiles: plain(result.updated),
            delete_profiles: plain(result.deleted),
        }
    }
}

/// A stored blob and what came of it.
#[derive(Debug, Serialize)]
pub(super) struct InsertReply {
    pub(super) id: Uuid,
    pub(super) chat_results: Vec<ChatModal>,
}

/// A user. Memobase's server leaves `id` empty here, and so do we.
#[derive(Debug, Serialize)]
pub(super) struct UserView {
    data: Option<Value>,
    id: Option<Uuid>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl From<User> for UserView {
    fn from(user: User) -> Self {
        Self {
            data: user.fields,
            id: None,
            created_at: user.created_at,
            updated_at: user.updated_at,
        }
    }
}

/// A blob. `created_at` is when the caller says that it was made.
#[derive(Debug, Serialize)]
pub(super) struct BlobView {
    blob_type: SourceKind,
    blob_data: Value,
    fields: Option<Value>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl From<Source> for BlobView {
    fn from(source: Source) -> Self {
        Self {
            blob_type: source.kind,
            blob_data: source.body,
            fields: source.fields,
            created_at: source.said_at,
            updated_at: source.received_at,
        }
    }
}

/// Profile memories.
#[derive(Debug, Serialize)]
pub(super) struct ProfilesReply {
    pub(super) profiles: Vec<ProfileView>,
}

/// One profile memory; `attributes` is never `null` and always holds both headings.
#[derive(Debug, Serialize)]
pub(super) struct ProfileView {
    id: Uuid,
    content: String,
    created_at: Timestamp,
    updated_at: Timestamp,
    attributes: Map<String, Value>,
}

impl From<Memory> for ProfileView {
    fn from(memory: Memory) -> Self {
        let mut attributes = memory.data;
        let slot = memory.slot.unwrap_or_else(|| Slot::new("", ""));
        attributes.insert("topic".to_owned(), slot.topic.into());
        attributes.insert("sub_topic".to_owned(), slot.sub_topic.into());
        Self {
            id: memory.id.0,
            content: memory.content,
            created_at: memory.times.recorded_at,
            updated_at: memory.updated_at,
            attributes,
        }
    }
}

/// Events. The list of gists is there for the SDKs' sake only.
#[derive(Debug, Serialize)]
pub(super) struct EventsReply {
    events: Vec<EventView>,
    gists: Vec<GistView>,
}

impl EventsReply {
    /// Events that were listed.
    pub(super) fn listed(events: Vec<Memory>) -> Self {
        Self {
            events: events
                .into_iter()
                .map(|event| EventView::new(event, None))
                .collect(),
            gists: Vec::new(),
        }
    }

    /// Events that were searched for.
    pub(super) fn found(hits: Vec<Hit>) -> Self {
        Self {
            events: hits
                .into_iter()
                .map(|hit| EventView::new(hit.memory, Some(hit.similarity)))
                .collect(),
            gists: Vec::new(),
        }
    }
}

/// One event.
#[derive(Debug, Serialize)]
struct EventView {
    id: Uuid,
    event_data: EventData,
    created_at: Timestamp,
    updated_at: Timestamp,
    similarity: Option<f32>,
}

/// What happened. `profile_delta` is never `null`.
#[derive(Debug, Serialize)]
struct EventData {
    profile_delta: Vec<Value>,
    event_tip: Option<String>,
    event_tags: Option<Vec<Value>>,
}

impl EventView {
    fn new(mut memory: Memory, similarity: Option<f32>) -> Self {
        let mut list = |key: &str| match memory.data.remove(key) {
            Some(Value::Array(items)) => Some(items),
            _ => None,
        };
        let profile_delta = list("profile_delta")
            .unwrap_or_default()
            .into_iter()
            .filter_map(delta)
            .collect();
        let event_tags = list("event_tags");
        Self {
            id: memory.id.0,
            event_data: EventData {
                profile_delta,
                event_tip: Some(memory.content),
                event_tags,
            },
            created_at: memory.times.recorded_at,
            updated_at: memory.updated_at,
            similarity,
        }
    }
}

/// An entry of `profile_delta` with both of its keys, `attributes` an object.
fn delta(entry: Value) -> Option<Value> {
    let Value::Object(mut entry) = entry else {
        return None;
    };
    let content = entry.remove("content").filter(Value::is_string)?;
    let attributes = entry
        .remove("attributes")
        .filter(Value::is_object)
        .unwrap_or_else(|| json!({}));
    Some(json!({"content": content, "attributes": attributes}))
}

/// Gists that were searched for, under both names: the SDKs for TypeScript and Go look for them under `events`.
#[derive(Debug, Serialize)]
pub(super) struct GistsReply {
    gists: Vec<GistView>,
    events: Vec<GistView>,
}

impl GistsReply {
    /// The hits in their order.
    pub(super) fn found(hits: Vec<Hit>) -> Self {
        let gists: Vec<GistView> = hits.into_iter().map(GistView::from).collect();
        Self {
            events: gists.clone(),
            gists,
        }
    }
}

/// One gist; its similarity is never `null`.
#[derive(Debug, Clone, Serialize)]
struct GistView {
    id: Uuid,
    gist_data: GistData,
    created_at: Timestamp,
    updated_at: Timestamp,
    similarity: f32,
}

/// A gist's text.
#[derive(Debug, Clone, Serialize)]
struct GistData {
    content: String,
}

impl From<Hit> for GistView {
    fn from(hit: Hit) -> Self {
        Self {
            id: hit.memory.id.0,
            gist_data: GistData {
                content: hit.memory.content,
            },
            created_at: hit.memory.times.recorded_at,
            updated_at: hit.memory.updated_at,
            // Infinite or undefined numbers would be written as `null`.
            similarity: if hit.similarity.is_finite() {
                hit.similarity
            } else {
                0.0
            },
        }
    }
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
