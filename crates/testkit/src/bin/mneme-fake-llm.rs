//! The scripted model server as a program: `mneme-fake-llm [--port N] [--json]`.
//!
//! Prints its address, as a sentence or as JSON, and serves until it is ended.

use std::io::Write;
use std::process::ExitCode;

use mneme_testkit::FakeLlm;

const USAGE: &str = "usage: mneme-fake-llm [--port N] [--json]\n";

#[tokio::main]
async fn main() -> ExitCode {
    let Some((port, json)) = arguments(std::env::args().skip(1)) else {
        return complain(USAGE);
    };
    let fake = match FakeLlm::listen(port).await {
        Ok(fake) => fake,
        Err(error) => return complain(&format!("cannot listen on port {port}: {error}\n")),
    };
    let line = if json {
        serde_json::json!({"url": fake.url()}).to_string()
    } else {
        format!("listening on {}", fake.url())
    };
    let mut output = std::io::stdout().lock();
    if writeln!(output, "{line}")
        .and_then(|()| output.flush())
        .is_err()
    {
        return ExitCode::FAILURE;
    }
    drop(output);
    fake.run().await;
    ExitCode::SUCCESS
}

fn complain(what: &str) -> ExitCode {
    // Nothing can be done when even this fails.
    let _ = std::io::stderr().write_all(what.as_bytes());
    ExitCode::from(2)
}

/// Port and output form; `None` for anything unknown.
fn arguments(mut given: impl Iterator<Item = String>) -> Option<(u16, bool)> {
    let (mut port, mut json) = (0, false);
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--port" => port = given.next()?.parse().ok()?,
            "--json" => json = true,
            _ => return None,
        }
    }
    Some((port, json))
}
