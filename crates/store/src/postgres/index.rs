//! Putting a memory into the indexes and taking it out: terms, statistics, vector.

use mneme_core::change::Indexed;
use mneme_core::id::{MemoryId, UserKey};
use mneme_core::memory::Kind;
use mneme_core::time::Timestamp;

use super::bind::{Param, params, term};
use super::fault::Work;
use super::run::Db;
use super::{rows, text};
use crate::sql;

/// Indexes a memory that is not indexed, in one exchange with the database.
pub(super) async fn put(
    db: &Db,
    owner: &UserKey,
    new: &Indexed,
    space: &str,
    now: Timestamp,
) -> Work<()> {
    let (memory, index) = (&new.memory, &new.index);
    let kind = memory.kind.as_str();
    let terms = serde_json::to_string(&index.terms.keys().collect::<Vec<_>>())?;
    let document = params![
        &owner.project,
        owner.user,
        memory.id,
        kind,
        index.length,
        &terms,
        memory.revision,
        &index.embed_text
    ];
    let statistics = params![&owner.project, owner.user, kind, 1_i64, index.length];
    let (document, postings, statistics, vector) = tokio::join!(
        biased;
        db.run(sql::DOCUMENT_PUT, document),
        put_postings(db, owner, new),
        db.run(sql::LEXICON_ADD, statistics),
        put_vector_or_wait(db, owner, new, space, now),
    );
    document?;
    postings?;
    statistics?;
    vector
}

async fn put_postings(db: &Db, owner: &UserKey, new: &Indexed) -> Work<()> {
    let terms = &new.index.terms;
    if terms.is_empty() {
        return Ok(());
    }
    let values = &[
        Param::from(&owner.project),
        Param::from(owner.user),
        Param::from(new.memory.id),
        Param::from(new.memory.kind.as_str()),
        Param::from(new.index.length),
        Param::Texts(terms.keys().map(|text| Some(term(text))).collect()),
        Param::Ints(terms.values().copied().map(i64::from).collect()),
    ];
    db.run(text::POSTINGS_INSERT, values).await?;
    Ok(())
}

async fn put_vector_or_wait(
    db: &Db,
    owner: &UserKey,
    new: &Indexed,
    space: &str,
    now: Timestamp,
) -> Work<()> {
    let memory = &new.memory;
    if let Some(vector) = &new.index.vector {
        let stamp = (memory.kind, memory.times.recorded_at, memory.revision);
        put_vector(db, owner, space, memory.id, stamp, vector).await
    } else if new.index.embed_text.is_some() {
        let values = params![
            &owner.project,
            owner.user,
            space,
            memory.id,
            memory.revision,
            now
        ];
        db.run(sql::BACKLOG_PUT, values).await.map(drop)
    } else {
        Ok(())
    }
}

/// Keeps a vector. One that nothing can be compared with is kept as NULL: it is there, and is never found.
pub(super) async fn put_vector(
    db: &Db,
    owner: &UserKey,
    space: &str,
    id: MemoryId,
    (kind, recorded_at, revision): (Kind, Timestamp, u32),
    vector: &[f32],
) -> Work<()> {
    let values = &[
        Param::from(&owner.project),
        Param::from(owner.user),
        Param::from(space),
        Param::from(id),
        Param::from(kind.as_str()),
        Param::from(recorded_at),
        Param::from(revision),
        Param::Reals(Some(vector).filter(|vector| is_comparable(vector))),
    ];
    db.run(sql::EMBEDDING_PUT, values).await.map(drop)
}

/// Whether pgvector takes it: at least one component, not more than it has room for, and all of them numbers.
pub(super) fn is_comparable(vector: &[f32]) -> bool {
    const COMPONENTS_MAX: usize = 16_000;
    (1..=COMPONENTS_MAX).contains(&vector.len())
        && vector.iter().all(|component| component.is_finite())
}

/// Takes a memory out of all indexes, in every space.
pub(super) async fn remove(db: &Db, owner: &UserKey, id: MemoryId) -> Work<()> {
    let key = params![&owner.project, owner.user, id];
    let document = db
        .first(sql::DOCUMENT_DELETE, key, |row| {
            let terms: Vec<String> = rows::json(row, 2)?;
            let kind = rows::named(row, 0, Kind::parse)?;
            Ok((kind, rows::small(row, 1)?, terms))
        })
        .await?;
    if let Some((kind, length, terms)) = document {
        let values = &[
            Param::from(&owner.project),
            Param::from(owner.user),
            Param::from(id),
            Param::Texts(terms.iter().map(|text| Some(term(text))).collect()),
        ];
        db.run(text::POSTINGS_DELETE, values).await?;
        let less = -i64::from(length);
        let values = params![&owner.project, owner.user, kind.as_str(), -1_i64, less];
        db.run(sql::LEXICON_ADD, values).await?;
    }
    db.run(sql::EMBEDDING_DELETE, key).await?;
    db.run(sql::BACKLOG_DELETE, key).await?;
    Ok(())
}

/// Remembers that a change goes to this space, and that the others miss it. Until the transaction ends no backlog is
/// filled, so none can be called complete without this change.
pub(super) async fn know_space(db: &Db, space: &str) -> Work<()> {
    let space = params![space];
    let (locked, known, gaps) = tokio::join!(
        biased;
        db.rows(text::SPACES_SHARED, params![]),
        db.run(sql::SPACE_KNOW, space),
        db.run(sql::SPACE_GAPS, space),
    );
    locked?;
    known?;
    gaps?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::is_comparable;

    #[test]
    fn what_pgvector_refuses_is_not_comparable() {
        assert!(is_comparable(&[0.0]));
        assert!(is_comparable(&vec![0.5; 16_000]));
        for vector in [
            vec![],
            vec![0.5; 16_001],
            vec![1.0, f32::NAN],
            vec![f32::INFINITY],
        ] {
            assert!(!is_comparable(&vector));
        }
    }
}
