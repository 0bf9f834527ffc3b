//! Forgetting memories, and keeping the forgotten from coming back.

use std::collections::BTreeSet;

use mneme_core::change::ChangeSet;
use mneme_core::id::{MemoryId, UserKey};
use mneme_core::memory::{Kind, Memory, Slot};
use rusqlite::{Connection, params};

use super::codec::tombstone_hash;
use super::fault::Work;
use super::run::Run;
use super::{index, rows};
use crate::sql;

/// Forgets a memory and everything below it. A memory that is not there is forgotten already.
pub(super) fn forget(db: &Connection, owner: &UserKey, id: MemoryId) -> Work<()> {
    let mut seen = BTreeSet::new();
    let mut left = vec![id];
    while let Some(id) = left.pop() {
        if !seen.insert(id) {
            continue;
        }
        let key = params![owner.project.0, owner.user.as_bytes(), id.as_bytes()];
        left.extend(db.list(sql::CHILD_IDS, key, |row| Ok(MemoryId(rows::uuid(row, 0)?)))?);
        forget_one(db, owner, id)?;
    }
    Ok(())
}

fn forget_one(db: &Connection, owner: &UserKey, id: MemoryId) -> Work<()> {
    let (project, user, id_bytes) = (&owner.project.0, owner.user.as_bytes(), id.as_bytes());
    let Some(memory) = db.first(sql::MEMORY, params![project, user, id_bytes], rows::memory)?
    else {
        return Ok(());
    };
    bury(db, owner, &memory)?;
    index::remove(db, owner, id)?;
    for text in [
        sql::REVISIONS_DELETE,
        sql::PROVENANCE_DELETE,
        sql::MEMORY_DELETE,
    ] {
        db.run(text, params![project, user, id_bytes])?;
    }
    Ok(())
}

/// Leaves a tombstone for each thing that the memory ever said and each source that it rested on.
fn bury(db: &Connection, owner: &UserKey, memory: &Memory) -> Work<()> {
    let (project, user, id) = (
        &owner.project.0,
        owner.user.as_bytes(),
        memory.id.as_bytes(),
    );
    let sources: Vec<Vec<u8>> =
        db.list(sql::PROVENANCE_HASHES, params![project, user, id], |row| {
            row.get(0)
        })?;
    if sources.is_empty() {
        return Ok(());
    }
    let mut said = vec![(slot_key(memory.slot.as_ref()), memory.content.clone())];
    for earlier in db.list(sql::REVISIONS, params![project, user, id], rows::revision)? {
        said.push((slot_key(earlier.slot.as_ref()), earlier.content));
    }
    for (slot, content) in &said {
        for source in &sources {
            let hash = tombstone_hash(memory.kind, slot, content, source);
            db.run(sql::TOMBSTONE_INSERT, params![project, user, hash])?;
        }
    }
    Ok(())
}

/// The new memories of a change that must not come: those that a tombstone names, and what hangs on them.
pub(super) fn refused(
    db: &Connection,
    owner: &UserKey,
    change: &ChangeSet,
) -> Work<BTreeSet<MemoryId>> {
    let mut refused = BTreeSet::new();
    for new in &change.add {
        if is_buried(db, owner, &new.memory, change)? {
            refused.insert(new.memory.id);
        }
    }
    // Each round adds one more memory at least, or is the last.
    loop {
        let before = refused.len();
        for new in &change.add {
            if new
                .memory
                .parent
                .is_some_and(|parent| refused.contains(&parent))
            {
                refused.insert(new.memory.id);
            }
        }
        if refused.len() == before {
            return Ok(refused);
        }
    }
}

fn is_buried(db: &Connection, owner: &UserKey, memory: &Memory, change: &ChangeSet) -> Work<bool> {
    let (project, user) = (&owner.project.0, owner.user.as_bytes());
    let kind: Kind = memory.kind;
    for source in change
        .provenance
        .iter()
        .filter(|link| link.memory == memory.id)
        .map(|link| link.source)
    {
        let found: Option<Vec<u8>> = db.first(
            sql::SOURCE_HASH,
            params![project, user, source.as_bytes()],
            |row| row.get(0),
        )?;
        let Some(source) = found else { continue };
        let hash = tombstone_hash(
            kind,
            &slot_key(memory.slot.as_ref()),
            &memory.content,
            &source,
        );
        if db
            .first(sql::TOMBSTONE, params![project, user, hash], |_| Ok(()))?
            .is_some()
        {
            return Ok(true);
        }
    }
    Ok(false)
}

fn slot_key(slot: Option<&Slot>) -> String {
    slot.map(Slot::key).unwrap_or_default()
}
