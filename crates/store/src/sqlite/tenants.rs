//! Projects and the usage ledger.

use async_trait::async_trait;
use mneme_core::id::{ProjectId, UserKey};
use mneme_core::ports::{Project, StoreResult, Tenants, UsageRow};
use mneme_core::time::Timestamp;
use mneme_core::usage::Usage;
use rusqlite::{Connection, params};

use super::codec::{count, day};
use super::fault::Work;
use super::run::Run;
use super::{SqliteStore, rows};
use crate::sql;

#[async_trait]
impl Tenants for SqliteStore {
    async fn project(&self, id: &ProjectId) -> StoreResult<Option<Project>> {
        let id = id.clone();
        self.read(move |db| {
            db.first(sql::PROJECT, params![id.0], |row| {
                Ok(Project {
                    id: ProjectId(row.get(0)?),
                    profile_config: row.get(1)?,
                })
            })
        })
        .await
    }

    async fn ensure_project(&self, id: &ProjectId, now: Timestamp) -> StoreResult<()> {
        let id = id.clone();
        self.write(move |db| {
            Ok(db
                .run(sql::PROJECT_ENSURE, params![id.0, now.0])
                .map(drop)?)
        })
        .await
    }

    async fn set_profile_config(
        &self,
        id: &ProjectId,
        text: &str,
        now: Timestamp,
    ) -> StoreResult<bool> {
        let (id, text) = (id.clone(), text.to_owned());
        self.write(move |db| Ok(db.run(sql::PROJECT_CONFIG, params![text, now.0, id.0])? > 0))
            .await
    }

    async fn usage(&self, id: &ProjectId, since_day: &str) -> StoreResult<Vec<UsageRow>> {
        let (id, since_day) = (id.clone(), since_day.to_owned());
        self.read(move |db| {
            db.list(sql::USAGE, params![id.0, since_day], |row| {
                Ok(UsageRow {
                    day: row.get(0)?,
                    call: row.get(1)?,
                    calls: rows::number(row, 2)?,
                    prompt_tokens: rows::number(row, 3)?,
                    completion_tokens: rows::number(row, 4)?,
                })
            })
        })
        .await
    }
}

/// Books what models took.
pub(super) fn book_usage(
    db: &Connection,
    owner: &UserKey,
    usage: &[Usage],
    now: Timestamp,
) -> Work<()> {
    for entry in usage {
        let tokens = (count(entry.prompt_tokens), count(entry.completion_tokens));
        book(
            db,
            owner,
            entry.call.as_str(),
            i64::from(entry.calls),
            tokens,
            now,
        )?;
    }
    Ok(())
}

/// Books stored sources.
pub(super) fn book_inserts(
    db: &Connection,
    owner: &UserKey,
    sources: usize,
    now: Timestamp,
) -> Work<()> {
    book(db, owner, "insert", count(sources), (0, 0), now)
}

fn book(
    db: &Connection,
    owner: &UserKey,
    call: &str,
    calls: i64,
    tokens: (i64, i64),
    now: Timestamp,
) -> Work<()> {
    let values = params![
        owner.project.0,
        owner.user.as_bytes(),
        day(now),
        call,
        calls,
        tokens.0,
        tokens.1
    ];
    db.run(sql::USAGE_ADD, values)?;
    Ok(())
}
