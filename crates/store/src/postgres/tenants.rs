//! Projects and the usage ledger.

use async_trait::async_trait;
use mneme_core::id::{ProjectId, UserKey};
use mneme_core::ports::{Project, StoreResult, Tenants, UsageRow};
use mneme_core::time::Timestamp;
use mneme_core::usage::Usage;

use super::bind::params;
use super::fault::Work;
use super::pool::{look, transact};
use super::run::Db;
use super::{PostgresStore, rows, text};
use crate::sql;
use crate::sqlite::codec::{count, day};

#[async_trait]
impl Tenants for PostgresStore {
    async fn project(&self, id: &ProjectId) -> StoreResult<Option<Project>> {
        look!(self, db => {
            db.first(sql::PROJECT, params![id], |row| {
                Ok(Project {
                    id: ProjectId(rows::text(row, 0)?),
                    profile_config: rows::text(row, 1)?,
                })
            })
            .await
        })
    }

    async fn ensure_project(&self, id: &ProjectId, now: Timestamp) -> StoreResult<()> {
        transact!(self, db => db.run(sql::PROJECT_ENSURE, params![id, now]).await.map(drop))
    }

    async fn set_profile_config(
        &self,
        id: &ProjectId,
        text: &str,
        now: Timestamp,
    ) -> StoreResult<bool> {
        transact!(self, db => Ok(db.run(sql::PROJECT_CONFIG, params![text, now, id]).await? > 0))
    }

    async fn usage(&self, id: &ProjectId, since_day: &str) -> StoreResult<Vec<UsageRow>> {
        look!(self, db => {
            db.list(text::USAGE, params![id, since_day], |row| {
                Ok(UsageRow {
                    day: rows::text(row, 0)?,
                    call: rows::text(row, 1)?,
                    calls: rows::number(row, 2)?,
                    prompt_tokens: rows::number(row, 3)?,
                    completion_tokens: rows::number(row, 4)?,
                })
            })
            .await
        })
    }
}

/// Books what models took. The user must be locked.
pub(super) async fn book_usage(
    db: &Db,
    owner: &UserKey,
    usage: &[Usage],
    now: Timestamp,
) -> Work<()> {
    for entry in usage {
        let tokens = (count(entry.prompt_tokens), count(entry.completion_tokens));
        let calls = i64::from(entry.calls);
        book(db, owner, entry.call.as_str(), calls, tokens, now).await?;
    }
    Ok(())
}

/// Books stored sources. The user must be locked.
pub(super) async fn book_inserts(
    db: &Db,
    owner: &UserKey,
    sources: usize,
    now: Timestamp,
) -> Work<()> {
    book(db, owner, "insert", count(sources), (0, 0), now).await
}

async fn book(
    db: &Db,
    owner: &UserKey,
    call: &str,
    calls: i64,
    tokens: (i64, i64),
    now: Timestamp,
) -> Work<()> {
    let values = params![
        &owner.project,
        owner.user,
        day(now),
        call,
        calls,
        tokens.0,
        tokens.1
    ];
    db.run(sql::USAGE_ADD, values).await.map(drop)
}
