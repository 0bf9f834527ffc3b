//! The whole server over a real engine and a database in a temporary folder.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use mneme_core::id::ProjectId;
use mneme_core::ports::{
    Llm, LlmReply, LlmRequest, ModelError, ModelErrorKind, Tenants, TokenCounter,
};
use mneme_core::time::Timestamp;
use mneme_engine::{Engine, Options, Parts, RandomIds, SystemClock, worker};
use mneme_server::{AppState, Limits, Token, router};
use mneme_store::{SqliteOptions, SqliteStore};
use mneme_testkit::{HashEmbedder, Step, fake};
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::watch;
use tower::ServiceExt;

/// Bodies larger than this are refused in these tests.
pub(crate) const BODY_BYTES_MAX: usize = 1024 * 1024;

/// Counts words; enough where only the order of magnitude matters.
struct Words;

#[async_trait]
impl TokenCounter for Words {
    async fn count(&self, texts: Vec<String>) -> Vec<u32> {
        texts
            .iter()
            .map(|text| u32::try_from(text.split_whitespace().count()).unwrap_or(u32::MAX))
            .collect()
    }
}

/// Answers like the testkit's model server, or not at all.
struct Model {
    down: Arc<AtomicBool>,
}

#[async_trait]
impl Llm for Model {
    async fn complete(&self, request: &LlmRequest) -> Result<LlmReply, ModelError> {
        if self.down.load(Ordering::Relaxed) {
            return Err(ModelError {
                kind: ModelErrorKind::Unavailable,
                message: "the model is down".to_owned(),
                retry_after_seconds: None,
            });
        }
        let text = fake::behaviour::reply(Step::of_system(&request.system), &request.user);
        Ok(LlmReply {
            text,
            cut_off: false,
            tokens: None,
        })
    }

    fn model(&self) -> &'static str {
        "scripted"
    }
}

/// A running server. Its files go when it goes.
pub(crate) struct App {
    pub(crate) state: AppState,
    router: Router,
    model_down: Arc<AtomicBool>,
    stop: watch::Sender<bool>,
    _folder: TempDir,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Reply {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// The data of a success.
    pub(crate) fn data(&self) -> Value {
        let body = self.json();
        assert_eq!(
            (self.status, &body["errno"], &body["errmsg"]),
            (StatusCode::OK, &Value::from(0), &Value::from("")),
            "{}",
            self.text
        );
        assert_eq!(
            body.as_object().map(serde_json::Map::len),
            Some(3),
            "{}",
            self.text
        );
        body["data"].clone()
    }

    /// The number and words of a refusal, which is HTTP 200.
    pub(crate) fn refusal(&self) -> (u64, String) {
        let body = self.json();
        assert_eq!(
            (self.status, &body["data"]),
            (StatusCode::OK, &Value::Null),
            "{}",
            self.text
        );
        (
            body["errno"].as_u64().unwrap_or(0),
            body["errmsg"].as_str().unwrap_or_default().to_owned(),
        )
    }
}

impl App {
    /// A server with a model, a worker and the token `secret`.
    pub(crate) async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(
            SqliteStore::open(&SqliteOptions::new(folder.path().join("mneme.db"))).unwrap(),
        );
        store
            .ensure_project(&ProjectId::root(), Timestamp(0))
            .await
            .unwrap();
        let model_down = Arc::new(AtomicBool::new(false));
        let parts = Parts {
            store,
            embedder: Arc::new(HashEmbedder::new()),
            llm: Some(Arc::new(Model {
                down: Arc::clone(&model_down),
            })),
            tokens: Arc::new(Words),
            clock: Arc::new(SystemClock),
            ids: Arc::new(RandomIds),
        };
        let engine = Engine::new(
            parts,
            Options {
                persist_chats: true,
                ..Options::default()
            },
        );
        let (stop, stopped) = watch::channel(false);
        tokio::spawn(worker::run(engine.clone(), "test".to_owned(), stopped));
        let limits = Limits {
            body_bytes_max: BODY_BYTES_MAX,
            ..Limits::default()
        };
        let state = AppState {
            engine,
            token: Token::new("secret").unwrap(),
            limits,
            version: "0.0.0",
        };
        Self {
            router: router(state.clone()),
            state,
            model_down,
            stop,
            _folder: folder,
        }
    }

    /// From now on the model does not answer.
    pub(crate) fn take_model_down(&self) {
        self.model_down.store(true, Ordering::Relaxed);
    }

    /// Sends a request as it is.
    pub(crate) async fn send(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        Reply {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8(bytes.to_vec()).unwrap(),
        }
    }

    /// Sends a request with the token; `path` begins after `/api/v1`.
    pub(crate) async fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> Reply {
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let request = Request::builder()
            .method(method)
            .uri(format!("/api/v1{path}"))
            .header("authorization", "Bearer secret");
        self.send(
            request
                .header("content-type", "application/json")
                .body(body)
                .unwrap(),
        )
        .await
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.ask(Method::GET, path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Reply {
        self.ask(Method::POST, path, Some(body)).await
    }

    pub(crate) async fn put(&self, path: &str, body: &Value) -> Reply {
        self.ask(Method::PUT, path, Some(body)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Reply {
        self.ask(Method::DELETE, path, None).await
    }

    /// A new user's id.
    pub(crate) async fn user(&self) -> String {
        id_of(&self.post("/users", &serde_json::json!({})).await.data())
    }
}

impl Drop for App {
    fn drop(&mut self) {
        let _ = self.stop.send(true);
    }
}

/// The `id` of some data.
pub(crate) fn id_of(data: &Value) -> String {
    data["id"]
        .as_str()
        .unwrap_or_else(|| panic!("no id in {data}"))
        .to_owned()
}

/// A chat blob of one user message.
pub(crate) fn chat(content: &str) -> Value {
    serde_json::json!({"blob_type": "chat", "fields": null, "blob_data": {"messages": [{"role": "user", "content": content, "alias": null, "created_at": null}]}})
}
