//! Putting a memory into the indexes and taking it out: terms, statistics, vector.

use mneme_core::change::Indexed;
use mneme_core::id::{MemoryId, UserKey};
use mneme_core::memory::Kind;
use mneme_core::time::Timestamp;
use rusqlite::{Connection, params};

use super::codec::vector_bytes;
use super::fault::Work;
use super::rows;
use super::run::Run;
use crate::sql;

/// Indexes a memory that is not indexed.
pub(super) fn put(
    db: &Connection,
    owner: &UserKey,
    new: &Indexed,
    space: &str,
    now: Timestamp,
) -> Work<()> {
    let (memory, index) = (&new.memory, &new.index);
    let (project, user, id, kind) = (
        &owner.project.0,
        owner.user.as_bytes(),
        memory.id.as_bytes(),
        memory.kind.as_str(),
    );
    let terms = serde_json::to_string(&index.terms.keys().collect::<Vec<_>>())?;
    db.run(
        sql::DOCUMENT_PUT,
        params![
            project,
            user,
            id,
            kind,
            index.length,
            terms,
            memory.revision,
            index.embed_text
        ],
    )?;
    for (term, count) in &index.terms {
        db.run(
            sql::POSTING_INSERT,
            params![project, user, term, id, kind, count, index.length],
        )?;
    }
    db.run(
        sql::LEXICON_ADD,
        params![project, user, kind, 1, index.length],
    )?;
    if let Some(vector) = &index.vector {
        let bytes = vector_bytes(vector);
        let values = params![
            project,
            user,
            space,
            id,
            kind,
            memory.times.recorded_at.0,
            memory.revision,
            bytes
        ];
        db.run(sql::EMBEDDING_PUT, values)?;
    } else if index.embed_text.is_some() {
        db.run(
            sql::BACKLOG_PUT,
            params![project, user, space, id, memory.revision, now.0],
        )?;
    }
    Ok(())
}

/// Takes a memory out of all indexes, in every space.
pub(super) fn remove(db: &Connection, owner: &UserKey, id: MemoryId) -> Work<()> {
    let (project, user, id) = (&owner.project.0, owner.user.as_bytes(), id.as_bytes());
    let document: Option<(Kind, u32, Vec<String>)> =
        db.first(sql::DOCUMENT_DELETE, params![project, user, id], |row| {
            Ok((
                rows::named(row, 0, Kind::parse)?,
                rows::small(row, 1)?,
                rows::json(row, 2)?,
            ))
        })?;
    if let Some((kind, length, terms)) = document {
        for term in terms {
            db.run(sql::POSTING_DELETE, params![project, user, term, id])?;
        }
        db.run(
            sql::LEXICON_ADD,
            params![project, user, kind.as_str(), -1, -i64::from(length)],
        )?;
    }
    db.run(sql::EMBEDDING_DELETE, params![project, user, id])?;
    db.run(sql::BACKLOG_DELETE, params![project, user, id])?;
    Ok(())
}

/// Remembers that a change goes to this space, and that the others miss it.
pub(super) fn know_space(db: &Connection, space: &str) -> Work<()> {
    db.run(sql::SPACE_KNOW, params![space])?;
    db.run(sql::SPACE_GAPS, params![space])?;
    Ok(())
}
