//! What recall reads, and the backlog of vectors.

use std::collections::BTreeMap;

use async_trait::async_trait;
use mneme_core::id::{MemoryId, UserKey};
use mneme_core::memory::Kind;
use mneme_core::ports::{NearestQuery, Posting, Postings, RecallIndex, StoreResult, Unembedded};
use mneme_core::time::Timestamp;

use super::bind::{Param, params, term};
use super::fault::Work;
use super::memories::kind_names;
use super::pool::{look, transact};
use super::run::Db;
use super::{PostgresStore, index, rows, text, users};
use crate::sql;
use crate::sqlite::codec::count;

/// Vectors of one user with what they were made of.
type OfUser = Vec<(Unembedded, Vec<f32>)>;

#[async_trait]
impl RecallIndex for PostgresStore {
    async fn postings(
        &self,
        owner: &UserKey,
        kinds: &[Kind],
        terms: &[String],
    ) -> StoreResult<Postings> {
        look!(self, db => postings(db, owner, kinds, terms).await)
    }

    async fn nearest(
        &self,
        owner: &UserKey,
        query: NearestQuery,
    ) -> StoreResult<Vec<(MemoryId, f32)>> {
        // What cannot be compared is near to nothing.
        if query.limit == 0 || !index::is_comparable(&query.vector) {
            return Ok(Vec::new());
        }
        look!(self, db => nearest(db, owner, &query).await)
    }

    async fn unembedded(&self, space: &str, limit: usize) -> StoreResult<Vec<Unembedded>> {
        self.fill_backlog(space).await?;
        look!(self, db => {
            db.list(sql::BACKLOG, params![space, count(limit)], |row| {
                Ok(Unembedded {
                    owner: rows::owner(row, 0)?,
                    memory: MemoryId(rows::uuid(row, 2)?),
                    revision: rows::small(row, 3)?,
                    text: rows::text(row, 4)?,
                })
            })
            .await
        })
    }

    async fn unembedded_count(&self, space: &str, owner: Option<&UserKey>) -> StoreResult<u64> {
        self.fill_backlog(space).await?;
        look!(self, db => {
            let found = match owner {
                Some(owner) => {
                    let values = params![&owner.project, owner.user, space];
                    db.first(sql::BACKLOG_COUNT_OF_USER, values, |row| rows::number(row, 0)).await?
                }
                None => {
                    db.first(sql::BACKLOG_COUNT, params![space], |row| rows::number(row, 0)).await?
                }
            };
            Ok(found.unwrap_or(0))
        })
    }

    async fn put_vectors(
        &self,
        space: &str,
        vectors: Vec<(Unembedded, Vec<f32>)>,
    ) -> StoreResult<usize> {
        let mut by_user: BTreeMap<UserKey, OfUser> = BTreeMap::new();
        for one in vectors {
            by_user.entry(one.0.owner.clone()).or_default().push(one);
        }
        let mut stored = 0;
        // A transaction for each user: nobody waits for the vectors of others.
        for (owner, vectors) in &by_user {
            stored += transact!(self, db => put_vectors(db, owner, space, vectors).await)?;
        }
        Ok(stored)
    }
}

impl PostgresStore {
    /// After changes went to another space (or when this one is new), looks once for everything that lacks a vector
    /// here. While all changes go to one space, each puts itself on the backlog and there is nothing to look for.
    async fn fill_backlog(&self, space: &str) -> StoreResult<()> {
        let filled = look!(self, db => {
            db.first(sql::SPACE_FILLED, params![space], |row| rows::int(row, 0)).await
        })?;
        if filled == Some(1) {
            return Ok(());
        }
        transact!(self, db => {
            db.rows(text::SPACES_ALONE, params![]).await?;
            db.run(sql::SPACE_KNOW, params![space]).await?;
            db.run(sql::BACKLOG_FILL, params![space]).await?;
            db.run(sql::SPACE_SET_FILLED, params![space]).await.map(drop)
        })
    }
}

async fn postings(db: &Db, owner: &UserKey, kinds: &[Kind], terms: &[String]) -> Work<Postings> {
    let wanted = |kind: Kind| kinds.is_empty() || kinds.contains(&kind);
    let values = &[
        Param::from(&owner.project),
        Param::from(owner.user),
        Param::Texts(terms.iter().map(|text| Some(term(text))).collect()),
    ];
    let mut answer = Postings {
        terms: vec![Vec::new(); terms.len()],
        ..Postings::default()
    };
    for row in &db.rows(text::POSTINGS, values).await? {
        if !wanted(rows::named(row, 2, Kind::parse)?) {
            continue;
        }
        let place = usize::try_from(rows::int(row, 0)?).unwrap_or(usize::MAX);
        let Some(place) = place.checked_sub(1) else {
            let (documents, length) = (rows::number(row, 3)?, rows::number(row, 4)?);
            answer.documents = answer.documents.saturating_add(documents);
            answer.length_total = answer.length_total.saturating_add(length);
            continue;
        };
        if let Some(found) = answer.terms.get_mut(place) {
            found.push(Posting {
                memory: MemoryId(rows::uuid(row, 1)?),
                count: rows::small(row, 3)?,
                length: rows::small(row, 4)?,
            });
        }
    }
    Ok(answer)
}

async fn nearest(db: &Db, owner: &UserKey, query: &NearestQuery) -> Work<Vec<(MemoryId, f32)>> {
    let values = &[
        Param::from(&owner.project),
        Param::from(owner.user),
        Param::from(&query.space),
        Param::Reals(Some(&query.vector)),
        Param::from(count(query.vector.len())),
        kind_names(&query.kinds),
        Param::from(query.recorded_from.unwrap_or(Timestamp(i64::MIN))),
        Param::from(count(query.limit)),
    ];
    let mut found = db
        .list(text::NEAREST, values, |row| {
            // The operator gives the inner product with its sign turned, so that the nearest come first.
            let distance: f64 = row.try_get(1)?;
            Ok((rows::memory_id(row)?, -distance as f32))
        })
        .await?;
    found.retain(|(_, score)| score.is_finite());
    Ok(found)
}

async fn put_vectors(
    db: &Db,
    owner: &UserKey,
    space: &str,
    vectors: &[(Unembedded, Vec<f32>)],
) -> Work<usize> {
    // Also keeps the memories from being changed or forgotten meanwhile.
    if users::lock(db, owner).await?.is_none() {
        return Ok(0);
    }
    db.run(sql::SPACE_KNOW, params![space]).await?;
    let mut stored = 0;
    for (of, vector) in vectors {
        stored += usize::from(put_vector(db, space, of, vector).await?);
    }
    Ok(stored)
}

/// Stores a vector if its memory is still what the vector was made of.
async fn put_vector(db: &Db, space: &str, of: &Unembedded, vector: &[f32]) -> Work<bool> {
    let owner = &of.owner;
    let key = params![&owner.project, owner.user, of.memory];
    let stamp = db
        .first(sql::MEMORY_STAMP, key, |row| {
            let kind = rows::named(row, 0, Kind::parse)?;
            Ok((kind, rows::time(row, 1)?, rows::small(row, 2)?))
        })
        .await?;
    let Some(stamp) = stamp.filter(|stamp| stamp.2 == of.revision) else {
        return Ok(false);
    };
    index::put_vector(db, owner, space, of.memory, stamp, vector).await?;
    let values = params![&owner.project, owner.user, space, of.memory];
    db.run(sql::BACKLOG_DONE, values).await?;
    Ok(true)
}
