//! Embedders that live in the binary: no network, no key, no file to install.

#[cfg(feature = "local-embedder")]
mod local;
mod pieces;
#[cfg(feature = "local-embedder")]
mod pool;
mod tiny;
#[cfg(test)]
mod tokenizer_tests;
#[cfg(feature = "local-embedder")]
mod unigram;
mod unit;
mod word_piece;

#[cfg(feature = "local-embedder")]
pub use local::{LOCAL_SPACE, Local};
pub use tiny::{TINY_SPACE, Tiny};

/// The compiled byte map of o200k shares the reader of the vocabularies.
pub(crate) use pieces::Pieces;
