//! Forgetting memories, and keeping the forgotten from coming back.

use std::collections::BTreeSet;

use mneme_core::change::ChangeSet;
use mneme_core::id::{MemoryId, UserKey};
use mneme_core::memory::{Memory, Slot};

use super::bind::{Param, params};
use super::fault::Work;
use super::run::Db;
use super::{index, rows, text};
use crate::sql;
use crate::sqlite::codec::tombstone_hash;

/// Forgets a memory and everything below it. A memory that is not there is forgotten already.
pub(super) async fn forget(db: &Db, owner: &UserKey, id: MemoryId) -> Work<()> {
    let mut seen = BTreeSet::new();
    let mut left = vec![id];
    while let Some(id) = left.pop() {
        if !seen.insert(id) {
            continue;
        }
        let key = params![&owner.project, owner.user, id];
        left.extend(db.list(sql::CHILD_IDS, key, rows::memory_id).await?);
        forget_one(db, owner, id).await?;
    }
    Ok(())
}

async fn forget_one(db: &Db, owner: &UserKey, id: MemoryId) -> Work<()> {
    let key = params![&owner.project, owner.user, id];
    let Some(memory) = db.first(sql::MEMORY, key, rows::memory).await? else {
        return Ok(());
    };
    bury(db, owner, &memory).await?;
    index::remove(db, owner, id).await?;
    for text in [
        sql::REVISIONS_DELETE,
        sql::PROVENANCE_DELETE,
        sql::MEMORY_DELETE,
    ] {
        db.run(text, key).await?;
    }
    Ok(())
}

/// Leaves a tombstone for each thing that the memory ever said and each source that it rested on.
async fn bury(db: &Db, owner: &UserKey, memory: &Memory) -> Work<()> {
    let key = params![&owner.project, owner.user, memory.id];
    let sources: Vec<Vec<u8>> = db
        .list(sql::PROVENANCE_HASHES, key, |row| rows::bytes(row, 0))
        .await?;
    if sources.is_empty() {
        return Ok(());
    }
    let mut said = vec![(slot_key(memory.slot.as_ref()), memory.content.clone())];
    for earlier in db.list(sql::REVISIONS, key, rows::revision).await? {
        said.push((slot_key(earlier.slot.as_ref()), earlier.content));
    }
    let hashes = said.iter().flat_map(|(slot, content)| {
        let hash = |source: &Vec<u8>| tombstone_hash(memory.kind, slot, content, source).to_vec();
        sources.iter().map(hash)
    });
    let values = &[
        Param::from(&owner.project),
        Param::from(owner.user),
        Param::Blobs(hashes.collect()),
    ];
    db.run(text::TOMBSTONES_INSERT, values).await?;
    Ok(())
}

/// The new memories of a change that must not come: those that a tombstone names, and what hangs on them.
pub(super) async fn refused(
    db: &Db,
    owner: &UserKey,
    change: &ChangeSet,
) -> Work<BTreeSet<MemoryId>> {
    let mut refused = BTreeSet::new();
    for new in &change.add {
        if is_buried(db, owner, &new.memory, change).await? {
            refused.insert(new.memory.id);
        }
    }
    // Each round adds one more memory at least, or is the last.
    loop {
        let before = refused.len();
        for new in &change.add {
            let parent = new.memory.parent;
            if parent.is_some_and(|parent| refused.contains(&parent)) {
                refused.insert(new.memory.id);
            }
        }
        if refused.len() == before {
            return Ok(refused);
        }
    }
}

async fn is_buried(db: &Db, owner: &UserKey, memory: &Memory, change: &ChangeSet) -> Work<bool> {
    let slot = slot_key(memory.slot.as_ref());
    for link in change
        .provenance
        .iter()
        .filter(|link| link.memory == memory.id)
    {
        let key = params![&owner.project, owner.user, link.source];
        let found = db
            .first(sql::SOURCE_HASH, key, |row| rows::bytes(row, 0))
            .await?;
        let Some(source) = found else { continue };
        let hash = tombstone_hash(memory.kind, &slot, &memory.content, &source);
        let values = params![&owner.project, owner.user, hash.as_slice()];
        if db.exists(sql::TOMBSTONE, values).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn slot_key(slot: Option<&Slot>) -> String {
    slot.map(Slot::key).unwrap_or_default()
}
