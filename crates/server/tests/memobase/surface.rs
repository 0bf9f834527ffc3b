//! What is the same for all paths: authentication, unknown paths, shape errors, headers, sockets.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::app::{App, BODY_BYTES_MAX};

fn request(method: &str, uri: &str) -> Request<Body> {
    Request::builder()
        .method(method)
        .uri(uri)
        .body(Body::empty())
        .unwrap()
}

#[tokio::test]
async fn without_a_token_everything_is_401_but_health() {
    let app = App::start().await;
    assert_eq!(
        app.send(request("GET", "/api/v1/healthcheck")).await.data(),
        Value::Null
    );
    for (method, path) in [
        ("GET", "/api/v1/project/profile_config"),
        ("GET", "/api/v1/nowhere"),
        ("PATCH", "/api/v1/users"),
        ("OPTIONS", "/api/v1/users"),
        ("GET", "/api/v1/users/"),
    ] {
        let reply = app.send(request(method, path)).await;
        assert_eq!(reply.status, StatusCode::UNAUTHORIZED, "{path}");
        let expected = format!(
            r#"{{"data":null,"errno":401,"errmsg":"Unauthorized access to {path}. You have to provide a valid Bearer token."}}"#
        );
        assert_eq!(reply.text, expected);
    }
    let mut wrong = request("GET", "/api/v1/users");
    wrong
        .headers_mut()
        .insert("authorization", "Bearer sk-p-x".parse().unwrap());
    assert!(
        app.send(wrong)
            .await
            .text
            .contains("CODE 401; ERROR Your project is not exists!")
    );
}

#[tokio::test]
async fn unknown_paths_and_methods_and_slashes() {
    let app = App::start().await;
    let reply = app.get("/nowhere").await;
    assert_eq!(
        (reply.status, reply.text.as_str()),
        (StatusCode::NOT_FOUND, r#"{"detail":"Not Found"}"#)
    );
    let reply = app.send(request("GET", "/")).await;
    assert_eq!(
        (reply.status, reply.text.as_str()),
        (StatusCode::NOT_FOUND, r#"{"detail":"Not Found"}"#)
    );
    let reply = app.ask(Method::PATCH, "/users", None).await;
    assert_eq!(
        (reply.status, reply.text.as_str()),
        (
            StatusCode::METHOD_NOT_ALLOWED,
            r#"{"detail":"Method Not Allowed"}"#
        )
    );
    let reply = app.get("/users/?a=%20b").await;
    assert_eq!(
        (reply.status, reply.headers["location"].to_str().unwrap()),
        (StatusCode::TEMPORARY_REDIRECT, "/api/v1/users?a=%20b")
    );
    assert_eq!(app.get("/nowhere/").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn every_answer_says_how_long_it_took() {
    let app = App::start().await;
    for path in ["/healthcheck", "/nowhere", "/users/bob"] {
        let reply = app.get(path).await;
        let seconds: f64 = reply.headers["x-process-time"]
            .to_str()
            .unwrap()
            .parse()
            .unwrap();
        assert!((0.0..60.0).contains(&seconds));
    }
}

#[tokio::test]
async fn shape_errors_are_422_with_their_places() {
    let app = App::start().await;
    let reply = app
        .post(
            "/blobs/insert/bob?wait_process=maybe",
            &json!({"blob_type": "poem"}),
        )
        .await;
    assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY);
    let detail = reply.json()["detail"].clone();
    let places: Vec<&Value> = detail
        .as_array()
        .unwrap()
        .iter()
        .map(|flaw| &flaw["loc"])
        .collect();
    assert_eq!(
        places,
        [
            &json!(["path", "user_id"]),
            &json!(["query", "wait_process"]),
            &json!(["body", "blob_data"]),
            &json!(["body", "blob_type"])
        ]
    );
    for key in ["type", "loc", "msg", "input"] {
        assert!(
            detail
                .as_array()
                .unwrap()
                .iter()
                .all(|flaw| flaw.get(key).is_some()),
            "{key} in {detail}"
        );
    }
}

#[tokio::test]
async fn bodies_by_content_type() {
    let app = App::start().await;
    let send = async |content_type: Option<&str>, body: &'static [u8]| {
        let mut request = Request::builder()
            .method("POST")
            .uri("/api/v1/users")
            .header("authorization", "Bearer secret");
        if let Some(content_type) = content_type {
            request = request.header("content-type", content_type);
        }
        app.send(request.body(Body::from(body)).unwrap())
            .await
            .status
    };
    for content_type in [
        None,
        Some("application/json"),
        Some("application/merge-patch+json"),
    ] {
        assert_eq!(
            send(content_type, b"{}").await,
            StatusCode::OK,
            "{content_type:?}"
        );
    }
    for content_type in ["text/plain", "application/x-www-form-urlencoded"] {
        assert_eq!(
            send(Some(content_type), b"{}").await,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{content_type}"
        );
    }
    for body in [&b""[..], b"[]", b"null", b"{", b"\xff"] {
        assert_eq!(
            send(None, body).await,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{body:?}"
        );
    }
    assert_eq!(
        send(None, vec![b' '; BODY_BYTES_MAX + 1].leak()).await,
        StatusCode::PAYLOAD_TOO_LARGE
    );
}

/// Sends raw bytes to a listening server and returns what comes back.
async fn talk(bytes: &[u8]) -> String {
    let app = App::start().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let server = tokio::spawn(mneme_server::serve(
        listener,
        app.state.clone(),
        async move {
            let _ = stopped.await;
        },
    ));
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    stop.send(()).unwrap();
    server.await.unwrap().unwrap();
    answer
}

#[tokio::test]
async fn raw_json_in_a_request_target_comes_through_the_socket() {
    let target = r"/api/v1/users/profile/67e55044-10b1-426f-9247-bb680e5fe0c8?chats_str=[{%22role%22:%22user%22,%22content%22:%22a\u00e9%20&%20b%20100%%20|^`%22}]&&topk=1";
    let answer = talk(format!("GET {target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer secret\r\nConnection: close\r\n\r\n").as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(
        answer.ends_with(r#"{"data":{"profiles":[]},"errno":0,"errmsg":""}"#),
        "{answer}"
    );
}

#[tokio::test]
async fn a_quote_that_no_client_sends_raw_is_refused_by_the_http_library() {
    let answer = talk(b"GET /api/v1/healthcheck?a=\" HTTP/1.1\r\nHost: x\r\n\r\n").await;
    assert!(
        answer.starts_with("HTTP/1.1 400 Bad Request\r\n"),
        "{answer}"
    );
}
