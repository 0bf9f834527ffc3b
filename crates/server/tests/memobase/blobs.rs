use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};

use crate::app::{App, Reply, chat, id_of};

#[tokio::test]
async fn a_chat_comes_back_in_its_stored_shape() {
    let app = App::start().await;
    let user = app.user().await;
    let sent = json!({"blob_type": "chat", "blob_data": {"type": "chat", "messages": [{"role": "user", "content": "hi & + # é 😀", "alias": "Al", "created_at": "y1", "x": 1}, {"role": "assistant", "content": ""}]}});
    let inserted = app
        .post(&format!("/blobs/insert/{user}?wait_process=False"), &sent)
        .await
        .data();
    assert_eq!(inserted["chat_results"], json!([]));
    let blob = id_of(&inserted);
    let shown = app.get(&format!("/blobs/{user}/{blob}")).await.data();
    let messages = json!([{"role": "user", "content": "hi & + # é 😀", "alias": "Al", "created_at": "y1"}, {"role": "assistant", "content": "", "alias": null, "created_at": null}]);
    assert_eq!(
        (&shown["blob_type"], &shown["blob_data"], &shown["fields"]),
        (&json!("chat"), &json!({"messages": messages}), &Value::Null)
    );

    assert_eq!(
        app.delete(&format!("/blobs/{user}/{blob}")).await.data(),
        Value::Null
    );
    assert_eq!(
        app.get(&format!("/blobs/{user}/{blob}")).await.refusal(),
        (404, format!("Blob with id {blob} of user {user} not found"))
    );
    assert_eq!(
        app.delete(&format!("/blobs/{user}/{blob}")).await.data(),
        Value::Null,
        "also when it is gone"
    );
}

#[tokio::test]
async fn all_kinds_are_kept_and_listed_oldest_first() {
    let app = App::start().await;
    let user = app.user().await;
    for (kind, data) in [
        ("summary", json!({"summary": "s"})),
        ("image", json!({"url": "u", "base64": null})),
        ("code", json!({"content": "c", "language": null})),
        (
            "transcript",
            json!({"transcripts": [{"content": "t", "start_timestamp_in_seconds": 0.5, "end_time_timestamp_in_seconds": null, "speaker": null}]}),
        ),
    ] {
        let blob = id_of(
            &app.post(
                &format!("/blobs/insert/{user}"),
                &json!({"blob_type": kind, "blob_data": data}),
            )
            .await
            .data(),
        );
        assert_eq!(
            app.get(&format!("/blobs/{user}/{blob}")).await.data()["blob_data"],
            data,
            "{kind}"
        );
    }
    let mut docs = Vec::new();
    for number in 0..3 {
        docs.push(id_of(
            &app.post(
                &format!("/blobs/insert/{user}"),
                &json!({"blob_type": "doc", "blob_data": {"content": number.to_string()}}),
            )
            .await
            .data(),
        ));
    }
    let list = async |query: &str| app.get(&format!("/users/blobs/{user}/doc{query}")).await;
    assert_eq!(list("").await.data(), json!({"ids": docs}));
    assert_eq!(
        list("?page=1&page_size=2").await.data(),
        json!({"ids": [docs[2]]})
    );
    assert_eq!(
        list("?page=99999999999999999999&page_size=10").await.data(),
        json!({"ids": []})
    );
    assert_eq!(list("?page=-1").await.refusal().0, 400);
    assert_eq!(list("?page_size=-1").await.refusal().0, 400);
    assert_eq!(
        app.get(&format!("/users/blobs/{user}/poem")).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
}

#[tokio::test]
async fn fields_and_time_count_inside_and_outside_of_the_content() {
    let app = App::start().await;
    let user = app.user().await;
    let insert = async |body: Value| {
        let blob = id_of(
            &app.post(&format!("/blobs/insert/{user}"), &body)
                .await
                .data(),
        );
        let shown = app.get(&format!("/blobs/{user}/{blob}")).await.data();
        (shown["fields"].clone(), shown["created_at"].clone())
    };
    let time = json!("2025-01-14T10:00:00.000000Z");
    let inside = json!({"content": "d", "type": "doc", "fields": {"a": 1}, "created_at": "2025-01-14T10:00:00.000Z"});
    assert_eq!(
        insert(json!({"blob_type": "doc", "blob_data": inside})).await,
        (json!({"a": 1}), time.clone())
    );
    let outside = json!({"blob_type": "doc", "blob_data": inside, "fields": {"b": 2}, "created_at": "2024-01-01"});
    assert_eq!(
        insert(outside).await,
        (json!({"b": 2}), json!("2024-01-01T00:00:00.000000Z"))
    );
}

#[tokio::test]
async fn wrong_content_is_refused_in_the_envelope_and_wrong_frames_by_422() {
    let app = App::start().await;
    let user = app.user().await;
    let path = format!("/blobs/insert/{user}");
    for data in [
        json!({"messages": [{"role": "tool", "content": "x"}]}),
        json!({"messages": [{"role": "user", "content": ["x"]}]}),
        json!({}),
    ] {
        let (errno, message) = app
            .post(&path, &json!({"blob_type": "chat", "blob_data": data}))
            .await
            .refusal();
        assert_eq!(errno, 400);
        assert!(message.starts_with("Unable to parse blob: "), "{message}");
    }
    for body in [
        json!({"blob_type": "", "blob_data": {}}),
        json!({"blob_type": "doc", "blob_data": []}),
        json!({"blob_type": "doc", "blob_data": {"content": ""}, "created_at": "soon"}),
    ] {
        assert_eq!(
            app.post(&path, &body).await.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{body}"
        );
    }
    assert_eq!(
        app.get(&format!("/users/blobs/{user}/chat")).await.data(),
        json!({"ids": []}),
        "nothing was stored"
    );
}

async fn raw_insert(app: &App, user: &str, key: Option<&str>, body: &str) -> Reply {
    let mut request = Request::builder()
        .method("POST")
        .uri(format!("/api/v1/blobs/insert/{user}"))
        .header("authorization", "Bearer secret");
    if let Some(key) = key {
        request = request.header("Idempotency-Key", key);
    }
    app.send(request.body(Body::from(body.to_owned())).unwrap())
        .await
}

#[tokio::test]
async fn text_that_no_store_can_keep_is_repaired() {
    let app = App::start().await;
    let user = app.user().await;
    let body = r#"{"blob_type":"doc","blob_data":{"content":"a\u0000b\ud83d c <|endoftext|> \ud83d\ude00"}}"#;
    let blob = id_of(&raw_insert(&app, &user, None, body).await.data());
    assert_eq!(
        app.get(&format!("/blobs/{user}/{blob}")).await.data()["blob_data"]["content"],
        "ab\u{fffd} c <|endoftext|> 😀"
    );
}

#[tokio::test]
async fn a_repeated_insert_with_a_key_is_one_insert() {
    let app = App::start().await;
    let user = app.user().await;
    let first = id_of(
        &raw_insert(&app, &user, Some("k1"), &chat("hi").to_string())
            .await
            .data(),
    );
    let again = id_of(
        &raw_insert(&app, &user, Some("k1"), &chat("hi").to_string())
            .await
            .data(),
    );
    assert_eq!(first, again);
    assert_eq!(
        raw_insert(&app, &user, Some("k1"), &chat("ho").to_string())
            .await
            .refusal()
            .0,
        409
    );
    assert_eq!(
        raw_insert(&app, &user, Some(&"k".repeat(256)), &chat("hi").to_string())
            .await
            .refusal()
            .0,
        400
    );
    assert_eq!(
        app.get(&format!("/users/blobs/{user}/chat")).await.data(),
        json!({"ids": [first]})
    );
}

#[tokio::test]
async fn a_large_body_is_stored_whole() {
    let app = App::start().await;
    let user = app.user().await;
    let content = "long ".repeat(60_000);
    let blob = id_of(
        &app.post(
            &format!("/blobs/insert/{user}"),
            &json!({"blob_type": "doc", "blob_data": {"content": content}}),
        )
        .await
        .data(),
    );
    assert_eq!(
        app.get(&format!("/blobs/{user}/{blob}")).await.data()["blob_data"]["content"],
        content
    );
}
