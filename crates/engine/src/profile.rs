//! The profile: read within bounds, edited slot by slot.

use mneme_core::change::{ChangeSet, Revised};
use mneme_core::consolidate;
use mneme_core::context::{self, Selection};
use mneme_core::distil::{prompts, reader};
use mneme_core::id::{MemoryId, SubScope, UserKey};
use mneme_core::limits;
use mneme_core::memory::{Kind, Memory, Reason, Revision, Slot, Times};
use mneme_core::ports::LlmRequest;
use mneme_core::redact;

use crate::api::{Attributes, ChatMessage, ProfileQuery};
use crate::{Engine, EngineError, EngineResult, ErrorKind};

/// Messages that a pick is made by.
const PICK_MESSAGES: usize = 5;
/// Candidates that a pick chooses from.
const PICK_CANDIDATES_MAX: usize = 500;

impl Engine {
    /// The profile, selected by Memobase's steps; empty for an unknown user.
    ///
    /// # Errors
    /// The store's failure. A model that cannot pick leaves the profile whole.
    pub async fn profile(
        &self,
        owner: &UserKey,
        query: &ProfileQuery,
    ) -> EngineResult<Vec<Memory>> {
        let mut profile = self.store().snapshot(owner).await?.profile;
        if !query.chats.is_empty() {
            profile = self.pick(owner, profile, query).await?;
        }
        Ok(context::select_profile(profile, &selection(query)))
    }

    /// Lets the model narrow the profile to what matters for the conversation. Any failure leaves it as it is.
    pub(crate) async fn pick(
        &self,
        owner: &UserKey,
        profile: Vec<Memory>,
        query: &ProfileQuery,
    ) -> EngineResult<Vec<Memory>> {
        let Some(llm) = self.inner.parts.llm.clone() else {
            return Ok(profile);
        };
        let mut candidates = profile.clone();
        if let Some(only) = &query.only_topics {
            candidates.retain(|m| {
                m.slot
                    .as_ref()
                    .is_some_and(|slot| only.iter().any(|topic| topic.trim() == slot.topic.trim()))
            });
        }
        if candidates.is_empty() {
            return Ok(candidates);
        }
        candidates.sort_by(|a, b| slot_names(a).cmp(&slot_names(b)));
        candidates.truncate(PICK_CANDIDATES_MAX);
        let language = self.settings(&owner.project).await?.language;
        let listed: Vec<(String, String, String)> = candidates
            .iter()
            .map(|m| {
                let (topic, sub_topic) = slot_names(m);
                (
                    topic.to_owned(),
                    sub_topic.to_owned(),
                    m.content.chars().take(60).collect(),
                )
            })
            .collect();
        let from = query.chats.len().saturating_sub(PICK_MESSAGES);
        let messages: Vec<(String, String)> = query.chats[from..]
            .iter()
            .map(|ChatMessage { role, content }| (role.clone(), content.clone()))
            .collect();
        let prompt = prompts::pick(language, &listed, &messages);
        let request = LlmRequest {
            system: prompt.system,
            user: prompt.user,
            answer_tokens_max: 512,
            temperature: 0.0,
        };
        let reply = match llm.complete(&request).await {
            Ok(reply) => reply,
            Err(error) => {
                tracing::warn!(error = %error, "the model could not pick; the whole profile is used");
                return Ok(profile);
            }
        };
        // The filter may narrow or reorder; it never empties the list.
        match reader::picked(&reply.text, candidates.len()) {
            Some(numbers) if !numbers.is_empty() => Ok(numbers
                .into_iter()
                .filter_map(|n| candidates.get(n).cloned())
                .collect()),
            _ => Ok(profile),
        }
    }

    /// Fills a slot by hand. A slot that has a memory gets a new state of it; its id stays.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] for an unknown user; [`ErrorKind::Invalid`] for a content over
    /// [`limits::SLOT_BYTES_MAX`].
    pub async fn add_slot(
        &self,
        owner: &UserKey,
        slot: Slot,
        content: String,
        attributes: Attributes,
    ) -> EngineResult<MemoryId> {
        bounded(&content)?;
        let content = self.redacted(content);
        let now = self.now();
        let id = MemoryId(self.next_id());
        let zone = self.options().zone.clone();
        self.edit(owner, move |profile| {
            let key = slot.key();
            if let Some(existing) = profile
                .iter()
                .find(|m| m.slot.as_ref().is_some_and(|s| s.key() == key))
            {
                let next = edited(
                    existing,
                    content.clone(),
                    Some((slot.clone(), attributes.clone())),
                    now,
                );
                let change = ChangeSet {
                    revise: vec![Revised {
                        next: consolidate::indexed(next, &zone),
                        reason: Reason::Edited,
                    }],
                    ..ChangeSet::default()
                };
                return Ok((change, existing.id));
            }
            let memory = Memory {
                id,
                kind: Kind::Profile,
                scope: SubScope::default(),
                slot: Some(slot.clone()),
                parent: None,
                ordinal: 0,
                content: content.clone(),
                data: attributes.clone(),
                speaker: None,
                times: Times {
                    mentioned_at: Some(now),
                    happened: None,
                    valid_from: Some(now),
                    valid_to: None,
                    recorded_at: now,
                },
                updated_at: now,
                importance: 0.5,
                tokens: 0,
                revision: 1,
            };
            Ok((
                ChangeSet {
                    add: vec![consolidate::indexed(memory, &zone)],
                    ..ChangeSet::default()
                },
                id,
            ))
        })
        .await
    }

    /// Gives a profile memory another content and, when `change` is given, another slot and other attributes. The old
    /// state stays as a revision. `false` when there is no such memory.
    ///
    /// # Errors
    /// [`ErrorKind::Conflict`] when another memory is in the new slot already.
    pub async fn edit_slot(
        &self,
        owner: &UserKey,
        id: MemoryId,
        content: String,
        change: Option<(Slot, Attributes)>,
    ) -> EngineResult<bool> {
        bounded(&content)?;
        let content = self.redacted(content);
        let now = self.now();
        let zone = self.options().zone.clone();
        let result = self
            .edit(owner, move |profile| {
                let Some(existing) = profile.iter().find(|m| m.id == id) else {
                    return Ok((ChangeSet::default(), false));
                };
                let next = edited(existing, content.clone(), change.clone(), now);
                let key = next.slot.as_ref().map(Slot::key);
                if profile
                    .iter()
                    .any(|m| m.id != id && m.slot.as_ref().map(Slot::key) == key)
                {
                    return Err(EngineError::new(
                        ErrorKind::Conflict,
                        "another profile is in that topic and sub_topic already",
                    ));
                }
                let revised = Revised {
                    next: consolidate::indexed(next, &zone),
                    reason: Reason::Edited,
                };
                Ok((
                    ChangeSet {
                        revise: vec![revised],
                        ..ChangeSet::default()
                    },
                    true,
                ))
            })
            .await;
        match result {
            Err(error) if error.kind == ErrorKind::NotFound => Ok(false),
            other => other,
        }
    }

    /// The earlier states of a memory, the latest first, each with when it held and why it was replaced.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn history(&self, owner: &UserKey, id: MemoryId) -> EngineResult<Vec<Revision>> {
        Ok(self.store().revisions(owner, id).await?)
    }

    /// A text without its secrets, where they are to be taken out.
    pub(crate) fn redacted(&self, text: String) -> String {
        if self.options().redact_secrets {
            redact::secrets(&text).into_owned()
        } else {
            text
        }
    }

    /// Forgets one memory of that kind with all that belongs to it. `false` when there is none.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn forget(&self, owner: &UserKey, kind: Kind, id: MemoryId) -> EngineResult<bool> {
        let found = self.store().memories(owner, &[id]).await?;
        if found.first().is_none_or(|memory| memory.kind != kind) {
            return Ok(false);
        }
        let change = ChangeSet {
            forget: vec![id],
            ..ChangeSet::default()
        };
        self.commit(owner, None, change).await?;
        Ok(true)
    }
}

fn bounded(content: &str) -> EngineResult<()> {
    if content.len() <= limits::SLOT_BYTES_MAX {
        return Ok(());
    }
    let message = format!(
        "a profile's content has at most {} bytes",
        limits::SLOT_BYTES_MAX
    );
    Err(EngineError::new(ErrorKind::Invalid, message))
}

fn slot_names(memory: &Memory) -> (&str, &str) {
    memory.slot.as_ref().map_or(("", ""), |slot| {
        (slot.topic.as_str(), slot.sub_topic.as_str())
    })
}

/// The next state of a memory under an edit.
fn edited(
    existing: &Memory,
    content: String,
    change: Option<(Slot, Attributes)>,
    now: mneme_core::time::Timestamp,
) -> Memory {
    let mut next = existing.clone();
    next.content = content;
    if let Some((slot, attributes)) = change {
        next.slot = Some(slot);
        next.data = attributes;
    }
    next.times.valid_from = Some(now);
    next.times.mentioned_at = Some(now);
    next.updated_at = now;
    next.revision = existing.revision.saturating_add(1);
    next
}

pub(crate) fn selection(query: &ProfileQuery) -> Selection {
    Selection {
        prefer_topics: query.prefer_topics.clone(),
        only_topics: query.only_topics.clone(),
        max_subtopic_size: query.max_subtopic_size,
        topic_limits: query.topic_limits.clone(),
        topk: query.topk,
        max_tokens: query.max_token_size,
    }
}
