//! The built-in distiller, as its results are seen through the engine.

use mneme_core::ports::BufferState;
use mneme_engine::api::ContextQuery;
use serde_json::json;

use crate::common::{House, done};

#[tokio::test(flavor = "multi_thread")]
async fn a_chinese_introduction_fills_its_slots_and_is_kept_word_for_word() {
    let house = House::rules().await;
    let said = "我叫小林，在杭州做前端，周末喜欢爬山，讨厌香菜";
    let batches = house.learn(said).await;
    assert_eq!(
        (batches.len(), batches[0].added.len(), batches[0].gists),
        (1, 5, 1)
    );
    assert_eq!(
        house.slots().await,
        [
            "兴趣爱好::不喜欢: 香菜",
            "兴趣爱好::喜欢: 爬山",
            "基本信息::姓名: 小林",
            "工作::职位: 前端",
            "联系信息::城市: 杭州"
        ]
    );
    let event = &house.events().await[0];
    assert_eq!(Some(event.id), batches[0].event);
    assert!(event.content.contains(said), "{}", event.content);
    assert_eq!(
        event.data["profile_delta"].as_array().map(Vec::len),
        Some(5)
    );
    let gist = house.gists().await.remove(0);
    assert!(
        gist.content
            .starts_with(&format!("- [2026-11-29] user: {said}")),
        "{}",
        gist.content
    );
    let context = house
        .engine
        .context(&house.owner, &ContextQuery::default())
        .await
        .unwrap();
    for part in ["联系信息::城市: 杭州", said] {
        assert!(context.contains(part), "{part} in {context}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_english_introduction_fills_its_slots() {
    let house = House::rules().await;
    house.learn("My name is Lin. I live in Hangzhou and I'm allergic to peanuts. I love hiking. I hate cilantro.").await;
    assert_eq!(
        house.slots().await,
        [
            "basic_info::name: Lin",
            "contact_info::city: Hangzhou",
            "health::allergies: peanuts",
            "interest::dislikes: cilantro",
            "interest::likes: hiking"
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a04_a05_questions_hypotheticals_quotes_and_others_fill_no_slot() {
    let house = House::rules().await;
    let words = [
        "你觉得我应该学 Rust 吗？",
        "如果我住在上海，我会喜欢那里吗？",
        "他说“我叫小王”",
        "我姐姐在北京当医生",
        "Should I move to Berlin?",
        "If I lived in Paris, I would love it.",
        "She said \"I work at Acme\".",
        "My brother lives in Rome and his name is Tom.",
        "Could tool O be useful here?",
        "suggest a laptop",
    ];
    let mut messages: Vec<_> = words
        .iter()
        .map(|text| json!({"role": "user", "content": text}))
        .collect();
    messages.push(json!({"role": "assistant", "content": "Buy model X. I love model X. My name is Bot. 我叫小助手，我住在云端。"}));
    house.chat(&house.owner, json!(messages)).await;
    done(house.settle().await);
    assert!(house.slots().await.is_empty(), "{:?}", house.slots().await);
    let gists = house.gists().await;
    for text in words {
        assert!(
            gists.iter().any(|gist| gist.content.contains(text)),
            "{text} is kept"
        );
    }
    assert!(
        !gists.iter().any(|gist| gist.content.contains("model X")),
        "the assistant's words are nobody's memory"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn b01_the_same_name_five_times_is_one_state() {
    let house = House::rules().await;
    house.learn("My name is Ana").await;
    let first = house.slot("basic_info", "name").await.unwrap();
    for _ in 0..4 {
        house.clock.advance_seconds(60);
        house.learn("My name is Ana").await;
    }
    let last = house.slot("basic_info", "name").await.unwrap();
    assert_eq!(
        (last.id, last.content.as_str(), last.revision),
        (first.id, "Ana", 1)
    );
    assert!(last.updated_at > first.updated_at);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_chat_and_small_talk_end_well_and_leave_nothing() {
    let house = House::rules().await;
    house.chat(&house.owner, json!([])).await;
    house.say("ok").await;
    done(house.settle().await);
    assert_eq!(
        (house.events().await.len(), house.slots().await.len()),
        (0, 0)
    );
    assert_eq!(house.buffered(BufferState::Failed).await, 0);
    assert_eq!(house.buffered(BufferState::Processing).await, 0);
}
