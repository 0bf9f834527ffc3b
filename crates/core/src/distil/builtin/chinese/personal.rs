//! Name, age, birth, gender, origin, languages, marriage.

use super::lexicon::{COUNTRIES, LANGUAGES, PLACES};
use super::text::Clause;
use super::{name, number};
use crate::distil::builtin::field::{Field, Finding};

/// "叫我小林", "你可以叫我小林", "大家都叫我小林".
pub(super) fn call_me(clause: Clause<'_, '_>) -> Option<Finding> {
    let mut clause = clause;
    clause.skip(&[
        "请",
        "你可以",
        "您可以",
        "你",
        "您",
        "可以",
        "大家",
        "朋友们",
        "朋友",
        "同学们",
        "同学",
        "同事们",
        "同事",
        "都",
        "就",
        "一般",
        "直接",
        "也",
        "平时",
    ]);
    if !clause.eat("叫我") && !clause.eat("喊我") {
        return None;
    }
    name(clause).map(|name| Finding::is(Field::Nickname, name))
}

/// What follows 我 and its adverbs.
pub(super) fn predicate(clause: Clause<'_, '_>, found: &mut Vec<Finding>) {
    let mut clause = clause;
    if clause.eat("叫做") || clause.eat("名叫") || clause.eat("名字叫") || clause.eat("叫")
    {
        found.extend(name(clause).map(|name| Finding::is(Field::Name, name)));
        return;
    }
    if let Some(age) = age(clause).or_else(|| without_is(clause).and_then(age)) {
        found.push(Finding::is(Field::Age, age));
        return;
    }
    if clause.eat("会说") || clause.eat("能说") || clause.eat("母语是") {
        found.extend(languages(clause));
        return;
    }
    if let Some(state) = marriage(clause) {
        found.push(Finding::is(Field::MaritalStatus, state));
        return;
    }
    born(clause, found);
    if clause.eat("是") {
        is(clause, found);
    }
}

fn without_is<'t, 'a>(mut clause: Clause<'t, 'a>) -> Option<Clause<'t, 'a>> {
    clause.eat("今年").then_some(clause)
}

/// "三十岁", "30岁了", and in "今年30" a bare number.
fn age(clause: Clause<'_, '_>) -> Option<String> {
    let mut clause = clause;
    let age = number(&mut clause)?;
    let named = clause.eat("周岁") || clause.eat("岁");
    let is_age = age
        .parse()
        .map_or(true, |age: u32| (1..=125).contains(&age));
    let rest = clause.without_tail(&["了", "啦", "整", "的人"]);
    (named && is_age && rest.is_empty()).then_some(age)
}

fn marriage(clause: Clause<'_, '_>) -> Option<String> {
    const STATES: &[&str] = &[
        "已婚", "未婚", "单身", "离异", "离婚", "结婚", "订婚", "丧偶",
    ];
    let mut clause = clause;
    clause.eat("是");
    let start = clause;
    clause.eat_any(STATES)?;
    let state = start.until(clause.at);
    // "结婚" alone may be a wish; 了 says that it has come to pass.
    let needs_end = ["离婚", "结婚", "订婚"]
        .iter()
        .any(|word| state.starts_with(word));
    let has_ended = clause.starts_with("了");
    let rest = clause.without_tail(&["了", "的", "人士", "状态", "狗", "汪"]);
    let lasts = rest
        .chars()
        .all(|c| c.is_ascii_digit() || "一二两三四五六七八九十几多年".contains(c));
    (lasts && (!needs_end || has_ended)).then(|| state.original().to_owned())
}

/// "1990年出生", "出生于1990年5月", "生日是5月3日".
fn born(clause: Clause<'_, '_>, found: &mut Vec<Finding>) {
    let mut clause = clause;
    clause.eat("是");
    if clause.eat("出生于") || clause.eat("生于") || clause.eat("生日是") || clause.eat("生日")
    {
        found.extend(date(clause).map(|date| Finding::is(Field::BirthDate, date)));
        return;
    }
    let end = ["出生的", "出生", "生的", "生人"]
        .iter()
        .find(|tail| clause.ends_with(tail))
        .map(|tail| clause.end - tail.chars().count());
    found.extend(
        end.and_then(|end| date(clause.until(end)))
            .map(|date| Finding::is(Field::BirthDate, date)),
    );
}

/// A date that fills the clause and has a year, or a month and a day.
fn date(clause: Clause<'_, '_>) -> Option<String> {
    let clause = clause.without_tail(&["的", "哦", "呀", "啦"]);
    let folded = clause.folded();
    let is_date = folded.chars().all(|c| {
        c.is_ascii_digit() || "年月日号零〇一二三四五六七八九十农历阴历初廿腊正-/. ".contains(c)
    });
    let has_parts = folded.contains('年')
        || folded.contains('月')
        || folded.matches(['-', '/', '.']).count() == 2;
    (is_date && has_parts && folded.chars().count() >= 3).then(|| clause.original().to_owned())
}

fn languages(clause: Clause<'_, '_>) -> Vec<Finding> {
    let mut clause = clause;
    let mut found = Vec::new();
    loop {
        clause.skip(&["一点", "一些", "流利的", "和", "、", "还有", "以及", "跟"]);
        let start = clause;
        if clause.eat_any(LANGUAGES).is_none() {
            return found;
        }
        found.push(Finding::is(
            Field::LanguageSpoken,
            start.until(clause.at).original(),
        ));
    }
}

/// What follows 是: "男生", "杭州人", "中国人".
fn is(clause: Clause<'_, '_>, found: &mut Vec<Finding>) {
    const GENDERS: &[&str] = &[
        "男生",
        "女生",
        "男性",
        "女性",
        "男的",
        "女的",
        "女孩子",
        "男孩子",
        "女孩",
        "男孩",
    ];
    let mut clause = clause;
    clause.eat_any(&["一个", "一名", "一位", "个", "名", "位"]);
    clause.eat_any(&["土生土长的", "地道的", "地地道道的"]);
    let start = clause;
    if clause.eat_any(GENDERS).is_some() && clause.is_empty() {
        found.push(Finding::is(Field::Gender, start.original()));
        return;
    }
    clause = start;
    let country = clause.eat_any(COUNTRIES).is_some();
    if country && clause.eat("人") && clause.is_empty() {
        found.push(Finding::is(Field::Nationality, start.original()));
        return;
    }
    clause = start;
    if clause.eat_any(PLACES).is_some() {
        let place = start.until(clause.at);
        if clause.eat("人") && clause.is_empty() {
            found.push(Finding::is(Field::Hometown, place.original()));
        }
    }
}

/// What follows 我的: "名字是", "生日是", "年龄是", "邮箱是".
pub(super) fn mine(clause: Clause<'_, '_>, found: &mut Vec<Finding>) {
    let mut clause = clause;
    clause.skip(&["真实", "中文", "英文", "真", "全"]);
    if [
        "名字是",
        "名字叫",
        "名字就叫",
        "姓名是",
        "姓名：",
        "真名是",
        "全名是",
        "名是",
    ]
    .iter()
    .any(|lead| clause.eat(lead))
    {
        found.extend(name(clause).map(|name| Finding::is(Field::Name, name)));
    } else if clause.eat("年龄是") || clause.eat("年纪是") {
        let age = number(&mut clause).filter(|_| clause.without_tail(&["岁", "了"]).is_empty());
        found.extend(age.map(|age| Finding::is(Field::Age, age)));
    } else if clause.eat("生日是") || clause.eat("生日在") || clause.eat("出生日期是") {
        found.extend(date(clause).map(|date| Finding::is(Field::BirthDate, date)));
    } else if clause.eat("邮箱是") || clause.eat("邮箱地址是") || clause.eat("电子邮箱是")
    {
        let address = clause.trimmed().original();
        let is_address = address.contains('@') && address.is_ascii() && !address.contains(' ');
        found.extend(is_address.then(|| Finding::is(Field::Email, address)));
    } else if clause.eat("母语是") {
        found.extend(languages(clause));
    } else if clause.eat("家乡是")
        || clause.eat("老家是")
        || clause.eat("家乡在")
        || clause.eat("老家在")
    {
        found.extend(
            super::residence::whole_place(clause)
                .map(|(_, name)| Finding::is(Field::Hometown, name)),
        );
    }
}
