//! Events and their gists: the timeline, search by meaning, edits.

use mneme_core::change::{ChangeSet, Revised};
use mneme_core::consolidate::{self, Setting};
use mneme_core::context;
use mneme_core::id::{MemoryId, UserKey};
use mneme_core::limits;
use mneme_core::memory::{Kind, Memory, Reason};
use mneme_core::ports::{EmbedTask, NearestQuery, Page, TimelineFilter};
use mneme_core::time::{SECONDS_PER_DAY, Timestamp};
use serde_json::{Value, json};

use crate::api::{EventPatch, EventQuery, Hit, SearchQuery};
use crate::{Engine, EngineError, EngineResult, ErrorKind};

impl Engine {
    /// Events, newest first; empty for an unknown user.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn events(&self, owner: &UserKey, query: &EventQuery) -> EngineResult<Vec<Memory>> {
        if query.topk == 0 {
            return Ok(Vec::new());
        }
        let filter = TimelineFilter {
            kinds: vec![Kind::Event],
            recorded_from: self.days_ago(query.days),
        };
        let mut events = self
            .store()
            .timeline(
                owner,
                filter,
                Page {
                    offset: 0,
                    limit: query.topk.min(limits::PAGE_ROWS_MAX),
                },
            )
            .await?;
        if let Some(budget) = query.max_token_size {
            let kept = context::fitting(events.iter().map(|event| event.tokens), budget);
            events.truncate(kept);
        }
        Ok(events)
    }

    /// Events or gists by meaning, most similar first.
    ///
    /// # Errors
    /// [`ErrorKind::ModelUnavailable`] when the embedder cannot be asked; the store's failure.
    pub async fn search(
        &self,
        owner: &UserKey,
        kind: Kind,
        query: &SearchQuery,
    ) -> EngineResult<Vec<Hit>> {
        if query.topk == 0 {
            return Ok(Vec::new());
        }
        let vector = self.query_vector(&query.query).await?;
        let nearest = NearestQuery {
            kinds: vec![kind],
            space: self.inner.parts.embedder.space().name.clone(),
            vector,
            limit: query.topk.min(limits::PAGE_ROWS_MAX),
            recorded_from: self.days_ago(query.days),
        };
        let found: Vec<(MemoryId, f32)> = self
            .store()
            .nearest(owner, nearest)
            .await?
            .into_iter()
            .map(|(id, cosine)| (id, self.similarity(cosine)))
            .filter(|&(_, similarity)| similarity > query.threshold)
            .collect();
        let ids: Vec<MemoryId> = found.iter().map(|&(id, _)| id).collect();
        let memories = self.store().memories(owner, &ids).await?;
        let similarity_of: std::collections::HashMap<MemoryId, f32> = found.into_iter().collect();
        Ok(memories
            .into_iter()
            .filter_map(|memory| {
                similarity_of
                    .get(&memory.id)
                    .map(|&similarity| Hit { memory, similarity })
            })
            .collect())
    }

    /// Changes parts of an event. New notes bring new gists; the old state stays as a revision. `false` when there is
    /// no such event.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn edit_event(
        &self,
        owner: &UserKey,
        id: MemoryId,
        patch: EventPatch,
    ) -> EngineResult<bool> {
        let found = self.store().memories(owner, &[id]).await?;
        let Some(event) = found
            .into_iter()
            .next()
            .filter(|memory| memory.kind == Kind::Event)
        else {
            return Ok(false);
        };
        let now = self.now();
        let mut next = event.clone();
        let new_notes = patch
            .event_tip
            .map(|tip| self.redacted(tip))
            .filter(|tip| *tip != event.content);
        if let Some(tags) = patch.event_tags {
            next.data.insert("event_tags".to_owned(), json!(tags));
        }
        if let Some(delta) = patch.profile_delta {
            next.data
                .insert("profile_delta".to_owned(), Value::Array(delta));
        }
        if let Some(notes) = &new_notes {
            next.content.clone_from(notes);
        }
        if next == event {
            return Ok(true);
        }
        next.updated_at = now;
        next.revision = event.revision.saturating_add(1);
        let mut change = ChangeSet::default();
        if let Some(notes) = &new_notes {
            change.forget = self
                .store()
                .children(owner, id)
                .await?
                .iter()
                .map(|gist| gist.id)
                .collect();
            let mut next_id = || self.next_id();
            let mut setting = Setting {
                now,
                zone: &self.options().zone,
                scope: event.scope.clone(),
                next_id: &mut next_id,
            };
            change.add = consolidate::gists_of_notes(&next, notes, &mut setting);
        }
        change.revise.push(Revised {
            next: consolidate::indexed(next, &self.options().zone),
            reason: Reason::Edited,
        });
        self.complete(&mut change, self.options().embed_patience)
            .await;
        match self.commit(owner, None, change).await {
            Ok(_) => Ok(true),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) async fn query_vector(&self, text: &str) -> EngineResult<Vec<f32>> {
        let texts = [text.to_owned()];
        let vectors = self
            .inner
            .parts
            .embedder
            .embed(EmbedTask::Query, &texts)
            .await
            .map_err(|error| {
                EngineError::new(
                    EngineError::from(error.clone()).kind,
                    format!("Error in get_embedding: {error}"),
                )
            })?;
        vectors.into_iter().next().ok_or_else(|| {
            EngineError::new(
                ErrorKind::Parse,
                "Error in get_embedding: no vector came back",
            )
        })
    }

    /// A cosine as the documented similarity: 0 for unrelated texts of this embedder, 1 for equal ones.
    pub(crate) fn similarity(&self, cosine: f32) -> f32 {
        let unrelated = self.inner.parts.embedder.space().unrelated_cosine;
        ((cosine - unrelated) / (1.0 - unrelated)).min(1.0)
    }

    pub(crate) fn days_ago(&self, days: Option<i64>) -> Option<Timestamp> {
        days.map(|days| {
            self.now()
                .plus_seconds(days.saturating_mul(-SECONDS_PER_DAY))
        })
    }
}
