//! Applying a change set: all of it or nothing.
//!
//! Everything here runs inside one savepoint of the writer, so any error undoes the whole change.

use std::collections::BTreeSet;

use mneme_core::change::{ChangeSet, Indexed, JobStep, Revised, Version};
use mneme_core::id::{MemoryId, UserKey};
use mneme_core::memory::{Memory, Provenance, Slot};
use mneme_core::time::Timestamp;
use rusqlite::{Connection, params};

use super::fault::{Fault, Work};
use super::run::Run;
use super::{forget, inbox, index, jobs, rows, tenants, users};
use crate::sql;

const TAKEN: &str = "a memory with that id or in that slot exists already";
const MOVED_ON: &str = "the user's memory changed since the plan was made";

/// Checks who may change what, then changes it; the user's version afterwards.
pub(super) fn commit(
    db: &Connection,
    owner: &UserKey,
    expected: Option<Version>,
    change: ChangeSet,
    space: &str,
    now: Timestamp,
) -> Work<Version> {
    let version = Version(users::require(db, owner)?);
    if let Some(step) = &change.job {
        jobs::require_lease(db, owner, step.lease)?;
    }
    if expected.is_some_and(|expected| expected != version) {
        return Err(Fault::conflict(MOVED_ON));
    }
    if change.touches_memory() {
        index::know_space(db, space)?;
    }
    for id in &change.forget {
        forget::forget(db, owner, *id)?;
    }
    let refused = forget::refused(db, owner, &change)?;
    // Memories may trade their slots, so all slots are left before any is taken. What is new comes before what
    // changes: a new memory may have several states at once.
    leave_slots(db, owner, &change.revise)?;
    for new in change
        .add
        .iter()
        .filter(|new| !refused.contains(&new.memory.id))
    {
        add(db, owner, new, space, now)?;
    }
    for revised in change
        .revise
        .iter()
        .filter(|revised| !refused.contains(&revised.next.memory.id))
    {
        revise(db, owner, revised, space, now)?;
    }
    for id in &change.confirm {
        confirm(db, owner, *id, now)?;
    }
    add_provenance(db, owner, &change.provenance, &refused)?;
    for id in &change.buffer_done {
        inbox::buffer_done(db, owner, *id)?;
    }
    for id in &change.drop_sources {
        inbox::delete_source(db, owner, *id)?;
    }
    tenants::book_usage(db, owner, &change.usage, now)?;
    let version = if change.touches_memory() {
        bump(db, owner)?
    } else {
        version
    };
    if let Some(step) = change.job {
        advance(db, owner, step, now)?;
    }
    Ok(version)
}

fn add(db: &Connection, owner: &UserKey, new: &Indexed, space: &str, now: Timestamp) -> Work<()> {
    write_memory(db, sql::MEMORY_INSERT, owner, &new.memory)?;
    index::put(db, owner, new, space, now)
}

fn leave_slots(db: &Connection, owner: &UserKey, revise: &[Revised]) -> Work<()> {
    for revised in revise {
        let key = params![
            owner.project.0,
            owner.user.as_bytes(),
            revised.next.memory.id.as_bytes()
        ];
        db.run(sql::MEMORY_UNSLOT, key)?;
    }
    Ok(())
}

fn revise(
    db: &Connection,
    owner: &UserKey,
    revised: &Revised,
    space: &str,
    now: Timestamp,
) -> Work<()> {
    let next = &revised.next.memory;
    let key = params![owner.project.0, owner.user.as_bytes(), next.id.as_bytes()];
    let Some(stored) = db.first(sql::MEMORY, key, rows::memory)? else {
        return Err(Fault::conflict(MOVED_ON));
    };
    if stored.revision.checked_add(1) != Some(next.revision) {
        return Err(Fault::conflict(MOVED_ON));
    }
    keep_revision(db, owner, &stored, revised, now)?;
    write_memory(db, sql::MEMORY_REPLACE, owner, next)?;
    index::remove(db, owner, next.id)?;
    index::put(db, owner, &revised.next, space, now)
}

/// Said again: only the time moves. A memory that is no more cannot be confirmed.
fn confirm(db: &Connection, owner: &UserKey, id: MemoryId, now: Timestamp) -> Work<()> {
    let key = params![now.0, owner.project.0, owner.user.as_bytes(), id.as_bytes()];
    if db.run(sql::MEMORY_CONFIRM, key)? == 0 {
        Err(Fault::conflict(MOVED_ON))
    } else {
        Ok(())
    }
}

/// Keeps the state that is replaced. It held until the next one began to.
fn keep_revision(
    db: &Connection,
    owner: &UserKey,
    stored: &Memory,
    revised: &Revised,
    now: Timestamp,
) -> Work<()> {
    let times = &stored.times;
    let held_until = revised.next.memory.times.valid_from.unwrap_or(now);
    let (topic, sub_topic) = headings(stored.slot.as_ref());
    let values = params![
        owner.project.0,
        owner.user.as_bytes(),
        stored.id.as_bytes(),
        stored.revision,
        stored.content,
        topic,
        sub_topic,
        serde_json::to_string(&stored.data)?,
        times.mentioned_at.map(|at| at.0),
        times.happened.map(|happened| happened.from.0),
        times.happened.map(|happened| happened.to.0),
        times.happened.map(|happened| happened.precision.as_str()),
        times.valid_from.map(|at| at.0),
        held_until.0,
        times.recorded_at.0,
        now.0,
        revised.reason.as_str(),
    ];
    db.run(sql::REVISION_INSERT, values)
        .map_err(|error| Fault::or_conflict(error, MOVED_ON))?;
    Ok(())
}

/// Binds a whole memory; the text is an insert, with or without replacing.
fn write_memory(db: &Connection, text: &str, owner: &UserKey, memory: &Memory) -> Work<()> {
    let times = &memory.times;
    let (topic, sub_topic) = headings(memory.slot.as_ref());
    // SQLite keeps "not a number" as NULL, and an infinite weight would drown everything else.
    let importance = if memory.importance.is_finite() {
        memory.importance
    } else {
        0.0
    };
    let values = params![
        owner.project.0,
        owner.user.as_bytes(),
        memory.id.as_bytes(),
        memory.kind.as_str(),
        memory.scope.agent,
        memory.scope.session,
        topic,
        sub_topic,
        memory.slot.as_ref().map(Slot::key),
        memory.parent.as_ref().map(MemoryId::as_bytes),
        memory.ordinal,
        memory.content,
        serde_json::to_string(&memory.data)?,
        memory.speaker,
        times.mentioned_at.map(|at| at.0),
        times.happened.map(|happened| happened.from.0),
        times.happened.map(|happened| happened.to.0),
        times.happened.map(|happened| happened.precision.as_str()),
        times.valid_from.map(|at| at.0),
        times.valid_to.map(|at| at.0),
        times.recorded_at.0,
        memory.updated_at.0,
        importance,
        memory.tokens,
        memory.revision,
    ];
    db.run(text, values)
        .map_err(|error| Fault::or_conflict(error, TAKEN))?;
    Ok(())
}

fn headings(slot: Option<&Slot>) -> (Option<&str>, Option<&str>) {
    (
        slot.map(|slot| slot.topic.as_str()),
        slot.map(|slot| slot.sub_topic.as_str()),
    )
}

/// Links of memories that were refused, or are not there, are left out.
fn add_provenance(
    db: &Connection,
    owner: &UserKey,
    links: &[Provenance],
    refused: &BTreeSet<MemoryId>,
) -> Work<()> {
    let (project, user) = (&owner.project.0, owner.user.as_bytes());
    for link in links.iter().filter(|link| !refused.contains(&link.memory)) {
        let memory = link.memory.as_bytes();
        let place: Option<i64> = db.first(
            sql::PROVENANCE_NEXT,
            params![project, user, memory],
            |row| row.get(0),
        )?;
        let Some(place) = place else { continue };
        let source = link.source.as_bytes();
        let hash: Option<Vec<u8>> =
            db.first(sql::SOURCE_HASH, params![project, user, source], |row| {
                row.get(0)
            })?;
        let said_at = link.said_at.map(|at| at.0);
        let values = params![
            project,
            user,
            memory,
            place,
            link.revision,
            source,
            link.turn,
            link.speaker,
            said_at,
            hash
        ];
        db.run(sql::PROVENANCE_INSERT, values)?;
    }
    Ok(())
}

fn bump(db: &Connection, owner: &UserKey) -> Work<Version> {
    let version = db.first(
        sql::USER_VERSION_BUMP,
        params![owner.project.0, owner.user.as_bytes()],
        |row| row.get(0),
    )?;
    version.map(Version).ok_or_else(Fault::no_such_user)
}

fn advance(db: &Connection, owner: &UserKey, step: JobStep, now: Timestamp) -> Work<()> {
    if let Some(entry) = step.result {
        jobs::add_result(db, owner, step.lease.job, entry)?;
    }
    match step.finish {
        Some(state) => jobs::finish(db, owner, step.lease.job, state, now),
        None => Ok(()),
    }
}
