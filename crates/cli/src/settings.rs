//! Settings: the environment (`MNEME_*`) over the configuration file over the defaults.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use jiff::tz::TimeZone;
use mneme_core::distil::Language;
use mneme_engine::Options;
use mneme_models::Secret;
use serde::Deserialize;

use crate::args::Args;

/// What the configuration file may hold. Each key is also an environment variable: `MNEME_` and the key in capitals.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Layer {
    listen: Option<String>,
    store: Option<String>,
    store_connections: Option<usize>,
    store_prepared: Option<bool>,
    token: Option<String>,
    llm_base_url: Option<String>,
    llm_api_key: Option<String>,
    llm_model: Option<String>,
    llm_timeout_seconds: Option<u64>,
    llm_concurrency: Option<usize>,
    llm_attempts: Option<u32>,
    llm_fallback: Option<bool>,
    embedder: Option<String>,
    embedding_base_url: Option<String>,
    embedding_api_key: Option<String>,
    embedding_model: Option<String>,
    embedding_dimension: Option<usize>,
    timezone: Option<String>,
    language: Option<String>,
    buffer_tokens: Option<u32>,
    buffer_idle_seconds: Option<u64>,
    window_tokens: Option<u32>,
    persist_chats: Option<bool>,
    redact_secrets: Option<bool>,
    workers: Option<usize>,
    lease_seconds: Option<u64>,
    synchronous: Option<String>,
}

/// A language model's address.
#[derive(Debug, Clone)]
pub(crate) struct LlmSettings {
    pub(crate) base_url: String,
    pub(crate) api_key: Option<Secret>,
    pub(crate) model: String,
    pub(crate) timeout: Option<Duration>,
    pub(crate) attempts: Option<u32>,
}

/// Where memory lives.
#[derive(Debug, Clone)]
pub(crate) enum StoreSettings {
    /// A file in the data folder.
    Sqlite,
    /// A database that servers share.
    Postgres {
        url: Secret,
        connections: Option<usize>,
        prepared: bool,
    },
}

/// Which embedder.
#[derive(Debug, Clone)]
pub(crate) enum EmbedderSettings {
    Local,
    Tiny,
    Remote {
        base_url: String,
        api_key: Option<Secret>,
        model: String,
        dimension: Option<usize>,
    },
}

/// Everything a command needs to know.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) data: PathBuf,
    pub(crate) store: StoreSettings,
    pub(crate) listen: Option<String>,
    pub(crate) token: Option<Secret>,
    pub(crate) llm: Option<LlmSettings>,
    pub(crate) llm_concurrency: usize,
    pub(crate) embedder: EmbedderSettings,
    pub(crate) fast_commits: bool,
    pub(crate) options: Options,
}

/// Calls to models at the same time, all users together.
const LLM_CONCURRENCY: usize = 16;

/// The data folder when nobody names one.
const DATA: &str = "./mneme-data";

pub(crate) fn load(args: &Args) -> anyhow::Result<Settings> {
    let file = match args
        .config
        .clone()
        .or_else(|| path_variable("MNEME_CONFIG"))
    {
        Some(path) => read_file(&path)?,
        None => Layer::default(),
    };
    let mut layer = from_environment(file, |name| std::env::var(name).ok())?;
    layer.store = args.store.clone().or(layer.store);
    let data = args.data.clone().or_else(|| path_variable("MNEME_DATA"));
    build(data.unwrap_or_else(|| PathBuf::from(DATA)), &layer)
}

/// A path from the environment; an empty variable counts as none, as it does for every other setting.
fn path_variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name)
        .filter(|path| !path.is_empty())
        .map(PathBuf::from)
}

fn read_file(path: &Path) -> anyhow::Result<Layer> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the configuration {}", path.display()))?;
    if text
        .lines()
        .all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
    {
        return Ok(Layer::default());
    }
    // The parser's message may quote the text, and the text may hold keys: only its first line is shown.
    serde_saphyr::from_str(&text).map_err(|error| {
        let message = error.to_string();
        let first = message.lines().next().unwrap_or_default();
        let reason = first.strip_prefix("error: ").unwrap_or(first);
        anyhow::anyhow!("{}: {reason}", path.display())
    })
}

fn from_environment(
    mut layer: Layer,
    variable: impl Fn(&str) -> Option<String>,
) -> anyhow::Result<Layer> {
    macro_rules! texts {
        ($($key:ident),*) => {$(
            if let Some(text) = variable(&name_of(stringify!($key))) { layer.$key = Some(text).filter(|text| !text.trim().is_empty()); }
        )*};
    }
    macro_rules! parsed {
        ($($key:ident),*) => {$(
            if let Some(text) = variable(&name_of(stringify!($key))).filter(|text| !text.trim().is_empty()) {
                let name = name_of(stringify!($key));
                layer.$key = Some(text.trim().to_lowercase().parse().with_context(|| format!("{name}: `{text}` cannot be used"))?);
            }
        )*};
    }
    texts!(
        listen,
        store,
        token,
        llm_base_url,
        llm_api_key,
        llm_model,
        embedder,
        embedding_base_url,
        embedding_api_key,
        embedding_model,
        timezone,
        language,
        synchronous
    );
    parsed!(
        store_connections,
        store_prepared,
        llm_timeout_seconds,
        llm_concurrency,
        llm_attempts,
        llm_fallback,
        embedding_dimension,
        buffer_tokens,
        buffer_idle_seconds,
        window_tokens,
        persist_chats,
        redact_secrets,
        workers,
        lease_seconds
    );
    Ok(layer)
}

fn name_of(key: &str) -> String {
    format!("MNEME_{}", key.to_uppercase())
}

fn build(data: PathBuf, layer: &Layer) -> anyhow::Result<Settings> {
    let mut options = Options {
        fall_back_to_rules: layer.llm_fallback.unwrap_or(false),
        ..Options::default()
    };
    if let Some(name) = &layer.timezone {
        options.zone = TimeZone::get(name)
            .with_context(|| format!("timezone: `{name}` is not an IANA time zone"))?;
    }
    options.language = match layer.language.as_deref() {
        None => options.language,
        Some("en") => Language::En,
        Some("zh") => Language::Zh,
        Some(other) => bail!("language: `{other}` is not supported, use en or zh"),
    };
    options.buffer_tokens_max = layer.buffer_tokens.unwrap_or(options.buffer_tokens_max);
    options.window_tokens_max = at_least(
        "window_tokens",
        layer.window_tokens.unwrap_or(options.window_tokens_max),
        256,
    )?;
    options.buffer_idle = layer
        .buffer_idle_seconds
        .map_or(options.buffer_idle, Duration::from_secs);
    options.lease = layer
        .lease_seconds
        .map_or(options.lease, |seconds| Duration::from_secs(seconds.max(3)));
    options.persist_chats = layer.persist_chats.unwrap_or(options.persist_chats);
    options.redact_secrets = layer.redact_secrets.unwrap_or(options.redact_secrets);
    options.workers = at_least("workers", layer.workers.unwrap_or(options.workers), 1)?;
    let fast_commits = match layer.synchronous.as_deref() {
        None | Some("full") => false,
        Some("normal") => true,
        Some(other) => bail!("synchronous: `{other}` is not known, use full or normal"),
    };
    Ok(Settings {
        data,
        store: store(layer)?,
        listen: layer.listen.clone(),
        token: layer.token.clone().map(Secret::new),
        llm: llm(layer)?,
        llm_concurrency: at_least(
            "llm_concurrency",
            layer.llm_concurrency.unwrap_or(LLM_CONCURRENCY),
            1,
        )?,
        embedder: embedder(layer)?,
        fast_commits,
        options,
    })
}

fn at_least<T: PartialOrd + Copy + std::fmt::Display>(
    name: &str,
    value: T,
    min: T,
) -> anyhow::Result<T> {
    if value < min {
        bail!("{name}: {value} is too small, at least {min}");
    }
    Ok(value)
}

/// The address is never quoted: it may hold a password.
fn store(layer: &Layer) -> anyhow::Result<StoreSettings> {
    let text = layer.store.as_deref().map_or("sqlite", str::trim);
    if text == "sqlite" {
        return Ok(StoreSettings::Sqlite);
    }
    if !text.starts_with("postgres://") && !text.starts_with("postgresql://") {
        bail!("store: use `sqlite` or an address that begins with `postgres://`");
    }
    Ok(StoreSettings::Postgres {
        url: Secret::new(text),
        connections: layer
            .store_connections
            .map(|connections| at_least("store_connections", connections, 1))
            .transpose()?,
        prepared: layer.store_prepared.unwrap_or(true),
    })
}

fn llm(layer: &Layer) -> anyhow::Result<Option<LlmSettings>> {
    let Some(base_url) = layer.llm_base_url.clone() else {
        if layer.llm_model.is_some() || layer.llm_api_key.is_some() {
            bail!("llm_base_url (MNEME_LLM_BASE_URL) is missing beside the model's name or key");
        }
        return Ok(None);
    };
    let Some(model) = layer.llm_model.clone() else {
        bail!("llm_model (MNEME_LLM_MODEL) is missing: no model is guessed");
    };
    Ok(Some(LlmSettings {
        base_url,
        api_key: layer.llm_api_key.clone().map(Secret::new),
        model,
        timeout: layer.llm_timeout_seconds.map(Duration::from_secs),
        attempts: layer.llm_attempts,
    }))
}

fn embedder(layer: &Layer) -> anyhow::Result<EmbedderSettings> {
    let remote = || -> anyhow::Result<EmbedderSettings> {
        let base_url = layer
            .embedding_base_url
            .clone()
            .context("embedding_base_url (MNEME_EMBEDDING_BASE_URL) is missing")?;
        let model = layer
            .embedding_model
            .clone()
            .context("embedding_model (MNEME_EMBEDDING_MODEL) is missing: no model is guessed")?;
        Ok(EmbedderSettings::Remote {
            base_url,
            api_key: layer.embedding_api_key.clone().map(Secret::new),
            model,
            dimension: layer.embedding_dimension,
        })
    };
    match layer.embedder.as_deref() {
        Some("local") => Ok(EmbedderSettings::Local),
        Some("tiny") => Ok(EmbedderSettings::Tiny),
        Some("openai" | "remote") => remote(),
        Some(other) => bail!("embedder: `{other}` is not known, use local, tiny or openai"),
        None if layer.embedding_base_url.is_some() => remote(),
        None if cfg!(feature = "local-embedder") => Ok(EmbedderSettings::Local),
        None => Ok(EmbedderSettings::Tiny),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(pairs: &[(&str, &str)]) -> anyhow::Result<Settings> {
        let layer = from_environment(Layer::default(), |name| {
            pairs
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).to_owned())
        })?;
        build(PathBuf::from("data"), &layer)
    }

    #[test]
    fn nothing_configured_works() {
        let settings = with(&[]).expect("defaults");
        assert!(settings.llm.is_none());
        assert_eq!(settings.options.buffer_tokens_max, 1024);
        assert_eq!(settings.options.buffer_idle, Duration::from_secs(3600));
    }

    #[test]
    fn the_environment_is_read() {
        let settings = with(&[
            ("MNEME_LLM_BASE_URL", "http://127.0.0.1:1/v1"),
            ("MNEME_LLM_MODEL", "m"),
            ("MNEME_LLM_API_KEY", "123456"),
            ("MNEME_TIMEZONE", "Asia/Shanghai"),
            ("MNEME_PERSIST_CHATS", "TRUE"),
            ("MNEME_EMBEDDER", "tiny"),
        ])
        .expect("valid");
        assert_eq!(settings.llm.expect("a model").model, "m");
        assert!(settings.options.persist_chats);
        assert!(matches!(settings.embedder, EmbedderSettings::Tiny));
    }

    #[test]
    fn the_store_is_a_file_or_a_shared_database() {
        assert!(matches!(
            with(&[]).expect("valid").store,
            StoreSettings::Sqlite
        ));
        let settings = with(&[
            ("MNEME_STORE", "postgres://me:secret@db/mneme"),
            ("MNEME_STORE_PREPARED", "false"),
        ])
        .expect("valid");
        assert!(matches!(
            settings.store,
            StoreSettings::Postgres {
                prepared: false,
                ..
            }
        ));
        assert!(!format!("{settings:?}").contains("secret@"));
        let refused = with(&[("MNEME_STORE", "mysql://me:secret@db/x")]).expect_err("refused");
        let message = format!("{refused:#}");
        assert!(message.contains("store") && !message.contains("secret"));
    }

    #[test]
    fn what_cannot_be_used_names_the_setting() {
        for (pairs, part) in [
            (&[("MNEME_LLM_MODEL", "m")][..], "llm_base_url"),
            (&[("MNEME_LLM_BASE_URL", "http://x")], "llm_model"),
            (&[("MNEME_LANGUAGE", "fr")], "language"),
            (&[("MNEME_TIMEZONE", "Mars/Base")], "timezone"),
            (&[("MNEME_WORKERS", "many")], "MNEME_WORKERS"),
            (&[("MNEME_WORKERS", "0")], "workers"),
            (&[("MNEME_EMBEDDER", "huge")], "embedder"),
            (&[("MNEME_EMBEDDER", "openai")], "embedding_base_url"),
        ] {
            let message = format!("{:#}", with(pairs).expect_err("must be refused"));
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn unknown_keys_of_a_file_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mneme.yaml");
        std::fs::write(&path, "llm_modle: x\n").expect("written");
        assert!(format!("{:#}", read_file(&path).expect_err("refused")).contains("llm_modle"));
        std::fs::write(&path, "# nothing\n").expect("written");
        assert!(read_file(&path).is_ok());
    }
}
