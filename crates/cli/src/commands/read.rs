//! `mneme context`, `profile`, `recall`, `forget`.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use jiff::tz::TimeZone;
use mneme_core::memory::{Memory, Revision};
use mneme_core::time::Timestamp;
use mneme_engine::api::{ChatMessage, ContextQuery, ProfileQuery, RecallQuery};
use serde_json::{Value, json};

use super::{hint_unknown, owner, say};
use crate::args::{ContextArgs, ForgetArgs, ProfileArgs, RecallArgs};
use crate::settings::Settings;
use crate::wire::House;

pub(crate) async fn context(
    settings: &Settings,
    args: &ContextArgs,
    as_json: bool,
) -> anyhow::Result<()> {
    let owner = owner(&args.user)?;
    let house = House::open(settings).await?;
    hint_unknown(&house.engine, &owner, &args.user).await?;
    let chats = args
        .query
        .iter()
        .map(|query| ChatMessage {
            role: "user".to_owned(),
            content: query.clone(),
        })
        .collect();
    let query = ContextQuery {
        max_token_size: args.tokens,
        chats,
        days: None,
        fill_window_with_events: true,
        // The budget and the order decide here, not a threshold.
        event_similarity_threshold: -1.0,
        count_template: true,
        ..ContextQuery::default()
    };
    let text = house.engine.context(&owner, &query).await?;
    if as_json {
        let tokens = mneme_models::O200k;
        let count = mneme_core::ports::TokenCounter::count(&tokens, vec![text.clone()])
            .await
            .first()
            .copied()
            .unwrap_or(0);
        say(&json!({"user": owner.user, "tokens": count, "context": text}).to_string());
    } else {
        say(text.trim_end());
    }
    house.close().await
}

pub(crate) async fn profile(
    settings: &Settings,
    args: &ProfileArgs,
    as_json: bool,
) -> anyhow::Result<()> {
    let owner = owner(&args.user)?;
    let house = House::open(settings).await?;
    hint_unknown(&house.engine, &owner, &args.user).await?;
    let profile = house
        .engine
        .profile(&owner, &ProfileQuery::default())
        .await?;
    let mut list = Vec::new();
    for memory in &profile {
        let earlier = if args.history {
            house.engine.history(&owner, memory.id).await?
        } else {
            Vec::new()
        };
        if as_json {
            let mut value = shown(memory);
            if args.history {
                value["history"] = earlier.iter().map(shown_revision).collect();
            }
            list.push(value);
            continue;
        }
        say(&memory.context_line());
        for revision in &earlier {
            say(&format!(
                "  {} to {}: {} ({})",
                day(revision.times.valid_from),
                day(revision.times.valid_to),
                revision.content,
                revision.reason.as_str()
            ));
        }
    }
    if as_json {
        say(&Value::Array(list).to_string());
    }
    house.close().await
}

fn day(at: Option<Timestamp>) -> String {
    at.map_or_else(|| "?".to_owned(), |at| at.date_iso(&TimeZone::UTC))
}

/// An earlier state as the command line shows it.
fn shown_revision(revision: &Revision) -> Value {
    json!({
        "revision": revision.revision,
        "content": revision.content,
        "valid_from": revision.times.valid_from,
        "valid_to": revision.times.valid_to,
        "replaced_at": revision.replaced_at,
        "reason": revision.reason,
    })
}

pub(crate) async fn recall(
    settings: &Settings,
    args: &RecallArgs,
    as_json: bool,
) -> anyhow::Result<()> {
    let owner = owner(&args.user)?;
    let house = House::open(settings).await?;
    hint_unknown(&house.engine, &owner, &args.user).await?;
    let query = RecallQuery {
        query: args.query.clone(),
        kinds: Vec::new(),
        limit: args.limit,
        floor: args.floor,
    };
    let hits = house.engine.recall(&owner, &query).await?;
    if as_json {
        let list: Vec<Value> = hits
            .iter()
            .map(|hit| {
                let mut value = shown(&hit.memory);
                value["score"] = json!(hit.score);
                value["similarity"] = json!(hit.similarity);
                value["coverage"] = json!(hit.coverage);
                value
            })
            .collect();
        say(&Value::Array(list).to_string());
    } else {
        for hit in &hits {
            say(&format!("{:.2}  {}", hit.score, hit.memory.context_line()));
        }
    }
    house.close().await
}

pub(crate) async fn forget(
    settings: &Settings,
    args: &ForgetArgs,
    as_json: bool,
) -> anyhow::Result<()> {
    let owner = owner(&args.user)?;
    if !args.yes && !confirmed(&args.user)? {
        anyhow::bail!("nothing was forgotten");
    }
    let house = House::open(settings).await?;
    let receipt = house.engine.erase_user(&owner).await?;
    match (&receipt, as_json) {
        (None, true) => say(&json!({"user": owner.user, "found": false}).to_string()),
        (Some(receipt), true) => {
            say(&json!({"user": owner.user, "found": true, "rows": receipt.rows}).to_string());
        }
        (None, false) => say("There is no such user."),
        (Some(receipt), false) => say(&format!(
            "Forgotten: {} rows.",
            receipt.rows.values().sum::<u64>()
        )),
    }
    house.close().await
}

/// Asks on the terminal; without one, the answer is no.
fn confirmed(user: &str) -> anyhow::Result<bool> {
    if !std::io::stdin().is_terminal() {
        anyhow::bail!("forgetting cannot be undone; say --yes");
    }
    write!(
        std::io::stdout(),
        "Forget everything about {user}? This cannot be undone. [y/N] "
    )?;
    std::io::stdout().flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(answer.trim().eq_ignore_ascii_case("y"))
}

/// A memory as the command line shows it.
fn shown(memory: &Memory) -> Value {
    json!({
        "id": memory.id,
        "kind": memory.kind,
        "topic": memory.slot.as_ref().map(|slot| &slot.topic),
        "sub_topic": memory.slot.as_ref().map(|slot| &slot.sub_topic),
        "content": memory.content,
        "speaker": memory.speaker,
        "mentioned_at": memory.times.mentioned_at,
        "happened": memory.times.happened,
        "recorded_at": memory.times.recorded_at,
        "updated_at": memory.updated_at,
        "revision": memory.revision,
    })
}
