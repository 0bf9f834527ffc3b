//! What happens to slots that hold something already.

use super::Profile;
use crate::distil::Verdict::{Abort, Append, Update};

fn after(steps: &[&[&str]]) -> Profile {
    let mut profile = Profile::default();
    for contents in steps {
        profile.hears(contents);
    }
    profile
}

#[test]
fn single_slots_are_replaced_when_different() {
    let mut profile = after(&[&["I live in Oslo. I'm 34."]]);
    assert_eq!(
        profile.hears(&["I live in oslo"]),
        [("contact_info::city=oslo".to_owned(), Abort)]
    );
    assert_eq!(
        profile.hears(&["I moved to Bergen"]),
        [(
            "contact_info::city=Bergen".to_owned(),
            Update("Bergen".into())
        )]
    );
    assert_eq!(
        profile.hears(&["I'm 35 now"]),
        [("basic_info::age=35".to_owned(), Update("35".into()))]
    );
}

#[test]
fn a_fuller_name_stays() {
    let mut profile = after(&[&["My name is Anna Smith"]]);
    assert_eq!(profile.hears(&["I'm Anna."])[0].1, Abort);
    assert_eq!(
        profile.hears(&["My name is Anna Jones"])[0].1,
        Update("Anna Jones".into())
    );
    assert_eq!(
        profile.hears(&["Actually my name is Hanna, not Anna"])[0].1,
        Update("Hanna".into())
    );
}

#[test]
fn numbers_that_differ_are_news() {
    let mut profile = after(&[&["I have been working at G for 5 years"]]);
    let heard = profile.hears(&["I have been working at G for 6 years"]);
    assert_eq!(heard[0], ("work::company=G".to_owned(), Abort));
    assert_eq!(
        heard[1],
        ("work::tenure=6 years".to_owned(), Update("6 years".into()))
    );
}

#[test]
fn lists_grow_by_what_is_new() {
    let mut profile = after(&[&["I love hiking"]]);
    let heard = profile.hears(&["I love hiking and chess", "I like tea"]);
    assert_eq!(heard, [("interest::likes=chess; tea".to_owned(), Append)]);
    assert_eq!(
        profile.holds("interest", "likes"),
        Some("hiking;chess; tea")
    );
    assert_eq!(profile.hears(&["I like Tea!"])[0].1, Abort);
}

#[test]
fn hate_takes_out_of_the_likes() {
    let mut profile = after(&[&["I love sushi, tea and jazz"]]);
    let heard = profile.hears(&["I hate tea"]);
    assert_eq!(heard[0], ("interest::dislikes=tea".to_owned(), Append));
    assert_eq!(
        heard[1],
        (
            "interest::likes=(not any more: tea)".to_owned(),
            Update("sushi; jazz".into())
        )
    );
}

#[test]
fn hate_of_the_only_like_leaves_a_marker_and_love_can_return() {
    let mut profile = after(&[&["I love sushi"], &["I hate sushi"]]);
    assert_eq!(
        profile.holds("interest", "likes"),
        Some("(not any more: sushi)")
    );
    assert_eq!(profile.holds("interest", "dislikes"), Some("sushi"));
    profile.hears(&["I love sushi"]);
    assert_eq!(profile.holds("interest", "likes"), Some("sushi"));
    assert_eq!(
        profile.holds("interest", "dislikes"),
        Some("(not any more: sushi)")
    );
}

#[test]
fn love_and_hate_in_one_batch() {
    let profile = after(&[&["I love sushi", "I hate sushi"]]);
    assert_eq!(
        profile.holds("interest", "likes"),
        Some("(not any more: sushi)")
    );
    assert_eq!(profile.holds("interest", "dislikes"), Some("sushi"));
    let profile = after(&[&["我喜欢香菜"], &["我讨厌香菜"]]);
    assert_eq!(
        profile.holds("兴趣爱好", "喜欢"),
        Some("（不再喜欢：香菜）")
    );
}

#[test]
fn unlike_things_stay() {
    let profile = after(&[&["I love mac and cheese"], &["I hate cheese"]]);
    assert_eq!(profile.holds("interest", "likes"), Some("mac and cheese"));
    let profile = after(&[&["I live in Oslo. I love tea"], &["I moved to Bergen"]]);
    assert_eq!(profile.holds("interest", "likes"), Some("tea"));
}

#[test]
fn what_is_over_stays_as_former() {
    let profile = after(&[&["I work at Acme as a cook"], &["I no longer work at Acme"]]);
    assert_eq!(profile.holds("work", "company"), Some("(formerly Acme)"));
    assert_eq!(profile.holds("work", "title"), Some("cook"));
    let profile = after(&[
        &["I work at Acme"],
        &["I used to work at Globex"],
        &["I quit my job at Initech"],
    ]);
    assert_eq!(profile.holds("work", "company"), Some("Acme"));
    let profile = after(&[&["I work at Acme"], &["I left Acme"], &["I work at Acme"]]);
    assert_eq!(profile.holds("work", "company"), Some("Acme"));
    let profile = after(&[
        &["I work at Acme"],
        &["I don't work at Globex"],
        &["I don't work at Acme"],
    ]);
    assert_eq!(profile.holds("work", "company"), Some("(formerly Acme)"));
    let profile = after(&[&["我在腾讯上班"], &["我从腾讯离职了"]]);
    assert_eq!(profile.holds("工作", "公司"), Some("（曾经：腾讯）"));
    let profile = after(&[&["我在腾讯上班"], &["我不在腾讯工作了"]]);
    assert_eq!(profile.holds("工作", "公司"), Some("（曾经：腾讯）"));
}

#[test]
fn there_and_back_in_one_batch_is_nothing_new() {
    let mut profile = after(&[&["I live in Oslo"]]);
    let heard = profile.hears(&["I moved to Bergen", "I moved back to Oslo"]);
    assert_eq!(heard[0].1, Abort);
}

#[test]
fn call_me_names_or_nicknames() {
    let mut profile = after(&[&["Call me Max"]]);
    assert_eq!(profile.holds("basic_info", "name"), Some("Max"));
    assert_eq!(
        profile.hears(&["Call me Max"])[0],
        ("basic_info::name=Max".to_owned(), Abort)
    );
    profile.hears(&["My name is Tom", "Call me Tommy"]);
    assert_eq!(profile.holds("basic_info", "name"), Some("Tom"));
    assert_eq!(profile.holds("basic_info", "nickname"), Some("Tommy"));
}

#[test]
fn origins_name_every_turn() {
    let turns = super::numbered(vec![
        super::said("I love tea"),
        super::said("ok"),
        super::said("I love jazz. I love chess."),
    ]);
    let distilled = super::fresh(&turns);
    let (fact, verdict) = &distilled.facts[0];
    assert_eq!(
        (fact.value.as_str(), verdict),
        ("tea; jazz; chess", &Append)
    );
    assert_eq!(
        fact.origins
            .iter()
            .map(|origin| origin.turn)
            .collect::<Vec<_>>(),
        [Some(0), Some(2)]
    );
}
