//! The engine over a real database and a scripted model server: what callers may rely on.

#![expect(
    clippy::unwrap_used,
    reason = "a test has nothing better to do than to fail"
)]

mod common;
mod concurrency;
mod context;
mod edits;
mod embedding;
mod failures;
mod flushing;
mod model;
mod retries;
mod rules;
mod secrets;
mod shutdown;
mod times;
mod usage;
mod windows;
