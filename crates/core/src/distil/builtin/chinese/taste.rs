//! Likes and dislikes, favourites, food that is not eaten, allergies.

use super::lexicon::POINTING;
use super::text::Clause;
use crate::distil::builtin::field::{Field, Finding};

/// Longest object of a liking, characters.
const OBJECT_CHARS_MAX: usize = 24;
const LIKING: &[&str] = &[
    "喜欢上了",
    "喜欢",
    "热爱",
    "喜爱",
    "酷爱",
    "钟爱",
    "爱上了",
    "迷上了",
    "爱",
];
const DISLIKING: &[&str] = &[
    "讨厌",
    "不太喜欢",
    "不是很喜欢",
    "不喜欢",
    "不再喜欢",
    "不爱",
    "受不了",
    "厌恶",
    "反感",
    "痛恨",
    "不太爱",
];
/// What 爱 begins that is not a liking.
const NOT_LOVE: &[&str] = &[
    "爱好", "爱情", "爱人", "爱国", "爱心", "爱护", "爱上", "爱因", "爱过", "爱着",
];

/// What follows 我 and its adverbs.
pub(super) fn predicate(clause: Clause<'_, '_>, found: &mut Vec<Finding>) {
    let mut clause = clause;
    if clause.eat("对") {
        towards(clause, found);
    } else if favourite(clause, found)
        || NOT_LOVE
            .iter()
            .any(|word| clause.starts_with(word) && !clause.starts_with("爱上了"))
    {
        if clause.eat("爱好是") || clause.eat("爱好") {
            found.extend(object(clause).map(|value| Finding::is(Field::Hobbies, value)));
        }
    } else if clause.eat_any(DISLIKING).is_some() {
        found.extend(object(clause).map(|value| Finding::is(Field::Dislikes, value)));
    } else if clause.eat_any(LIKING).is_some() {
        found.extend(object(clause).map(|value| Finding::is(Field::Likes, value)));
    } else if clause.eat("不吃")
        || clause.eat("不能吃")
        || clause.eat("从不吃")
        || clause.eat("不喝")
        || clause.eat("不能喝")
    {
        const MEALS: &[&str] = &[
            "饭", "早", "午", "晚", "东西", "药", "水", "亏", "醋", "下", "起", "完", "了", "惯",
        ];
        let meal = MEALS.iter().any(|word| clause.starts_with(word));
        found.extend(
            object(clause)
                .filter(|_| !meal)
                .map(|value| Finding::is(Field::Avoids, value)),
        );
    } else {
        clause.eat_any(&["是个", "是一个", "是"]);
        let diet = clause.without_tail(&["的", "了"]);
        if ["吃素", "素食主义者", "素食者"].contains(&diet.folded().as_str()) {
            found.push(Finding::is(Field::Diet, diet.original()));
        }
    }
}

/// What follows 对: "花生过敏", "摄影很感兴趣", "足球不感兴趣".
fn towards(clause: Clause<'_, '_>, found: &mut Vec<Finding>) {
    const ENDS: &[(&str, Field)] = &[
        ("不太感兴趣", Field::Dislikes),
        ("不感兴趣", Field::Dislikes),
        ("没兴趣", Field::Dislikes),
        ("没有兴趣", Field::Dislikes),
        ("很感兴趣", Field::Likes),
        ("非常感兴趣", Field::Likes),
        ("特别感兴趣", Field::Likes),
        ("感兴趣", Field::Likes),
        ("严重过敏", Field::Allergies),
        ("都过敏", Field::Allergies),
        ("过敏", Field::Allergies),
    ];
    let whole = clause.without_tail(&["的", "了", "哦", "呢", "啊", "呀"]);
    let Some((tail, field)) = ENDS.iter().find(|(tail, _)| whole.ends_with(tail)) else {
        return;
    };
    let named = whole.until(whole.end - tail.chars().count());
    // "对花生不过敏", "对花生没有过敏"
    if named.ends_with("不")
        || named.ends_with("没有")
        || named.ends_with("没")
        || named.ends_with("不会")
    {
        return;
    }
    let named = named.without_tail(&[
        "有点", "很", "非常", "特别", "比较", "严重", "都", "也", "会",
    ]);
    found.extend(object(named).map(|value| Finding::is(*field, value)));
}

/// "喜欢的电影是千与千寻", "讨厌的食物是香菜".
fn favourite(clause: Clause<'_, '_>, found: &mut Vec<Finding>) -> bool {
    let mut clause = clause;
    let is_hated = clause.starts_with("讨厌");
    if clause
        .eat_any(&[
            "喜欢的",
            "爱的",
            "钟爱的",
            "喜爱的",
            "爱吃的",
            "爱看的",
            "喜欢吃的",
            "喜欢看的",
            "讨厌的",
            "喜欢听的",
            "爱听的",
        ])
        .is_none()
    {
        return false;
    }
    let Some(border) = clause.find("是") else {
        return true;
    };
    let kind = clause.until(border);
    let value = object(clause.from(border + 1));
    let field = match kind.folded().as_str() {
        _ if is_hated => Field::Dislikes,
        "食物" | "菜" | "美食" | "水果" | "零食" | "饮料" | "甜品" | "菜系" => {
            Field::Foods
        }
        "电影" | "电视剧" | "剧" | "动漫" | "动画" | "影片" => Field::Movies,
        "书" | "小说" | "作家" | "作者" | "一本书" | "书籍" => Field::Books,
        "歌" | "歌曲" | "歌手" | "乐队" | "音乐" | "一首歌" | "专辑" => Field::Music,
        "运动" | "体育运动" | "球队" | "球星" => Field::Sports,
        "颜色" => Field::Colour,
        _ => Field::Likes,
    };
    found.extend(value.map(|value| Finding::is(field, value)));
    true
}

/// What follows 我的: "爱好是", "兴趣是".
pub(super) fn mine(clause: Clause<'_, '_>, found: &mut Vec<Finding>) {
    let mut clause = clause;
    clause.skip(&["主要", "业余", "最大的"]);
    if clause.eat("爱好是")
        || clause.eat("兴趣是")
        || clause.eat("兴趣爱好是")
        || clause.eat("爱好有")
        || clause.eat("爱好包括")
        || clause.eat("兴趣爱好有")
    {
        found.extend(object(clause).map(|value| Finding::is(Field::Hobbies, value)));
        return;
    }
    clause.eat("最");
    favourite(clause, found);
}

/// A free object that fills the clause. `None` when it points to something outside itself.
fn object(clause: Clause<'_, '_>) -> Option<String> {
    let clause = clause.without_tail(&[
        "了",
        "啦",
        "呢",
        "哦",
        "呀",
        "啊",
        "哈",
        "哟",
        "嘞",
        "之类的",
        "等等",
        "什么的",
    ]);
    if clause.is_empty()
        || clause.folded() == "一个人"
        || clause.len() > OBJECT_CHARS_MAX
        || clause.contains_any(POINTING)
    {
        return None;
    }
    let first_bad = [
        "的", "是", "过", "着", "不", "上", "得", "死", "吗", "很", "也", "都", "到", "被",
    ]
    .iter()
    .any(|word| clause.starts_with(word));
    if first_bad {
        return None;
    }
    if clause.has_quotation() {
        // A title in quotation marks, and nothing else.
        return clause
            .chars()
            .all(|c| c == '\u{fffc}')
            .then(|| {
                clause
                    .original()
                    .trim_matches(['“', '”', '「', '」', '『', '』', '"'])
                    .trim()
                    .to_owned()
            })
            .filter(|title| !title.is_empty() && !title.contains(';'));
    }
    Some(clause.original().to_owned())
}
