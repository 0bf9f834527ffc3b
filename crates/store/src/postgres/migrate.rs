//! Bringing the schema up to date, one server at a time.

use super::PostgresStore;
use super::bind::params;
use super::fault::{Fault, Work};
use super::pool::transact;
use super::run::Db;
use crate::migrate::{Applied, POSTGRES, POSTGRES_LEDGER, pending};
use mneme_core::ports::{StoreErrorKind, StoreResult};

/// The lock that all servers of one database share while they look what is missing, for the length of a transaction.
const LOCK: &str = "SELECT pg_advisory_xact_lock(1835887981, 0)::text";
const NO_EXTENSION: &str = "the extension pgvector is not in this database and this role may not make it; ask an \
    administrator for `CREATE EXTENSION vector`";
const NO_FILES: &str = "the database server has no pgvector; install its package there";

/// Makes what is missing.
pub(super) async fn migrate(store: &PostgresStore, schema: Option<&str>) -> StoreResult<()> {
    if let Some(schema) = schema {
        transact!(store, db => make_schema(db, schema).await.map_err(Fault::or_again))?;
    }
    transact!(store, db => make_extension(db).await.map_err(Fault::or_again))?;
    transact!(store, db => apply(db).await.map_err(Fault::or_again))
}

/// Waits until no other server is at it. A large table takes its time.
async fn take_turn(db: &Db) -> Work<()> {
    db.batch("SET LOCAL lock_timeout = '30min'").await?;
    db.rows(LOCK, params![]).await.map(drop)
}

async fn make_schema(db: &Db, schema: &str) -> Work<()> {
    take_turn(db).await?;
    let there = "SELECT 1 FROM pg_namespace WHERE nspname = $1";
    if !db.exists(there, params![schema]).await? {
        // The name was held to plain letters when the pool was made.
        db.batch(&format!("CREATE SCHEMA {schema}")).await?;
    }
    Ok(())
}

/// The extension belongs to the database, not to a schema, so servers of all schemas take turns.
async fn make_extension(db: &Db) -> Work<()> {
    // First of all, because what a session once looked for in vain it may go on not finding in this transaction.
    take_turn(db).await?;
    let there = "SELECT 1 WHERE to_regtype('vector') IS NOT NULL";
    if db.exists(there, params![]).await? {
        return Ok(());
    }
    let elsewhere = "SELECT 1 FROM pg_extension WHERE extname = 'vector'";
    if db.exists(elsewhere, params![]).await? {
        return Err(Fault::unusable(
            "the extension pgvector is in a schema that is not on the search path of this role",
        ));
    }
    let known = "SELECT 1 FROM pg_available_extensions WHERE name = 'vector'";
    if !db.exists(known, params![]).await? {
        return Err(Fault::unusable(NO_FILES));
    }
    let public = "SELECT 1 FROM pg_namespace WHERE nspname = 'public'";
    let place = if db.exists(public, params![]).await? {
        " SCHEMA public"
    } else {
        ""
    };
    let made = db.batch(&format!("CREATE EXTENSION vector{place}")).await;
    made.map_err(|fault| match fault.error.kind {
        StoreErrorKind::Unusable => Fault::unusable(NO_EXTENSION),
        _ => fault,
    })
}

async fn apply(db: &Db) -> Work<()> {
    take_turn(db).await?;
    let there = "SELECT 1 WHERE to_regclass('schema_migrations') IS NOT NULL";
    let applied = if db.exists(there, params![]).await? {
        let text = "SELECT version, sha256 FROM schema_migrations ORDER BY version";
        db.list(text, params![], |row| {
            Ok(Applied {
                version: row.try_get(0)?,
                checksum: row.try_get(1)?,
            })
        })
        .await?
    } else {
        db.batch(POSTGRES_LEDGER).await?;
        Vec::new()
    };
    for step in pending(POSTGRES, &applied)? {
        db.batch(step.sql).await?;
        let text = "INSERT INTO schema_migrations (version, name, sha256, applied_at) \
            VALUES ($1, $2, $3, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)";
        let values = params![step.version, step.name, step.checksum()];
        db.run(text, values).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Name and text of each table that the migrations make.
    fn tables() -> Vec<(&'static str, &'static str)> {
        POSTGRES
            .iter()
            .flat_map(|step| step.sql.split("CREATE TABLE ").skip(1))
            .filter_map(|rest| rest.split_once(" ("))
            .map(|(name, rest)| (name, rest.split_once("\n)").map_or(rest, |(body, _)| body)))
            .collect()
    }

    #[test]
    fn the_key_of_everything_of_a_user_begins_with_project_and_user() {
        let shared: Vec<&str> = tables()
            .into_iter()
            .filter(|(_, body)| !body.contains("PRIMARY KEY (project_id, user_id"))
            .map(|(name, _)| name)
            .collect();
        assert_eq!(shared, ["project", "vector_space", "pulse"]);
        assert!(tables().len() > 12);
    }
}
