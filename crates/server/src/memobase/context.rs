//! `GET /users/context/{user_id}`: memory as text for a prompt.

use mneme_core::id::UserKey;
use mneme_engine::api::ContextQuery;

use super::events::days;
use super::selection::Selection;
use super::wire::ContextReply;
use crate::call::{Call, Fields};
use crate::envelope::{Answer, Envelope};
use crate::error::Failure;

/// Reads the whole request but the JSON in the selection.
fn query(fields: &mut Fields) -> Option<(UserKey, Selection, ContextQuery)> {
    let owner = fields.user();
    let selection = Selection::read(fields);
    let max_token_size = fields.int("max_token_size", 1000);
    let profile_event_ratio = fields.float("profile_event_ratio", 0.6);
    let threshold = fields.float("event_similarity_threshold", 0.2);
    let days = days(fields);
    let full_profile = fields.flag("full_profile_and_only_search_event", true);
    let fill_window_with_events = fields.flag("fill_window_with_events", false);
    // Takes part in nothing, but has to be a flag.
    let summary = fields.flag("require_event_summary", false);
    let query = ContextQuery {
        max_token_size: max_token_size?,
        profile_event_ratio: profile_event_ratio?,
        event_similarity_threshold: threshold? as f32,
        days: Some(days?),
        customize_prompt: fields.maybe_text("customize_context_prompt"),
        full_profile: full_profile?,
        fill_window_with_events: fill_window_with_events?,
        ..ContextQuery::default()
    };
    summary.and(Some((owner?, selection?, query)))
}

/// Answers with text also for a user of whom nothing is known.
pub(super) async fn show(mut call: Call) -> Answer<ContextReply> {
    let (owner, selection, mut query) = call.read(query)?;
    if !(query.profile_event_ratio > 0.0 && query.profile_event_ratio <= 1.0) {
        return Err(Failure::invalid(
            "profile_event_ratio must be above 0 and at most 1",
        ));
    }
    query.profile = selection.into_query("Invalid JSON")?;
    query.chats = std::mem::take(&mut query.profile.chats);
    let context = call.engine.context(&owner, &query).await?;
    Ok(Envelope::of(ContextReply { context }))
}
