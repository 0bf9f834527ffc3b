//! Cached statements in one line each.

use rusqlite::{Connection, OptionalExtension, Params, Row};

use super::fault::Work;

/// Runs statement text on a connection; the statement is prepared once and kept.
pub(crate) trait Run {
    /// Changes rows; how many.
    fn run(&self, text: &str, params: impl Params) -> rusqlite::Result<usize>;
    /// The first row, if there is one. Rows of `RETURNING` beyond the first are carried out too.
    fn first<T>(
        &self,
        text: &str,
        params: impl Params,
        map: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Work<Option<T>>;
    /// All rows.
    fn list<T>(
        &self,
        text: &str,
        params: impl Params,
        map: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Work<Vec<T>>;
}

impl Run for Connection {
    fn run(&self, text: &str, params: impl Params) -> rusqlite::Result<usize> {
        self.prepare_cached(text)?.execute(params)
    }

    fn first<T>(
        &self,
        text: &str,
        params: impl Params,
        map: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Work<Option<T>> {
        Ok(self
            .prepare_cached(text)?
            .query_row(params, map)
            .optional()?)
    }

    fn list<T>(
        &self,
        text: &str,
        params: impl Params,
        map: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Work<Vec<T>> {
        Ok(self
            .prepare_cached(text)?
            .query_map(params, map)?
            .collect::<rusqlite::Result<Vec<T>>>()?)
    }
}
