//! Stores: where sources, jobs and memories live.
//!
//! [`SqliteStore`] keeps everything in one file of one folder and needs nothing installed. [`PostgresStore`] keeps it in
//! a database that any number of servers share. What a store means is said
//! by the traits in [`mneme_core::ports`]; that it does so is checked by the suite in `conformance`, which is a library
//! of its own (feature `conformance`) and runs against any implementation.

mod migrate;
mod postgres;
mod sql;
mod sqlite;

#[cfg(feature = "conformance")]
pub mod conformance;

pub use postgres::{PostgresOptions, PostgresStore};
pub use sqlite::{SqliteOptions, SqliteStore, Synchronous, WriteStats};
