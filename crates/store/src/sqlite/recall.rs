//! What recall reads, and the backlog of vectors.

use async_trait::async_trait;
use mneme_core::id::{MemoryId, UserKey};
use mneme_core::memory::Kind;
use mneme_core::ports::{NearestQuery, Posting, Postings, RecallIndex, StoreResult, Unembedded};
use mneme_core::time::Timestamp;
use rusqlite::{Connection, params};
use uuid::Uuid;

use super::codec::{count, dot, vector_bytes};
use super::fault::Work;
use super::run::Run;
use super::{SqliteStore, rows};
use crate::sql;

#[async_trait]
impl RecallIndex for SqliteStore {
    async fn postings(
        &self,
        owner: &UserKey,
        kinds: &[Kind],
        terms: &[String],
    ) -> StoreResult<Postings> {
        let (owner, kinds, terms) = (owner.clone(), kinds.to_vec(), terms.to_vec());
        self.read(move |db| postings(db, &owner, &kinds, &terms))
            .await
    }

    async fn nearest(
        &self,
        owner: &UserKey,
        query: NearestQuery,
    ) -> StoreResult<Vec<(MemoryId, f32)>> {
        let owner = owner.clone();
        self.read(move |db| nearest(db, &owner, &query)).await
    }

    async fn unembedded(&self, space: &str, limit: usize) -> StoreResult<Vec<Unembedded>> {
        self.fill_backlog(space).await?;
        let space = space.to_owned();
        self.read(move |db| {
            db.list(sql::BACKLOG, params![space, count(limit)], |row| {
                Ok(Unembedded {
                    owner: rows::owner(row, 0)?,
                    memory: MemoryId(rows::uuid(row, 2)?),
                    revision: rows::small(row, 3)?,
                    text: row.get(4)?,
                })
            })
        })
        .await
    }

    async fn unembedded_count(&self, space: &str, owner: Option<&UserKey>) -> StoreResult<u64> {
        self.fill_backlog(space).await?;
        let (space, owner) = (space.to_owned(), owner.cloned());
        self.read(move |db| {
            let found = match owner {
                Some(owner) => {
                    let values = params![owner.project.0, owner.user.as_bytes(), space];
                    db.first(sql::BACKLOG_COUNT_OF_USER, values, |row| {
                        rows::number(row, 0)
                    })?
                }
                None => db.first(sql::BACKLOG_COUNT, params![space], |row| {
                    rows::number(row, 0)
                })?,
            };
            Ok(found.unwrap_or(0))
        })
        .await
    }

    async fn put_vectors(
        &self,
        space: &str,
        vectors: Vec<(Unembedded, Vec<f32>)>,
    ) -> StoreResult<usize> {
        let space = space.to_owned();
        self.write(move |db| {
            db.run(sql::SPACE_KNOW, params![space])?;
            let mut stored = 0;
            for (of, vector) in &vectors {
                stored += usize::from(put_vector(db, &space, of, vector)?);
            }
            Ok(stored)
        })
        .await
    }
}

impl SqliteStore {
    /// After changes went to another space (or when this one is new), looks once for everything that lacks a vector
    /// here. While all changes go to one space, each puts itself on the backlog and there is nothing to look for.
    async fn fill_backlog(&self, space: &str) -> StoreResult<()> {
        let name = space.to_owned();
        let filled = self
            .read(move |db| db.first(sql::SPACE_FILLED, params![name], |row| row.get::<_, i64>(0)))
            .await?;
        if filled == Some(1) {
            return Ok(());
        }
        let name = space.to_owned();
        self.write(move |db| {
            db.run(sql::SPACE_KNOW, params![name])?;
            db.run(sql::BACKLOG_FILL, params![name])?;
            db.run(sql::SPACE_SET_FILLED, params![name])?;
            Ok(())
        })
        .await
    }
}

fn postings(db: &Connection, owner: &UserKey, kinds: &[Kind], terms: &[String]) -> Work<Postings> {
    let (project, user) = (&owner.project.0, owner.user.as_bytes());
    let mut answer = Postings::default();
    let statistics = db.list(sql::LEXICON, params![project, user], |row| {
        Ok((
            rows::named(row, 0, Kind::parse)?,
            rows::number(row, 1)?,
            rows::number(row, 2)?,
        ))
    })?;
    for (kind, documents, length) in statistics {
        if wanted(kinds, kind) {
            answer.documents = answer.documents.saturating_add(documents);
            answer.length_total = answer.length_total.saturating_add(length);
        }
    }
    for term in terms {
        let all = db.list(sql::POSTINGS, params![project, user, term], |row| {
            let posting = Posting {
                memory: MemoryId(rows::uuid(row, 0)?),
                count: rows::small(row, 2)?,
                length: rows::small(row, 3)?,
            };
            Ok((rows::named(row, 1, Kind::parse)?, posting))
        })?;
        answer.terms.push(
            all.into_iter()
                .filter(|(kind, _)| wanted(kinds, *kind))
                .map(|(_, posting)| posting)
                .collect(),
        );
    }
    Ok(answer)
}

/// Compares the query with every vector of the user in the space: the rows lie together, so this is one sweep.
fn nearest(db: &Connection, owner: &UserKey, query: &NearestQuery) -> Work<Vec<(MemoryId, f32)>> {
    let mut statement = db.prepare_cached(sql::EMBEDDINGS)?;
    let mut found =
        statement.query(params![owner.project.0, owner.user.as_bytes(), query.space])?;
    let from = query.recorded_from.unwrap_or(Timestamp(i64::MIN));
    let mut scored: Vec<(MemoryId, f32)> = Vec::new();
    while let Some(row) = found.next()? {
        if rows::time(row, 2)? < from || !wanted(&query.kinds, rows::named(row, 1, Kind::parse)?) {
            continue;
        }
        let score = row
            .get_ref(3)?
            .as_blob()
            .ok()
            .and_then(|bytes| dot(&query.vector, bytes));
        if let Some(score) = score.filter(|score| score.is_finite()) {
            scored.push((MemoryId(Uuid::from_bytes(row.get(0)?)), score));
        }
    }
    let better = |left: &(MemoryId, f32), right: &(MemoryId, f32)| {
        right.1.total_cmp(&left.1).then(left.0.cmp(&right.0))
    };
    if scored.len() > query.limit {
        scored.select_nth_unstable_by(query.limit, better);
        scored.truncate(query.limit);
    }
    scored.sort_unstable_by(better);
    Ok(scored)
}

fn wanted(kinds: &[Kind], kind: Kind) -> bool {
    kinds.is_empty() || kinds.contains(&kind)
}

/// Stores a vector if its memory is still what the vector was made of.
fn put_vector(db: &Connection, space: &str, of: &Unembedded, vector: &[f32]) -> Work<bool> {
    let (project, user, id) = (
        &of.owner.project.0,
        of.owner.user.as_bytes(),
        of.memory.as_bytes(),
    );
    let stamp = db.first(sql::MEMORY_STAMP, params![project, user, id], |row| {
        Ok((
            rows::named(row, 0, Kind::parse)?,
            rows::time(row, 1)?,
            rows::small(row, 2)?,
        ))
    })?;
    let Some((kind, recorded_at, _)) = stamp.filter(|(_, _, revision)| *revision == of.revision)
    else {
        return Ok(false);
    };
    let bytes = vector_bytes(vector);
    let values = params![
        project,
        user,
        space,
        id,
        kind.as_str(),
        recorded_at.0,
        of.revision,
        bytes
    ];
    db.run(sql::EMBEDDING_PUT, values)?;
    db.run(sql::BACKLOG_DONE, params![project, user, space, id])?;
    Ok(true)
}
