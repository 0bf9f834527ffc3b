//! The router, its layers and what all handlers share.

use std::time::Instant;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{CONTENT_LENGTH, LOCATION};
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use mneme_core::limits;
use mneme_engine::Engine;
use tower_http::catch_panic::CatchPanicLayer;

use crate::auth::{self, Token};
use crate::error::Failure;
use crate::memobase;

/// Bodies up to this size are read before the request is looked at.
const SMALL_BODY_BYTES: usize = 64 * 1024;
/// Seconds that the app took, as text.
const PROCESS_TIME: HeaderName = HeaderName::from_static("x-process-time");

/// What all handlers share. Cheap to clone.
#[derive(Clone)]
pub struct AppState {
    /// The verbs.
    pub engine: Engine,
    /// The token that opens the root project.
    pub token: Token,
    /// Bounds of requests.
    pub limits: Limits,
    /// The product's version, for the log.
    pub version: &'static str,
}

/// Bounds of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Largest request body, bytes; larger ones are answered with HTTP 413.
    pub body_bytes_max: usize,
    /// Connections that are served at the same time; more wait to be accepted.
    pub connections_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes_max: limits::BODY_BYTES_MAX,
            connections_max: 10_000,
        }
    }
}

/// All routes with authentication, timing and panic handling.
pub fn router(state: AppState) -> Router {
    memobase::routes()
        .fallback(no_such_path)
        .method_not_allowed_fallback(no_such_method)
        .layer(middleware::from_fn_with_state(
            state.clone(),
            auth::require_token,
        ))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn(read_small_body))
        .layer(middleware::from_fn(measure))
        .with_state(state)
}

/// The answer of a handler that panicked. What it said may hold user text and is not passed on.
fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    Failure::internal("a handler panicked").into_response()
}

/// Unknown paths; a known one with a slash too many is a redirect that keeps method and body.
async fn no_such_path(uri: Uri) -> Response {
    let path = uri.path().trim_end_matches('/');
    if path.len() < uri.path().len() && memobase::is_known(path) {
        let query = uri
            .query()
            .map(|query| format!("?{query}"))
            .unwrap_or_default();
        if let Ok(location) = HeaderValue::from_str(&format!("{path}{query}")) {
            return (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, location)]).into_response();
        }
    }
    Failure::Detail(StatusCode::NOT_FOUND, "Not Found").into_response()
}

async fn no_such_method() -> Failure {
    Failure::Detail(StatusCode::METHOD_NOT_ALLOWED, "Method Not Allowed")
}

/// Reads a small body before anybody answers. An answer that leaves a body unread ends the connection, and the client's
/// next request on it would fail.
async fn read_small_body(request: Request, next: Next) -> Response {
    let length = request
        .headers()
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.parse::<usize>().ok());
    let request = match length {
        Some(length @ 1..=SMALL_BODY_BYTES) => {
            let (parts, body) = request.into_parts();
            match to_bytes(body, length).await {
                Ok(bytes) => Request::from_parts(parts, Body::from(bytes)),
                // The client went away in the middle: nobody reads the answer.
                Err(_) => return StatusCode::BAD_REQUEST.into_response(),
            }
        }
        _ => request,
    };
    next.run(request).await
}

/// Times a request and logs that it was there. Never its query: Memobase clients put conversations into it.
async fn measure(request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let request_id = request
        .headers()
        .get("x-request-id")
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
        .to_owned();
    let mut response = next.run(request).await;
    let seconds = begun.elapsed().as_secs_f64();
    if let Ok(value) = HeaderValue::from_str(&format!("{seconds:.6}")) {
        response.headers_mut().insert(PROCESS_TIME, value);
    }
    tracing::debug!(http.method = %method, http.path = path, http.status = response.status().as_u16(), request_id, elapsed_seconds = seconds, "request answered");
    response
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;

    #[tokio::test]
    async fn a_panic_is_an_answer_without_its_words() {
        async fn broken() -> &'static str {
            panic!("secret words")
        }
        let router: Router = Router::new()
            .route("/", get(broken))
            .layer(CatchPanicLayer::custom(panicked))
            .layer(middleware::from_fn(measure));
        let response = router.oneshot(Request::new(Body::empty())).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        assert!(response.headers().contains_key(PROCESS_TIME));
        let body = to_bytes(response.into_body(), 1024).await.unwrap();
        assert_eq!(
            body,
            r#"{"data":null,"errno":500,"errmsg":"Internal server error"}"#
        );
    }
}
