//! Contexts: what goes in, and how much of it.

use mneme_core::id::{UserId, UserKey};
use mneme_core::memory::{Memory, Slot};
use mneme_engine::ErrorKind;
use mneme_engine::api::{Attributes, ChatMessage, ContextQuery, ProfileQuery};
use mneme_models::O200k;
use mneme_testkit::{Answer, Canned, Step};

use crate::common::House;

/// Profile of six slots and six events of one gist.
async fn house() -> House {
    let house = House::rules().await;
    for (number, word) in ["goat", "horse", "boat", "garden", "river", "bridge"]
        .into_iter()
        .enumerate()
    {
        house.clock.advance_seconds(60);
        let content = format!("the {word} with number {number} and a longer description");
        house
            .engine
            .add_slot(
                &house.owner,
                Slot::new("life", word),
                content,
                Attributes::new(),
            )
            .await
            .unwrap();
        house
            .learn(&format!("We saw the {word} again, {number} of us."))
            .await;
    }
    house
}

/// The lines of the profile and of the events in a context.
fn parts(context: &str) -> (Vec<&str>, Vec<&str>) {
    let (profile, events) = context.split_once("## Past Events:").unwrap();
    let slots = profile
        .lines()
        .filter(|line| line.starts_with("- life"))
        .collect();
    (
        slots,
        events
            .lines()
            .filter(|line| line.starts_with("- "))
            .collect(),
    )
}

async fn context(house: &House, query: &ContextQuery) -> String {
    house.engine.context(&house.owner, query).await.unwrap()
}

fn tokens(memories: &[Memory]) -> i64 {
    memories.iter().map(|memory| i64::from(memory.tokens)).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn profile_and_events_share_the_budget() {
    let house = house().await;
    let all = context(&house, &ContextQuery::default()).await;
    let (slots, events) = parts(&all);
    assert_eq!((slots.len(), events.len()), (6, 6));
    assert!(
        slots[0].contains("bridge") && events[0].contains("bridge"),
        "newest first: {all}"
    );

    for max in [40, 80, 120, 200] {
        let query = ContextQuery {
            max_token_size: max,
            ..ContextQuery::default()
        };
        let text = context(&house, &query).await;
        let (slots, events) = parts(&text);
        let (profile, gists) = (house.profile_of(&house.owner).await, house.gists().await);
        assert!(
            tokens(&profile[..slots.len()]) <= max * 6 / 10 || slots.len() == 1,
            "{max}: {text}"
        );
        assert!(
            tokens(&gists[..events.len()]) <= max - max * 6 / 10,
            "{max}: {text}"
        );
        assert!(slots.len() < 6 || max == 200, "{max}: {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn events_use_what_the_profile_left_only_when_asked_to() {
    let house = house().await;
    let base = ContextQuery {
        max_token_size: 130,
        profile_event_ratio: 0.8,
        ..ContextQuery::default()
    };
    let mut narrow = base.clone();
    narrow.profile.topk = Some(1);
    let filled = ContextQuery {
        fill_window_with_events: true,
        ..narrow.clone()
    };
    let (narrow, filled) = (
        context(&house, &narrow).await,
        context(&house, &filled).await,
    );
    let counts = |text: &str| (parts(text).0.len(), parts(text).1.len());
    assert_eq!((counts(&narrow).0, counts(&filled).0), (1, 1));
    assert!(
        counts(&filled).1 > counts(&narrow).1 && counts(&narrow).1 > 0,
        "{narrow}\n{filled}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_counted_template_keeps_the_whole_text_within_the_budget() {
    let house = house().await;
    let empty = O200k::count_now(
        &context(
            &house,
            &ContextQuery {
                max_token_size: 0,
                ..ContextQuery::default()
            },
        )
        .await,
    );
    let empty = i64::from(empty);
    let custom = Some(
        "Know this about the user, word for word:\n{profile_section}\n===\n{event_section}\n==="
            .to_owned(),
    );
    let (mut sizes, mut over_otherwise) = (Vec::new(), 0);
    for max in empty..empty + 260 {
        for (fill_window_with_events, customize_prompt) in
            [(false, None), (true, None), (true, custom.clone())]
        {
            let query = ContextQuery {
                max_token_size: max,
                count_template: true,
                fill_window_with_events,
                customize_prompt,
                ..ContextQuery::default()
            };
            let size = i64::from(O200k::count_now(&context(&house, &query).await));
            assert!(size <= max, "{size} of {max}: {query:?}");
            sizes.push(size);
            let uncounted = context(
                &house,
                &ContextQuery {
                    count_template: false,
                    ..query
                },
            )
            .await;
            over_otherwise += usize::from(i64::from(O200k::count_now(&uncounted)) > max);
        }
    }
    assert!(
        sizes.iter().max() > Some(&(empty + 150)),
        "the room is used"
    );
    assert!(
        over_otherwise > 100,
        "without it, the template comes on top"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_makes_no_sense_is_refused_and_says_why() {
    let house = house().await;
    for ratio in [0.0, -0.1, 1.01, f64::NAN] {
        let query = ContextQuery {
            profile_event_ratio: ratio,
            ..ContextQuery::default()
        };
        assert_eq!(
            house
                .engine
                .context(&house.owner, &query)
                .await
                .unwrap_err()
                .kind,
            ErrorKind::Invalid,
            "{ratio}"
        );
    }
    for template in ["{oops}", "{profile_section", "{event_section:>9}"] {
        let query = ContextQuery {
            customize_prompt: Some(template.to_owned()),
            ..ContextQuery::default()
        };
        let error = house
            .engine
            .context(&house.owner, &query)
            .await
            .unwrap_err();
        assert!(
            error.kind == ErrorKind::Invalid && error.message.contains("customize_context_prompt"),
            "{error}"
        );
    }
    let query = ContextQuery {
        customize_prompt: Some("{{x}} {event_section}".to_owned()),
        max_token_size: 60,
        ..ContextQuery::default()
    };
    let text = context(&house, &query).await;
    assert!(
        text.starts_with("{x} - [") && text.contains("bridge") && !text.contains("life::"),
        "{text}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_user_and_no_budget_give_the_bare_template() {
    let house = house().await;
    let nobody = UserKey {
        user: UserId::from_name("nobody"),
        ..house.owner.clone()
    };
    let text = house
        .engine
        .context(&nobody, &ContextQuery::default())
        .await
        .unwrap();
    assert!(
        text.contains("## User Current Profile:\n- \n\n## Past Events:\n\n---"),
        "{text}"
    );
    for max in [0, -5, i64::MIN] {
        let text = context(
            &house,
            &ContextQuery {
                max_token_size: max,
                ..ContextQuery::default()
            },
        )
        .await;
        assert!(
            text.contains("## User Current Profile:\n\n\n## Past Events:\n\n---"),
            "{max}: {text}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn with_chats_the_events_that_answer_them_come() {
    let house = house().await;
    let chats = vec![ChatMessage {
        role: "user".to_owned(),
        content: "Did we see the horse?".to_owned(),
    }];
    let query = ContextQuery {
        chats,
        event_similarity_threshold: 0.1,
        max_token_size: 100,
        ..ContextQuery::default()
    };
    let text = context(&house, &query).await;
    assert!(parts(&text).1[0].contains("horse"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn old_events_stay_out_by_days() {
    let house = house().await;
    house.clock.advance_seconds(181 * 86_400);
    let text = context(&house, &ContextQuery::default()).await;
    assert_eq!((parts(&text).0.len(), parts(&text).1.len()), (6, 0));
    let text = context(
        &house,
        &ContextQuery {
            days: None,
            ..ContextQuery::default()
        },
    )
    .await;
    assert_eq!(parts(&text).1.len(), 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn r12_r15_the_model_may_narrow_the_profile_and_never_empties_it() {
    let house = House::model().await;
    for (topic, sub_topic) in [
        ("work", "title"),
        ("basic_info", "name"),
        ("interest", "foods"),
    ] {
        let slot = Slot::new(topic, sub_topic);
        house
            .engine
            .add_slot(
                &house.owner,
                slot,
                "something".to_owned(),
                Attributes::new(),
            )
            .await
            .unwrap();
    }
    let chats = vec![ChatMessage {
        role: "user".to_owned(),
        content: "Who am I?".to_owned(),
    }];
    let picked = async || {
        let query = ProfileQuery {
            chats: chats.clone(),
            ..ProfileQuery::default()
        };
        let profile = house.engine.profile(&house.owner, &query).await.unwrap();
        profile
            .into_iter()
            .map(|memory| memory.slot.unwrap().sub_topic)
            .collect::<Vec<_>>()
    };
    assert_eq!(picked().await, ["name"], "the first by topic");
    let pick = |text: &str| Canned {
        pick: Some(Some(text.to_owned())),
        ..Canned::default()
    };
    house.llm.can(pick(r#"{"ids": [2, 7, 2]}"#));
    assert_eq!(picked().await, ["title"]);
    for useless in ["no idea", r#"{"ids": []}"#, r#"{"ids": [9]}"#, ""] {
        house.llm.can(pick(useless));
        assert_eq!(picked().await.len(), 3, "{useless}");
    }
    house
        .llm
        .script(Step::Pick, [Answer::refusal(400, "no")], true);
    assert_eq!(picked().await.len(), 3);
}
