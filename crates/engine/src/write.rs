//! What every write of memory goes through: token counts, vectors, commit, and planning again on a conflict.

use std::time::Duration;

use mneme_core::change::{ChangeSet, Indexed, Version};
use mneme_core::id::UserKey;
use mneme_core::memory::{Kind, Memory};
use mneme_core::ports::{EmbedTask, StoreErrorKind, StoreResult};
use serde_json::Value;

use crate::inbox::name_user;
use crate::{Engine, EngineError, EngineResult, ErrorKind};

/// How often a plan is made again because somebody else was faster.
pub(crate) const CONFLICTS_MAX: usize = 8;
/// Texts that are embedded within a write; what is beyond follows in the background.
const INLINE_TEXTS_MAX: usize = 512;
/// Bytes that are embedded within a write.
const INLINE_BYTES_MAX: usize = 32 * 1024;

impl Engine {
    /// The o200k tokens of one text.
    pub(crate) async fn tokens_of(&self, text: String) -> u32 {
        self.inner
            .parts
            .tokens
            .count(vec![text])
            .await
            .first()
            .copied()
            .unwrap_or(0)
    }

    /// Counts tokens and makes the vectors that can be made in time. Those that cannot are left to the backlog.
    pub(crate) async fn complete(&self, change: &mut ChangeSet, patience: Duration) {
        let texts = items(change)
            .map(|item| counted_text(&item.memory))
            .collect();
        let counts = self.inner.parts.tokens.count(texts).await;
        for (item, count) in items(change).zip(counts) {
            item.memory.tokens = count;
        }
        let texts: Vec<String> = items(change)
            .filter(|item| item.index.vector.is_none())
            .filter_map(|item| item.index.embed_text.clone())
            .collect();
        let bytes: usize = texts.iter().map(String::len).sum();
        if texts.is_empty() || texts.len() > INLINE_TEXTS_MAX || bytes > INLINE_BYTES_MAX {
            return;
        }
        let embedding = self.inner.parts.embedder.embed(EmbedTask::Passage, &texts);
        match tokio::time::timeout(patience, embedding).await {
            Ok(Ok(vectors)) => {
                let targets = items(change)
                    .filter(|item| item.index.vector.is_none() && item.index.embed_text.is_some());
                for (item, vector) in targets.zip(vectors) {
                    item.index.vector = Some(vector);
                }
            }
            Ok(Err(error)) => {
                tracing::warn!(error.kind = ?error.kind, error = %error, "no vectors for now; they follow in the background");
            }
            Err(_) => tracing::warn!(
                seconds = patience.as_secs(),
                "the embedder is slow; vectors follow in the background"
            ),
        }
    }

    /// Commits and, where vectors are missing, wakes the one who makes them.
    pub(crate) async fn commit(
        &self,
        owner: &UserKey,
        expected: Option<Version>,
        change: ChangeSet,
    ) -> StoreResult<Version> {
        let missing = change
            .add
            .iter()
            .chain(change.revise.iter().map(|r| &r.next))
            .any(|item| item.index.vector.is_none() && item.index.embed_text.is_some());
        let space = self.inner.parts.embedder.space().name.clone();
        let version = self
            .store()
            .commit(owner, expected, change, &space, self.now())
            .await?;
        if missing {
            self.inner.vector_wake.notify_one();
        }
        Ok(version)
    }

    /// An edit through an API: planned against the current profile, again when somebody else was faster.
    pub(crate) async fn edit<T>(
        &self,
        owner: &UserKey,
        mut plan: impl FnMut(&[Memory]) -> EngineResult<(ChangeSet, T)> + Send,
    ) -> EngineResult<T> {
        for _ in 0..CONFLICTS_MAX {
            let snapshot = self.store().snapshot(owner).await?;
            let (mut change, answer) = plan(&snapshot.profile)?;
            if !change.touches_memory() {
                return Ok(answer);
            }
            self.complete(&mut change, self.options().embed_patience)
                .await;
            match self.commit(owner, Some(snapshot.version), change).await {
                Ok(_) => return Ok(answer),
                Err(error) if error.kind == StoreErrorKind::Conflict => {}
                Err(error) => return Err(name_user(error.into(), owner)),
            }
        }
        Err(EngineError::new(
            ErrorKind::Conflict,
            "the memory is being changed by others all the time; try again",
        ))
    }
}

fn items(change: &mut ChangeSet) -> impl Iterator<Item = &mut Indexed> {
    change
        .add
        .iter_mut()
        .chain(change.revise.iter_mut().map(|revised| &mut revised.next))
}

/// What a memory's tokens are counted on: the line or text that a context shows; for an event its tags and notes, or
/// its delta where it has no notes.
fn counted_text(memory: &Memory) -> String {
    if memory.kind != Kind::Event {
        return memory.context_line();
    }
    let mut lines: Vec<String> = Vec::new();
    let list = |key: &str| {
        memory
            .data
            .get(key)
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    let text = |value: &Value, pointer: &str| {
        value
            .pointer(pointer)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    for tag in list("event_tags") {
        lines.push(format!(
            "- {}: {}",
            text(&tag, "/tag"),
            text(&tag, "/value")
        ));
    }
    if memory.content.is_empty() {
        for item in list("profile_delta") {
            lines.push(format!(
                "- {}::{}: {}",
                text(&item, "/attributes/topic"),
                text(&item, "/attributes/sub_topic"),
                text(&item, "/content")
            ));
        }
    } else {
        lines.push(memory.content.clone());
    }
    lines.join("\n")
}
