//! `mneme`: long-term memory for LLM applications, in one binary.
//!
//! This crate holds arguments, configuration and wiring, and nothing else: every command calls the engine's verbs.

mod args;
mod commands;
mod settings;
mod token;
mod transcript;
mod wire;

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};

#[expect(
    clippy::print_stderr,
    reason = "the last word of a command-line program"
)]
fn main() -> ExitCode {
    let args = Args::parse();
    match run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: Args) -> anyhow::Result<()> {
    let serving = matches!(args.command, None | Some(Command::Serve(_)));
    start_log(serving);
    let settings = settings::load(&args)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_keep_alive(std::time::Duration::from_secs(5))
        .build()?;
    runtime.block_on(async move {
        match args.command.unwrap_or_default() {
            Command::Serve(serve) => commands::serve::run(&settings, &serve, args.json).await,
            Command::Import(import) => commands::import::run(&settings, &import, args.json).await,
            Command::Context(context) => {
                commands::read::context(&settings, &context, args.json).await
            }
            Command::Profile(profile) => {
                commands::read::profile(&settings, &profile, args.json).await
            }
            Command::Recall(recall) => commands::read::recall(&settings, &recall, args.json).await,
            Command::Jobs(jobs) => commands::jobs::run(&settings, &jobs, args.json).await,
            Command::Usage(usage) => commands::jobs::usage(&settings, &usage, args.json).await,
            Command::Forget(forget) => commands::read::forget(&settings, &forget, args.json).await,
        }
    })
}

/// Logs go to standard error; `MNEME_LOG` sets the level, `MNEME_LOG_FORMAT=json` the form. Colours are for terminals.
fn start_log(serving: bool) {
    let default = if serving { "info" } else { "warn" };
    let filter = tracing_subscriber::EnvFilter::try_from_env("MNEME_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(default));
    let colours = std::io::stderr().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(colours)
        .with_writer(std::io::stderr);
    if std::env::var("MNEME_LOG_FORMAT").is_ok_and(|form| form == "json") {
        builder.json().init();
    } else {
        builder.with_target(false).init();
    }
}
