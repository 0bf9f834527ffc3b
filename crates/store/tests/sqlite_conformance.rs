//! The conformance suite on the SQLite store.

use mneme_core::ports::Store;
use mneme_store::{SqliteOptions, SqliteStore};
use tempfile::TempDir;

/// A store in a folder that goes with it.
struct Opened {
    store: SqliteStore,
    _folder: TempDir,
}

impl Opened {
    fn store(&self) -> &dyn Store {
        &self.store
    }
}

async fn open() -> Opened {
    let folder = tempfile::tempdir().expect("a folder");
    let store =
        SqliteStore::open(&SqliteOptions::new(folder.path().join("mneme.db"))).expect("opens");
    Opened {
        store,
        _folder: folder,
    }
}

mneme_store::conformance_suite!(open);
