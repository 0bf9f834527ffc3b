//! Conversations as they come, and what must and must not come of them.

use super::{Profile, facts, fresh, numbered, said, said_by};
use crate::distil::Verdict;
use crate::source::Role;

#[test]
fn a_chinese_self_introduction_fills_five_slots() {
    assert_eq!(
        facts("我叫小林，在杭州做前端，周末喜欢爬山，讨厌香菜"),
        [
            "基本信息::姓名=小林",
            "联系信息::城市=杭州",
            "工作::职位=前端",
            "兴趣爱好::喜欢=爬山",
            "兴趣爱好::不喜欢=香菜"
        ]
    );
}

#[test]
fn questions_and_the_assistant_fill_nothing() {
    let turns = numbered(vec![
        said("你觉得我应该学 Rust 吗？"),
        said_by(
            Role::Assistant,
            None,
            "我叫小助手，我喜欢帮助别人。I live in the cloud, my name is Bot.",
        ),
        said_by(Role::System, None, "My name is System."),
        said_by(Role::Tool, None, "I work at Acme."),
        said_by(
            Role::Other,
            Some("Bob"),
            "My name is Bob and I'm allergic to nuts.",
        ),
    ]);
    assert_eq!(fresh(&turns).facts, []);
}

#[test]
fn same_slots_in_both_languages() {
    let english = facts(
        "My name is Lin. I live in Hangzhou, I like hiking, I'm allergic to peanuts. I'm 28.",
    );
    let chinese = facts("我叫小林。我住在杭州，我喜欢爬山，我对花生过敏。我今年28岁。");
    assert_eq!(english.len(), 5);
    assert_eq!(chinese.len(), 5);
}

#[test]
fn meaningless_looking_names_survive() {
    for name in ["Simone", "Ana", "Noa", "Nan", "Nona"] {
        assert_eq!(
            facts(&format!("My name is {name}.")),
            [format!("basic_info::name={name}")]
        );
    }
    assert_eq!(
        facts("I like NBA games and nuclear physics."),
        ["interest::likes=NBA games; nuclear physics"]
    );
    assert_eq!(
        facts("My favorite sport is the NBA"),
        ["interest::sports=the NBA"]
    );
}

#[test]
fn advice_of_the_assistant_is_nobodys_taste() {
    let turns = numbered(vec![
        said("suggest a laptop"),
        said_by(Role::Assistant, None, "Buy model X. I love model X."),
    ]);
    assert_eq!(fresh(&turns).facts, []);
    assert!(fresh(&turns).notes.ends_with("user: suggest a laptop"));
}

#[test]
fn a_pasted_document_leaves_the_users_own_line() {
    let document = "My name is Lee and I live in Rome. I love opera.\n".repeat(1400);
    let turns = [said(&format!("{document}\n\nremember I prefer tabs"))];
    let distilled = fresh(&turns);
    let found: Vec<_> = distilled
        .facts
        .iter()
        .map(|(fact, _)| fact.value.as_str())
        .collect();
    assert_eq!(found, ["tabs"]);
    assert!(distilled.lines.len() > 100);
}

#[test]
fn two_friends_catch_up() {
    let turns = numbered(vec![
        said_by(
            Role::User,
            Some("Dana"),
            "Hey Ravi! Long time no see. How was the pottery fair?",
        ),
        said_by(
            Role::Other,
            Some("Ravi"),
            "It went great, I sold twelve bowls! I love wood firing. My wife Meera helped.",
        ),
        said_by(
            Role::User,
            Some("Dana"),
            "Wow, that's amazing! I ran a half marathon last Sunday and my knees still hurt.",
        ),
        said_by(
            Role::Other,
            Some("Ravi"),
            "Ouch! I would never manage that. Do you have any plans for summer?",
        ),
        said_by(
            Role::User,
            Some("Dana"),
            "I'm thinking about adopting a puppy. My son Theo keeps asking for one! By the way, I got a new job at Finch Labs as a chemist.",
        ),
        said_by(
            Role::User,
            Some("Dana"),
            "Would you say I'm a workaholic? My sister says I love stress.",
        ),
    ]);
    let distilled = fresh(&turns);
    assert_eq!(distilled.lines.len(), 6);
    let found: Vec<_> = distilled
        .facts
        .iter()
        .map(|(fact, _)| format!("{}={}", fact.slot.sub_topic, fact.value))
        .collect();
    assert_eq!(found, ["son=Theo", "company=Finch Labs", "title=chemist"]);
    let (fact, _) = &distilled.facts[1];
    assert_eq!(fact.origins.len(), 1);
    assert_eq!(
        (fact.origins[0].turn, fact.origins[0].speaker.as_deref()),
        (Some(4), Some("Dana"))
    );
}

#[test]
fn our_own_context_teaches_nothing() {
    let block = "---\n# Memory\nUse with care.\n## User Current Profile:\n- interest::likes: I love golf.\n## Past Events:\n- I live in Rome.\n---\n";
    let distilled = fresh(&[said(&format!("{block}I moved to Oslo."))]);
    assert_eq!(distilled.notes, "- [2023-05-08] user: I moved to Oslo.");
    assert_eq!(distilled.facts.len(), 1);
}

#[test]
fn saying_it_again_changes_nothing() {
    let mut profile = Profile::default();
    profile.hears(&["My name is Ana", "I love sushi and tea"]);
    for _ in 0..4 {
        assert!(
            profile
                .hears(&["My name is Ana", "I love tea"])
                .iter()
                .all(|(_, verdict)| *verdict == Verdict::Abort)
        );
    }
    assert_eq!(profile.holds("basic_info", "name"), Some("Ana"));
    assert_eq!(profile.holds("interest", "likes"), Some("sushi; tea"));
}
