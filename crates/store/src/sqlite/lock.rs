//! One process for each database file.
//!
//! Two servers on one file would not corrupt it, but each would believe that its writer is the only one and that its
//! leases are all there are. So the second one is told at once.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use mneme_core::ports::{StoreError, StoreErrorKind, StoreResult};

/// Held as long as the database is open; the system lets go of it when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct ProcessLock {
    _file: File,
}

impl ProcessLock {
    /// Takes the lock beside the database file, or fails with `Unusable`.
    pub(crate) fn take(database: &Path) -> StoreResult<Self> {
        let path = beside(database, ".lock");
        let folder = database
            .parent()
            .unwrap_or_else(|| Path::new("."))
            .display();
        let unusable = |reason: String| StoreError::new(StoreErrorKind::Unusable, reason);
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(|error| {
                unusable(format!(
                    "cannot open the lock file in the folder {folder}: {error}"
                ))
            })?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(unusable(format!(
                "another process uses the database in the folder {folder}"
            ))),
            Err(TryLockError::Error(error)) => Err(unusable(format!(
                "cannot lock the database in the folder {folder}: {error}"
            ))),
        }
    }
}

/// A file whose name is the database's with something after it.
pub(crate) fn beside(database: &Path, ending: &str) -> PathBuf {
    let mut name = database.file_name().unwrap_or_default().to_os_string();
    name.push(ending);
    database.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_holder_is_refused_until_the_first_lets_go() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("mneme.db");
        let first = ProcessLock::take(&database).unwrap();
        let refused = ProcessLock::take(&database).unwrap_err();
        assert_eq!(refused.kind, StoreErrorKind::Unusable);
        assert!(
            refused
                .message
                .contains(&folder.path().display().to_string()),
            "{refused}"
        );
        drop(first);
        ProcessLock::take(&database).unwrap();
    }
}
