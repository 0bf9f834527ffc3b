use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::app::App;

const PATH: &str = "/project/profile_config";

#[tokio::test]
async fn the_configuration_comes_back_as_it_was_sent() {
    let app = App::start().await;
    assert_eq!(app.get(PATH).await.data(), json!({"profile_config": ""}));
    let text = "\nlanguage: zh\n# é\n";
    assert_eq!(
        app.post(PATH, &json!({"profile_config": text}))
            .await
            .data(),
        Value::Null
    );
    assert_eq!(app.get(PATH).await.data(), json!({"profile_config": text}));

    for wrong in [
        "[[[",
        "just text",
        "overwrite_user_profiles:\n- topic: a\n  sub_topics:\n  - name: b\n    description: true\n",
    ] {
        let (errno, message) = app
            .post(PATH, &json!({"profile_config": wrong}))
            .await
            .refusal();
        assert_eq!(errno, 400, "{wrong}");
        assert!(message.starts_with("Invalid profile config: "), "{message}");
    }
    assert_eq!(
        app.get(PATH).await.data(),
        json!({"profile_config": text}),
        "a refused text changes nothing"
    );
    app.post(PATH, &json!({"profile_config": null}))
        .await
        .data();
    assert_eq!(app.get(PATH).await.data(), json!({"profile_config": ""}));
}

#[tokio::test]
async fn the_length_is_counted_in_characters() {
    let app = App::start().await;
    let text = format!("#{}", "é".repeat(65_534));
    app.post(PATH, &json!({"profile_config": text}))
        .await
        .data();
    assert_eq!(
        app.post(PATH, &json!({"profile_config": format!("{text}x")}))
            .await
            .refusal(),
        (400, "Profile config is too long".to_owned())
    );
    assert_eq!(
        app.post(PATH, &json!({})).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(
        app.post(PATH, &json!({"profile_config": 5})).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
}
