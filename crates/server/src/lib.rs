//! The HTTP face of Mneme.
//!
//! A dialect translates: it reads a request into the engine's words, calls one verb, and writes the answer in the
//! shape that its clients know. It decides nothing about memory. So far there is one dialect, Memobase's
//! (`/api/v1/*`): its main routes, as the unmodified official SDKs speak them.
//!
//! ```text
//! serve ─► app (router, layers) ─► auth ─► call (path, query, body) ─► memobase/* ─► engine
//!                                                                        │
//!                                             envelope, error ◄──────────┘
//! ```

mod app;
mod auth;
mod body;
mod call;
mod coerce;
mod datetime;
mod envelope;
mod error;
mod memobase;
mod query;
mod repair;
mod serve;
mod uuid_param;
mod validation;

pub use app::{AppState, Limits, router};
pub use auth::Token;
pub use serve::serve;
