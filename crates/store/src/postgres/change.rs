//! Applying a change set: all of it or nothing.
//!
//! Everything here runs in one transaction that holds the lock of the user's row, so any error undoes the whole
//! change, and no other write of the user comes between the checks and their consequences.

use std::collections::BTreeSet;

use mneme_core::change::{ChangeSet, Indexed, JobStep, Revised, Version};
use mneme_core::id::{MemoryId, UserKey};
use mneme_core::memory::{Memory, Provenance, Slot};
use mneme_core::time::Timestamp;

use super::bind::params;
use super::fault::{Fault, Work};
use super::run::Db;
use super::{forget, inbox, index, jobs, rows, tenants, text, users};
use crate::sql;

const TAKEN: &str = "a memory with that id or in that slot exists already";
const MOVED_ON: &str = "the user's memory changed since the plan was made";

/// Checks who may change what, then changes it; the user's version afterwards.
pub(super) async fn commit(
    db: &Db,
    owner: &UserKey,
    expected: Option<Version>,
    change: &ChangeSet,
    space: &str,
    now: Timestamp,
) -> Work<Version> {
    let version = Version(users::require(db, owner).await?);
    if let Some(step) = &change.job {
        jobs::require_lease(db, owner, step.lease).await?;
    }
    if expected.is_some_and(|expected| expected != version) {
        return Err(Fault::conflict(MOVED_ON));
    }
    if change.touches_memory() {
        index::know_space(db, space).await?;
    }
    for id in &change.forget {
        forget::forget(db, owner, *id).await?;
    }
    let refused = forget::refused(db, owner, change).await?;
    // Memories may trade their slots, so all slots are left before any is taken. What is new comes before what
    // changes: a new memory may have several states at once.
    leave_slots(db, owner, &change.revise).await?;
    for new in change
        .add
        .iter()
        .filter(|new| !refused.contains(&new.memory.id))
    {
        add(db, owner, new, space, now).await?;
    }
    for revised in change
        .revise
        .iter()
        .filter(|revised| !refused.contains(&revised.next.memory.id))
    {
        revise(db, owner, revised, space, now).await?;
    }
    for id in &change.confirm {
        confirm(db, owner, *id, now).await?;
    }
    add_provenance(db, owner, &change.provenance, &refused).await?;
    for id in &change.buffer_done {
        inbox::buffer_done(db, owner, *id).await?;
    }
    for id in &change.drop_sources {
        inbox::delete_source(db, owner, *id).await?;
    }
    tenants::book_usage(db, owner, &change.usage, now).await?;
    let version = if change.touches_memory() {
        bump(db, owner).await?
    } else {
        version
    };
    if let Some(step) = &change.job {
        advance(db, owner, step, now).await?;
    }
    Ok(version)
}

async fn add(db: &Db, owner: &UserKey, new: &Indexed, space: &str, now: Timestamp) -> Work<()> {
    let (written, indexed) = tokio::join!(
        biased;
        write_memory(db, sql::MEMORY_INSERT, owner, &new.memory),
        index::put(db, owner, new, space, now),
    );
    written?;
    indexed
}

async fn leave_slots(db: &Db, owner: &UserKey, revise: &[Revised]) -> Work<()> {
    for revised in revise {
        let key = params![&owner.project, owner.user, revised.next.memory.id];
        db.run(sql::MEMORY_UNSLOT, key).await?;
    }
    Ok(())
}

async fn revise(
    db: &Db,
    owner: &UserKey,
    revised: &Revised,
    space: &str,
    now: Timestamp,
) -> Work<()> {
    let next = &revised.next.memory;
    let key = params![&owner.project, owner.user, next.id];
    let Some(stored) = db.first(sql::MEMORY, key, rows::memory).await? else {
        return Err(Fault::conflict(MOVED_ON));
    };
    if stored.revision.checked_add(1) != Some(next.revision) {
        return Err(Fault::conflict(MOVED_ON));
    }
    keep_revision(db, owner, &stored, revised, now).await?;
    write_memory(db, sql::MEMORY_REPLACE, owner, next).await?;
    index::remove(db, owner, next.id).await?;
    index::put(db, owner, &revised.next, space, now).await
}

/// Said again: only the time moves. A memory that is no more cannot be confirmed.
async fn confirm(db: &Db, owner: &UserKey, id: MemoryId, now: Timestamp) -> Work<()> {
    let values = params![now, &owner.project, owner.user, id];
    if db.run(sql::MEMORY_CONFIRM, values).await? == 0 {
        Err(Fault::conflict(MOVED_ON))
    } else {
        Ok(())
    }
}

/// Keeps the state that is replaced. It held until the next one began to.
async fn keep_revision(
    db: &Db,
    owner: &UserKey,
    stored: &Memory,
    revised: &Revised,
    now: Timestamp,
) -> Work<()> {
    let times = &stored.times;
    let held_until = revised.next.memory.times.valid_from.unwrap_or(now);
    let (topic, sub_topic) = headings(stored.slot.as_ref());
    let values = params![
        &owner.project,
        owner.user,
        stored.id,
        stored.revision,
        &stored.content,
        topic,
        sub_topic,
        serde_json::to_string(&stored.data)?,
        times.mentioned_at,
        times.happened.map(|happened| happened.from),
        times.happened.map(|happened| happened.to),
        times.happened.map(|happened| happened.precision.as_str()),
        times.valid_from,
        held_until,
        times.recorded_at,
        now,
        revised.reason.as_str(),
    ];
    let kept = db.run(sql::REVISION_INSERT, values).await;
    kept.map_err(|fault| fault.or_conflict(MOVED_ON))?;
    Ok(())
}

/// Binds a whole memory; the text is an insert, with or without replacing.
async fn write_memory(db: &Db, text: &str, owner: &UserKey, memory: &Memory) -> Work<()> {
    let times = &memory.times;
    let (topic, sub_topic) = headings(memory.slot.as_ref());
    // "Not a number" cannot be ordered, and an infinite weight would drown everything else.
    let importance = if memory.importance.is_finite() {
        f64::from(memory.importance)
    } else {
        0.0
    };
    let values = params![
        &owner.project,
        owner.user,
        memory.id,
        memory.kind.as_str(),
        &memory.scope.agent,
        &memory.scope.session,
        topic,
        sub_topic,
        memory.slot.as_ref().map(Slot::key),
        memory.parent,
        memory.ordinal,
        &memory.content,
        serde_json::to_string(&memory.data)?,
        &memory.speaker,
        times.mentioned_at,
        times.happened.map(|happened| happened.from),
        times.happened.map(|happened| happened.to),
        times.happened.map(|happened| happened.precision.as_str()),
        times.valid_from,
        times.valid_to,
        times.recorded_at,
        memory.updated_at,
        importance,
        memory.tokens,
        memory.revision,
    ];
    let written = db.run(text, values).await;
    written.map_err(|fault| fault.or_conflict(TAKEN))?;
    Ok(())
}

fn headings(slot: Option<&Slot>) -> (Option<&str>, Option<&str>) {
    (
        slot.map(|slot| slot.topic.as_str()),
        slot.map(|slot| slot.sub_topic.as_str()),
    )
}

/// Links of memories that were refused, or are not there, are left out.
async fn add_provenance(
    db: &Db,
    owner: &UserKey,
    links: &[Provenance],
    refused: &BTreeSet<MemoryId>,
) -> Work<()> {
    for link in links.iter().filter(|link| !refused.contains(&link.memory)) {
        let values = params![
            &owner.project,
            owner.user,
            link.memory,
            link.revision,
            link.source,
            link.turn,
            &link.speaker,
            link.said_at
        ];
        db.run(text::PROVENANCE_ADD, values).await?;
    }
    Ok(())
}

async fn bump(db: &Db, owner: &UserKey) -> Work<Version> {
    let key = params![&owner.project, owner.user];
    let version = db
        .first(sql::USER_VERSION_BUMP, key, |row| rows::int(row, 0))
        .await?;
    version.map(Version).ok_or_else(Fault::no_such_user)
}

async fn advance(db: &Db, owner: &UserKey, step: &JobStep, now: Timestamp) -> Work<()> {
    if let Some(entry) = &step.result {
        jobs::add_result(db, owner, step.lease.job, entry.clone()).await?;
    }
    match step.finish {
        Some(state) => jobs::finish(db, owner, step.lease.job, state, now).await,
        None => Ok(()),
    }
}
