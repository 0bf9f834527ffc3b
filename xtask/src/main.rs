//! Chores of this repository: `cargo xtask test` provisions what the tests need and runs all of them;
//! `cargo xtask --help` lists the rest.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool talks to its terminal"
)]

mod bench;
mod deps;
#[cfg(test)]
mod hygiene;
mod process;
mod provision;
mod report;
mod sizes;
mod suites;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::suites::Only;

/// Chores of the Mneme repository.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Provision what is missing, then run every test.
    Test {
        /// Run one suite only.
        #[arg(long, value_enum)]
        only: Option<Only>,
        /// Run only tests whose name contains this.
        filter: Option<String>,
    },
    /// Fetch what the tests need into `.provision/`; nothing happens when it is there already.
    Provision,
    /// Formatting, lints and documentation, every warning an error.
    Check,
    /// Check which crate depends on which.
    Deps,
    /// List long source files; fail on those over the cap.
    Sizes,
    /// Measure a release build.
    #[command(subcommand)]
    Bench(bench::Bench),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().chore {
        Chore::Test { only, filter } => Ok(suites::test(only, filter.as_deref())),
        Chore::Provision => provision::python()
            .and_then(|_| provision::postgres())
            .map(|()| true),
        Chore::Check => Ok(suites::check()),
        Chore::Deps => deps::check().map(|()| true),
        Chore::Sizes => sizes::check().map(|()| true),
        Chore::Bench(bench) => bench::run(&bench).map(|()| true),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
