//! Work and education.

use super::lexicon::{FIRM_TAILS, FIRMS, POINTING, SCHOOL_TAILS, TITLE_TAILS, TITLES};
use super::residence::place;
use super::text::Clause;
use crate::distil::builtin::field::{Field, Finding};

/// Longest kind of work, characters.
const TITLE_CHARS_MAX: usize = 12;
/// Longest name of a firm or school, characters.
const FIRM_CHARS_MAX: usize = 24;
/// Longest subject of study, characters.
const MAJOR_CHARS_MAX: usize = 10;
const DOING: &[&str] = &["做", "当", "担任", "任职", "从事", "任", "搞"];
/// What shows that one works at what 在 names, though it has no name of its own.
const WORKPLACES: &[&str] = &[
    "公司",
    "医院",
    "学校",
    "大学",
    "中学",
    "小学",
    "幼儿园",
    "银行",
    "厂",
    "店",
    "餐厅",
    "机构",
    "企业",
    "单位",
    "集团",
    "事务所",
    "研究",
    "行业",
    "部门",
    "团队",
    "局",
    "国企",
    "外企",
    "社区",
];
const WORKING: &[&str] = &["工作", "上班", "任职", "就职", "实习"];
const STUDYING: &[&str] = &[
    "读书",
    "读大学",
    "读本科",
    "读研究生",
    "读研",
    "读博士",
    "读博",
    "读硕士",
    "念书",
    "上学",
    "上大学",
    "就读",
    "读高中",
    "上高中",
    "读",
];

/// What follows 我 and its adverbs.
pub(super) fn predicate(clause: Clause<'_, '_>, found: &mut Vec<Finding>) {
    let mut clause = clause;
    if studies(clause, found) {
        return;
    }
    if clause.eat("是") {
        of_kind(clause, found);
    } else if clause.eat_any(DOING).is_some() || clause.eat("的工作是") || clause.eat("的职业是")
    {
        clause.eat("的是");
        found.extend(title(clause).map(|title| Finding::is(Field::Title, title)));
    } else if (clause.eat("就职于")
        || clause.eat("任职于")
        || clause.eat("供职于")
        || clause.eat("入职了")
        || clause.eat("加入了"))
        && let Some(firm) = firm(clause)
    {
        found.push(Finding::is(Field::Company, firm.original()));
    }
}

/// What follows 是: "前端", "做前端的", "阿里的前端".
fn of_kind(clause: Clause<'_, '_>, found: &mut Vec<Finding>) {
    let mut clause = clause;
    if clause.eat_any(&["做", "搞"]).is_some() {
        // "是做前端的"
        let is_kind = clause.ends_with("的");
        found.extend(
            title(clause.without_tail(&["的"]))
                .filter(|_| is_kind)
                .map(|title| Finding::is(Field::Title, title)),
        );
        return;
    }
    if clause.eat("在") {
        at(clause, false, found);
        return;
    }
    const DEGREES: &[&str] = &["本科", "硕士", "博士", "大专", "中专"];
    let start = clause;
    if clause.eat_any(DEGREES).is_some()
        && (clause.starts_with("毕业") || clause.starts_with("学历") || clause.starts_with("学位"))
    {
        found.push(Finding::is(
            Field::Degree,
            start.until(clause.at).original(),
        ));
        return;
    }
    clause = start;
    clause.eat_any(&["一名", "一个", "一位", "名", "个", "位"]);
    if let Some(border) = clause.find("的")
        && let Some(firm) = firm(clause.until(border))
        && firm.end == border
    {
        let rest = clause.from(border + 1);
        if let Some(title) = title(rest) {
            found.extend([
                Finding::is(Field::Company, firm.original()),
                Finding::is(Field::Title, title),
            ]);
        }
        return;
    }
    found.extend(title(clause).map(|title| Finding::is(Field::Title, title)));
}

/// What follows 在, behind a place if there is one: "阿里做前端", "做前端", "浙江大学读书". `at_place` says that a place
/// stands in front.
pub(super) fn at(clause: Clause<'_, '_>, at_place: bool, found: &mut Vec<Finding>) {
    let mut clause = clause;
    if let Some(verb_at) = STUDYING.iter().filter_map(|verb| clause.find(verb)).min()
        && let Some(school) = school(clause.until(verb_at))
    {
        found.push(Finding::is(Field::School, school));
        return;
    }
    let Some(verb_at) = DOING
        .iter()
        .chain(WORKING)
        .filter_map(|verb| clause.find(verb))
        .min()
    else {
        return;
    };
    let named = clause.until(verb_at);
    let firm = firm(named);
    // "在一家医院做护士" names no firm, but the work.
    if let Some(firm) = firm {
        found.push(Finding::is(Field::Company, firm.original()));
    } else if if named.is_empty() {
        !at_place
    } else {
        named.contains_any(POINTING) || !named.contains_any(WORKPLACES)
    } {
        return;
    }
    clause.at = verb_at;
    if clause.eat_any(DOING).is_some() {
        found.extend(title(clause).map(|title| Finding::is(Field::Title, title)));
    }
}

/// "从阿里离职了", "不在阿里工作了", "离开了阿里".
pub(super) fn leaving(clause: Clause<'_, '_>, found: &mut Vec<Finding>) {
    let mut clause = clause;
    clause.eat("再也");
    let named = if clause.eat("不再在") || clause.eat("不在") {
        let has_ended = clause.ends_with("了");
        WORKING
            .iter()
            .chain(DOING)
            .filter_map(|verb| clause.find(verb))
            .min()
            .filter(|_| has_ended)
            .map(|end| clause.until(end))
    } else if clause.eat("从") {
        ["离职", "辞职", "离开"]
            .iter()
            .filter_map(|verb| clause.find(verb))
            .min()
            .map(|end| clause.until(end))
    } else if clause.eat("离开了") || clause.eat("离开") {
        Some(clause.without_tail(&["了"]))
    } else {
        None
    };
    if let Some(mut named) = named {
        let whole = named;
        let in_place = place(&mut named).is_some() && !named.is_empty();
        let firm = firm(if in_place { named } else { whole });
        found.extend(firm.map(|firm| Finding::was_only(Field::Company, firm.original())));
    }
}

/// What follows 我的: "工作是", "职业是", "专业是".
pub(super) fn mine(clause: Clause<'_, '_>, found: &mut Vec<Finding>) {
    let mut clause = clause;
    if clause.eat("工作是") || clause.eat("职业是") || clause.eat("职位是") || clause.eat("岗位是")
    {
        clause.eat_any(&["做", "一名", "一个"]);
        found.extend(title(clause).map(|title| Finding::is(Field::Title, title)));
    } else if clause.eat("专业是") {
        found.extend(major(clause).map(|major| Finding::is(Field::Major, major)));
    } else if clause.eat("公司是") {
        found.extend(firm(clause).map(|firm| Finding::is(Field::Company, firm.original())));
    }
}

/// "毕业于浙江大学", "从浙江大学毕业", "就读于…", "学的是物理专业", "主修物理".
fn studies(clause: Clause<'_, '_>, found: &mut Vec<Finding>) -> bool {
    let mut clause = clause;
    let before = found.len();
    clause.eat_any(&["大学的时候", "大学时", "大学", "本科", "研究生"]);
    if clause.eat("本科毕业于")
        || clause.eat("硕士毕业于")
        || clause.eat("毕业于")
        || clause.eat("就读于")
    {
        let end = clause
            .contains_any(SCHOOL_TAILS)
            .then(|| school_end(clause))
            .flatten()
            .unwrap_or(clause.end);
        found.extend(school(clause.until(end)).map(|school| Finding::is(Field::School, school)));
        clause.at = end;
        if clause.ends_with("专业") {
            found.extend(major(clause).map(|major| Finding::is(Field::Major, major)));
        }
    } else if clause.eat("从") {
        let end = clause.find("毕业");
        found.extend(
            end.and_then(|end| school(clause.until(end)))
                .map(|school| Finding::is(Field::School, school)),
        );
    } else if clause.eat("专业是")
        || clause.eat("主修")
        || clause.eat("学的是")
        || clause.eat("读的是")
    {
        found.extend(major(clause).map(|major| Finding::is(Field::Major, major)));
    } else if clause.eat("是学") && clause.ends_with("的") {
        found.extend(major(clause).map(|major| Finding::is(Field::Major, major)));
    } else if (clause.eat("学") || clause.eat("读")) && clause.ends_with("专业") {
        found.extend(major(clause).map(|major| Finding::is(Field::Major, major)));
    }
    found.len() > before
}

/// Where the name of a school ends.
fn school_end(clause: Clause<'_, '_>) -> Option<usize> {
    SCHOOL_TAILS
        .iter()
        .filter_map(|tail| clause.find(tail).map(|at| at + tail.chars().count()))
        .max()
}

fn school(clause: Clause<'_, '_>) -> Option<String> {
    let clause = clause.without_tail(&["的", "了"]);
    let named = clause.len() >= 2
        && clause.len() <= FIRM_CHARS_MAX
        && SCHOOL_TAILS.iter().any(|tail| clause.ends_with(tail));
    let generic = [
        "大学", "学校", "一所", "一个", "高中", "小学", "中学", "学院", "老家", "国内", "国外",
    ]
    .iter()
    .any(|word| clause.starts_with(word));
    (named && !generic && !clause.contains_any(POINTING)).then(|| clause.original().to_owned())
}

fn major(clause: Clause<'_, '_>) -> Option<String> {
    let clause = clause.without_tail(&["专业的", "专业", "的", "了"]);
    let fits = (2..=MAJOR_CHARS_MAX).contains(&clause.len())
        && !clause.contains_any(POINTING)
        && !clause.starts_with("不")
        && !clause.contains_any(&["完", "会", "过", "了"]);
    fits.then(|| clause.original().to_owned())
}

/// A kind of work that the lists know, at the front of the clause and, but for a length of time, to its end.
pub(super) fn title(clause: Clause<'_, '_>) -> Option<String> {
    const TAILS: &[&str] = &[
        "相关的工作",
        "方面的工作",
        "类工作",
        "相关工作",
        "的工作",
        "工作",
        "了",
        "的",
        "呢",
        "啦",
        "哦",
        "呀",
        "一职",
    ];
    let mut clause = clause;
    clause.eat_any(&["一名", "一个", "一位", "名", "个", "位", "了"]);
    let whole = clause.without_tail(TAILS);
    if is_title(whole) {
        return Some(whole.original().to_owned());
    }
    // "前端三年了", "前端已经5年"
    let years = whole.find("年")?;
    let digits = whole.until(years);
    let count = digits
        .folded()
        .chars()
        .rev()
        .take_while(|c| c.is_ascii_digit() || "一二两三四五六七八九十几多半".contains(*c))
        .count();
    let cut = digits
        .until(digits.end - count)
        .without_tail(&["已经", "快", "有", "了", "差不多"]);
    (count > 0 && is_title(cut)).then(|| cut.original().to_owned())
}

fn is_title(clause: Clause<'_, '_>) -> bool {
    const DENIED: &[&str] = &[
        "前任", "曾", "不", "没", "想", "未来", "假", "好的", "一样", "像", "准", "候补", "业余",
        "别", "老", "过", "的", "很", "最", "非常", "特别", "更", "比", "真", "学",
    ];
    let folded = clause.folded();
    let known = TITLES.contains(&folded.as_str())
        || TITLE_TAILS
            .iter()
            .any(|tail| clause.len() > tail.chars().count() && folded.ends_with(tail));
    let denied = DENIED.iter().any(|word| folded.starts_with(word))
        && !["老师", "老板", "学生", "真人"]
            .iter()
            .any(|word| folded.starts_with(word));
    known
        && !denied
        && clause.len() <= TITLE_CHARS_MAX
        && !clause.contains_any(POINTING)
        && !clause.contains_any(&["喜欢", "叫", "是", "找"])
        && !clause.has_quotation()
}

/// A firm or office with a name.
fn firm<'t, 'a>(clause: Clause<'t, 'a>) -> Option<Clause<'t, 'a>> {
    let is_listed = |clause: Clause<'_, '_>| FIRMS.contains(&clause.folded().as_str());
    // 阿里 ends with 里 and does not mean "inside".
    let clause = if is_listed(clause.trimmed()) {
        clause.trimmed()
    } else {
        clause.without_tail(&["里面", "里", "内", "那边", "这边", "的"])
    };
    let folded = clause.folded();
    let generic = [
        "一",
        "某",
        "公司",
        "医院",
        "学校",
        "大学",
        "银行",
        "家",
        "外",
        "国",
        "私",
        "事业",
        "互联网",
        "小",
        "大公司",
        "酒店",
        "软件公司",
        "科技公司",
        "老家",
        "集团",
    ];
    let is_latin = folded
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || " .&-".contains(c))
        && clause
            .original()
            .chars()
            .next()
            .is_some_and(|c| c.is_ascii_uppercase());
    let is_named = is_listed(clause)
        || FIRM_TAILS
            .iter()
            .any(|tail| folded.ends_with(tail) && clause.len() > tail.chars().count());
    let is_generic = !is_listed(clause) && generic.iter().any(|word| folded.starts_with(word));
    let bad = clause.is_empty()
        || clause.len() > FIRM_CHARS_MAX
        || is_generic
        || clause.contains_any(POINTING)
        || clause.has_quotation();
    ((is_latin || is_named) && !bad).then_some(clause)
}
