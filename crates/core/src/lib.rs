//! The functional core of Mneme: the words of the product as types, and everything that can be decided
//! without I/O.
//!
//! Nothing in this crate opens a file, asks the time, draws a random number, logs, or knows an async runtime.
//! Time and ids are passed in; effects are returned as values (a [`change::ChangeSet`]); what the outside must do
//! is named by the traits in [`ports`].
//!
//! The way through the house, left to right: [`source`] → [`buffer`] → [`distil`] → [`consolidate`] →
//! [`change`] → [`memory`] → [`recall`] → [`context`].

pub mod analyze;
pub mod buffer;
pub mod change;
pub mod config;
pub mod consolidate;
pub mod context;
pub mod distil;
pub mod id;
pub mod job;
pub mod limits;
pub mod memory;
pub mod ports;
pub mod recall;
pub mod redact;
pub mod source;
pub mod time;
pub mod usage;
