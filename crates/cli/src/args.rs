//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Long-term memory for LLM applications. Without a command it serves.
#[derive(Debug, Parser)]
#[command(name = "mneme", version, about)]
pub(crate) struct Args {
    /// The folder where everything is kept [env: MNEME_DATA] [default: ./mneme-data].
    #[arg(long, global = true)]
    pub(crate) data: Option<PathBuf>,
    /// Where memory lives: `sqlite`, a file in the folder, or a database that servers share, `postgres://…`. Passwords
    /// belong into the variable, as others see command lines [env: MNEME_STORE] [default: sqlite].
    #[arg(long, global = true)]
    pub(crate) store: Option<String>,
    /// A YAML file with settings; keys are the names of the MNEME_ variables in lower case, without MNEME_
    /// [env: MNEME_CONFIG].
    #[arg(long, global = true)]
    pub(crate) config: Option<PathBuf>,
    /// Print JSON instead of text.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the HTTP API (the default).
    Serve(ServeArgs),
    /// Take conversations in from a file.
    Import(ImportArgs),
    /// Print what goes into a prompt.
    Context(ContextArgs),
    /// Print a user's profile.
    Profile(ProfileArgs),
    /// Find memories.
    Recall(RecallArgs),
    /// List background jobs, or replay a dead one.
    Jobs(JobsArgs),
    /// Print what models were asked and what was taken in, by day.
    Usage(UsageArgs),
    /// Forget a user totally.
    Forget(ForgetArgs),
}

impl Default for Command {
    fn default() -> Self {
        Self::Serve(ServeArgs {
            listen: None,
            token: None,
        })
    }
}

/// `mneme serve`
#[derive(Debug, clap::Args)]
pub(crate) struct ServeArgs {
    /// Address and port; port 0 takes a free one [env: MNEME_LISTEN] [default: 127.0.0.1:8019].
    #[arg(long)]
    pub(crate) listen: Option<String>,
    /// The token that opens the server; without one, a token is made and kept in the data folder [env: MNEME_TOKEN].
    #[arg(long)]
    pub(crate) token: Option<String>,
}

/// `mneme import`
#[derive(Debug, clap::Args)]
pub(crate) struct ImportArgs {
    /// A chat transcript: JSON messages, lines `[time] name: text`, or LoCoMo's JSON.
    pub(crate) file: PathBuf,
    /// Whose memory it is: an id or any name.
    #[arg(long)]
    pub(crate) user: String,
    /// Which conversation, where the file has several.
    #[arg(long)]
    pub(crate) conversation: Option<String>,
    /// The speaker who is the user, where the file has names. By default the one that --user names, else the first.
    #[arg(long)]
    pub(crate) speaker: Option<String>,
}

/// `mneme context`
#[derive(Debug, clap::Args)]
pub(crate) struct ContextArgs {
    /// Whose memory.
    #[arg(long)]
    pub(crate) user: String,
    /// What it is about; without it the newest memories.
    #[arg(long)]
    pub(crate) query: Option<String>,
    /// Tokens in all.
    #[arg(long, default_value_t = 1000)]
    pub(crate) tokens: i64,
}

/// `mneme profile`
#[derive(Debug, clap::Args)]
pub(crate) struct ProfileArgs {
    /// Whose profile.
    #[arg(long)]
    pub(crate) user: String,
    /// Print earlier contents too, with when they held.
    #[arg(long)]
    pub(crate) history: bool,
}

/// `mneme recall`
#[derive(Debug, clap::Args)]
pub(crate) struct RecallArgs {
    /// The question.
    pub(crate) query: String,
    /// Whose memory.
    #[arg(long)]
    pub(crate) user: String,
    /// Memories at most.
    #[arg(long, default_value_t = 10)]
    pub(crate) limit: usize,
    /// Only memories with at least this score, 0 to 1.
    #[arg(long, default_value_t = mneme_core::recall::fuse::FLOOR_DEFAULT)]
    pub(crate) floor: f32,
}

/// `mneme jobs`
#[derive(Debug, clap::Args)]
pub(crate) struct JobsArgs {
    /// Only in this state: queued, running, done, partial, superseded, dead.
    #[arg(long)]
    pub(crate) state: Option<String>,
    /// Make this dead job due again.
    #[arg(long)]
    pub(crate) replay: Option<String>,
}

/// `mneme usage`
#[derive(Debug, clap::Args)]
pub(crate) struct UsageArgs {
    /// Days, today included.
    #[arg(long, default_value_t = 30)]
    pub(crate) days: u16,
}

/// `mneme forget`
#[derive(Debug, clap::Args)]
pub(crate) struct ForgetArgs {
    /// Whom to forget.
    #[arg(long)]
    pub(crate) user: String,
    /// Do not ask.
    #[arg(long)]
    pub(crate) yes: bool,
}
