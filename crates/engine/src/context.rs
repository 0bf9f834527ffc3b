//! Context: profile and gists within a budget of tokens, by Memobase's exact steps.

use mneme_core::context;
use mneme_core::distil::Language;
use mneme_core::id::UserKey;
use mneme_core::limits;
use mneme_core::memory::{Kind, Memory};
use mneme_core::ports::{Page, TimelineFilter};

use crate::api::{ContextQuery, ProfileQuery};
use crate::{Engine, EngineError, EngineResult, ErrorKind};

/// Gists that are looked at.
const GISTS_MAX: usize = 60;
/// Messages that make up the question.
const QUERY_MESSAGES: usize = 3;

impl Engine {
    /// The memory as a text for a prompt. An unknown user has the template with empty sections.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] for a ratio outside `0 < r <= 1` or a template with other placeholders;
    /// [`ErrorKind::ModelUnavailable`] when chats are given and the embedder cannot be asked.
    pub async fn context(&self, owner: &UserKey, query: &ContextQuery) -> EngineResult<String> {
        let ratio = query.profile_event_ratio;
        if !(ratio > 0.0 && ratio <= 1.0) {
            return Err(EngineError::new(
                ErrorKind::Invalid,
                "profile_event_ratio must be more than 0 and at most 1",
            ));
        }
        let language = self.settings(&owner.project).await?.language;
        let max = if query.count_template {
            let template = self.tokens_of(rendered(query, language, "", "")?).await;
            query.max_token_size.saturating_sub(i64::from(template))
        } else {
            query.max_token_size
        };
        let share = share_of(max, ratio);
        let (profile, gists) = tokio::try_join!(
            self.context_profile(owner, query, share),
            self.context_gists(owner, query)
        )?;
        let section = profile
            .as_deref()
            .map(context::profile_section)
            .unwrap_or_default();
        let used = i64::from(self.tokens_of(section.clone()).await);
        let budget = context::event_budget(max, share, used, query.fill_window_with_events);
        let fitting = if budget > 0 {
            context::fitting(gists.iter().map(|gist| gist.tokens), budget)
        } else {
            0
        };
        let gists = gists.get(..fitting).unwrap_or_default();
        if query.count_template {
            return self
                .fitted(query, language, profile.as_deref(), gists)
                .await;
        }
        rendered(query, language, &section, &context::event_section(gists))
    }

    /// The text with as much of the profile, then of the gists, as keeps all of it within the budget. The sum of the
    /// parts' counts is not the count of the whole: there are bullets, line breaks and the one memory that always fits.
    async fn fitted(
        &self,
        query: &ContextQuery,
        language: Language,
        profile: Option<&[Memory]>,
        gists: &[Memory],
    ) -> EngineResult<String> {
        let slots = profile.map_or(0, <[Memory]>::len);
        let text = |kept: usize| {
            let profile = profile.and_then(|profile| profile.get(..kept.min(slots)));
            let section = profile.map(context::profile_section).unwrap_or_default();
            let gists = gists.get(..kept.saturating_sub(slots)).unwrap_or_default();
            rendered(query, language, &section, &context::event_section(gists))
        };
        // Everything first, which usually fits; then by halves.
        let all = slots + gists.len();
        let (mut fits, mut over, mut tried) = (0, all + 1, all);
        while over - fits > 1 {
            if i64::from(self.tokens_of(text(tried)?).await) <= query.max_token_size {
                fits = tried;
            } else {
                over = tried;
            }
            tried = usize::midpoint(fits, over);
        }
        text(fits)
    }

    /// `None` when the profile has no share at all.
    async fn context_profile(
        &self,
        owner: &UserKey,
        query: &ContextQuery,
        share: i64,
    ) -> EngineResult<Option<Vec<Memory>>> {
        if share <= 0 {
            return Ok(None);
        }
        let chats = if query.full_profile {
            Vec::new()
        } else {
            query.chats.clone()
        };
        let profile_query = ProfileQuery {
            max_token_size: Some(share),
            chats,
            ..query.profile.clone()
        };
        self.profile(owner, &profile_query).await.map(Some)
    }

    async fn context_gists(
        &self,
        owner: &UserKey,
        query: &ContextQuery,
    ) -> EngineResult<Vec<Memory>> {
        if query.chats.is_empty() {
            let filter = TimelineFilter {
                kinds: vec![Kind::Gist],
                recorded_from: self.days_ago(query.days),
            };
            return Ok(self
                .store()
                .timeline(
                    owner,
                    filter,
                    Page {
                        offset: 0,
                        limit: GISTS_MAX.min(limits::PAGE_ROWS_MAX),
                    },
                )
                .await?);
        }
        let from = query.chats.len().saturating_sub(QUERY_MESSAGES);
        let question = query.chats[from..]
            .iter()
            .map(|message| message.content.as_str())
            .collect::<Vec<_>>()
            .join("\n");
        self.similar_gists(
            owner,
            &question,
            query.event_similarity_threshold,
            query.days,
            GISTS_MAX,
        )
        .await
    }
}

fn rendered(
    query: &ContextQuery,
    language: Language,
    profile: &str,
    events: &str,
) -> EngineResult<String> {
    match &query.customize_prompt {
        Some(template) => context::render_custom(template, profile, events)
            .map_err(|message| EngineError::new(ErrorKind::Invalid, message)),
        None => Ok(context::render(language, profile, events)),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "a budget of tokens; the cast saturates"
)]
fn share_of(max: i64, ratio: f64) -> i64 {
    (max as f64 * ratio) as i64
}
