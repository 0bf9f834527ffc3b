use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::app::{App, chat};

/// A user about whom one thing was distilled.
async fn told(app: &App, words: &str) -> String {
    let user = app.user().await;
    app.post(&format!("/blobs/insert/{user}"), &chat(words))
        .await
        .data();
    app.post(
        &format!("/users/buffer/{user}/chat?wait_process=True"),
        &json!({}),
    )
    .await
    .data();
    user
}

#[tokio::test]
async fn an_event_is_listed_changed_and_forgotten() {
    let app = App::start().await;
    let user = told(&app, "I live in Berlin").await;
    let list = async || {
        app.get(&format!("/users/event/{user}?topk=10&need_summary=true"))
            .await
            .data()["events"]
            .clone()
    };
    let events = list().await;
    assert_eq!(events.as_array().unwrap().len(), 1, "{events}");
    let event = &events[0];
    assert!(
        event["event_data"]["profile_delta"].is_array()
            && event["event_data"]["event_tip"].is_string()
    );
    assert_eq!(
        (&event["event_data"]["event_tags"], &event["similarity"]),
        (&Value::Null, &Value::Null)
    );

    let path = format!("/users/event/{user}/{}", event["id"].as_str().unwrap());
    app.put(
        &path,
        &json!({"event_tip": "- moved to Rome", "event_tags": null, "more": 1}),
    )
    .await
    .data();
    app.put(
        &path,
        &json!({"event_tags": [{"tag": "emotion", "value": "happy"}]}),
    )
    .await
    .data();
    let changed = list().await[0]["event_data"].clone();
    assert_eq!(
        (&changed["event_tip"], &changed["event_tags"]),
        (
            &json!("- moved to Rome"),
            &json!([{"tag": "emotion", "value": "happy"}])
        )
    );
    assert_eq!(
        changed["profile_delta"],
        event["event_data"]["profile_delta"]
    );
    assert_eq!(
        app.put(&path, &json!({"event_tags": [{"tag": "x"}]}))
            .await
            .status,
        StatusCode::UNPROCESSABLE_ENTITY
    );

    assert_eq!(app.delete(&path).await.data(), Value::Null);
    let id = event["id"].as_str().unwrap();
    assert_eq!(
        app.delete(&path).await.refusal(),
        (404, format!("User event {id} not found"))
    );
    assert_eq!(
        app.put(&path, &json!({"event_tip": "x"})).await.refusal().0,
        404
    );
    assert_eq!(
        app.get(&format!(
            "/users/event_gist/search/{user}?query=Rome&similarity_threshold=-1"
        ))
        .await
        .data()["gists"],
        json!([]),
        "its gists went with it"
    );
}

#[tokio::test]
async fn searches_return_numbers_and_gists_under_both_names() {
    let app = App::start().await;
    let user = told(&app, "I live in Berlin").await;
    let found = app.get(&format!("/users/event/search/{user}?query=Berlin&topk=10&similarity_threshold=-1.0&time_range_in_days=7")).await.data();
    assert!(found["events"][0]["similarity"].is_number(), "{found}");
    let found = app
        .get(&format!(
            "/users/event_gist/search/{user}?query=Berlin&similarity_threshold=-1"
        ))
        .await
        .data();
    assert!(
        found["gists"][0]["similarity"].is_number()
            && found["gists"][0]["gist_data"]["content"]
                .as_str()
                .unwrap()
                .starts_with('-'),
        "{found}"
    );
    assert_eq!(found["gists"], found["events"]);
    let none = app
        .get(&format!(
            "/users/event_gist/search/{user}?query=Berlin&similarity_threshold=1"
        ))
        .await
        .data();
    assert_eq!(none, json!({"gists": [], "events": []}));
}

#[tokio::test]
async fn odd_numbers_do_no_harm() {
    let app = App::start().await;
    let user = told(&app, "I live in Berlin").await;
    for path in ["event/{}?topk=0", "event/{}?max_token_size=0"] {
        assert_eq!(
            app.get(&format!("/users/{}", path.replace("{}", &user)))
                .await
                .data()["events"],
            json!([]),
            "{path}"
        );
    }
    for path in ["event/{}?topk=-1", "event/search/{}?query=x&topk=-1"] {
        assert_eq!(
            app.get(&format!("/users/{}", path.replace("{}", &user)))
                .await
                .refusal()
                .0,
            400,
            "{path}"
        );
    }
    for query in [
        "time_range_in_days=99999999999999999999",
        "time_range_in_days=-5",
        "topk=99999999999999999999",
        "similarity_threshold=nan",
        "similarity_threshold=-inf",
    ] {
        app.get(&format!("/users/event_gist/search/{user}?query=x&{query}"))
            .await
            .data();
    }
    assert_eq!(
        app.get(&format!("/users/event/search/{user}")).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(
        app.get(&format!("/users/event/{user}?need_summary=2"))
            .await
            .status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
}
