//! Which migrations a database still needs, and whether we may touch it at all.
//!
//! Migrations are numbered files that are compiled in. A file never changes after a release: what was applied is kept
//! with its checksum, and a difference is refused rather than guessed about.

use mneme_core::ports::{StoreError, StoreErrorKind, StoreResult};
use sha2::{Digest, Sha256};

/// One step of the schema.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Migration {
    /// Its number, counted from 1 without gaps.
    pub(crate) version: i64,
    /// The file's name without its ending.
    pub(crate) name: &'static str,
    /// The statements.
    pub(crate) sql: &'static str,
}

impl Migration {
    /// SHA-256 of the text in hexadecimal; line endings do not count.
    pub(crate) fn checksum(&self) -> String {
        Sha256::digest(self.sql.replace("\r\n", "\n").as_bytes())
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

/// A migration that a database has behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Applied {
    /// Its number.
    pub(crate) version: i64,
    /// The checksum of the text that was applied.
    pub(crate) checksum: String,
}

/// The migrations of the SQLite store, in order.
pub(crate) const SQLITE: &[Migration] = &[Migration {
    version: 1,
    name: "0001_start",
    sql: include_str!("../migrations/sqlite/0001_start.sql"),
}];

/// The migrations of the PostgreSQL store, in order.
pub(crate) const POSTGRES: &[Migration] = &[Migration {
    version: 1,
    name: "0001_start",
    sql: include_str!("../migrations/postgres/0001_start.sql"),
}];

/// The table that remembers what was applied; made before the first migration.
pub(crate) const LEDGER: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (\
    version INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL)";

/// The same table in PostgreSQL, where an `INTEGER` has no room for a moment.
pub(crate) const POSTGRES_LEDGER: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (\
    version BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at BIGINT NOT NULL)";

/// What is left to apply. Fails with `Unusable` when the database is newer than we are, or was made by other texts.
pub(crate) fn pending<'a>(
    known: &'a [Migration],
    applied: &[Applied],
) -> StoreResult<&'a [Migration]> {
    for (place, done) in applied.iter().enumerate() {
        let Some(ours) = known.get(place) else {
            return Err(unusable(format!(
                "the database has schema version {}, this program knows only up to {}; use a newer release",
                applied.last().map_or(done.version, |last| last.version),
                known.last().map_or(0, |last| last.version)
            )));
        };
        if done.version != ours.version || done.checksum != ours.checksum() {
            return Err(unusable(format!(
                "schema version {} of the database was not made by migration {} of this program",
                done.version, ours.name
            )));
        }
    }
    Ok(known.get(applied.len()..).unwrap_or_default())
}

fn unusable(message: String) -> StoreError {
    StoreError::new(StoreErrorKind::Unusable, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: &[Migration] = &[
        Migration {
            version: 1,
            name: "0001_a",
            sql: "one",
        },
        Migration {
            version: 2,
            name: "0002_b",
            sql: "two",
        },
    ];

    fn done(steps: &[Migration]) -> Vec<Applied> {
        steps
            .iter()
            .map(|step| Applied {
                version: step.version,
                checksum: step.checksum(),
            })
            .collect()
    }

    #[test]
    fn only_what_is_missing_is_left() {
        for count in 0..=2 {
            let left = pending(STEPS, &done(&STEPS[..count])).unwrap();
            assert_eq!(
                left.iter().map(|step| step.version).collect::<Vec<_>>(),
                (count as i64 + 1..=2).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn newer_databases_and_changed_texts_are_refused() {
        let newer = pending(&STEPS[..1], &done(STEPS)).unwrap_err();
        assert_eq!(newer.kind, StoreErrorKind::Unusable);
        assert!(
            newer.message.contains("version 2") && newer.message.contains("up to 1"),
            "{newer}"
        );

        let mut drifted = done(STEPS);
        drifted[1].checksum = "0".repeat(64);
        let drift = pending(STEPS, &drifted).unwrap_err();
        assert_eq!(drift.kind, StoreErrorKind::Unusable);
        assert!(drift.message.contains("0002_b"), "{drift}");

        let gap = vec![done(STEPS)[1].clone()];
        assert_eq!(
            pending(STEPS, &gap).unwrap_err().kind,
            StoreErrorKind::Unusable
        );
    }

    #[test]
    fn numbers_have_no_gaps_and_line_endings_do_not_count() {
        for steps in [SQLITE, POSTGRES] {
            for (place, step) in steps.iter().enumerate() {
                assert_eq!(step.version, place as i64 + 1);
                assert!(step.name.starts_with(&format!("{:04}_", step.version)));
            }
        }
        let unix = Migration {
            version: 1,
            name: "",
            sql: "a\nb",
        };
        let windows = Migration {
            version: 1,
            name: "",
            sql: "a\r\nb",
        };
        assert_eq!(unix.checksum(), windows.checksum());
    }
}
