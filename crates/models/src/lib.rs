//! Adapters of the model ports: language models and embedders.
//!
//! Remote models speak the OpenAI-compatible protocol: [`OpenAiChat`] and [`OpenAiEmbedder`], which share one
//! [`Limiter`] for each account. Their errors name the address and the status, never a key, a prompt or an answer.
//!
//! Built in, with nothing to install and no network: the embedders [`Tiny`] and (feature `local-embedder`) `Local`, and
//! the token counter [`O200k`]. [`CachedQueries`] goes in front of any embedder.

mod address;
mod builtin;
mod cached;
mod chat_reply;
mod chunk;
mod config;
mod embed_plan;
mod embed_reply;
mod failure;
mod http;
mod limiter;
mod openai_chat;
mod openai_embed;
mod pace;
mod secret;
mod tokens;
mod vectors;

pub use config::{EmbedConfig, RemoteConfig, SetupError};
pub use limiter::{Limiter, PAUSE_MAX, Paused, Slot};
pub use openai_chat::OpenAiChat;
pub use openai_embed::OpenAiEmbedder;
pub use secret::Secret;

#[cfg(feature = "local-embedder")]
pub use builtin::{LOCAL_SPACE, Local};
pub use builtin::{TINY_SPACE, Tiny};
pub use cached::CachedQueries;
pub use tokens::O200k;
