//! The people and animals of the user.

use super::lexicon::{KIN, PETS};
use super::text::Clause;
use super::work::title;
use super::{name, number};
use crate::distil::builtin::field::{Field, Finding};

/// The relative or friend that stands here.
fn kin(clause: &mut Clause<'_, '_>) -> Option<Field> {
    let &(word, kin, only) = KIN
        .iter()
        .filter(|(word, ..)| clause.starts_with(word))
        .max_by_key(|(word, ..)| word.len())?;
    clause.eat(word);
    Some(Field::Relation { kin, only })
}

/// Whether a name or a kind of work follows the word for a relative.
pub(super) fn is_named(clause: Clause<'_, '_>) -> bool {
    let mut clause = clause;
    kin(&mut clause).is_some()
        && ["叫", "是", "的名字", "名叫", "在"]
            .iter()
            .any(|word| clause.starts_with(word))
}

/// What follows 我 or 我的: "老婆叫小美", "儿子的名字是小宝", "姐姐是护士".
pub(super) fn mine(clause: Clause<'_, '_>, found: &mut Vec<Finding>) {
    let mut clause = clause;
    let Some(field) = kin(&mut clause) else {
        return;
    };
    if [
        "的名字叫",
        "的名字是",
        "名叫",
        "叫做",
        "叫",
        "名字叫",
        "名字是",
    ]
    .iter()
    .any(|lead| clause.eat(lead))
    {
        found.extend(name(clause).map(|name| Finding::is(field, name)));
    } else if clause.eat("是") {
        let list = match field {
            Field::Relation { kin, .. } => Field::Relation { kin, only: false },
            other => other,
        };
        found.extend(title(clause).map(|title| Finding::is(list, title)));
    }
}

/// What follows 我的 or 我家: "猫叫团子".
pub(super) fn my_pet(clause: Clause<'_, '_>, found: &mut Vec<Finding>) {
    let mut clause = clause;
    clause.eat_any(&["那只", "的"]);
    let start = clause;
    if clause.eat_any(PETS).is_none() {
        return;
    }
    let pet = start.until(clause.at);
    if ["叫做", "叫", "的名字叫", "的名字是", "名字叫"]
        .iter()
        .any(|lead| clause.eat(lead))
    {
        found.extend(
            name(clause)
                .map(|name| Finding::is(Field::Pets, format!("{name} ({})", pet.original()))),
        );
    }
}

/// What follows 我 and its adverbs: "有两个孩子", "养了一只猫", "有个妹妹叫小雨".
pub(super) fn predicate(clause: Clause<'_, '_>, found: &mut Vec<Finding>) {
    let mut clause = clause;
    let keeps =
        clause.eat("养了") || clause.eat("养着") || clause.eat("领养了") || clause.eat("养");
    if !keeps
        && !clause.eat("家里有")
        && !clause.eat("家有")
        && !clause.eat("有了")
        && !clause.eat("有")
    {
        return;
    }
    let start = clause;
    let count = number(&mut clause);
    let is_counted = clause
        .eat_any(&["个", "只", "条", "名", "位", "匹"])
        .is_some();
    if let Some(count) = &count
        && is_counted
        && clause.eat_any(&["孩子", "小孩", "娃"]).is_some()
        && clause.without_tail(&["了", "的"]).is_empty()
    {
        found.push(Finding::is(Field::Children, count.as_str()));
        return;
    }
    let mut relative = clause;
    if let Some(field) = kin(&mut relative) {
        if ["名字叫", "名叫", "叫做", "叫"]
            .iter()
            .any(|lead| relative.eat(lead))
        {
            let list = match field {
                Field::Relation { kin, .. } => Field::Relation { kin, only: false },
                other => other,
            };
            found.extend(name(relative).map(|name| Finding::is(list, name)));
        }
        return;
    }
    if keeps || is_counted {
        pet(start, clause, found);
    }
}

/// "一只猫", "两只橘猫叫团子": a kind of animal within a few characters.
fn pet(whole: Clause<'_, '_>, kind: Clause<'_, '_>, found: &mut Vec<Finding>) {
    const REACH: usize = 6;
    let near = kind.until(kind.at + REACH);
    let Some(end) = PETS
        .iter()
        .filter_map(|pet| near.find(pet).map(|at| at + pet.chars().count()))
        .min()
    else {
        return;
    };
    let rest = kind.from(end);
    let is_plain = rest.without_tail(&["了", "呢", "哦"]).is_empty()
        || ["叫", "名叫", "名字叫"]
            .iter()
            .any(|lead| rest.starts_with(lead));
    if is_plain && !kind.until(end).contains_any(&["的", "玩具", "朋友"]) {
        found.push(Finding::is(
            Field::Pets,
            whole.without_tail(&["了", "呢", "哦"]).original(),
        ));
    }
}
