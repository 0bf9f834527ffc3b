//! `test` and `check`: which programs run, in which order, and how their closing lines are read.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, bail, ensure};
use clap::ValueEnum;

use crate::process::run_reading;
use crate::provision;
use crate::report::Report;
use crate::workspace::{cargo, root, target_folder};

/// The suites that can be run alone.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Only {
    /// Unit, property and integration tests of the crates.
    Rust,
    /// The official Python SDK against a release build.
    Sdk,
}

/// What pytest exits with when it selected no test.
const PYTEST_NOTHING_SELECTED: i32 = 5;

/// Runs the tests and returns whether all passed. With a filter and both suites, a suite that has no such test passes.
pub(crate) fn test(only: Option<Only>, filter: Option<&str>) -> bool {
    let none_is_fine = only.is_none() && filter.is_some();
    let mut report = Report::default();
    if only != Some(Only::Sdk) {
        rust_suite(&mut report, filter, none_is_fine);
    }
    if only != Some(Only::Rust) {
        sdk_suite(&mut report, filter, none_is_fine);
    }
    report.finish()
}

/// Formatting, lints and documentation. Returns whether all are in order.
pub(crate) fn check() -> bool {
    let mut report = Report::default();
    report.step("formatting", || {
        pass(cargo().args(["fmt", "--all", "--check"]))
    });
    report.step("lints", || {
        pass(cargo().args([
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]))
    });
    report.step("documentation", || {
        pass(
            cargo()
                .env("RUSTDOCFLAGS", "-D warnings")
                .args(["doc", "--workspace", "--no-deps"]),
        )
    });
    report.finish()
}

fn rust_suite(report: &mut Report, filter: Option<&str>, none_is_fine: bool) {
    // Without it only the tests that need it fail, and they say why.
    report.step("postgresql", provision::postgres);
    if has_nextest() {
        let mut closing = None;
        report.step("rust tests", || {
            let mut command = cargo();
            command.args(["nextest", "run", "--workspace"]).args(filter);
            if none_is_fine {
                command.arg("--no-tests=pass");
            }
            let status = run_reading(&mut command, |line| {
                if is_nextest_summary(line) {
                    closing = Some(line.to_owned());
                }
            })?;
            ensure!(status.success(), "nextest: {status}");
            Ok(())
        });
        closing.into_iter().for_each(|line| report.close_with(line));
    } else {
        libtest(
            report,
            "rust tests",
            "rust",
            &["test", "--workspace", "--all-targets", "--no-fail-fast"],
            filter,
        );
    }
    libtest(
        report,
        "documentation tests",
        "doctests",
        &["test", "--workspace", "--doc"],
        filter,
    );
}

/// A run of `cargo test`: many programs, each with a closing line of its own, added up here.
fn libtest(
    report: &mut Report,
    name: &'static str,
    label: &str,
    arguments: &[&str],
    filter: Option<&str>,
) {
    let mut counts = Counts::default();
    report.step(name, || {
        let status = run_reading(cargo().args(arguments).args(filter), |line| {
            counts.add(line);
        })?;
        ensure!(status.success(), "cargo test: {status}");
        Ok(())
    });
    report.close_with(format!(
        "{label}: {} passed, {} failed, {} skipped",
        counts.passed, counts.failed, counts.ignored
    ));
}

fn sdk_suite(report: &mut Report, filter: Option<&str>, none_is_fine: bool) {
    let python = report.step("provision", provision::python);
    let server = report.step("release build", || {
        pass(cargo().args(["build", "--release", "-p", "mneme"]))
    });
    let fake = report.step("stand-in language model", || {
        pass(cargo().args(["build", "-p", "mneme-testkit", "--bin", "mneme-fake-llm"]))
    });
    let (Some(python), Some(()), Some(())) = (python, server, fake) else {
        report.not_run("sdk tests", "an earlier step failed");
        return;
    };
    let mut closing = None;
    report.step("sdk tests", || {
        let status = run_reading(&mut pytest(&python, filter)?, |line| {
            if is_pytest_summary(line) {
                closing = Some(line.to_owned());
            }
        })?;
        if none_is_fine && status.code() == Some(PYTEST_NOTHING_SELECTED) {
            return Ok(());
        }
        ensure!(status.success(), "pytest: {status}");
        Ok(())
    });
    closing.into_iter().for_each(|line| report.close_with(line));
}

fn pytest(python: &Path, filter: Option<&str>) -> Result<Command> {
    let target = target_folder()?;
    let mut command = Command::new(python);
    command
        .current_dir(root())
        .args(["-m", "pytest", "tests/sdk-python"]);
    command
        .env("MNEME_TEST_SERVER", target.join("release/mneme"))
        .env("MNEME_TEST_FAKE_LLM", target.join("debug/mneme-fake-llm"));
    // Without this its progress shows up only at the end.
    command.env("PYTHONUNBUFFERED", "1");
    if let Some(filter) = filter {
        command.args(["-k", filter]);
    }
    Ok(command)
}

/// Runs a command with our own streams.
fn pass(command: &mut Command) -> Result<()> {
    let status = command.stdin(Stdio::null()).status()?;
    if !status.success() {
        bail!("{command:?}: {status}");
    }
    Ok(())
}

fn has_nextest() -> bool {
    cargo()
        .args(["nextest", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// `     Summary [   0.012s] 5 tests run: 5 passed, 0 skipped`
fn is_nextest_summary(line: &str) -> bool {
    line.trim_start().starts_with("Summary [")
}

/// `======= 92 passed in 41.20s =======`
fn is_pytest_summary(line: &str) -> bool {
    let text = line.trim_matches(['=', ' ']);
    let counted = [
        "passed",
        "failed",
        "error",
        "errors",
        "skipped",
        "deselected",
        "no tests ran",
    ]
    .iter()
    .any(|word| text.contains(word));
    line.starts_with("==") && counted && text.contains(" in ")
}

/// Sums of libtest's closing lines.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: u64,
    failed: u64,
    ignored: u64,
}

impl Counts {
    /// Adds `test result: ok. 3 passed; 0 failed; 1 ignored; …`; other lines count nothing.
    fn add(&mut self, line: &str) {
        let Some(rest) = line.trim_start().strip_prefix("test result: ") else {
            return;
        };
        for part in rest.split([';', '.']) {
            let Some((number, word)) = part.trim().split_once(' ') else {
                continue;
            };
            let number = number.parse().unwrap_or(0);
            match word {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" => self.ignored += number,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_are_recognised() {
        assert!(is_nextest_summary(
            "     Summary [   0.012s] 5 tests run: 5 passed, 0 skipped"
        ));
        assert!(!is_nextest_summary(
            "        PASS [   0.004s] xtask suites::tests::x"
        ));
        assert!(is_pytest_summary(
            "============= 1 failed, 92 passed in 41.20s (0:00:41) ============="
        ));
        assert!(is_pytest_summary("======= no tests ran in 0.01s ======="));
        assert!(!is_pytest_summary(
            "============= test session starts ============="
        ));
        assert!(!is_pytest_summary(
            "=========== short test summary info ==========="
        ));
    }

    #[test]
    fn libtest_lines_are_added_up() {
        let mut counts = Counts::default();
        counts.add("running 4 tests");
        counts.add("test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s");
        counts.add("test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.50s");
        assert_eq!(
            counts,
            Counts {
                passed: 4,
                failed: 2,
                ignored: 1
            }
        );
    }
}
