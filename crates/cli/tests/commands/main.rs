//! The binary as a user meets it: its commands, its settings, and how it starts, stops and refuses.

mod home;
mod import;
mod read;
mod secrets;
mod serve;
mod settings;
mod sockets;
mod whole;
