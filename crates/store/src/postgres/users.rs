//! Users and their erasure.

use async_trait::async_trait;
use mneme_core::id::UserKey;
use mneme_core::ports::{EraseReceipt, StoreErrorKind, StoreResult, User, Users};
use mneme_core::time::Timestamp;
use serde_json::Value;

use super::bind::params;
use super::fault::{Fault, Work};
use super::pool::{look, transact};
use super::run::Db;
use super::{PostgresStore, rows, text};
use crate::sql;

#[async_trait]
impl Users for PostgresStore {
    async fn create_user(&self, user: &User) -> StoreResult<bool> {
        transact!(self, db => create(db, user).await)
    }

    async fn user(&self, owner: &UserKey) -> StoreResult<Option<User>> {
        look!(self, db => find(db, owner).await)
    }

    async fn set_user_fields(
        &self,
        owner: &UserKey,
        fields: Option<Value>,
        now: Timestamp,
    ) -> StoreResult<bool> {
        let fields = fields.map(|value| value.to_string());
        transact!(self, db => {
            let values = params![&fields, now, &owner.project, owner.user];
            Ok(db.run(sql::USER_FIELDS, values).await? > 0)
        })
    }

    async fn erase_user(&self, owner: &UserKey) -> StoreResult<Option<EraseReceipt>> {
        transact!(self, db => erase(db, owner).await)
    }
}

async fn create(db: &Db, user: &User) -> Work<bool> {
    let owner = &user.owner;
    if !db.exists(sql::PROJECT, params![&owner.project]).await? {
        return Err(Fault::new(
            StoreErrorKind::NoSuchOwner,
            "there is no such project",
        ));
    }
    let fields = user.fields.as_ref().map(Value::to_string);
    let values = params![
        &owner.project,
        owner.user,
        &user.name,
        fields,
        user.created_at,
        user.updated_at
    ];
    Ok(db.run(sql::USER_INSERT, values).await? > 0)
}

async fn find(db: &Db, owner: &UserKey) -> Work<Option<User>> {
    let key = params![&owner.project, owner.user];
    db.first(sql::USER, key, |row| {
        Ok(User {
            owner: owner.clone(),
            name: rows::text_or_none(row, 0)?,
            fields: rows::json_or_none(row, 1)?,
            created_at: rows::time(row, 2)?,
            updated_at: rows::time(row, 3)?,
        })
    })
    .await
}

/// Locks the user against all other writers until the transaction ends; the user's version, or `None` for nobody.
pub(super) async fn lock(db: &Db, owner: &UserKey) -> Work<Option<i64>> {
    let key = params![&owner.project, owner.user];
    db.first(text::USER_LOCK, key, |row| rows::int(row, 0))
        .await
}

/// Locks the user; a write for somebody who is not there is refused.
pub(super) async fn require(db: &Db, owner: &UserKey) -> Work<i64> {
    lock(db, owner).await?.ok_or_else(Fault::no_such_user)
}

/// Asks the schema which tables hold something of a user, so that a table that is added later is not left out.
async fn erase(db: &Db, owner: &UserKey) -> Work<Option<EraseReceipt>> {
    if lock(db, owner).await?.is_none() {
        return Ok(None);
    }
    let mut receipt = EraseReceipt::default();
    let tables: Vec<String> = db
        .list(text::OWNED_TABLES, params![], |row| rows::text(row, 0))
        .await?;
    for table in tables {
        // The name comes from the schema, and the schema from our own migrations.
        let text = format!("DELETE FROM \"{table}\" WHERE project_id = $1 AND user_id = $2");
        let removed = db.run(&text, params![&owner.project, owner.user]).await?;
        if removed > 0 {
            receipt.rows.insert(table, removed);
        }
    }
    Ok(Some(receipt))
}
