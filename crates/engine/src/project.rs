//! A project's configuration, read and checked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use mneme_core::config::{self, ProfileConfig, TagSpec, Topic};
use mneme_core::distil::Language;
use mneme_core::id::ProjectId;
use mneme_core::ports::UsageRow;
use mneme_core::time::SECONDS_PER_DAY;

use crate::{Engine, EngineError, EngineResult, ErrorKind};

/// Parsed configurations, each good for exactly the text that it was parsed from: a change is seen at once.
#[derive(Debug, Default)]
pub(crate) struct ConfigCache {
    parsed: Mutex<HashMap<ProjectId, (String, Arc<ProfileConfig>)>>,
}

/// Projects whose configuration stays parsed.
const CACHE_PROJECTS_MAX: usize = 1024;

/// A project's configuration with the server's defaults filled in.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) language: Language,
    pub(crate) topics: Vec<Topic>,
    pub(crate) strict: bool,
    pub(crate) validate: bool,
    pub(crate) event_theme: Option<String>,
    pub(crate) tags: Vec<TagSpec>,
}

impl Engine {
    /// The project's configuration text, empty when unset; `None` when there is no such project.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn profile_config(&self, project: &ProjectId) -> EngineResult<Option<String>> {
        Ok(self
            .store()
            .project(project)
            .await?
            .map(|p| p.profile_config))
    }

    /// Replaces the configuration; `false` when there is no such project.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] says what is wrong and where; the stored text stays as it was.
    pub async fn set_profile_config(&self, project: &ProjectId, text: &str) -> EngineResult<bool> {
        config::parse(text)
            .map_err(|error| EngineError::new(ErrorKind::Invalid, error.to_string()))?;
        Ok(self
            .store()
            .set_profile_config(project, text, self.now())
            .await?)
    }

    /// What the project used in the last so many days, today included, newest first.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn usage(&self, project: &ProjectId, days: u16) -> EngineResult<Vec<UsageRow>> {
        let since = self
            .now()
            .plus_seconds(-SECONDS_PER_DAY * i64::from(days.saturating_sub(1)))
            .date_iso(&jiff::tz::TimeZone::UTC);
        Ok(self.store().usage(project, &since).await?)
    }

    pub(crate) async fn settings(&self, project: &ProjectId) -> EngineResult<Settings> {
        let text = self.profile_config(project).await?.unwrap_or_default();
        let config = self.inner.configs.get(project, text);
        let options = self.options();
        let language = config.language.unwrap_or(options.language);
        let topics = match (&config.overwrite, &options.topics) {
            (None, Some(topics)) => topics.iter().chain(&config.additional).cloned().collect(),
            _ => config.topics(language),
        };
        Ok(Settings {
            language,
            topics,
            strict: config.strict.unwrap_or(options.strict),
            validate: config.validate.unwrap_or(options.validate),
            event_theme: config
                .event_theme
                .clone()
                .or_else(|| options.event_theme.clone()),
            tags: config
                .event_tags
                .clone()
                .unwrap_or_else(|| options.event_tags.clone()),
        })
    }
}

impl ConfigCache {
    fn get(&self, project: &ProjectId, text: String) -> Arc<ProfileConfig> {
        let mut parsed = self.parsed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, config)) = parsed.get(project)
            && *known == text
        {
            return Arc::clone(config);
        }
        // Stored texts were checked when they came in; one that an older version let in counts as unset.
        let config = Arc::new(config::parse(&text).unwrap_or_default());
        if parsed.len() >= CACHE_PROJECTS_MAX {
            parsed.clear();
        }
        parsed.insert(project.clone(), (text, Arc::clone(&config)));
        config
    }
}
