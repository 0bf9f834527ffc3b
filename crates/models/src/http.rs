//! One endpoint over HTTP: a JSON body out, a bounded body back, limited, retried, cancellable by dropping.

use std::sync::{Arc, Once};
use std::time::Duration;

use mneme_core::ports::ModelErrorKind;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, ClientBuilder, Proxy, Url, redirect};
use serde_json::Value;
use tokio::time::{Instant, sleep};

use crate::address;
use crate::config::{RemoteConfig, SetupError};
use crate::failure::Failure;
use crate::limiter::{Limiter, Paused};
use crate::pace::{Next, Pace, RetryPolicy};

/// Largest answer that is read, bytes.
pub(crate) const ANSWER_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Longest answer of status 200 that is searched for an error object.
const ERROR_BYTES_MAX: usize = 8 * 1024;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// An endpoint that can be asked.
pub(crate) struct Transport {
    client: Client,
    url: Url,
    shown: String,
    headers: HeaderMap,
    limiter: Arc<Limiter>,
    policy: RetryPolicy,
    timeout: Duration,
    deadline: Duration,
}

impl Transport {
    /// Sets up `call` of a remote model; nothing is sent.
    pub(crate) fn new(
        config: &RemoteConfig,
        call: &str,
        limiter: Arc<Limiter>,
    ) -> Result<Self, SetupError> {
        let mut url = address::join(&config.base_url, call)?;
        let shown = address::shown(&url);
        if config.model.trim().is_empty() {
            return Err(SetupError::NoModel { url: shown });
        }
        if !config.query.is_empty() {
            url.query_pairs_mut().extend_pairs(
                config
                    .query
                    .iter()
                    .map(|(name, value)| (name.as_str(), value.expose())),
            );
        }
        let client = client(config, &url, &shown)?;
        let attempts_max = config.attempts_max.max(1);
        Ok(Self {
            client,
            url,
            shown,
            headers: headers(config)?,
            limiter,
            policy: RetryPolicy {
                attempts_max,
                backoff: config.backoff,
                attempts_at_500_max: attempts_max,
            },
            timeout: config.timeout,
            deadline: config.deadline,
        })
    }

    /// The address in messages.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    /// Posts a body and returns the bytes of a successful answer.
    ///
    /// With `suspect_500` a 500 is tried only once more, because it is probably the provider's way to refuse this
    /// very request.
    pub(crate) async fn post(&self, body: &Value, suspect_500: bool) -> Result<Vec<u8>, Failure> {
        let body = body.to_string();
        let mut policy = self.policy;
        if suspect_500 {
            policy.attempts_at_500_max = policy.attempts_at_500_max.min(2);
        }
        let mut pace = Pace::new(policy);
        let mut ends: Option<Instant> = None;
        loop {
            let patience = ends.map_or(self.deadline, |ends| {
                ends.saturating_duration_since(Instant::now())
            });
            let slot = self
                .limiter
                .acquire(patience)
                .await
                .map_err(|paused| self.paused(paused))?;
            let ends = *ends.get_or_insert_with(|| Instant::now() + self.deadline);
            let left = ends.saturating_duration_since(Instant::now());
            let failure = match self.attempt(&body, self.timeout.min(left)).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            drop(slot);
            let left = ends.saturating_duration_since(Instant::now());
            let next = pace.after(&failure, left);
            tracing::warn!(url = %self.shown, status = failure.status, kind = ?failure.kind, next = ?next, "model call failed");
            match next {
                Next::GiveUp => return Err(failure),
                Next::Wait(length) => sleep(length).await,
                Next::PauseAll(length) => {
                    self.limiter.pause(length);
                    if length >= left {
                        return Err(failure);
                    }
                }
            }
        }
    }

    async fn attempt(&self, body: &str, timeout: Duration) -> Result<Vec<u8>, Failure> {
        let request = self
            .client
            .post(self.url.clone())
            .headers(self.headers.clone())
            .timeout(timeout)
            .body(body.to_owned());
        let mut answer = request
            .send()
            .await
            .map_err(|error| Failure::transport(&self.shown, &error))?;
        let status = answer.status().as_u16();
        let mut bytes = Vec::new();
        while let Some(chunk) = answer
            .chunk()
            .await
            .map_err(|error| Failure::transport(&self.shown, &error))?
        {
            if bytes.len() + chunk.len() > ANSWER_BYTES_MAX {
                return Err(Failure::protocol(
                    &self.shown,
                    &format!("the answer is longer than {ANSWER_BYTES_MAX} bytes"),
                ));
            }
            bytes.extend_from_slice(&chunk);
        }
        if !answer.status().is_success() {
            return Err(Failure::status(
                &self.shown,
                status,
                answer.headers(),
                &bytes,
            ));
        }
        match hidden_status(&bytes) {
            Some(hidden) => Err(Failure::status(
                &self.shown,
                hidden,
                answer.headers(),
                &bytes,
            )),
            None => Ok(bytes),
        }
    }

    fn paused(&self, paused: Paused) -> Failure {
        let seconds = paused.left.as_secs() + 1;
        Failure {
            retry_after: Some(paused.left),
            ..Failure::new(
                ModelErrorKind::RateLimited,
                format!(
                    "POST {}: the provider asked to wait {seconds} more seconds",
                    self.shown
                ),
            )
        }
    }
}

/// The status inside an answer of status 200 that only holds an error object, as some gateways send it.
fn hidden_status(bytes: &[u8]) -> Option<u16> {
    if bytes.len() > ERROR_BYTES_MAX {
        return None;
    }
    let answer: Value = serde_json::from_slice(bytes).ok()?;
    let error = answer.get("error").filter(|error| !error.is_null())?;
    if answer.get("choices").is_some() || answer.get("data").is_some() {
        return None;
    }
    let code = [error.get("code"), error.get("status"), answer.get("status")]
        .into_iter()
        .flatten()
        .find_map(Value::as_u64);
    // Without a number there is nothing to say that another try would help.
    Some(
        code.and_then(|code| u16::try_from(code).ok())
            .filter(|code| (400..600).contains(code))
            .unwrap_or(400),
    )
}

fn headers(config: &RemoteConfig) -> Result<HeaderMap, SetupError> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(key) = config.api_key.as_ref().filter(|key| !key.is_blank()) {
        headers.insert(
            AUTHORIZATION,
            secret_value("authorization", &format!("Bearer {}", key.expose().trim()))?,
        );
    }
    for (name, value) in &config.headers {
        let parsed = HeaderName::try_from(name.as_str())
            .map_err(|_| SetupError::Header { name: name.clone() })?;
        headers.insert(parsed, secret_value(name, value.expose())?);
    }
    Ok(headers)
}

fn secret_value(name: &str, value: &str) -> Result<HeaderValue, SetupError> {
    let mut value = HeaderValue::try_from(value).map_err(|_| SetupError::Header {
        name: name.to_owned(),
    })?;
    value.set_sensitive(true);
    Ok(value)
}

fn client(config: &RemoteConfig, url: &Url, shown: &str) -> Result<Client, SetupError> {
    static CRYPTO: Once = Once::new();
    // Fails only when the process already has a provider, and then that one serves as well.
    CRYPTO.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
    let local = address::is_loopback(url);
    let builder = || -> Result<ClientBuilder, SetupError> {
        // A redirect would carry the key and the user's text to an address that nobody configured.
        let builder = Client::builder()
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .user_agent("mneme");
        match &config.proxy {
            Some(proxy) if !proxy.is_blank() => {
                Ok(builder.proxy(Proxy::all(proxy.expose()).map_err(|_| SetupError::Proxy)?))
            }
            _ if local => Ok(builder.no_proxy()),
            _ => Ok(builder),
        }
    };
    let plain = url.scheme() == "http";
    let failed = |error: &reqwest::Error| SetupError::Client {
        url: shown.to_owned(),
        why: source_text(error),
    };
    if plain && local {
        return without_roots(builder()?).map_err(|error| failed(&error));
    }
    match builder()?.build() {
        Ok(client) => Ok(client),
        // Plain HTTP needs no root certificates, and a small container may have none.
        Err(_) if plain => without_roots(builder()?).map_err(|error| failed(&error)),
        Err(error) => Err(failed(&error)),
    }
}

fn without_roots(builder: ClientBuilder) -> Result<Client, reqwest::Error> {
    builder.tls_certs_only(std::iter::empty()).build()
}

fn source_text(error: &reqwest::Error) -> String {
    std::error::Error::source(error)
        .map_or_else(|| "it cannot be built".to_owned(), ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_in_a_good_status_are_found() {
        for (body, expected) in [
            (r#"{"error":{"code":429,"message":"x"}}"#, Some(429)),
            (r#"{"error":{"code":"oops"}}"#, Some(400)),
            (r#"{"error":"oops","status":503}"#, Some(503)),
            (r#"{"error":null,"choices":[]}"#, None),
            (r#"{"error":{"code":500},"choices":[]}"#, None),
            (r#"{"error":{"code":99999999}}"#, Some(400)),
            ("[1]", None),
            ("", None),
        ] {
            assert_eq!(hidden_status(body.as_bytes()), expected, "{body}");
        }
    }

    fn transport(change: impl FnOnce(&mut RemoteConfig)) -> Result<Transport, SetupError> {
        let mut config = RemoteConfig::new("http://127.0.0.1:9/v1", "m");
        change(&mut config);
        Transport::new(&config, "embeddings", Arc::new(Limiter::new(1)))
    }

    #[test]
    fn wrong_settings_are_named_when_the_client_is_made() {
        let failed = |change: fn(&mut RemoteConfig)| {
            transport(change)
                .err()
                .map(|error| error.to_string())
                .unwrap_or_default()
        };
        assert!(failed(|c| c.model = " ".into()).contains("http://127.0.0.1:9/v1/embeddings"));
        let key = failed(|c| c.api_key = Some("sk-12\n34".into()));
        assert!(
            key.contains("authorization") && !key.contains("12"),
            "{key}"
        );
        assert!(failed(|c| c.headers.push(("bad name".into(), "v".into()))).contains("bad name"));
        let proxy = failed(|c| c.proxy = Some("http://u:pw1234@:x".into()));
        assert!(
            proxy.contains("proxy") && !proxy.contains("1234"),
            "{proxy}"
        );
        assert_eq!(failed(|c| c.api_key = Some("  ".into())), "");
    }

    #[test]
    fn the_query_is_sent_but_not_shown() {
        let transport =
            transport(|c| c.query.push(("key".into(), "s&cret".into()))).expect("valid");
        assert_eq!(
            transport.url.as_str(),
            "http://127.0.0.1:9/v1/embeddings?key=s%26cret"
        );
        assert_eq!(transport.shown(), "http://127.0.0.1:9/v1/embeddings");
    }
}
