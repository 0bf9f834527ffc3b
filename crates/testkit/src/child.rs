//! A real server as a child process: started on a free port over a temporary data folder, asked, stopped, killed, started
//! again over the same folder.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep, timeout};

use crate::http::{HttpAnswer, request};

/// Lines that may come before the one with the address.
const LINES_MAX: usize = 1_000;
/// Longest line that is read, bytes.
const LINE_BYTES_MAX: u64 = 64 * 1024;
const HEALTH_PATH: &str = "/api/v1/healthcheck";

/// Why a child could not be used.
#[derive(Debug)]
pub enum ChildError {
    /// The system refused.
    Io(io::Error),
    /// It ended before it told its address.
    Ended(Option<ExitStatus>),
    /// It did not tell its address, did not become healthy or did not end in time; says which.
    TooSlow(&'static str),
}

impl std::fmt::Display for ChildError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::Ended(Some(status)) => {
                write!(f, "the server ended before it told its address: {status}")
            }
            Self::Ended(None) => {
                f.write_str("the server closed its output before it told its address")
            }
            Self::TooSlow(what) => write!(f, "the server took too long {what}"),
        }
    }
}

impl std::error::Error for ChildError {}

impl From<io::Error> for ChildError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// How a server is started.
#[derive(Debug, Clone)]
pub struct Launch {
    binary: PathBuf,
    arguments: Vec<OsString>,
    variables: Vec<(OsString, OsString)>,
    log: Option<PathBuf>,
    patience: Duration,
}

impl Launch {
    /// `BINARY --data FOLDER --json serve --listen 127.0.0.1:0 --token secret`; a minute for each step.
    pub fn new(binary: impl Into<PathBuf>) -> Self {
        Self::with_arguments(
            binary,
            [
                "--data",
                Self::DATA,
                "--json",
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--token",
                "secret",
            ],
        )
    }

    /// Stands for the data folder among the arguments.
    pub const DATA: &'static str = "{data}";

    /// The binary with exactly these arguments, [`Launch::DATA`] replaced by the folder.
    pub fn with_arguments<A: Into<OsString>>(
        binary: impl Into<PathBuf>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        Self {
            binary: binary.into(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            variables: Vec::new(),
            log: None,
            patience: Duration::from_secs(60),
        }
    }

    /// One more argument.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// One more environment variable. Of the surrounding ones, those that begin with `MNEME_` are not passed on.
    #[must_use]
    pub fn variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// What it writes to standard error goes to the end of this file instead of the caller's own standard error.
    #[must_use]
    pub fn log(mut self, file: impl Into<PathBuf>) -> Self {
        self.log = Some(file.into());
        self
    }

    /// How long to wait for the address, for health and for the end.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    fn command(&self, data: &Path) -> io::Result<Command> {
        let mut command = Command::new(&self.binary);
        for argument in &self.arguments {
            if argument == Self::DATA {
                command.arg(data)
            } else {
                command.arg(argument)
            };
        }
        let errors = match &self.log {
            Some(file) => OpenOptions::new()
                .create(true)
                .append(true)
                .open(file)?
                .into(),
            None => Stdio::inherit(),
        };
        // Settings of whoever runs the tests must not decide how they end.
        let foreign =
            std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("MNEME_"));
        for (name, _) in foreign {
            command.env_remove(name);
        }
        let variables = self.variables.iter().map(|(name, value)| (name, value));
        command
            .envs(variables)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(errors)
            .kill_on_drop(true);
        Ok(command)
    }
}

/// A running server; killed when dropped.
#[derive(Debug)]
pub struct ChildServer {
    launch: Launch,
    data: TempDir,
    child: Child,
    url: String,
    token: Option<String>,
}

impl ChildServer {
    /// Starts a server over a fresh data folder and waits until it is healthy.
    ///
    /// # Errors
    ///
    /// [`ChildError`] says at which step it failed.
    pub async fn start(launch: Launch) -> Result<Self, ChildError> {
        let data = TempDir::with_prefix("mneme-test-")?;
        let (child, url, token) = spawn(&launch, data.path()).await?;
        let server = Self {
            launch,
            data,
            child,
            url,
            token,
        };
        server.wait_healthy().await?;
        Ok(server)
    }

    /// Starts it again over the same data folder; what still runs is killed first. The port may be another.
    ///
    /// # Errors
    ///
    /// [`ChildError`] says at which step it failed.
    pub async fn restart(&mut self) -> Result<(), ChildError> {
        self.kill().await?;
        (self.child, self.url, self.token) = spawn(&self.launch, self.data.path()).await?;
        self.wait_healthy().await
    }

    /// `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The token that it printed, if it printed one.
    #[must_use]
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// The data folder; removed when this is dropped.
    #[must_use]
    pub fn data(&self) -> &Path {
        self.data.path()
    }

    /// The process id, while it runs.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// Sends a request with the server's own token.
    ///
    /// # Errors
    ///
    /// As of [`request`].
    pub async fn request(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> io::Result<HttpAnswer> {
        request(&self.url, method, path, self.token(), body).await
    }

    /// Kills it at once (SIGKILL) and waits until it is gone. Does nothing when it has ended already.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub async fn kill(&mut self) -> Result<(), ChildError> {
        Ok(self.child.kill().await?)
    }

    /// Asks it to end (SIGTERM) and waits for that.
    ///
    /// # Errors
    ///
    /// When it does not end within the patience.
    pub async fn stop(&mut self) -> Result<ExitStatus, ChildError> {
        let pid = self
            .child
            .id()
            .and_then(|pid| i32::try_from(pid).ok())
            .and_then(rustix::process::Pid::from_raw);
        if let Some(pid) = pid {
            rustix::process::kill_process(pid, rustix::process::Signal::TERM)
                .map_err(io::Error::from)?;
        }
        match timeout(self.launch.patience, self.child.wait()).await {
            Ok(status) => Ok(status?),
            Err(_) => Err(ChildError::TooSlow("to end")),
        }
    }

    async fn wait_healthy(&self) -> Result<(), ChildError> {
        let end = Instant::now() + self.launch.patience;
        while Instant::now() < end {
            match request(&self.url, "GET", HEALTH_PATH, None, None).await {
                Ok(answer) if answer.status == 200 => return Ok(()),
                _ => sleep(Duration::from_millis(20)).await,
            }
        }
        Err(ChildError::TooSlow("to become healthy"))
    }
}

/// Starts the process and reads its address.
async fn spawn(
    launch: &Launch,
    data: &Path,
) -> Result<(Child, String, Option<String>), ChildError> {
    let mut child = launch.command(data)?.spawn()?;
    let output = child.stdout.take().ok_or(ChildError::Ended(None))?;
    let mut output = BufReader::new(output);
    let told = timeout(launch.patience, async {
        for _ in 0..LINES_MAX {
            let mut line = Vec::new();
            if (&mut output)
                .take(LINE_BYTES_MAX)
                .read_until(b'\n', &mut line)
                .await?
                == 0
            {
                break;
            }
            if let Some(told) = address(&line) {
                return Ok(Some(told));
            }
        }
        Ok::<_, io::Error>(None)
    });
    let Ok(told) = told.await else {
        return Err(ChildError::TooSlow("to tell its address"));
    };
    let Some((url, token)) = told? else {
        return Err(ChildError::Ended(child.try_wait()?));
    };
    // Whatever else it prints is read and dropped, so that it never blocks on a full pipe.
    tokio::spawn(async move { tokio::io::copy(&mut output, &mut tokio::io::sink()).await });
    Ok((child, url, token))
}

/// URL and token of a printed line `{"url":...,"token":...}`.
fn address(line: &[u8]) -> Option<(String, Option<String>)> {
    let line: Value = serde_json::from_slice(line).ok()?;
    let text = |name: &str| line.get(name).and_then(Value::as_str).map(str::to_owned);
    Some((text("url")?.trim_end_matches('/').to_owned(), text("token")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_found_among_other_lines() {
        assert_eq!(
            address(br#"{"url":"http://127.0.0.1:1/","token":"t"}"#),
            Some(("http://127.0.0.1:1".into(), Some("t".into())))
        );
        assert_eq!(
            address(br#"{"url":"http://127.0.0.1:1"}"#),
            Some(("http://127.0.0.1:1".into(), None))
        );
        for other in [&b"starting"[..], b"{}", b"[]", b"", br#"{"level":"info"}"#] {
            assert_eq!(address(other), None);
        }
    }
}
