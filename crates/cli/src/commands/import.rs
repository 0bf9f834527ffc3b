//! `mneme import`: a transcript becomes sources, is distilled, and gets its vectors.

use std::collections::HashMap;
use std::io::IsTerminal as _;
use std::time::Instant;

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mneme_core::id::{JobId, SubScope, UserKey};
use mneme_core::source::{SourceKind, Turn};
use mneme_engine::Engine;
use mneme_engine::api::Outcome;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{owner, say};
use crate::args::ImportArgs;
use crate::settings::Settings;
use crate::transcript::{self, Line};
use crate::wire::House;

/// Turns in one source: about what a live client would send at once, so that events stay readable.
const TURNS_PER_SOURCE: usize = 20;
/// Largest file, bytes.
const FILE_BYTES_MAX: u64 = 512 * 1024 * 1024;

#[derive(Default)]
struct Tally {
    turns: usize,
    added: usize,
    skipped: usize,
    gists: usize,
    added_slots: usize,
    updated_slots: usize,
}

pub(crate) async fn run(
    settings: &Settings,
    args: &ImportArgs,
    as_json: bool,
) -> anyhow::Result<()> {
    let started = Instant::now();
    let owner = owner(&args.user)?;
    let size = std::fs::metadata(&args.file)
        .with_context(|| format!("cannot read {}", args.file.display()))?
        .len();
    anyhow::ensure!(
        size <= FILE_BYTES_MAX,
        "{} is larger than {} MB; split it",
        args.file.display(),
        FILE_BYTES_MAX / 1024 / 1024
    );
    let bytes = std::fs::read(&args.file)
        .with_context(|| format!("cannot read {}", args.file.display()))?;
    let lines = transcript::read(
        &String::from_utf8_lossy(&bytes),
        args.conversation.as_deref(),
    )
    .with_context(|| args.file.display().to_string())?;
    let speaker = transcript::user_speaker(&lines, args.speaker.as_deref(), &args.user)
        .with_context(|| {
            format!(
                "nobody called {} speaks in the file",
                args.speaker.as_deref().unwrap_or_default()
            )
        })?;
    let sources = sources(&lines, &speaker);
    let house = House::open(settings).await?;
    house
        .engine
        .ensure_user(&owner, Some(args.user.clone()))
        .await?;
    let bar = progress(lines.len() as u64);
    let result = take_in(&house.engine, &owner, &sources, &bar).await;
    bar.finish_and_clear();
    let tally = result?;
    let report = json!({
        "user": owner.user, "speaker": speaker, "turns": tally.turns, "added": tally.added, "skipped": tally.skipped,
        "gists": tally.gists, "slots_added": tally.added_slots, "slots_updated": tally.updated_slots,
        "seconds": (started.elapsed().as_secs_f64() * 1000.0).round() / 1000.0,
    });
    if as_json {
        say(&report.to_string());
    } else {
        say(&format!(
            "{} turns as {speaker}: {} sources added, {} known already; {} gists, {} slots new, {} changed ({:.1} s)",
            tally.turns,
            tally.added,
            tally.skipped,
            tally.gists,
            tally.added_slots,
            tally.updated_slots,
            started.elapsed().as_secs_f64()
        ));
    }
    house.close().await
}

/// Sessions stay apart; long ones are cut.
fn sources(lines: &[Line], speaker: &str) -> Vec<Vec<Turn>> {
    lines
        .chunk_by(|a, b| a.session == b.session && (a.session.is_some() || day(a) == day(b)))
        .flat_map(|session| session.chunks(TURNS_PER_SOURCE))
        .map(|part| {
            part.iter()
                .map(|line| transcript::turn(line, speaker))
                .collect()
        })
        .collect()
}

/// The first ten characters of a time: in ISO forms, its day.
fn day(line: &Line) -> Option<String> {
    line.time
        .as_ref()
        .map(|time| time.chars().take(10).collect())
}

async fn take_in(
    engine: &Engine,
    owner: &UserKey,
    sources: &[Vec<Turn>],
    bar: &ProgressBar,
) -> anyhow::Result<Tally> {
    let mut tally = Tally::default();
    let mut last: Option<JobId> = None;
    let mut seen: HashMap<String, usize> = HashMap::new();
    bar.set_message("taking in");
    for turns in sources {
        let body = json!({"messages": turns.iter().map(message).collect::<Vec<Value>>()});
        let name = key(&body, &mut seen);
        let inserted = engine
            .insert(
                owner,
                SourceKind::Chat,
                body,
                None,
                None,
                SubScope::default(),
                Some(name),
            )
            .await?;
        tally.turns += turns.len();
        if inserted.repeated {
            tally.skipped += 1;
        } else {
            tally.added += 1;
        }
        // One job after the other: their results are counted, and a failure stops the import at once.
        if let Some(job) = inserted
            .job
            .filter(|job| last != Some(*job) && !inserted.repeated)
        {
            distilled(engine, owner, job, &mut tally).await?;
            last = Some(job);
        }
        bar.inc(turns.len() as u64);
    }
    bar.set_message("distilling");
    if let Some(job) = engine.flush(owner, SourceKind::Chat).await? {
        distilled(engine, owner, job, &mut tally).await?;
    }
    bar.set_message("making vectors");
    while engine.vectors_missing(Some(owner)).await? > 0 {
        engine.embed_backlog_once().await?;
    }
    Ok(tally)
}

async fn distilled(
    engine: &Engine,
    owner: &UserKey,
    job: JobId,
    tally: &mut Tally,
) -> anyhow::Result<()> {
    match engine.wait(owner, job).await? {
        Outcome::Finished(_, results) => {
            for result in results {
                tally.gists += result.gists as usize;
                tally.added_slots += result.added.len();
                tally.updated_slots += result.updated.len();
            }
            Ok(())
        }
        Outcome::Failed(error) => anyhow::bail!(
            "distilling failed at {}: {}. Nothing is lost: run the import again later",
            error.stage,
            error.message
        ),
        Outcome::Gone => anyhow::bail!("the user was erased meanwhile"),
    }
}

fn message(turn: &Turn) -> Value {
    json!({"role": turn.role.as_str(), "content": turn.content, "alias": turn.alias, "created_at": turn.created_at})
}

/// The same turns have the same key, so that a file can be imported again. Turns that stand in the file twice are two
/// sources: `seen` counts them.
fn key(body: &Value, seen: &mut HashMap<String, usize>) -> String {
    let digest = Sha256::digest(body.to_string().as_bytes());
    let key = format!(
        "import:{}",
        digest
            .iter()
            .take(16)
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    );
    let times = seen.entry(key.clone()).or_default();
    *times += 1;
    if *times == 1 {
        key
    } else {
        format!("{key}:{times}")
    }
}

fn progress(turns: u64) -> ProgressBar {
    let target = if std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(Some(turns), target);
    if let Ok(style) =
        ProgressStyle::with_template("{msg:16} {bar:40} {pos}/{len} turns  {elapsed}")
    {
        bar.set_style(style);
    }
    bar
}
