//! Users and their erasure.

use async_trait::async_trait;
use mneme_core::id::UserKey;
use mneme_core::ports::{EraseReceipt, StoreResult, User, Users};
use mneme_core::time::Timestamp;
use rusqlite::{Connection, params};
use serde_json::Value;

use super::fault::{Fault, Work};
use super::run::Run;
use super::{SqliteStore, open, rows, upkeep};
use crate::sql;

#[async_trait]
impl Users for SqliteStore {
    async fn create_user(&self, user: &User) -> StoreResult<bool> {
        let user = user.clone();
        self.write(move |db| create(db, &user)).await
    }

    async fn user(&self, owner: &UserKey) -> StoreResult<Option<User>> {
        let owner = owner.clone();
        self.read(move |db| find(db, owner)).await
    }

    async fn set_user_fields(
        &self,
        owner: &UserKey,
        fields: Option<Value>,
        now: Timestamp,
    ) -> StoreResult<bool> {
        let owner = owner.clone();
        let fields = fields.map(|value| value.to_string());
        self.write(move |db| {
            Ok(db.run(
                sql::USER_FIELDS,
                params![fields, now.0, owner.project.0, owner.user.as_bytes()],
            )? > 0)
        })
        .await
    }

    async fn erase_user(&self, owner: &UserKey) -> StoreResult<Option<EraseReceipt>> {
        let owner = owner.clone();
        let receipt = self.write(move |db| erase(db, &owner)).await?;
        if receipt.is_some() {
            // The log and old copies still hold what the file does not.
            open::remove_copies(&self.path)?;
            self.writer.alone(upkeep::empty_wal).await?;
        }
        Ok(receipt)
    }
}

fn create(db: &Connection, user: &User) -> Work<bool> {
    let owner = &user.owner;
    if db
        .first(sql::PROJECT, params![owner.project.0], |_| Ok(()))?
        .is_none()
    {
        return Err(Fault::new(
            mneme_core::ports::StoreErrorKind::NoSuchOwner,
            "there is no such project",
        ));
    }
    let fields = user.fields.as_ref().map(Value::to_string);
    let values = params![
        owner.project.0,
        owner.user.as_bytes(),
        user.name,
        fields,
        user.created_at.0,
        user.updated_at.0
    ];
    Ok(db.run(sql::USER_INSERT, values)? > 0)
}

fn find(db: &Connection, owner: UserKey) -> Work<Option<User>> {
    let found = db.first(
        sql::USER,
        params![owner.project.0, owner.user.as_bytes()],
        |row| {
            Ok((
                row.get(0)?,
                rows::json_or_none(row, 1)?,
                rows::time(row, 2)?,
                rows::time(row, 3)?,
            ))
        },
    )?;
    Ok(found.map(|(name, fields, created_at, updated_at)| User {
        owner,
        name,
        fields,
        created_at,
        updated_at,
    }))
}

/// Whether the user is there; a write for somebody who is not is refused.
pub(super) fn require(db: &Connection, owner: &UserKey) -> Work<i64> {
    db.first(
        sql::USER_VERSION,
        params![owner.project.0, owner.user.as_bytes()],
        |row| row.get(0),
    )?
    .ok_or_else(Fault::no_such_user)
}

/// Asks the schema which tables hold something of a user, so that a table that is added later is not left out.
fn erase(db: &Connection, owner: &UserKey) -> Work<Option<EraseReceipt>> {
    if db
        .first(
            sql::USER_VERSION,
            params![owner.project.0, owner.user.as_bytes()],
            |_| Ok(()),
        )?
        .is_none()
    {
        return Ok(None);
    }
    let mut receipt = EraseReceipt::default();
    for table in owned_tables(db)? {
        // The name comes from the schema, and the schema from our own migrations.
        let text = format!("DELETE FROM \"{table}\" WHERE project_id = ?1 AND user_id = ?2");
        let removed = db.execute(&text, params![owner.project.0, owner.user.as_bytes()])?;
        if removed > 0 {
            receipt.rows.insert(table, removed as u64);
        }
    }
    Ok(Some(receipt))
}

/// Tables with the two columns of an owner.
pub(super) fn owned_tables(db: &Connection) -> Work<Vec<String>> {
    let text = "SELECT t.name FROM sqlite_schema t WHERE t.type = 'table' \
        AND EXISTS (SELECT 1 FROM pragma_table_info(t.name) WHERE name = 'project_id') \
        AND EXISTS (SELECT 1 FROM pragma_table_info(t.name) WHERE name = 'user_id') ORDER BY t.name";
    db.list(text, [], |row| row.get(0))
}
