//! `mneme jobs` and `mneme usage`: what the background does, dead letters brought back, and what it costs.

use anyhow::Context as _;
use mneme_core::id::{JobId, ProjectId};
use mneme_core::job::JobState;
use mneme_core::ports::{JobFilter, Page};
use serde_json::{Value, json};

use super::say;
use crate::args::{JobsArgs, UsageArgs};
use crate::settings::Settings;
use crate::wire::House;

/// Jobs that one listing shows.
const SHOWN_MAX: usize = 100;

pub(crate) async fn run(settings: &Settings, args: &JobsArgs, as_json: bool) -> anyhow::Result<()> {
    let state = args
        .state
        .as_deref()
        .map(|name| JobState::parse(name).with_context(|| format!("`{name}` is no state of a job")))
        .transpose()?;
    let replay: Option<JobId> = args
        .replay
        .as_deref()
        .map(|id| id.parse().with_context(|| format!("`{id}` is no job id")))
        .transpose()?;
    let house = House::open(settings).await?;
    let project = ProjectId::root();
    if let Some(id) = replay {
        let found = house.engine.replay_job(&project, id).await?;
        house.close().await?;
        anyhow::ensure!(found, "there is no dead job {id}");
        say(&if as_json {
            json!({"replayed": id}).to_string()
        } else {
            format!("{id} is due again")
        });
        return Ok(());
    }
    let jobs = house
        .engine
        .jobs(
            &project,
            JobFilter { user: None, state },
            Page {
                offset: 0,
                limit: SHOWN_MAX,
            },
        )
        .await?;
    if as_json {
        say(&Value::Array(jobs.iter().map(|job| json!(job)).collect()).to_string());
    } else {
        for job in &jobs {
            let reason = job
                .error
                .as_ref()
                .map(|error| format!("  {}: {}", error.stage, error.message))
                .unwrap_or_default();
            say(&format!(
                "{}  {}  {}  user {}  attempt {}{reason}",
                job.id,
                job.state.as_str(),
                job.kind.as_text(),
                job.owner.user,
                job.attempt
            ));
        }
    }
    house.close().await
}

pub(crate) async fn usage(
    settings: &Settings,
    args: &UsageArgs,
    as_json: bool,
) -> anyhow::Result<()> {
    let house = House::open(settings).await?;
    let rows = house.engine.usage(&ProjectId::root(), args.days).await?;
    if as_json {
        let list: Vec<Value> = rows
            .iter()
            .map(|row| {
                json!({"day": row.day, "call": row.call, "calls": row.calls,
                    "prompt_tokens": row.prompt_tokens, "completion_tokens": row.completion_tokens})
            })
            .collect();
        say(&Value::Array(list).to_string());
    } else {
        for row in &rows {
            say(&format!(
                "{}  {:12}  {} calls  {} tokens in  {} out",
                row.day, row.call, row.calls, row.prompt_tokens, row.completion_tokens
            ));
        }
    }
    house.close().await
}
