//! Where the user lives and comes from.

use super::lexicon::{COUNTRIES, PLACES};
use super::text::Clause;
use super::work;
use crate::distil::builtin::field::{Field, Finding};

/// Ways of saying that one lives at the place that follows.
const LIVING: &[&str] = &[
    "住在了",
    "住在",
    "现居住在",
    "居住在",
    "现居",
    "定居在了",
    "定居在",
    "定居于",
    "定居",
    "常住",
    "家住",
    "家在",
    "坐标",
    "搬到了",
    "搬到",
    "搬去了",
    "搬去",
    "搬来了",
    "搬来",
    "移居",
    "人在",
    "搬家到了",
    "搬家到",
    "生活在",
];
/// What says behind 在 and a place that one lives there.
const LIFE: &[&str] = &[
    "工作",
    "上班",
    "生活",
    "读书",
    "读大学",
    "读研",
    "读博",
    "念书",
    "上学",
    "上大学",
    "打拼",
    "创业",
    "定居",
    "居住",
    "住",
    "打工",
    "开店",
    "开公司",
    "租房",
];
/// What makes a place's name part of another name: 北京路, 南京大学.
const OTHER_NAMES: &[&str] = &[
    "大学", "大道", "大街", "饭店", "酒店", "宾馆", "东路", "西路", "南路", "北路", "中路", "路",
    "街", "银行", "烤鸭", "菜", "话",
];

/// What follows 我 and its adverbs.
pub(super) fn predicate(clause: Clause<'_, '_>, found: &mut Vec<Finding>) {
    let mut clause = clause;
    if clause.eat("不住在") || clause.eat("不住") {
        if clause.ends_with("了") {
            found.extend(
                whole_place(clause.without_tail(&["了"]))
                    .map(|(field, name)| Finding::was_only(field, name)),
            );
        }
        return;
    }
    if clause.eat_any(LIVING).is_some() {
        found.extend(place(&mut clause).map(|(field, name)| Finding::is(field, name)));
        return;
    }
    if clause.eat("从")
        && let Some(to) = ["搬到了", "搬到", "搬去了", "搬去", "搬来"]
            .iter()
            .find_map(|verb| clause.find(verb).map(|at| at + verb.chars().count()))
    {
        clause.at = to;
        found.extend(place(&mut clause).map(|(field, name)| Finding::is(field, name)));
        return;
    }
    if clause.eat("来自于")
        || clause.eat("来自")
        || clause.eat("老家在")
        || clause.eat("老家是")
        || clause.eat("家乡是")
        || clause.eat("家乡在")
    {
        found.extend(whole_place(clause).map(|(_, name)| Finding::is(Field::Hometown, name)));
        return;
    }
    if clause.eat("在") {
        at(clause, found);
    }
}

/// What follows 在: a place where one lives, works or studies, a firm, a school.
fn at(clause: Clause<'_, '_>, found: &mut Vec<Finding>) {
    let mut clause = clause;
    let home = place(&mut clause);
    let before = found.len();
    work::at(clause, home.is_some(), found);
    let lives = found.len() > before || LIFE.iter().any(|word| clause.starts_with(word));
    if lives && let Some((field, name)) = home {
        found.insert(before, Finding::is(field, name));
    }
}

/// A place that the lists know, or that is called a city or county. The clause moves behind it.
pub(super) fn place(clause: &mut Clause<'_, '_>) -> Option<(Field, String)> {
    let mut ahead = *clause;
    let mut start = ahead;
    let field = if ahead.eat_any(COUNTRIES).is_some()
        && !PLACES.iter().any(|place| ahead.starts_with(place))
    {
        Field::Country
    } else {
        // "浙江杭州" and "中国杭州" mean the last one.
        while PLACES.iter().any(|place| ahead.starts_with(place)) {
            start = ahead;
            ahead.eat_any(PLACES);
            ahead.eat("省");
        }
        if ahead.at == clause.at {
            let border = ["市", "县"]
                .iter()
                .filter_map(|end| clause.until(clause.at + 5).find(end))
                .min()?;
            start = *clause;
            ahead.at = border;
            if border < clause.at + 2
                || start.until(border).contains_any(&[
                    "一", "个", "的", "小", "大", "这", "那", "某", "超", "都", "老家", "新",
                ])
            {
                return None;
            }
        }
        Field::City
    };
    let name = start
        .until(ahead.at)
        .original()
        .trim_end_matches(['省'])
        .to_owned();
    ahead.eat_any(&["市", "县"]);
    if OTHER_NAMES.iter().any(|other| ahead.starts_with(other)) {
        return None;
    }
    *clause = ahead;
    Some((field, name))
}

/// A place that fills the clause.
pub(super) fn whole_place(clause: Clause<'_, '_>) -> Option<(Field, String)> {
    let mut clause = clause;
    let found = place(&mut clause)?;
    clause
        .without_tail(&["的", "哦", "呀", "啦"])
        .is_empty()
        .then_some(found)
}
