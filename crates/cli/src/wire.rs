//! Wiring: the only place that names concrete stores and models.

use std::sync::Arc;

use anyhow::Context as _;
use mneme_core::id::ProjectId;
use mneme_core::ports::{Clock, Embedder, Llm, Store};
use mneme_engine::{Engine, Parts, RandomIds, SystemClock, upkeep, worker};
use mneme_models::{
    CachedQueries, EmbedConfig, Limiter, O200k, OpenAiChat, OpenAiEmbedder, RemoteConfig, Tiny,
};
use mneme_store::{PostgresOptions, PostgresStore, SqliteOptions, SqliteStore, Synchronous};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::settings::{EmbedderSettings, LlmSettings, Settings, StoreSettings};

/// A running engine with its background work.
pub(crate) struct House {
    pub(crate) engine: Engine,
    pub(crate) store: Arc<dyn Store>,
    stop: watch::Sender<bool>,
    work: Vec<JoinHandle<()>>,
}

impl House {
    /// Opens the store, sets up the models and starts the background work.
    pub(crate) async fn open(settings: &Settings) -> anyhow::Result<Self> {
        let store = store(settings).await?;
        store
            .ensure_project(&ProjectId::root(), SystemClock.now())
            .await?;
        let limiter = Arc::new(Limiter::new(settings.llm_concurrency));
        let parts = Parts {
            store: Arc::clone(&store),
            embedder: embedder(&settings.embedder, &limiter).await?,
            llm: settings
                .llm
                .as_ref()
                .map(|llm| chat(llm, &limiter))
                .transpose()?,
            tokens: Arc::new(O200k),
            clock: Arc::new(SystemClock),
            ids: Arc::new(RandomIds),
        };
        let engine = Engine::new(parts, settings.options.clone());
        let (stop, stopped) = watch::channel(false);
        let name = format!("pid-{}", std::process::id());
        let work = vec![
            tokio::spawn(worker::run(engine.clone(), name, stopped.clone())),
            tokio::spawn(upkeep::run(engine.clone(), stopped)),
        ];
        Ok(Self {
            engine,
            store,
            stop,
            work,
        })
    }

    /// Lets running work finish and closes the store.
    pub(crate) async fn close(self) -> anyhow::Result<()> {
        let _ = self.stop.send(true);
        for task in self.work {
            task.await.context("background work stopped unexpectedly")?;
        }
        Ok(self.store.close().await?)
    }
}

async fn store(settings: &Settings) -> anyhow::Result<Arc<dyn Store>> {
    match &settings.store {
        StoreSettings::Sqlite => {
            let options = SqliteOptions {
                synchronous: if settings.fast_commits {
                    Synchronous::Normal
                } else {
                    Synchronous::Full
                },
                ..SqliteOptions::new(settings.data.join("mneme.db"))
            };
            let opened = tokio::task::spawn_blocking(move || SqliteStore::open(&options));
            Ok(Arc::new(opened.await??))
        }
        StoreSettings::Postgres {
            url,
            connections,
            prepared,
        } => {
            let mut options = PostgresOptions::new(url.expose());
            options.pool_size = connections.unwrap_or(options.pool_size);
            options.prepared = *prepared;
            Ok(Arc::new(PostgresStore::connect(&options).await?))
        }
    }
}

fn chat(settings: &LlmSettings, limiter: &Arc<Limiter>) -> anyhow::Result<Arc<dyn Llm>> {
    let mut remote = RemoteConfig::new(&settings.base_url, &settings.model);
    remote.api_key.clone_from(&settings.api_key);
    if let Some(timeout) = settings.timeout {
        remote.timeout = timeout;
        remote.deadline = remote.deadline.min(timeout * 3);
    }
    if let Some(attempts) = settings.attempts {
        remote.attempts_max = attempts.max(1);
    }
    Ok(Arc::new(OpenAiChat::new(&remote, Arc::clone(limiter))?))
}

async fn embedder(
    settings: &EmbedderSettings,
    limiter: &Arc<Limiter>,
) -> anyhow::Result<Arc<dyn Embedder>> {
    match settings {
        EmbedderSettings::Tiny => Ok(cached(Tiny::new())),
        #[cfg(feature = "local-embedder")]
        EmbedderSettings::Local => Ok(cached(mneme_models::Local::new())),
        #[cfg(not(feature = "local-embedder"))]
        EmbedderSettings::Local => {
            anyhow::bail!("this build has no embedder `local`; use tiny or openai")
        }
        EmbedderSettings::Remote {
            base_url,
            api_key,
            model,
            dimension,
        } => {
            let mut remote = RemoteConfig::new(base_url, model);
            remote.api_key.clone_from(api_key);
            let config = EmbedConfig {
                dimension: *dimension,
                send_dimensions: dimension.is_some(),
                ..EmbedConfig::new(remote)
            };
            let embedder = OpenAiEmbedder::connect(config, Arc::clone(limiter)).await?;
            Ok(cached(embedder))
        }
    }
}

fn cached(embedder: impl Embedder + 'static) -> Arc<dyn Embedder> {
    Arc::new(CachedQueries::new(Arc::new(embedder)))
}
