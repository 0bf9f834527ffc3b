//! Running other programs: passing their output on while reading along, and ending servers for certain.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

/// Runs a command, passes both its streams on as they come, and hands every line to `read`.
pub(crate) fn run_reading(command: &mut Command, mut read: impl FnMut(&str)) -> Result<ExitStatus> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("{command:?} does not start"))?;
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        bail!("{command:?} has no output to read");
    };
    let (sender, lines) = mpsc::channel();
    let error_sender = sender.clone();
    let readers = [
        thread::spawn(move || forward(stdout, std::io::stdout(), &sender)),
        thread::spawn(move || forward(stderr, std::io::stderr(), &error_sender)),
    ];
    for line in lines {
        read(&line);
    }
    for reader in readers {
        if reader.join().is_err() {
            bail!("reading the output of {command:?} failed");
        }
    }
    child
        .wait()
        .with_context(|| format!("waiting for {command:?} failed"))
}

/// Copies one stream line by line. Bytes that are not UTF-8 are passed on as they are.
fn forward(from: impl Read, mut to: impl Write, lines: &mpsc::Sender<String>) {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while matches!(from.read_until(b'\n', &mut line), Ok(read) if read > 0) {
        // A closed terminal is no reason to stop the program that is being watched.
        let _ = to.write_all(&line).and_then(|()| to.flush());
        let _ = lines.send(String::from_utf8_lossy(&line).trim_end().to_owned());
        line.clear();
    }
}

/// A server process that is killed when this goes out of scope.
pub(crate) struct Running {
    child: Child,
    name: &'static str,
    stdout: Option<ChildStdout>,
}

impl Running {
    /// Starts a server; its standard error goes to ours.
    pub(crate) fn start(name: &'static str, command: &mut Command) -> Result<Self> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{command:?} does not start"))?;
        let stdout = child.stdout.take();
        Ok(Self {
            child,
            name,
            stdout,
        })
    }

    /// The process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The first line of standard output for which `find` answers. Later output is read and dropped, so that the
    /// server never waits for a reader. Fails when the server ends or stays silent for `patience`.
    pub(crate) fn announced(
        &mut self,
        patience: Duration,
        find: fn(&str) -> Option<String>,
    ) -> Result<String> {
        let Some(stdout) = self.stdout.take() else {
            bail!("{} was read already", self.name)
        };
        let (sender, answers) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if let Some(answer) = find(&line) {
                    let _ = sender.send(answer);
                }
            }
        });
        answers.recv_timeout(patience).with_context(|| {
            format!(
                "{} did not say where it listens within {} s",
                self.name,
                patience.as_secs()
            )
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_streams_are_read_and_the_status_is_passed_on() {
        let mut lines = Vec::new();
        let status = run_reading(
            Command::new("sh").args(["-c", "echo out; echo err >&2; exit 3"]),
            |line| lines.push(line.to_owned()),
        )
        .unwrap();
        lines.sort();
        assert_eq!(
            (status.code(), lines),
            (Some(3), vec!["err".to_owned(), "out".to_owned()])
        );
    }

    #[test]
    fn a_server_that_ends_without_a_word_is_an_error() {
        let mut server = Running::start("server", &mut Command::new("true")).unwrap();
        assert!(
            server
                .announced(Duration::from_secs(10), |line| Some(line.to_owned()))
                .is_err()
        );
    }

    #[test]
    fn the_announcement_is_found_among_other_lines() {
        let mut server = Running::start(
            "server",
            Command::new("sh").args(["-c", "echo hello; echo url=x; sleep 60"]),
        )
        .unwrap();
        let found = server.announced(Duration::from_secs(10), |line| {
            line.strip_prefix("url=").map(str::to_owned)
        });
        assert_eq!(found.unwrap(), "x");
    }
}
