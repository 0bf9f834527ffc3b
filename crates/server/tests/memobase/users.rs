use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::app::{App, chat, id_of};

const UNKNOWN: &str = "67e55044-10b1-426f-9247-bb680e5fe0c8";

#[tokio::test]
async fn a_user_is_made_read_changed_and_erased() {
    let app = App::start().await;
    let user = id_of(
        &app.post("/users", &json!({"data": {"n": "x"}, "id": null}))
            .await
            .data(),
    );
    let shown = app.get(&format!("/users/{user}")).await.data();
    assert_eq!(
        (&shown["data"], &shown["id"]),
        (&json!({"n": "x"}), &Value::Null)
    );
    assert!(
        shown["created_at"].as_str().unwrap().ends_with('Z')
            && shown["created_at"].as_str().unwrap().len() == 27
    );

    assert_eq!(
        id_of(
            &app.put(&format!("/users/{user}"), &json!({"data": {"n": "y"}}))
                .await
                .data()
        ),
        user
    );
    let changed = app.get(&format!("/users/{user}")).await.data();
    assert_eq!(
        changed["data"],
        json!({"data": {"n": "y"}}),
        "the body as it is"
    );
    assert!(changed["updated_at"].as_str() > shown["updated_at"].as_str());

    assert_eq!(
        app.delete(&format!("/users/{user}")).await.data(),
        Value::Null
    );
    let gone = (404, format!("User {user} not found"));
    assert_eq!(app.delete(&format!("/users/{user}")).await.refusal(), gone);
    assert_eq!(app.get(&format!("/users/{user}")).await.refusal(), gone);
    assert_eq!(
        app.put(&format!("/users/{user}"), &json!({}))
            .await
            .refusal(),
        gone
    );
}

#[tokio::test]
async fn ids_of_callers_are_taken_once_in_any_spelling() {
    let app = App::start().await;
    let v5 = "0b5c3a12-7c1d-5e2f-8a3b-0123456789ab";
    assert_eq!(
        id_of(
            &app.post("/users", &json!({"id": v5.to_uppercase()}))
                .await
                .data()
        ),
        v5
    );
    assert_eq!(
        app.post("/users", &json!({"data": null, "id": v5}))
            .await
            .refusal()
            .0,
        409
    );
    for spelling in [
        v5.to_uppercase(),
        v5.replace('-', ""),
        format!("{{{v5}}}"),
        format!("urn:uuid:{v5}"),
        format!("%7B{v5}%7D"),
    ] {
        app.get(&format!("/users/{spelling}")).await.data();
    }
    for wrong in ["bob", "018f3c1e-8a4b-7c2d-9e1f-0123456789ab", "%ff"] {
        assert_eq!(
            app.get(&format!("/users/{wrong}")).await.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{wrong}"
        );
    }
    assert_eq!(
        app.post("/users", &json!({"id": "bob"})).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
}

#[tokio::test]
async fn reads_of_an_unknown_user_are_empty_and_writes_are_refused() {
    let app = App::start().await;
    let not_found = (404, format!("User {UNKNOWN} not found"));
    assert_eq!(
        app.post(&format!("/blobs/insert/{UNKNOWN}"), &chat("hi"))
            .await
            .refusal(),
        not_found
    );
    let profile = json!({"content": "c", "attributes": {"topic": "t", "sub_topic": "s"}});
    assert_eq!(
        app.post(&format!("/users/profile/{UNKNOWN}"), &profile)
            .await
            .refusal(),
        not_found
    );
    assert_eq!(
        app.post(
            &format!("/users/buffer/{UNKNOWN}/chat?wait_process=True"),
            &json!({})
        )
        .await
        .data(),
        json!([])
    );
    assert_eq!(
        app.get(&format!("/users/profile/{UNKNOWN}")).await.data(),
        json!({"profiles": []})
    );
    assert_eq!(
        app.get(&format!("/users/event/{UNKNOWN}")).await.data(),
        json!({"events": [], "gists": []})
    );
    assert_eq!(
        app.get(&format!("/users/blobs/{UNKNOWN}/chat"))
            .await
            .data(),
        json!({"ids": []})
    );
    assert!(
        app.get(&format!("/users/context/{UNKNOWN}")).await.data()["context"]
            .as_str()
            .unwrap()
            .contains("\n- \n")
    );
}
