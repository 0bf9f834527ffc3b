//! Load measurements of a release build. The load itself comes from a script outside, named on the command line.

use std::env;
use std::path::PathBuf;
use std::process::{self, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use serde_json::Value;

use crate::process::Running;
use crate::workspace::{cargo, target_folder};

/// How long a server may take to say where it listens; the embedder's model is loaded meanwhile.
const START_PATIENCE: Duration = Duration::from_secs(60);
/// The token of the measured server, which listens on this machine only.
const TOKEN: &str = "bench";

/// What can be measured.
#[derive(Subcommand)]
pub(crate) enum Bench {
    /// A script that loads a Memobase API, against a fresh server with the stand-in language model.
    Memobase(Memobase),
}

/// Options of `bench memobase`.
#[derive(Args)]
pub(crate) struct Memobase {
    /// The Python script; it gets --base, --token, --fake, --proc and --scale.
    #[arg(long)]
    script: PathBuf,
    /// The share of the script's requests to send.
    #[arg(long, default_value_t = 1.0)]
    scale: f64,
    /// Where the server listens.
    #[arg(long, default_value = "127.0.0.1:0")]
    listen: String,
    /// Further processes for the script to watch, as NAME=PID.
    #[arg(long)]
    proc: Vec<String>,
    /// Further arguments for the script, after `--`.
    #[arg(last = true)]
    rest: Vec<String>,
}

/// Builds, starts both servers, runs the script, ends both servers.
pub(crate) fn run(bench: &Bench) -> Result<()> {
    let Bench::Memobase(options) = bench;
    ensure!(
        options.script.is_file(),
        "there is no script {}",
        options.script.display()
    );
    build(&["build", "--release", "-p", "mneme"])?;
    build(&[
        "build",
        "--release",
        "-p",
        "mneme-testkit",
        "--bin",
        "mneme-fake-llm",
    ])?;
    let release = target_folder()?.join("release");

    let mut fake = Running::start(
        "mneme-fake-llm",
        Command::new(release.join("mneme-fake-llm")).args(["--port", "0"]),
    )?;
    let fake_url = fake.announced(START_PATIENCE, fake_address)?;
    let data = Scratch::new()?;
    let mut server = Running::start(
        "mneme",
        &mut serve(&release.join("mneme"), &options.listen, &data.0, &fake_url),
    )?;
    let url = server.announced(START_PATIENCE, server_address)?;

    let mut script = Command::new("python3");
    script
        .arg(&options.script)
        .args(["--base", &url, "--token", TOKEN, "--fake", &fake_url]);
    script
        .arg("--proc")
        .arg(format!("server={}", server.id()))
        .arg("--proc")
        .arg(format!("fake={}", fake.id()));
    for process in &options.proc {
        script.args(["--proc", process]);
    }
    let status = script
        .arg("--scale")
        .arg(options.scale.to_string())
        .args(&options.rest)
        .status()
        .context("python3 does not start")?;
    ensure!(status.success(), "{}: {status}", options.script.display());
    Ok(())
}

fn build(arguments: &[&str]) -> Result<()> {
    let status = cargo()
        .args(arguments)
        .status()
        .context("cargo does not start")?;
    ensure!(status.success(), "cargo {}: {status}", arguments.join(" "));
    Ok(())
}

fn serve(binary: &PathBuf, listen: &str, data: &PathBuf, llm: &str) -> Command {
    let mut command = Command::new(binary);
    command
        .args([
            "serve", "--json", "--listen", listen, "--token", TOKEN, "--data",
        ])
        .arg(data);
    command
        .env("MNEME_LLM_BASE_URL", format!("{llm}/v1"))
        .env("MNEME_LLM_API_KEY", "none")
        .env("MNEME_LLM_MODEL", "fake")
        .stderr(Stdio::null());
    command
}

/// A folder that goes away with this value.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self> {
        let folder = env::temp_dir().join(format!("mneme-bench-{}", process::id()));
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("{} cannot be made", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A leftover in the system's scratch folder does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn fake_address(line: &str) -> Option<String> {
    line.strip_prefix("listening on ")
        .map(|url| url.trim().to_owned())
}

fn server_address(line: &str) -> Option<String> {
    serde_json::from_str::<Value>(line)
        .ok()?
        .get("url")?
        .as_str()
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_from_the_announcements() {
        assert_eq!(
            fake_address("listening on http://127.0.0.1:5\n").as_deref(),
            Some("http://127.0.0.1:5")
        );
        assert_eq!(
            server_address(r#"{"url": "http://127.0.0.1:6", "token": "t"}"#).as_deref(),
            Some("http://127.0.0.1:6")
        );
        assert_eq!(server_address("2026 INFO ready"), None);
    }
}
