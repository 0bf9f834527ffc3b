use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::app::{App, chat, id_of};

async fn waiting(app: &App, user: &str, status: &str) -> usize {
    let data = app
        .get(&format!(
            "/users/buffer/capacity/{user}/chat?status={status}"
        ))
        .await
        .data();
    data["ids"].as_array().unwrap().len()
}

#[tokio::test]
async fn a_flush_distils_what_waits() {
    let app = App::start().await;
    let user = app.user().await;
    let blob = id_of(
        &app.post(&format!("/blobs/insert/{user}"), &chat("I live in Berlin"))
            .await
            .data(),
    );
    let idle = app
        .get(&format!(
            "/users/buffer/capacity/{user}/chat?status=pending"
        ))
        .await
        .data();
    assert_eq!(idle["ids"].as_array().unwrap().len(), 1);
    assert_ne!(
        idle["ids"][0],
        Value::from(blob),
        "a buffer row is not a blob"
    );
    assert_eq!(
        (
            waiting(&app, &user, "idle").await,
            waiting(&app, &user, "processing").await
        ),
        (1, 0)
    );

    let flushed = app
        .post(
            &format!("/users/buffer/{user}/chat?wait_process=True"),
            &json!({}),
        )
        .await
        .data();
    assert_eq!(flushed.as_array().unwrap().len(), 1, "{flushed}");
    for key in [
        "event_id",
        "add_profiles",
        "update_profiles",
        "delete_profiles",
    ] {
        assert!(flushed[0].get(key).is_some(), "{key} in {flushed}");
    }
    assert!(flushed[0]["event_id"].is_string(), "{flushed}");
    assert_eq!(
        (
            waiting(&app, &user, "idle").await,
            waiting(&app, &user, "completed").await
        ),
        (0, 1)
    );
    assert_eq!(
        app.post(
            &format!("/users/buffer/{user}/chat?wait_process=True"),
            &json!({})
        )
        .await
        .data(),
        json!([]),
        "nothing is left"
    );
}

#[tokio::test]
async fn a_flush_in_the_background_answers_null_and_kinds_that_are_kept_have_nothing() {
    let app = App::start().await;
    let user = app.user().await;
    assert_eq!(
        app.post(&format!("/users/buffer/{user}/chat"), &json!({}))
            .await
            .data(),
        json!([])
    );
    app.post(&format!("/blobs/insert/{user}"), &chat("I live in Berlin"))
        .await
        .data();
    assert_eq!(
        app.post(&format!("/users/buffer/{user}/chat"), &json!({}))
            .await
            .data(),
        Value::Null
    );
    app.post(
        &format!("/blobs/insert/{user}"),
        &json!({"blob_type": "doc", "blob_data": {"content": "d"}}),
    )
    .await
    .data();
    assert_eq!(
        app.post(
            &format!("/users/buffer/{user}/doc?wait_process=true"),
            &json!({})
        )
        .await
        .data(),
        json!([])
    );
    assert_eq!(
        app.post(&format!("/users/buffer/{user}/doc"), &json!({}))
            .await
            .data(),
        Value::Null
    );
    assert_eq!(
        app.get(&format!("/users/buffer/capacity/{user}/chat?status=gone"))
            .await
            .status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
}

#[tokio::test]
async fn a_full_buffer_is_distilled_within_the_insert() {
    let app = App::start().await;
    let user = app.user().await;
    let small = app
        .post(
            &format!("/blobs/insert/{user}?wait_process=True"),
            &chat("I live in Berlin"),
        )
        .await
        .data();
    assert_eq!(small["chat_results"], json!([]));
    let full = app
        .post(
            &format!("/blobs/insert/{user}?wait_process=True"),
            &chat(&"word ".repeat(1100)),
        )
        .await
        .data();
    assert_eq!(full["chat_results"].as_array().unwrap().len(), 1, "{full}");
}

#[tokio::test]
async fn a_model_that_is_down_is_said_so_and_nothing_is_lost() {
    let app = App::start().await;
    app.take_model_down();
    let user = app.user().await;
    app.post(&format!("/blobs/insert/{user}"), &chat("I live in Berlin"))
        .await
        .data();
    let (errno, message) = app
        .post(
            &format!("/users/buffer/{user}/chat?wait_process=True"),
            &json!({}),
        )
        .await
        .refusal();
    assert_eq!(errno, 503, "{message}");
    assert!(!message.is_empty());
    assert_eq!(waiting(&app, &user, "failed").await, 1);
    let (errno, message) = app
        .post(
            &format!("/blobs/insert/{user}?wait_process=True"),
            &chat(&"word ".repeat(1100)),
        )
        .await
        .refusal();
    assert_eq!(errno, 503, "{message}");
    assert!(
        message.starts_with("Blob ") && message.contains(" is stored, but processing failed: "),
        "{message}"
    );
    assert_eq!(
        app.get(&format!("/users/blobs/{user}/chat")).await.data()["ids"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}
