//! Memories by id, in time, and with their past.

use async_trait::async_trait;
use mneme_core::change::{ChangeSet, Version};
use mneme_core::id::{MemoryId, UserKey};
use mneme_core::memory::{Kind, Memory, Provenance, Revision};
use mneme_core::ports::{Memories, Page, Snapshot, StoreResult, TimelineFilter};
use mneme_core::time::Timestamp;
use rusqlite::{Connection, params};

use super::codec::count;
use super::fault::Work;
use super::run::Run;
use super::{SqliteStore, change, rows};
use crate::sql;

/// The page is found in the index alone; only its rows are read whole. An event comes before its gists, gists in the
/// order of their lines.
const TIMELINE: &str = concat!(
    "SELECT ",
    sql::memory_columns!(),
    " FROM (SELECT id FROM memory WHERE project_id = ?1 AND user_id = ?2 \
      AND kind IN (SELECT value FROM json_each(?3)) AND recorded_at >= ?4 \
      ORDER BY recorded_at DESC, coalesce(parent_id, id), parent_id IS NOT NULL, ordinal, id LIMIT ?5 OFFSET ?6) AS page \
      CROSS JOIN memory m ON m.project_id = ?1 AND m.user_id = ?2 AND m.id = page.id \
      ORDER BY m.recorded_at DESC, coalesce(m.parent_id, m.id), m.parent_id IS NOT NULL, m.ordinal, m.id"
);

#[async_trait]
impl Memories for SqliteStore {
    async fn snapshot(&self, owner: &UserKey) -> StoreResult<Snapshot> {
        let owner = owner.clone();
        self.read(move |db| snapshot(db, &owner)).await
    }

    async fn commit(
        &self,
        owner: &UserKey,
        expected: Option<Version>,
        change: ChangeSet,
        space: &str,
        now: Timestamp,
    ) -> StoreResult<Version> {
        let (owner, space) = (owner.clone(), space.to_owned());
        self.write(move |db| change::commit(db, &owner, expected, change, &space, now))
            .await
    }

    async fn memories(&self, owner: &UserKey, ids: &[MemoryId]) -> StoreResult<Vec<Memory>> {
        let (owner, ids) = (owner.clone(), ids.to_vec());
        self.read(move |db| {
            let mut found = Vec::with_capacity(ids.len());
            for id in ids {
                found.extend(db.first(
                    sql::MEMORY,
                    params![owner.project.0, owner.user.as_bytes(), id.as_bytes()],
                    rows::memory,
                )?);
            }
            Ok(found)
        })
        .await
    }

    async fn timeline(
        &self,
        owner: &UserKey,
        filter: TimelineFilter,
        page: Page,
    ) -> StoreResult<Vec<Memory>> {
        let owner = owner.clone();
        self.read(move |db| {
            let from = filter.recorded_from.map_or(i64::MIN, |at| at.0);
            let values = params![
                owner.project.0,
                owner.user.as_bytes(),
                kind_names(&filter.kinds)?,
                from,
                count(page.limit),
                count(page.offset)
            ];
            db.list(TIMELINE, values, rows::memory)
        })
        .await
    }

    async fn children(&self, owner: &UserKey, parent: MemoryId) -> StoreResult<Vec<Memory>> {
        self.of_memory(owner, parent, sql::CHILDREN, rows::memory)
            .await
    }

    async fn revisions(&self, owner: &UserKey, id: MemoryId) -> StoreResult<Vec<Revision>> {
        self.of_memory(owner, id, sql::REVISIONS, rows::revision)
            .await
    }

    async fn provenance(&self, owner: &UserKey, id: MemoryId) -> StoreResult<Vec<Provenance>> {
        self.of_memory(owner, id, sql::PROVENANCE, rows::provenance)
            .await
    }
}

impl SqliteStore {
    /// All rows that belong to one memory.
    async fn of_memory<T: Send + 'static>(
        &self,
        owner: &UserKey,
        id: MemoryId,
        text: &'static str,
        map: fn(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> StoreResult<Vec<T>> {
        let owner = owner.clone();
        self.read(move |db| {
            db.list(
                text,
                params![owner.project.0, owner.user.as_bytes(), id.as_bytes()],
                map,
            )
        })
        .await
    }
}

fn snapshot(db: &Connection, owner: &UserKey) -> Work<Snapshot> {
    let key = params![owner.project.0, owner.user.as_bytes()];
    let Some(version) = db.first(sql::USER_VERSION, key, |row| row.get(0))? else {
        return Ok(Snapshot::default());
    };
    Ok(Snapshot {
        version: Version(version),
        profile: db.list(sql::PROFILE, key, rows::memory)?,
    })
}

/// The kinds as a JSON list; no kind means all.
pub(super) fn kind_names(kinds: &[Kind]) -> Work<String> {
    let kinds = if kinds.is_empty() { &Kind::ALL } else { kinds };
    Ok(serde_json::to_string(
        &kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>(),
    )?)
}
