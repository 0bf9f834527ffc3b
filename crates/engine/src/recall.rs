//! Recall: words and meaning over a user's own memories, fused into one order and one score.

use std::collections::HashMap;

use mneme_core::analyze;
use mneme_core::id::{MemoryId, UserKey};
use mneme_core::limits;
use mneme_core::memory::{Kind, Memory};
use mneme_core::ports::NearestQuery;
use mneme_core::recall::bm25;
use mneme_core::recall::fold::{self, Candidate};
use mneme_core::recall::fuse::{self, Boost, FuseInput, Ranked, Weights};
use mneme_core::time::{
    Anchor, Happened, MICROS_PER_SECOND, SECONDS_PER_DAY, Timestamp, expression,
};

use crate::api::{RecallQuery, Recalled};
use crate::{Engine, EngineResult};

/// The nearest memories that fusion looks at.
const DENSE_CANDIDATES: usize = 500;
/// Memories that are read in full to weigh their times.
const HYDRATED_MAX: usize = 400;

/// What both legs found.
struct Legs {
    dense: Vec<(MemoryId, f32)>,
    lexical: HashMap<MemoryId, f32>,
}

impl Engine {
    /// Memories that answer the query, best first. When the embedder cannot be asked, words alone decide.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn recall(
        &self,
        owner: &UserKey,
        query: &RecallQuery,
    ) -> EngineResult<Vec<Recalled>> {
        if query.limit == 0 {
            return Ok(Vec::new());
        }
        let kinds = if query.kinds.is_empty() {
            vec![Kind::Profile, Kind::Gist]
        } else {
            query.kinds.clone()
        };
        let vector = match self.query_vector(&query.query).await {
            Ok(vector) => Some(vector),
            Err(error) => {
                tracing::warn!(error = %error, "recall goes by words alone");
                None
            }
        };
        let legs = self.legs(owner, &kinds, &query.query, vector, None).await?;
        let limit = query.limit.min(limits::PAGE_ROWS_MAX);
        let (ranked, memories) = self
            .fuse(
                owner,
                &query.query,
                legs,
                query.floor,
                limit.saturating_mul(2).max(limit),
            )
            .await?;
        Ok(folded(ranked, memories, limit))
    }

    /// Gists for a context: those whose score is above the threshold, best first. The score goes by words and meaning
    /// together, since meaning alone leaves out a quarter of what answers a question at Memobase's default threshold.
    pub(crate) async fn similar_gists(
        &self,
        owner: &UserKey,
        question: &str,
        threshold: f32,
        days: Option<i64>,
        limit: usize,
    ) -> EngineResult<Vec<Memory>> {
        let vector = self.query_vector(question).await?;
        let from = self.days_ago(days);
        let legs = self
            .legs(owner, &[Kind::Gist], question, Some(vector), from)
            .await?;
        // Twice as many, because near-duplicates are folded and words know no days.
        let (mut ranked, memories) = self
            .fuse(
                owner,
                question,
                legs,
                threshold.next_up(),
                limit.saturating_mul(2),
            )
            .await?;
        let recent = |memory: &Memory| from.is_none_or(|from| memory.times.recorded_at >= from);
        ranked.retain(|hit| memories.get(&hit.id).is_some_and(recent));
        Ok(folded(ranked, memories, limit)
            .into_iter()
            .map(|hit| hit.memory)
            .collect())
    }

    async fn legs(
        &self,
        owner: &UserKey,
        kinds: &[Kind],
        query: &str,
        vector: Option<Vec<f32>>,
        recorded_from: Option<Timestamp>,
    ) -> EngineResult<Legs> {
        let terms = analyze::query_terms(query);
        let words = async {
            let postings = if terms.is_empty() {
                mneme_core::ports::Postings::default()
            } else {
                self.store().postings(owner, kinds, &terms).await?
            };
            Ok(bm25::coverage(&postings))
        };
        let meaning = async {
            let Some(vector) = vector else {
                return Ok(Vec::new());
            };
            let space = self.inner.parts.embedder.space().name.clone();
            self.store()
                .nearest(
                    owner,
                    NearestQuery {
                        kinds: kinds.to_vec(),
                        space,
                        vector,
                        limit: DENSE_CANDIDATES,
                        recorded_from,
                    },
                )
                .await
        };
        let (lexical, dense) = tokio::try_join!(words, meaning)?;
        Ok(Legs { dense, lexical })
    }

    /// Fuses the legs; memories inside the time that the query names are lifted.
    async fn fuse(
        &self,
        owner: &UserKey,
        query: &str,
        legs: Legs,
        floor: f32,
        limit: usize,
    ) -> EngineResult<(Vec<Ranked>, HashMap<MemoryId, Memory>)> {
        let unrelated_cosine = self.inner.parts.embedder.space().unrelated_cosine;
        let anchor = Anchor {
            at: self.now(),
            zone: self.options().zone.clone(),
        };
        let asked = expression::query_interval(query, &anchor);
        let input = FuseInput {
            dense: legs.dense,
            lexical: legs.lexical,
            unrelated_cosine,
            boosts: HashMap::new(),
            weights: Weights::default(),
            floor: 0.0,
            limit: limit.max(HYDRATED_MAX),
        };
        let Some(asked) = asked else {
            // Without a time in the question, only what is shown has to be read.
            let ranked = fuse::rank(&FuseInput {
                floor,
                limit,
                ..input
            });
            let memories = self.hydrated(owner, &ranked).await?;
            return Ok((ranked, memories));
        };
        let memories = self.hydrated(owner, &fuse::rank(&input)).await?;
        let boosts = boosts(&memories, &asked);
        let mut ranked = fuse::rank(&FuseInput {
            boosts,
            floor,
            limit,
            ..input
        });
        ranked.retain(|hit| memories.contains_key(&hit.id));
        Ok((ranked, memories))
    }

    /// The hits in full. A memory that went since it was ranked is not there and will not be shown.
    async fn hydrated(
        &self,
        owner: &UserKey,
        ranked: &[Ranked],
    ) -> EngineResult<HashMap<MemoryId, Memory>> {
        let ids: Vec<MemoryId> = ranked.iter().map(|hit| hit.id).collect();
        Ok(self
            .store()
            .memories(owner, &ids)
            .await?
            .into_iter()
            .map(|memory| (memory.id, memory))
            .collect())
    }
}

fn boosts(memories: &HashMap<MemoryId, Memory>, asked: &Happened) -> HashMap<MemoryId, Boost> {
    memories
        .values()
        .filter_map(|memory| {
            let inside = match (memory.times.happened, memory.times.mentioned_at) {
                (Some(happened), _) if happened.from < asked.to && asked.from < happened.to => 1.0,
                (None, Some(said)) if asked.from <= said && said < asked.to => 0.7,
                _ => return None,
            };
            Some((
                memory.id,
                Boost {
                    time: inside,
                    ..Boost::default()
                },
            ))
        })
        .collect()
}

/// Near-duplicates go into the better one; then the limit.
fn folded(
    ranked: Vec<Ranked>,
    mut memories: HashMap<MemoryId, Memory>,
    limit: usize,
) -> Vec<Recalled> {
    let apart: HashMap<MemoryId, String> = memories
        .values()
        .map(|memory| (memory.id, kept_apart(memory)))
        .collect();
    let candidates = ranked
        .into_iter()
        .filter_map(|hit| {
            let memory = memories.get(&hit.id)?;
            Some(Candidate {
                hit,
                text: &memory.content,
                apart: apart.get(&hit.id).map(String::as_str),
            })
        })
        .collect();
    let kept = fold::fold(candidates);
    kept.into_iter()
        .take(limit)
        .filter_map(|kept| {
            let hit = kept.hit;
            let memory = memories.remove(&hit.id)?;
            Some(Recalled {
                memory,
                score: hit.score,
                similarity: hit.components.similarity,
                coverage: hit.components.coverage,
            })
        })
        .collect()
}

/// What keeps equal words apart: another slot; else another speaker or another day.
fn kept_apart(memory: &Memory) -> String {
    const MICROS_PER_DAY: i64 = SECONDS_PER_DAY * MICROS_PER_SECOND;
    match &memory.slot {
        Some(slot) => slot.key(),
        None => {
            let day = memory
                .times
                .mentioned_at
                .map_or(0, |at| at.0.div_euclid(MICROS_PER_DAY));
            format!(
                "{}\u{1f}{day}",
                memory.speaker.as_deref().unwrap_or_default()
            )
        }
    }
}
