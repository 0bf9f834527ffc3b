//! The Memobase dialect over the real engine. The files mirror the paths.

#![expect(
    clippy::unwrap_used,
    reason = "a test has nothing better to do than to fail"
)]

mod app;
mod blobs;
mod buffer;
mod context;
mod events;
mod profiles;
mod project;
mod surface;
mod users;
