use axum::http::StatusCode;
use serde_json::json;

use crate::app::{App, chat};

async fn told(app: &App) -> String {
    let user = app.user().await;
    let body =
        json!({"content": "Gus", "attributes": {"topic": "basic_info", "sub_topic": "name"}});
    app.post(&format!("/users/profile/{user}"), &body)
        .await
        .data();
    app.post(&format!("/blobs/insert/{user}"), &chat("I live in Berlin"))
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

async fn context(app: &App, user: &str, query: &str) -> String {
    app.get(&format!("/users/context/{user}{query}"))
        .await
        .data()["context"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[tokio::test]
async fn the_template_holds_profile_and_events() {
    let app = App::start().await;
    let user = told(&app).await;
    let text = context(&app, &user, "?max_token_size=1000").await;
    assert!(
        text.starts_with("---\n# Memory\n") && text.ends_with("---\n"),
        "{text}"
    );
    assert!(
        text.contains("## User Current Profile:\n- ") && text.contains("basic_info::name: Gus"),
        "{text}"
    );
    let events = text.split("## Past Events:\n").nth(1).unwrap();
    assert!(
        events.starts_with('-') && events.contains("Berlin"),
        "{text}"
    );
    let only = context(&app, &user, "?only_topics=nope&profile_event_ratio=1").await;
    assert!(
        only.contains("## User Current Profile:\n- \n") && !only.contains("Gus"),
        "{only}"
    );
}

#[tokio::test]
async fn conversations_with_ampersands_come_through() {
    let app = App::start().await;
    let user = told(&app).await;
    let text = context(&app, &user, r"?chats_str=[{%22role%22:%22user%22,%22content%22:%22a%20&%20b+c%20100%%20d%22}]&customize_context_prompt=A+%26+%7Bprofile_section%7D%0A%23+%7Bevent_section%7D").await;
    assert!(
        text.starts_with("A & - ") && text.contains("\n# "),
        "{text}"
    );
}

#[tokio::test]
async fn nonsense_is_refused() {
    let app = App::start().await;
    let user = told(&app).await;
    for query in [
        "profile_event_ratio=1.5",
        "profile_event_ratio=0",
        "profile_event_ratio=nan",
        "customize_context_prompt={oops}",
        "customize_context_prompt={profile_section:%3E200000000}",
    ] {
        let (errno, message) = app
            .get(&format!("/users/context/{user}?{query}"))
            .await
            .refusal();
        assert_eq!(errno, 400, "{query}: {message}");
    }
    assert_eq!(
        app.get(&format!("/users/context/{user}?max_token_size=1e1"))
            .await
            .status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(
        context(&app, &user, "?max_token_size=0&profile_event_ratio=1.0")
            .await
            .matches("Gus")
            .count(),
        0
    );
    context(&app, &user, "?max_token_size=-99999999999999999999").await;
}
