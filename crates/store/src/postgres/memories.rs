//! Memories by id, in time, and with their past.

use std::collections::HashMap;

use async_trait::async_trait;
use mneme_core::change::{ChangeSet, Version};
use mneme_core::id::{MemoryId, UserKey};
use mneme_core::memory::{Kind, Memory, Provenance, Revision};
use mneme_core::ports::{Memories, Page, Snapshot, StoreResult, TimelineFilter};
use mneme_core::time::Timestamp;
use uuid::Uuid;

use super::bind::{Param, params};
use super::fault::Work;
use super::pool::{look, transact};
use super::run::Db;
use super::{PostgresStore, change, rows, text};
use crate::sql;
use crate::sqlite::codec::count;

#[async_trait]
impl Memories for PostgresStore {
    async fn snapshot(&self, owner: &UserKey) -> StoreResult<Snapshot> {
        look!(self, db => snapshot(db, owner).await)
    }

    async fn commit(
        &self,
        owner: &UserKey,
        expected: Option<Version>,
        change: ChangeSet,
        space: &str,
        now: Timestamp,
    ) -> StoreResult<Version> {
        transact!(self, db => change::commit(db, owner, expected, &change, space, now).await)
    }

    async fn memories(&self, owner: &UserKey, ids: &[MemoryId]) -> StoreResult<Vec<Memory>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        look!(self, db => {
            let values = &[
                Param::from(&owner.project),
                Param::from(owner.user),
                Param::Ids(ids.iter().map(|id| id.0).collect()),
            ];
            let found = db.list(text::MEMORIES, values, rows::memory).await?;
            let by_id: HashMap<MemoryId, Memory> =
                found.into_iter().map(|memory| (memory.id, memory)).collect();
            Ok(ids.iter().filter_map(|id| by_id.get(id).cloned()).collect())
        })
    }

    async fn timeline(
        &self,
        owner: &UserKey,
        filter: TimelineFilter,
        page: Page,
    ) -> StoreResult<Vec<Memory>> {
        let from = filter.recorded_from.unwrap_or(Timestamp(i64::MIN));
        look!(self, db => {
            let values = params![
                &owner.project,
                owner.user,
                kind_names(&filter.kinds),
                from,
                count(page.limit),
                count(page.offset)
            ];
            db.list(text::TIMELINE, values, rows::memory).await
        })
    }

    async fn children(&self, owner: &UserKey, parent: MemoryId) -> StoreResult<Vec<Memory>> {
        look!(self, db => {
            let key = params![&owner.project, owner.user, parent];
            db.list(sql::CHILDREN, key, rows::memory).await
        })
    }

    async fn revisions(&self, owner: &UserKey, id: MemoryId) -> StoreResult<Vec<Revision>> {
        look!(self, db => {
            let key = params![&owner.project, owner.user, id];
            db.list(sql::REVISIONS, key, rows::revision).await
        })
    }

    async fn provenance(&self, owner: &UserKey, id: MemoryId) -> StoreResult<Vec<Provenance>> {
        look!(self, db => {
            let key = params![&owner.project, owner.user, id];
            db.list(sql::PROVENANCE, key, rows::provenance).await
        })
    }
}

/// One statement, so that the version is that of the profile.
async fn snapshot(db: &Db, owner: &UserKey) -> Work<Snapshot> {
    let found = db
        .rows(text::SNAPSHOT, params![&owner.project, owner.user])
        .await?;
    let mut snapshot = Snapshot::default();
    for row in &found {
        snapshot.version = Version(rows::int(row, 0)?);
        if row.try_get::<_, Option<Uuid>>(1)?.is_some() {
            snapshot.profile.push(rows::memory_from(row, 1)?);
        }
    }
    Ok(snapshot)
}

/// The kinds by name; no kind means all.
pub(super) fn kind_names(kinds: &[Kind]) -> Param<'static> {
    let kinds = if kinds.is_empty() { &Kind::ALL } else { kinds };
    Param::Texts(
        kinds
            .iter()
            .map(|kind| Some(kind.as_str().into()))
            .collect(),
    )
}
