//! When the embedder is down, everything but search by meaning goes on, and vectors follow.

use mneme_core::memory::Kind;
use mneme_engine::ErrorKind;
use mneme_engine::api::{ChatMessage, ContextQuery, SearchQuery};
use serde_json::json;

use crate::common::{House, REFUSED, done};

fn question(query: &str) -> SearchQuery {
    SearchQuery {
        query: query.to_owned(),
        topk: 10,
        threshold: 0.1,
        days: None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn f11_k09_a_flush_without_the_embedder_succeeds_and_vectors_follow() {
    let house = House::model().await;
    house.embedder.set_down(true);
    house.learn("I keep three goats in Bergen.").await;
    assert_eq!(house.events().await.len(), 1);
    let found = house.recall("goats").await;
    assert!(
        found[0].memory.content.contains("three goats"),
        "words find it"
    );
    assert_eq!(found[0].similarity, None);
    for kind in [Kind::Event, Kind::Gist] {
        let error = house
            .engine
            .search(&house.owner, kind, &question("goats in Bergen"))
            .await
            .unwrap_err();
        assert_eq!(error.kind, ErrorKind::ModelUnavailable);
        assert!(error.message.contains("Error in get_embedding"), "{error}");
    }
    assert_eq!(
        house
            .engine
            .vectors_missing(Some(&house.owner))
            .await
            .unwrap(),
        2
    );
    assert_eq!(
        house.engine.embed_backlog_once().await.unwrap_err().kind,
        ErrorKind::ModelUnavailable
    );

    house.embedder.set_down(false);
    assert!(
        house
            .engine
            .search(&house.owner, Kind::Gist, &question("goats"))
            .await
            .unwrap()
            .is_empty(),
        "never a stand-in"
    );
    assert_eq!(house.engine.embed_backlog_once().await.unwrap(), 2);
    assert_eq!(house.engine.embed_backlog_once().await.unwrap(), 0);
    assert_eq!(house.engine.vectors_missing(None).await.unwrap(), 0);
    for kind in [Kind::Event, Kind::Gist] {
        let hits = house
            .engine
            .search(&house.owner, kind, &question("goats in Bergen"))
            .await
            .unwrap();
        assert!(hits.len() == 1 && hits[0].similarity > 0.1, "{hits:?}");
    }
    assert!(house.recall("goats").await[0].similarity.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_context_without_chats_asks_no_embedder() {
    let house = House::rules().await;
    house.learn("I keep three goats in Bergen.").await;
    house.embedder.set_down(true);
    let plain = house
        .engine
        .context(&house.owner, &ContextQuery::default())
        .await
        .unwrap();
    assert!(plain.contains("three goats"), "{plain}");
    let chats = vec![ChatMessage {
        role: "user".to_owned(),
        content: "goats?".to_owned(),
    }];
    let error = house
        .engine
        .context(
            &house.owner,
            &ContextQuery {
                chats,
                ..ContextQuery::default()
            },
        )
        .await
        .unwrap_err();
    assert_eq!(error.kind, ErrorKind::ModelUnavailable);
}

#[tokio::test(flavor = "multi_thread")]
async fn k04_hits_are_ordered_by_similarity_and_cut_at_the_threshold() {
    let house = House::rules().await;
    house.learn("Coffee by the river is my morning.").await;
    house.learn("Coffee is bitter.").await;
    house.learn("Chess needs patience and quiet rooms.").await;
    let hits = house
        .engine
        .search(&house.owner, Kind::Gist, &question("coffee by the river"))
        .await
        .unwrap();
    assert!(hits[0].memory.content.contains("by the river"), "{hits:?}");
    assert!(
        hits.windows(2)
            .all(|pair| pair[0].similarity >= pair[1].similarity)
    );
    assert!(
        hits.iter()
            .all(|hit| hit.similarity > 0.1 && hit.similarity <= 1.0)
    );
    let none = SearchQuery {
        threshold: 0.999,
        ..question("coffee by the river")
    };
    assert!(
        house
            .engine
            .search(&house.owner, Kind::Gist, &none)
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_the_embedder_refuses_keeps_no_other_waiting() {
    let house = House::rules().await;
    house
        .chat(
            &house.owner,
            json!([
                {"role": "user", "content": format!("This is {REFUSED} for sure.")},
                {"role": "user", "content": "I keep three goats in Bergen."},
            ]),
        )
        .await;
    done(house.settle().await);
    // The event holds the refused words as well.
    assert_eq!(house.engine.vectors_missing(None).await.unwrap(), 3);
    assert_eq!(house.engine.embed_backlog_once().await.unwrap(), 1);
    assert_eq!(house.engine.vectors_missing(None).await.unwrap(), 2);
    assert_eq!(
        house.engine.embed_backlog_once().await.unwrap_err().kind,
        ErrorKind::ModelRejected
    );
    let hits = house
        .engine
        .search(&house.owner, Kind::Gist, &question("goats in Bergen"))
        .await
        .unwrap();
    assert_eq!(hits.len(), 1);
    assert!(
        house.recall(REFUSED).await[0]
            .memory
            .content
            .contains(REFUSED),
        "words still find it"
    );
}
