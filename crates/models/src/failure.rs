//! What went wrong with one call, as much of it as may be told.

use std::time::{Duration, SystemTime};

use mneme_core::ports::{ModelError, ModelErrorKind};
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use serde_json::Value;

/// Error codes that providers document. Only these are repeated in messages: everything else in an answer may hold
/// text of the user or the key.
const KNOWN_CODES: [&str; 20] = [
    "account_deactivated",
    "authentication_error",
    "billing_hard_limit_reached",
    "content_filter",
    "context_length_exceeded",
    "insufficient_quota",
    "invalid_api_key",
    "invalid_model",
    "invalid_request_error",
    "invalid_value",
    "model_not_found",
    "not_found_error",
    "overloaded_error",
    "permission_denied",
    "rate_limit_exceeded",
    "server_error",
    "string_above_max_length",
    "unsupported_model",
    "unsupported_parameter",
    "unsupported_value",
];

/// A failed attempt.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) kind: ModelErrorKind,
    /// The HTTP status, where there was one.
    pub(crate) status: Option<u16>,
    /// One sentence with the address.
    pub(crate) message: String,
    /// How long the provider wants us to wait.
    pub(crate) retry_after: Option<Duration>,
    /// Whether another attempt can help.
    pub(crate) transient: bool,
    /// The refusal's words, lower case, for the caller to read; never shown.
    pub(crate) refusal: String,
}

impl Failure {
    /// A failure without a status.
    pub(crate) fn new(kind: ModelErrorKind, message: String) -> Self {
        Self {
            kind,
            status: None,
            message,
            retry_after: None,
            transient: false,
            refusal: String::new(),
        }
    }

    /// An answer that is not what the protocol says.
    pub(crate) fn protocol(shown: &str, what: &str) -> Self {
        Self::new(ModelErrorKind::Protocol, format!("POST {shown}: {what}"))
    }

    /// An answer whose status is not a success.
    pub(crate) fn status(shown: &str, status: u16, headers: &HeaderMap, body: &[u8]) -> Self {
        let answer: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
        let code = known_code(&answer);
        let out_of_money = matches!(
            code,
            Some("insufficient_quota" | "billing_hard_limit_reached")
        );
        let kind = match status {
            408 => ModelErrorKind::Timeout,
            429 => ModelErrorKind::RateLimited,
            500.. => ModelErrorKind::Unavailable,
            _ => ModelErrorKind::Rejected,
        };
        let code = code.map(|code| format!(" ({code})")).unwrap_or_default();
        let hint = match status {
            300..=399 => "; redirects are not followed, configure the final address",
            401 | 403 => "; check the key",
            404 | 405 => "; check the base URL and the model's name",
            _ => "",
        };
        Self {
            kind,
            status: Some(status),
            message: format!("POST {shown} answered {status}{code}{hint}"),
            retry_after: retry_after(headers, SystemTime::now()),
            transient: kind != ModelErrorKind::Rejected && status != 501 && !out_of_money,
            refusal: refusal_words(&answer, body),
        }
    }

    /// An attempt that got no whole answer.
    pub(crate) fn transport(shown: &str, error: &reqwest::Error) -> Self {
        let (kind, what) = if error.is_timeout() {
            (ModelErrorKind::Timeout, "no answer in time".to_owned())
        } else if error.is_connect() {
            (
                ModelErrorKind::Unavailable,
                format!("cannot connect: {}", innermost(error)),
            )
        } else {
            (
                ModelErrorKind::Unavailable,
                format!("the connection broke: {}", innermost(error)),
            )
        };
        Self {
            transient: !error.is_builder(),
            ..Self::new(kind, format!("POST {shown}: {what}"))
        }
    }

    /// Whether the provider called the request itself wrong.
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(self.status, Some(400 | 422))
    }
}

impl From<Failure> for ModelError {
    fn from(failure: Failure) -> Self {
        Self {
            kind: failure.kind,
            message: failure.message,
            retry_after_seconds: failure.retry_after.map(whole_seconds),
        }
    }
}

/// Rounded up.
fn whole_seconds(length: Duration) -> u64 {
    length
        .as_secs()
        .saturating_add(u64::from(length.subsec_nanos() > 0))
}

/// The last cause in the chain: the system's or the TLS library's own words, which hold no request text.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    // Bounded, should a chain ever be circular.
    for _ in 0..16 {
        match cause.source() {
            Some(next) => cause = next,
            None => break,
        }
    }
    if std::ptr::addr_eq(cause, error) {
        "no answer".to_owned()
    } else {
        cause.to_string()
    }
}

/// The documented code or type that an error object carries.
fn known_code(answer: &Value) -> Option<&'static str> {
    let error = answer.get("error")?;
    let said = [error.get("code"), error.get("type")];
    said.into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .find_map(|said| KNOWN_CODES.into_iter().find(|known| *known == said))
}

/// What a refusal says, lower case: the error object's own words, or the beginning of the body.
fn refusal_words(answer: &Value, body: &[u8]) -> String {
    const BYTES_MAX: usize = 2_000;
    let error = answer.get("error").unwrap_or(&Value::Null);
    let parts = [
        error.get("param"),
        error.get("message"),
        answer.get("message"),
        answer.get("detail"),
        Some(error),
    ];
    let words: Vec<&str> = parts
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    if words.is_empty() {
        return String::from_utf8_lossy(&body[..body.len().min(BYTES_MAX)]).to_lowercase();
    }
    words.join("\n").to_lowercase()
}

/// `Retry-After` as a length: seconds, or an HTTP date taken relative to the answer's own `Date`, so that a wrong
/// clock on either side does not matter.
fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds.clamp(0.0, 1e9)).ok();
    }
    let until = httpdate::parse_http_date(text).ok()?;
    let date = headers
        .get(DATE)
        .and_then(|date| date.to_str().ok())
        .and_then(|date| httpdate::parse_http_date(date).ok());
    Some(
        until
            .duration_since(date.unwrap_or(now))
            .unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.parse().expect("name"), value.parse().expect("value")))
            .collect()
    }

    #[test]
    fn retry_after_in_every_form() {
        let now = SystemTime::UNIX_EPOCH;
        type Given = &'static [(&'static str, &'static str)];
        let cases: [(Given, Option<u64>); 8] = [
            (&[("retry-after", "7")], Some(7)),
            (&[("retry-after", " 0 ")], Some(0)),
            (&[("retry-after", "-5")], Some(0)),
            (&[("retry-after", "soon")], None),
            (
                &[("retry-after", "Thu, 01 Jan 1970 00:00:30 GMT")],
                Some(30),
            ),
            (
                &[
                    ("retry-after", "Thu, 01 Jan 1970 00:01:30 GMT"),
                    ("date", "Thu, 01 Jan 1970 00:01:00 GMT"),
                ],
                Some(30),
            ),
            (
                &[
                    ("retry-after", "Thu, 01 Jan 1970 00:00:30 GMT"),
                    ("date", "Thu, 01 Jan 1970 00:01:00 GMT"),
                ],
                Some(0),
            ),
            (&[], None),
        ];
        for (given, expected) in cases {
            let map: HeaderMap = given
                .iter()
                .map(|(n, v)| (n.parse().expect("name"), v.parse().expect("value")))
                .collect();
            assert_eq!(
                retry_after(&map, now).map(|length| length.as_secs()),
                expected,
                "{given:?}"
            );
        }
        for odd in ["NaN", "inf", "1e300"] {
            let map: HeaderMap = [(
                "retry-after".parse().expect("name"),
                odd.parse().expect("value"),
            )]
            .into_iter()
            .collect();
            let _ = retry_after(&map, now);
        }
    }

    #[test]
    fn statuses_have_kinds() {
        use ModelErrorKind::{RateLimited, Rejected, Timeout, Unavailable};
        for (status, kind, transient) in [
            (302, Rejected, false),
            (400, Rejected, false),
            (401, Rejected, false),
            (404, Rejected, false),
            (408, Timeout, true),
            (413, Rejected, false),
            (429, RateLimited, true),
            (500, Unavailable, true),
            (501, Unavailable, false),
            (503, Unavailable, true),
            (529, Unavailable, true),
        ] {
            let failure = Failure::status("http://h/v1", status, &HeaderMap::new(), b"");
            assert_eq!(
                (failure.kind, failure.transient),
                (kind, transient),
                "{status}"
            );
            assert!(
                failure.message.contains(&status.to_string())
                    && failure.message.contains("http://h/v1")
            );
        }
    }

    #[test]
    fn only_documented_codes_are_repeated() {
        let body = br#"{"error":{"message":"Incorrect API key: sk-1234. Prompt: my diary","code":"invalid_api_key","type":"sk-1234"}}"#;
        let failure = Failure::status("http://h/v1", 401, &headers(&[]), body);
        assert!(failure.message.contains("invalid_api_key"));
        assert!(!failure.message.contains("1234") && !failure.message.contains("diary"));
        let odd = Failure::status(
            "http://h/v1",
            400,
            &headers(&[]),
            br#"{"error":{"code":"sk-1234"}}"#,
        );
        assert!(!odd.message.contains("1234"));
    }

    #[test]
    fn an_empty_account_is_not_asked_again() {
        let failure = Failure::status(
            "http://h/v1",
            429,
            &headers(&[]),
            br#"{"error":{"code":"insufficient_quota"}}"#,
        );
        assert!(!failure.transient);
        assert_eq!(failure.kind, ModelErrorKind::RateLimited);
    }
}
