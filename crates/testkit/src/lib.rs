//! What tests of Mneme share: a scripted model server, an embedder without a model, a clock and ids that are set by
//! hand, and a real server as a child process that can be killed.
//!
//! Nothing here ships. Helpers panic with a message when the machine does not let them work (no loopback port), since
//! a test has nothing better to do then.

mod child;
mod clock;
mod embedder;
pub mod fake;
mod http;
mod ids;
#[cfg(unix)]
mod postgres;
pub mod words;

pub use child::{ChildError, ChildServer, Launch};
pub use clock::ManualClock;
pub use embedder::HashEmbedder;
pub use fake::{Answer, Canned, Config, FakeLlm, Step};
pub use http::{HttpAnswer, request};
pub use ids::SeededIds;
#[cfg(unix)]
pub use postgres::TempPostgres;
