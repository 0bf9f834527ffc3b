//! A scripted model server that speaks the OpenAI-compatible protocol on a loopback port.
//!
//! Left alone it "understands" in a fixed way what the pipeline asks ([`behaviour`]); a test can set delays and limits
//! ([`Config`]), put fixed texts ([`Canned`]) and script single answers ([`Answer`]): refusals, stalls, cut answers,
//! broken connections. Everything can be done by Rust ([`FakeLlm`]) and over HTTP (`/admin/*`).

pub mod answer;
pub mod behaviour;
mod chat;
mod config;
mod embeddings;
mod facts;
mod handle;
mod routes;
mod state;
mod stats;
mod step;

pub use answer::Answer;
pub use config::{Canned, Config};
pub use handle::FakeLlm;
pub use state::Logged;
pub use stats::{Stats, StepStats};
pub use step::Step;
