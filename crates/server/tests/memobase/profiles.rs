use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::app::{App, id_of};

async fn add(app: &App, user: &str, topic: &str, sub_topic: &str, content: &str) -> String {
    let body = json!({"content": content, "attributes": {"topic": topic, "sub_topic": sub_topic}});
    id_of(
        &app.post(&format!("/users/profile/{user}"), &body)
            .await
            .data(),
    )
}

/// `topic.sub_topic` of what a listing returns.
async fn listed(app: &App, user: &str, query: &str) -> Vec<String> {
    let data = app
        .get(&format!("/users/profile/{user}{query}"))
        .await
        .data();
    let name = |profile: &Value| {
        format!(
            "{}.{}",
            profile["attributes"]["topic"].as_str().unwrap(),
            profile["attributes"]["sub_topic"].as_str().unwrap()
        )
    };
    data["profiles"]
        .as_array()
        .unwrap()
        .iter()
        .map(name)
        .collect()
}

#[tokio::test]
async fn a_slot_is_filled_changed_and_forgotten() {
    let app = App::start().await;
    let user = app.user().await;
    let id = add(&app, &user, "topic", "sub_topic", "test").await;
    let data = app.get(&format!("/users/profile/{user}")).await.data();
    let profile = &data["profiles"][0];
    assert_eq!(
        (&profile["id"], &profile["content"]),
        (&json!(id), &json!("test"))
    );
    assert_eq!(
        profile["attributes"],
        json!({"topic": "topic", "sub_topic": "sub_topic"})
    );

    let path = format!("/users/profile/{user}/{id}");
    assert_eq!(
        app.put(
            &path,
            &json!({"content": "c2", "attributes": {"topic": "t2", "sub_topic": "s2", "x": 1}})
        )
        .await
        .data(),
        Value::Null
    );
    app.put(&path, &json!({"content": "c3", "attributes": null}))
        .await
        .data();
    let data = app.get(&format!("/users/profile/{user}")).await.data();
    assert_eq!(data["profiles"][0]["content"], "c3");
    assert_eq!(
        data["profiles"][0]["attributes"],
        json!({"topic": "t2", "sub_topic": "s2", "x": 1}),
        "null keeps the attributes"
    );

    assert_eq!(app.delete(&path).await.data(), Value::Null);
    let gone = (404, format!("Profile {id} not found for user {user}"));
    assert_eq!(app.delete(&path).await.refusal(), gone);
    assert_eq!(
        app.put(&path, &json!({"content": "c", "attributes": null}))
            .await
            .refusal(),
        gone
    );
}

#[tokio::test]
async fn attributes_have_to_name_a_slot() {
    let app = App::start().await;
    let user = app.user().await;
    let id = add(&app, &user, "t", "s", "c").await;
    for attributes in [
        Value::Null,
        json!({}),
        json!({"topic": "t"}),
        json!({"topic": 1, "sub_topic": "s"}),
    ] {
        let (errno, message) = app
            .post(
                &format!("/users/profile/{user}"),
                &json!({"content": "c", "attributes": attributes}),
            )
            .await
            .refusal();
        assert_eq!(errno, 520);
        assert!(
            message.starts_with("CODE 520; ERROR Invalid profile attributes: "),
            "{message}"
        );
    }
    assert_eq!(
        app.put(
            &format!("/users/profile/{user}/{id}"),
            &json!({"content": "c", "attributes": {}})
        )
        .await
        .refusal()
        .0,
        520
    );
    assert_eq!(
        app.post(&format!("/users/profile/{user}"), &json!({"content": "c"}))
            .await
            .status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
}

#[tokio::test]
async fn listings_are_chosen_as_memobase_does() {
    let app = App::start().await;
    let user = app.user().await;
    for (topic, sub_topic) in [
        ("work", "title"),
        ("basic_info", "name"),
        ("basic_info", "age"),
        ("interest", "foods"),
        ("Interest", "Movies"),
    ] {
        add(&app, &user, topic, sub_topic, "something").await;
    }
    let all = [
        "Interest.Movies",
        "interest.foods",
        "basic_info.age",
        "basic_info.name",
        "work.title",
    ];
    assert_eq!(listed(&app, &user, "").await, all);
    assert_eq!(listed(&app, &user, "?max_token_size=0").await, all);
    assert_eq!(
        listed(&app, &user, "?max_token_size=1").await.len(),
        1,
        "always one"
    );
    let preferred = listed(
        &app,
        &user,
        "?max_token_size=1000&prefer_topics=interest&&prefer_topics=work",
    )
    .await;
    assert_eq!(
        preferred,
        [
            "interest.foods",
            "work.title",
            "Interest.Movies",
            "basic_info.age",
            "basic_info.name"
        ]
    );
    assert_eq!(
        listed(&app, &user, "?only_topics=%20basic_info").await,
        ["basic_info.age", "basic_info.name"]
    );
    assert_eq!(listed(&app, &user, "?only_topics=").await, [""; 0]);
    assert_eq!(
        listed(&app, &user, "?max_subtopic_size=1").await,
        [
            "Interest.Movies",
            "interest.foods",
            "basic_info.age",
            "work.title"
        ]
    );
    for name in ["topic_limits_json", "topic_limits"] {
        let kept = listed(
            &app,
            &user,
            &format!("?{name}={{%22basic_info%22:0,%22work%22:%221%22}}"),
        )
        .await;
        assert_eq!(
            kept,
            ["Interest.Movies", "interest.foods", "work.title"],
            "{name}"
        );
    }
}

#[tokio::test]
async fn broken_json_in_the_query_is_refused() {
    let app = App::start().await;
    let user = app.user().await;
    for query in [
        "chats_str=[{",
        "chats_str=[{%22role%22:%22sys%22,%22content%22:%22%22}]",
        "topic_limits_json={%22a%22:1.5}",
    ] {
        let (errno, message) = app
            .get(&format!("/users/profile/{user}?{query}"))
            .await
            .refusal();
        assert_eq!(errno, 400);
        assert!(message.starts_with("Invalid JSON requests: "), "{message}");
        let (errno, message) = app
            .get(&format!("/users/context/{user}?{query}"))
            .await
            .refusal();
        assert_eq!(errno, 400);
        assert!(message.starts_with("Invalid JSON: "), "{message}");
    }
    app.get(&format!(
        "/users/profile/{user}?chats_str=&topic_limits_json="
    ))
    .await
    .data();
    assert_eq!(
        app.get(&format!("/users/profile/{user}?topk=x"))
            .await
            .status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
}
