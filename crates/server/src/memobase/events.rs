//! `/users/event` and `/users/event_gist`: what happened, listed and searched.

use mneme_core::distil::EventTag;
use mneme_core::id::{MemoryId, UserKey};
use mneme_core::memory::Kind;
use mneme_engine::api::{EventPatch, EventQuery, Hit, SearchQuery};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::wire::{EventsReply, GistsReply};
use crate::call::{Call, Fields, rows};
use crate::envelope::{Answer, Envelope};
use crate::error::Failure;

/// More days than any calendar has; larger wishes are cut to it.
const DAYS_MAX: i64 = 3_650_000;

/// A number of days in the query. Nothing was recorded in the future, so all negative numbers mean the same.
pub(super) fn days(fields: &mut Fields) -> Option<i64> {
    Some(fields.int("time_range_in_days", 180)?.clamp(-1, DAYS_MAX))
}

/// `GET /users/event/{user_id}`: newest first, however old.
pub(super) async fn list(mut call: Call) -> Answer<EventsReply> {
    let (owner, topk, max_token_size) = call.read(|fields| {
        let owner = fields.user();
        let topk = fields.int("topk", 10);
        let max_token_size = fields.maybe_int("max_token_size");
        // Takes part in nothing, but has to be a flag.
        let summary = fields.flag("need_summary", false);
        Some((owner?, topk?, max_token_size?, summary?))
            .map(|(owner, topk, size, _)| (owner, topk, size))
    })?;
    let query = EventQuery {
        topk: rows("topk", topk)?,
        max_token_size,
        days: None,
    };
    let events = call.engine.events(&owner, &query).await?;
    Ok(Envelope::of(EventsReply::listed(events)))
}

/// `GET /users/event/search/{user_id}`.
pub(super) async fn search(call: Call) -> Answer<EventsReply> {
    Ok(Envelope::of(EventsReply::found(
        hits(call, Kind::Event).await?,
    )))
}

/// `GET /users/event_gist/search/{user_id}`.
pub(super) async fn search_gists(call: Call) -> Answer<GistsReply> {
    Ok(Envelope::of(GistsReply::found(
        hits(call, Kind::Gist).await?,
    )))
}

async fn hits(mut call: Call, kind: Kind) -> Result<Vec<Hit>, Failure> {
    let (owner, query, topk, threshold, days) = call.read(|fields| {
        let owner = fields.user();
        let query = fields.text("query");
        let topk = fields.int("topk", 10);
        let threshold = fields.float("similarity_threshold", 0.2);
        let days = days(fields);
        Some((owner?, query?, topk?, threshold?, days?))
    })?;
    let query = SearchQuery {
        query,
        topk: rows("topk", topk)?,
        threshold: threshold as f32,
        days: Some(days),
    };
    Ok(call.engine.search(&owner, kind, &query).await?)
}

/// Absent and `null` parts are left alone.
#[derive(Debug, Deserialize)]
struct EventBody {
    event_tip: Option<String>,
    event_tags: Option<Vec<EventTag>>,
    profile_delta: Option<Vec<Delta>>,
}

#[derive(Debug, Deserialize)]
struct Delta {
    content: String,
    attributes: Option<Map<String, Value>>,
}

impl From<EventBody> for EventPatch {
    fn from(body: EventBody) -> Self {
        let delta = |delta: Delta| json!({"content": delta.content, "attributes": delta.attributes.unwrap_or_default()});
        Self {
            event_tip: body.event_tip,
            event_tags: body.event_tags,
            profile_delta: body
                .profile_delta
                .map(|list| list.into_iter().map(delta).collect()),
        }
    }
}

/// `PUT /users/event/{user_id}/{event_id}`.
pub(super) async fn update(mut call: Call) -> Answer<()> {
    let (owner, id, body) = call.read(|fields| {
        let named = owner_and_event(fields);
        let body = fields.body::<EventBody>();
        let (owner, id) = named?;
        Some((owner, id, body?))
    })?;
    match call.engine.edit_event(&owner, id, body.into()).await? {
        true => Ok(Envelope::empty()),
        false => Err(no_event(id)),
    }
}

/// `DELETE /users/event/{user_id}/{event_id}`: its gists go with it.
pub(super) async fn delete(mut call: Call) -> Answer<()> {
    let (owner, id) = call.read(owner_and_event)?;
    match call.engine.forget(&owner, Kind::Event, id).await? {
        true => Ok(Envelope::empty()),
        false => Err(no_event(id)),
    }
}

fn owner_and_event(fields: &mut Fields) -> Option<(UserKey, MemoryId)> {
    let owner = fields.user();
    let event = fields.path_uuid("event_id");
    Some((owner?, MemoryId(event?)))
}

fn no_event(id: MemoryId) -> Failure {
    Failure::not_found(format!("User event {id} not found"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validation::read_typed;

    #[test]
    fn patches_leave_absent_parts_alone() {
        let body: EventBody =
            read_typed(json!({"event_tip": "- t", "event_tags": null, "more": 1})).unwrap();
        assert_eq!(
            EventPatch::from(body),
            EventPatch {
                event_tip: Some("- t".to_owned()),
                ..EventPatch::default()
            }
        );
        let body: EventBody =
            read_typed(json!({"profile_delta": [{"content": "c", "attributes": null}]})).unwrap();
        assert_eq!(
            EventPatch::from(body).profile_delta,
            Some(vec![json!({"content": "c", "attributes": {}})])
        );
    }

    #[test]
    fn half_a_tag_is_refused() {
        let flaw = read_typed::<EventBody>(json!({"event_tags": [{"tag": "x"}]}))
            .unwrap_err()
            .into_flaw();
        assert_eq!(
            serde_json::to_value(flaw).unwrap()["loc"],
            json!(["body", "event_tags", 0, "value"])
        );
        assert!(read_typed::<EventBody>(json!({"event_tip": 5})).is_err());
    }
}
