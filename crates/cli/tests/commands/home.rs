//! A folder of one test, and the binary run in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use mneme_testkit::{ChildServer, HttpAnswer};
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_mneme");
/// Longest run of a command.
const PATIENCE: Duration = Duration::from_secs(120);

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// The standard output of a command that succeeded.
    #[track_caller]
    pub(crate) fn text(&self) -> &str {
        assert_eq!(self.code, Some(0), "{self:?}");
        &self.stdout
    }

    /// The single JSON value that a command printed which succeeded.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(self.text())
            .unwrap_or_else(|error| panic!("no JSON ({error}): {self:?}"))
    }

    /// The message of a command that was refused in the regular way: exit code 1, nothing on standard output, the
    /// reason as the last line on standard error, behind what was logged.
    #[track_caller]
    pub(crate) fn refusal(&self) -> &str {
        assert_eq!((self.code, self.stdout.as_str()), (Some(1), ""), "{self:?}");
        assert!(!self.stderr.contains("panicked"), "{self:?}");
        let reason = self
            .stderr
            .lines()
            .last()
            .and_then(|line| line.strip_prefix("error: "));
        reason.unwrap_or_else(|| panic!("no reason: {self:?}"))
    }
}

/// A folder with a data folder and other files in it.
pub(crate) struct Home {
    folder: TempDir,
    variables: Vec<(String, String)>,
}

impl Home {
    /// With the small embedder and nothing else configured.
    pub(crate) fn new() -> Self {
        let folder = TempDir::with_prefix("mneme-test-").expect("a folder");
        Self {
            folder,
            variables: Vec::new(),
        }
        .with("MNEME_EMBEDDER", "tiny")
    }

    /// One more environment variable for all runs.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Writes a file beside the data folder.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder.path().join(name);
        fs::write(&path, text).expect("written");
        path.display().to_string()
    }

    /// `mneme --data DATA ARGUMENTS...`, to its end.
    pub(crate) async fn run(&self, arguments: &[&str]) -> Ended {
        run_over(&self.data(), arguments, &self.variables).await
    }

    /// `mneme --data DATA ARGUMENTS...`, left running as soon as it says that it serves.
    pub(crate) async fn serve(&self, arguments: &[&str]) -> Serving {
        let mut child = command(&self.data(), arguments, &self.variables)
            .spawn()
            .expect("starts");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let mut text = String::new();
        let told = async {
            while let Some(line) = lines.next_line().await.expect("readable") {
                text.push_str(&line);
                text.push('\n');
                if line.is_empty() {
                    break;
                }
            }
        };
        timeout(PATIENCE, told).await.expect("it speaks in time");
        Serving { child, text }
    }
}

/// `mneme --data DATA ARGUMENTS...` with these variables, to its end.
pub(crate) async fn run_over(
    data: &Path,
    arguments: &[&str],
    variables: &[(String, String)],
) -> Ended {
    let output = timeout(PATIENCE, command(data, arguments, variables).output())
        .await
        .expect("it ends in time")
        .expect("it starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Ended {
        code: output.status.code(),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

fn command(data: &Path, arguments: &[&str], variables: &[(String, String)]) -> Command {
    let mut command = Command::new(BINARY);
    for (name, _) in
        std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("MNEME_"))
    {
        command.env_remove(name);
    }
    command
        .arg("--data")
        .arg(data)
        .args(arguments)
        .envs(variables.iter().map(|(name, value)| (name, value)));
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

/// A server that was started for people to read; killed when dropped.
pub(crate) struct Serving {
    pub(crate) child: Child,
    /// Its first words, up to the first empty line.
    pub(crate) text: String,
}

impl Serving {
    /// The value behind a label.
    #[track_caller]
    pub(crate) fn told(&self, label: &str) -> &str {
        let line = self
            .text
            .lines()
            .find_map(|line| line.trim().strip_prefix(label));
        line.unwrap_or_else(|| panic!("no {label} in {}", self.text))
            .trim()
    }
}

/// The data of an answer that is fine.
#[track_caller]
pub(crate) fn data_of(answer: &HttpAnswer) -> Value {
    let json = answer.json();
    assert!(answer.status == 200 && json["errno"] == 0, "{answer:?}");
    json["data"].clone()
}

/// Asks and returns the data of the answer, which must be fine.
pub(crate) async fn ask(
    server: &ChildServer,
    method: &str,
    path: &str,
    body: Option<&Value>,
) -> Value {
    data_of(&server.request(method, path, body).await.expect("an answer"))
}

/// The body of an insert of one message of the user.
pub(crate) fn said(text: &str) -> Value {
    serde_json::json!({"blob_type": "chat", "blob_data": {"messages": [{"role": "user", "content": text}]}})
}
