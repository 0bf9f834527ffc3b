//! Steps that run one after another, each with its time, and what came of them.

use std::time::{Duration, Instant};

use anyhow::Result;

/// What came of one step.
enum Outcome {
    Passed,
    Failed(String),
    NotRun(&'static str),
}

struct Step {
    name: &'static str,
    time: Duration,
    outcome: Outcome,
}

/// The steps so far. All of them run, whatever the earlier ones did.
#[derive(Default)]
pub(crate) struct Report {
    steps: Vec<Step>,
    closing: Vec<String>,
}

impl Report {
    /// Runs a step and returns its value when it passed.
    pub(crate) fn step<T>(
        &mut self,
        name: &'static str,
        run: impl FnOnce() -> Result<T>,
    ) -> Option<T> {
        println!("\n==> {name}");
        let start = Instant::now();
        let (outcome, value) = match run() {
            Ok(value) => (Outcome::Passed, Some(value)),
            Err(error) => {
                eprintln!("error: {error:#}");
                (Outcome::Failed(format!("{error:#}")), None)
            }
        };
        let time = start.elapsed();
        println!(
            "<== {name}: {} after {:.1} s",
            if value.is_some() { "passed" } else { "FAILED" },
            time.as_secs_f64()
        );
        self.steps.push(Step {
            name,
            time,
            outcome,
        });
        value
    }

    /// Notes a step that could not be tried.
    pub(crate) fn not_run(&mut self, name: &'static str, why: &'static str) {
        println!("\n==> {name}: not run, {why}");
        self.steps.push(Step {
            name,
            time: Duration::ZERO,
            outcome: Outcome::NotRun(why),
        });
    }

    /// Keeps the line with which a test runner closed, to be repeated at the very end.
    pub(crate) fn close_with(&mut self, line: String) {
        self.closing.push(line);
    }

    /// Prints the table of steps and, last of all, the runners' closing lines. Returns whether every step passed.
    pub(crate) fn finish(self) -> bool {
        println!("\nSteps:");
        for step in &self.steps {
            let word = match &step.outcome {
                Outcome::Passed => "passed".to_owned(),
                Outcome::Failed(why) => {
                    format!("FAILED: {}", why.lines().next().unwrap_or_default())
                }
                Outcome::NotRun(why) => format!("not run: {why}"),
            };
            println!(
                "  {:>7.1} s  {:<28} {word}",
                step.time.as_secs_f64(),
                step.name
            );
        }
        println!();
        for line in &self.closing {
            println!("{line}");
        }
        self.steps
            .iter()
            .all(|step| matches!(step.outcome, Outcome::Passed))
    }
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::*;

    #[test]
    fn later_steps_run_after_a_failure_and_the_whole_fails() {
        let mut report = Report::default();
        assert!(
            report
                .step("bad", || -> Result<()> { bail!("no") })
                .is_none()
        );
        assert_eq!(report.step("good", || Ok(1)), Some(1));
        assert!(!report.finish());
    }

    #[test]
    fn a_step_that_was_not_run_is_no_success() {
        let mut report = Report::default();
        report.not_run("suite", "no build");
        assert!(!report.finish());
    }

    #[test]
    fn all_passed_is_a_success() {
        let mut report = Report::default();
        report.step("good", || Ok(()));
        assert!(report.finish());
    }
}
