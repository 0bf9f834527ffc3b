//! Request bodies: bounded, JSON by Memobase's content-type rules, repaired where careless writers
//! broke them.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use http_body_util::LengthLimitError;
use serde_json::Value;
use tower_http::timeout::TimeoutBody;

use crate::error::Failure;
use crate::repair::repair_json;
use crate::validation::Flaw;

/// Work on bodies larger than this leaves the async workers alone.
const INLINE_BYTES_MAX: usize = 128 * 1024;
/// Longest wait for the next piece of a body.
const PIECE_WAIT: Duration = Duration::from_secs(60);

/// A body as it was read.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Payload {
    /// None was sent.
    #[default]
    Absent,
    /// JSON, and how many bytes it was.
    Json(Value, usize),
    /// Something that cannot be used, and why.
    Flawed(Flaw),
}

/// Reads the body of a request.
pub(crate) async fn read(
    headers: &HeaderMap,
    body: Body,
    bytes_max: usize,
) -> Result<Payload, Failure> {
    let bytes = collect(headers, body, bytes_max).await?;
    if bytes.is_empty() {
        return Ok(Payload::Absent);
    }
    if !is_json(headers) {
        return Ok(Payload::Flawed(Flaw::body(
            "model_attributes_type",
            "Input should be a valid dictionary or object to extract fields from",
        )));
    }
    apart(bytes.len(), move || parse(&bytes)).await
}

/// Does work on foreign data of that size: on the spot when it is small, else on a thread that may block.
pub(crate) async fn apart<T: Send + 'static>(
    bytes: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Failure> {
    if bytes <= INLINE_BYTES_MAX {
        return Ok(work());
    }
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| Failure::internal("work on a large body was cut short"))
}

async fn collect(headers: &HeaderMap, body: Body, bytes_max: usize) -> Result<Bytes, Failure> {
    const TOO_LARGE: Failure =
        Failure::Detail(StatusCode::PAYLOAD_TOO_LARGE, "Request body is too large");
    let announced = headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.parse::<usize>().ok());
    if announced.is_some_and(|length| length > bytes_max) {
        return Err(TOO_LARGE);
    }
    let patient = Body::new(TimeoutBody::new(PIECE_WAIT, body));
    axum::body::to_bytes(patient, bytes_max)
        .await
        .map_err(|error| {
            // axum wraps the reason once.
            let source = std::error::Error::source(&error);
            let too_large = source.is_some_and(<dyn std::error::Error>::is::<LengthLimitError>);
            if too_large {
                TOO_LARGE
            } else {
                Failure::Detail(StatusCode::BAD_REQUEST, "Request body could not be read")
            }
        })
}

/// `application/json`, `application/*+json` or nothing at all.
fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(CONTENT_TYPE) else {
        return true;
    };
    let Ok(text) = value.to_str() else {
        return false;
    };
    let essence = text
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    essence
        .strip_prefix("application/")
        .is_some_and(|subtype| subtype == "json" || subtype.ends_with("+json"))
}

fn parse(bytes: &[u8]) -> Payload {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Payload::Flawed(Flaw::body(
            "json_invalid",
            "JSON decode error: the body is not UTF-8",
        ));
    };
    match serde_json::from_str(&repair_json(text)) {
        Ok(value) => Payload::Json(value, bytes.len()),
        Err(error) => Payload::Flawed(Flaw::body(
            "json_invalid",
            &format!("JSON decode error: {error}"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn headers(content_type: Option<&str>) -> HeaderMap {
        content_type
            .map(|text| (CONTENT_TYPE, text.parse().unwrap()))
            .into_iter()
            .collect()
    }

    #[test]
    fn content_types() {
        for content_type in [
            None,
            Some("application/json"),
            Some("Application/JSON; charset=utf-8"),
            Some("application/ld+json"),
        ] {
            assert!(is_json(&headers(content_type)), "{content_type:?}");
        }
        for content_type in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "text/json",
            "application/jsonx",
            "",
        ] {
            assert!(!is_json(&headers(Some(content_type))), "{content_type}");
        }
    }

    #[test]
    fn lone_surrogates_and_nul_are_repaired() {
        assert_eq!(
            parse(br#"{"a":"x\ud83d\u0000"}"#),
            Payload::Json(json!({"a": "x\u{fffd}"}), 21)
        );
        assert_eq!(parse(b"\xef\xbb\xbf{}"), Payload::Json(json!({}), 2));
    }

    #[test]
    fn what_is_no_json_is_a_shape_error() {
        for bytes in [
            &b"{"[..],
            b"\xff",
            b"{\"a\":\x00}",
            b"nope",
            &b"[".repeat(100_000),
        ] {
            assert!(matches!(parse(bytes), Payload::Flawed(_)));
        }
    }

    #[tokio::test]
    async fn bodies_are_bounded_announced_or_not() {
        let too_large = Failure::Detail(StatusCode::PAYLOAD_TOO_LARGE, "Request body is too large");
        let announced: HeaderMap = [(CONTENT_LENGTH, "11".parse().unwrap())]
            .into_iter()
            .collect();
        assert_eq!(
            read(&announced, Body::empty(), 10).await,
            Err(too_large.clone())
        );
        assert_eq!(
            read(&headers(None), Body::from("[1,2,3,4,5]"), 10).await,
            Err(too_large)
        );
        assert_eq!(
            read(&headers(None), Body::from("[1,2,3,45]"), 10).await,
            Ok(Payload::Json(json!([1, 2, 3, 45]), 10))
        );
        assert_eq!(
            read(&headers(Some("text/plain")), Body::empty(), 10).await,
            Ok(Payload::Absent)
        );
    }

    proptest! {
        #[test]
        fn parsing_never_panics(bytes in any::<Vec<u8>>()) {
            let _ = parse(&bytes);
        }
    }
}
