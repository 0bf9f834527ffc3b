//! The fake server's HTTP face.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, OriginalUri, State as Shared};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::answer::Answer;
use super::config::Canned;
use super::state::{Logged, State};
use super::stats::{Stats, StepStats};
use super::step::Step;
use super::{chat, embeddings};

/// Largest request, bytes.
const BODY_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Longest scripted stall.
const STALL_MAX: Duration = Duration::from_secs(600);

/// All routes over a shared state.
pub(super) fn router(state: Arc<State>) -> Router {
    Router::new()
        .route("/v1/chat/completions", post(ask_chat))
        .route("/chat/completions", post(ask_chat))
        .route("/v1/embeddings", post(ask_embeddings))
        .route("/embeddings", post(ask_embeddings))
        .route("/v1/models", get(models))
        .route("/models", get(models))
        .route(
            "/api/v1/healthcheck",
            get(|| async { Json(json!({"data": null, "errno": 0, "errmsg": ""})) }),
        )
        .route("/admin/config", post(set_config).get(show_config))
        .route("/admin/reset", post(reset))
        .route("/admin/stats", get(stats))
        .route("/admin/script", post(script))
        .route("/admin/canned", post(canned))
        .route("/admin/requests", get(requests))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .with_state(state)
}

async fn models() -> Json<Value> {
    Json(
        json!({"object": "list", "data": [{"id": "fake", "object": "model", "owned_by": "mneme"}]}),
    )
}

async fn ask_chat(
    Shared(state): Shared<Arc<State>>,
    uri: OriginalUri,
    headers: HeaderMap,
    bytes: Bytes,
) -> Response {
    let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    let step = chat::step(&body);
    ask(&state, step, &uri, &headers, bytes.len(), body).await
}

async fn ask_embeddings(
    Shared(state): Shared<Arc<State>>,
    uri: OriginalUri,
    headers: HeaderMap,
    bytes: Bytes,
) -> Response {
    let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    ask(&state, Step::Embeddings, &uri, &headers, bytes.len(), body).await
}

/// What both calls share: log, key, delay, script.
async fn ask(
    state: &State,
    step: Step,
    uri: &OriginalUri,
    headers: &HeaderMap,
    bytes: usize,
    body: Value,
) -> Response {
    let authorization = headers
        .get(AUTHORIZATION)
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let path = uri
        .path_and_query()
        .map_or_else(|| uri.path().to_owned(), ToString::to_string);
    let logged = Logged {
        step,
        path,
        authorization: authorization.clone(),
        body: body.clone(),
    };
    let _in_flight = state.arrived(bytes, logged);
    state.count(
        step,
        StepStats {
            calls: 1,
            ..StepStats::default()
        },
    );
    let config = state.config();
    let answer = state.next_answer(step);
    sleep(config.delay(step)).await;
    if config
        .api_key
        .as_ref()
        .is_some_and(|key| authorization != Some(format!("Bearer {key}")))
    {
        let body = json!({"error": {"message": "Incorrect API key provided.", "type": "invalid_request_error", "code": "invalid_api_key"}});
        return (StatusCode::UNAUTHORIZED, Json(body)).into_response();
    }
    match &answer {
        Answer::Status {
            status,
            headers,
            body,
        } => return scripted(*status, headers.iter(), body),
        Answer::RawBody(body) => return scripted(200, std::iter::empty(), body),
        Answer::Disconnect => return broken(),
        Answer::Stall(stall_ms) => sleep(Duration::from_millis(*stall_ms).min(STALL_MAX)).await,
        Answer::Normal | Answer::Text(_) | Answer::CutOff(_) | Answer::Prose => {}
    }
    let (status, body) = match step {
        Step::Embeddings => embeddings::reply(state, &config, &body, &answer),
        _ => chat::reply(state, &config, step, &body, &answer),
    };
    (
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
        Json(body),
    )
        .into_response()
}

fn scripted<'a>(
    status: u16,
    headers: impl Iterator<Item = (&'a String, &'a String)>,
    body: &str,
) -> Response {
    let mut response = Response::new(Body::from(body.to_owned()));
    *response.status_mut() =
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in headers {
        // A header that HTTP does not allow is left out.
        if let (Ok(name), Ok(value)) = (
            HeaderName::try_from(name.as_str()),
            HeaderValue::try_from(value.as_str()),
        ) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// An answer that begins and breaks off: the server closes the connection in the middle of the body.
fn broken() -> Response {
    let pieces = [
        Ok(Bytes::from_static(b"{\"id\":")),
        Err(io::Error::from(io::ErrorKind::ConnectionReset)),
    ];
    Response::new(Body::from_stream(futures_util::stream::iter(pieces)))
}

/// The body of an admin request, or what is wrong with it.
fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, String> {
    serde_json::from_slice(bytes).map_err(|error| error.to_string())
}

fn wrong(what: &str) -> Response {
    (StatusCode::BAD_REQUEST, Json(json!({"error": what}))).into_response()
}

fn done() -> Response {
    Json(json!({"ok": true})).into_response()
}

async fn set_config(Shared(state): Shared<Arc<State>>, bytes: Bytes) -> Response {
    match read::<Value>(&bytes).and_then(|patch| state.patch_config(&patch)) {
        Ok(config) => Json(config).into_response(),
        Err(error) => wrong(&error),
    }
}

async fn show_config(Shared(state): Shared<Arc<State>>) -> Response {
    Json(state.config()).into_response()
}

async fn reset(Shared(state): Shared<Arc<State>>) -> Response {
    state.reset();
    done()
}

async fn stats(Shared(state): Shared<Arc<State>>) -> Json<Stats> {
    Json(state.stats())
}

async fn requests(Shared(state): Shared<Arc<State>>) -> Json<Vec<Logged>> {
    Json(state.requests())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptBody {
    step: String,
    answers: Vec<Answer>,
    #[serde(default)]
    repeat: bool,
}

async fn script(Shared(state): Shared<Arc<State>>, bytes: Bytes) -> Response {
    let ScriptBody {
        step,
        answers,
        repeat,
    } = match read(&bytes) {
        Ok(body) => body,
        Err(error) => return wrong(&error),
    };
    let step = match step.as_str() {
        "*" => None,
        name => match serde_json::from_value::<Step>(name.into()) {
            Ok(step) => Some(step),
            Err(error) => return wrong(&error.to_string()),
        },
    };
    state.set_script(step, answers, repeat);
    done()
}

async fn canned(Shared(state): Shared<Arc<State>>, bytes: Bytes) -> Response {
    match read::<Canned>(&bytes) {
        Ok(texts) => {
            state.set_canned(texts);
            done()
        }
        Err(error) => wrong(&error),
    }
}
