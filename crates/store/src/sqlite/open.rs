//! Opening: the lock, the settings of the file and of each connection, and the schema.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mneme_core::ports::{StoreError, StoreErrorKind, StoreResult};
use rusqlite::{Connection, params};

use super::fault::{Fault, Work};
use super::lock::{ProcessLock, beside};
use crate::migrate::{Applied, LEDGER, Migration, pending};

/// Page caches are small: the system caches the file anyway, and a commit empties the caches of all readers.
pub(super) const READER_CACHE_KIB: i64 = 2048;
const WRITER_CACHE_KIB: i64 = 8192;
/// Whole vectors of usual dimensions fit into a page this large without overflow pages.
const PAGE_BYTES: i64 = 16_384;
const STATEMENTS_CACHED: usize = 128;
/// Endings of the copies that are made before an existing database is migrated: this and the version it had.
const COPY_ENDING: &str = ".before-";
/// Marks the file as ours ("MNEM").
const APPLICATION_ID: i64 = 0x4d4e_454d;

/// When a commit counts as durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Synchronous {
    /// When the disk says so: an answered write survives a power cut.
    #[default]
    Full,
    /// When the system has it: an answered write survives a crash of the process, the last ones not a power cut.
    Normal,
}

/// How to open a [`super::SqliteStore`].
#[derive(Debug, Clone)]
pub struct SqliteOptions {
    /// The database file; its folder is made when it is missing.
    pub path: PathBuf,
    /// When a commit counts as durable.
    pub synchronous: Synchronous,
    /// Most reads at the same time, 1 to 256.
    pub readers: usize,
}

impl SqliteOptions {
    /// The defaults: fully durable, four readers.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            synchronous: Synchronous::Full,
            readers: 4,
        }
    }
}

/// Locks, opens, sets up and migrates: everything before the writing thread starts.
pub(super) fn open(
    options: &SqliteOptions,
    known: &[Migration],
) -> StoreResult<(Connection, ProcessLock)> {
    let path = &options.path;
    if let Some(folder) = path.parent() {
        private_folder(folder).map_err(|error| {
            unusable(format!(
                "cannot make the folder {}: {error}",
                folder.display()
            ))
        })?;
    }
    let lock = ProcessLock::take(path)?;
    let connection = connect(options, known).map_err(|Fault(error)| error)?;
    Ok((connection, lock))
}

/// Makes the folder for its owner alone; one that is there stays as it is.
fn private_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn connect(options: &SqliteOptions, known: &[Migration]) -> Work<Connection> {
    let connection = Connection::open(&options.path)?;
    // Before anything is changed: is it ours at all?
    let applied = applied(&connection)?;
    let left = pending(known, &applied)?;
    set_up(&connection, options)?;
    if let Some(last) = applied.last().filter(|_| !left.is_empty()) {
        copy_aside(&connection, &options.path, last.version)?;
    }
    migrate(&connection, left)?;
    end_leases(&connection)?;
    Ok(connection)
}

/// Nobody else can be at work on this file, as the lock says: leases of a process that died need not run out first.
fn end_leases(connection: &Connection) -> Work<()> {
    connection.execute("UPDATE job SET lease_until = 0 WHERE state = 'running'", [])?;
    Ok(())
}

fn set_up(connection: &Connection, options: &SqliteOptions) -> Work<()> {
    // Takes effect only before the first page is written.
    connection.pragma_update(None, "page_size", PAGE_BYTES)?;
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if !mode.eq_ignore_ascii_case("wal") {
        return Err(Fault::new(
            StoreErrorKind::Unusable,
            "the file system of the database cannot do write-ahead logging",
        ));
    }
    let synchronous = match options.synchronous {
        Synchronous::Full => "FULL",
        Synchronous::Normal => "NORMAL",
    };
    connection.pragma_update(None, "synchronous", synchronous)?;
    tune(connection, WRITER_CACHE_KIB)?;
    // What is deleted is overwritten, so that forgotten words cannot be read from the file.
    let _: i64 = connection.query_row("PRAGMA secure_delete = ON", [], |row| row.get(0))?;
    connection.pragma_update(None, "journal_size_limit", 16 * 1024 * 1024)?;
    Ok(())
}

/// What every connection gets.
pub(super) fn tune(connection: &Connection, cache_kib: i64) -> Work<()> {
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.pragma_update(None, "cache_size", -cache_kib)?;
    // Sorted text never goes to a temporary file outside of our folder.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_CACHED);
    Ok(())
}

/// One transaction for each file.
fn migrate(db: &Connection, left: &[Migration]) -> Work<()> {
    for migration in left {
        let transaction = db.unchecked_transaction()?;
        transaction.execute_batch(LEDGER)?;
        transaction.execute_batch(migration.sql)?;
        transaction.execute(
            "INSERT INTO schema_migrations (version, name, sha256, applied_at) \
             VALUES (?1, ?2, ?3, CAST(unixepoch('subsec') * 1000000 AS INTEGER))",
            params![migration.version, migration.name, migration.checksum()],
        )?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.commit()?;
    }
    Ok(())
}

/// What the database has behind it; nothing for a new file. A file of somebody else is refused.
fn applied(db: &Connection) -> Work<Vec<Applied>> {
    let tables: i64 = db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables == 0 {
        return Ok(Vec::new());
    }
    let ledger: i64 = db.query_row(
        "SELECT count(*) FROM sqlite_schema WHERE name = 'schema_migrations'",
        [],
        |row| row.get(0),
    )?;
    let id: i64 = db.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    if ledger == 0 || id != APPLICATION_ID {
        return Err(Fault::new(
            StoreErrorKind::Unusable,
            "the file is a database of another program",
        ));
    }
    let mut statement =
        db.prepare("SELECT version, sha256 FROM schema_migrations ORDER BY version")?;
    let rows = statement.query_map([], |row| {
        Ok(Applied {
            version: row.get(0)?,
            checksum: row.get(1)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Copies the database before it is changed, so that an older release can go on with the copy.
fn copy_aside(db: &Connection, path: &Path, version: i64) -> Work<()> {
    if !super::upkeep::truncate_wal(db)? {
        return Err(Fault::new(
            StoreErrorKind::Unusable,
            "the database is in use and cannot be copied before it is migrated",
        ));
    }
    let copy = beside(
        path,
        &format!("{COPY_ENDING}{:04}", version.saturating_add(1)),
    );
    let copied = fs::copy(path, &copy).and_then(|_| fs::File::open(&copy)?.sync_all());
    copied.map_err(|error| {
        Fault::from(unusable(format!(
            "cannot copy the database to {}: {error}",
            copy.display()
        )))
    })
}

/// Removes the copies made before migrations. An erase does this, because they hold what it erases.
pub(super) fn remove_copies(path: &Path) -> StoreResult<()> {
    let failed = |error: std::io::Error| {
        unusable(format!(
            "cannot remove an old copy of the database: {error}"
        ))
    };
    let Some(folder) = path.parent() else {
        return Ok(());
    };
    let start = beside(path, COPY_ENDING);
    let Some(start) = start.file_name().and_then(|name| name.to_str()) else {
        return Ok(());
    };
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry
            .file_name()
            .to_str()
            .is_some_and(|name| name.starts_with(start))
        {
            fs::remove_file(entry.path()).map_err(failed)?;
        }
    }
    Ok(())
}

fn unusable(message: String) -> StoreError {
    StoreError::new(StoreErrorKind::Unusable, message)
}
