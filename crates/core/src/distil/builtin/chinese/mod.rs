//! The Chinese rules: sentences in, findings about their speaker out.
//!
//! Chinese leaves the subject out where it goes on, so who a clause is about is carried from clause to clause, and from
//! a statement to the next one of the same turn, until another subject comes up.

mod kin;
mod lexicon;
mod personal;
mod residence;
mod taste;
mod text;
mod work;

use std::ops::Range;

use super::field::Finding;
use lexicon::{
    ADVERBS, ASKING, ASKING_ENDS, HARMLESS_SAYING, KIN, NOT_SAID, OPENERS, OTHERS, TEXT_ORDERS,
    UNSURE, VERBS,
};
use text::{Clause, Text};

/// Longest clause without a verb that leaves the subject as it was, characters.
const FRAGMENT_CHARS_MAX: usize = 4;

/// Reads the sentences of one turn in order.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// Whether the last clause was about the speaker.
    about_me: bool,
}

impl Reader {
    /// What the next sentence says about its speaker. `quoted` are the byte ranges of quotations in it, in order.
    pub(super) fn read(&mut self, sentence: &str, quoted: &[Range<usize>]) -> Vec<Finding> {
        let text = Text::new(sentence, quoted);
        let clauses = text.clauses();
        let mut found = Vec::new();
        if clauses.is_empty() {
            return found;
        }
        if !is_statement(&text.folded(), &clauses) {
            self.about_me = false;
            return found;
        }
        for clause in clauses {
            self.read_clause(clause, &mut found);
        }
        found
    }

    fn read_clause(&mut self, whole: Clause<'_, '_>, found: &mut Vec<Finding>) {
        let is_sure = !whole.contains_any(UNSURE);
        let mut clause = whole;
        clause.skip(OPENERS);
        if is_sure && let Some(finding) = personal::call_me(clause) {
            found.push(finding);
            self.about_me = false;
            return;
        }
        clause.skip(ADVERBS);
        if clause.eat("我") {
            self.about_me = reads_me(clause, is_sure, found);
        } else if OTHERS.iter().any(|other| clause.starts_with(other)) {
            self.about_me = false;
        } else if self.about_me {
            let before = found.len();
            if is_sure {
                predicates(clause, found);
            }
            let is_fragment = clause.len() <= FRAGMENT_CHARS_MAX && !clause.contains_any(VERBS);
            self.about_me = found.len() > before || is_fragment || !is_sure;
        }
    }
}

/// Reads what follows 我. Whether the next clause goes on about the speaker.
fn reads_me(clause: Clause<'_, '_>, is_sure: bool, found: &mut Vec<Finding>) -> bool {
    let mut clause = clause;
    if clause.starts_with("们") || clause.starts_with("国") || clause.starts_with("校") {
        return false;
    }
    if clause.starts_with("家在") || clause.starts_with("家住") || clause.starts_with("老家")
    {
        if is_sure {
            predicates(clause, found);
        }
        return true;
    }
    let mut owned = clause;
    let says_own = owned.eat("的") | owned.eat("家的") | owned.eat("家");
    let is_kin = KIN.iter().any(|(word, ..)| owned.starts_with(word))
        && (!owned.starts_with("爱人") || kin::is_named(owned));
    if is_kin {
        if is_sure {
            kin::mine(owned, found);
        }
        return false;
    }
    if says_own {
        let before = found.len();
        if is_sure {
            personal::mine(owned, found);
            taste::mine(owned, found);
            work::mine(owned, found);
            kin::my_pet(owned, found);
        }
        return found.len() > before;
    }
    clause.skip(ADVERBS);
    if is_sure {
        predicates(clause, found);
    }
    true
}

/// The patterns of what a speaker says about themselves, at the verb.
fn predicates(clause: Clause<'_, '_>, found: &mut Vec<Finding>) {
    let mut clause = clause;
    clause.skip(ADVERBS);
    let before = found.len();
    let readers: [fn(Clause<'_, '_>, &mut Vec<Finding>); 6] = [
        personal::predicate,
        work::leaving,
        residence::predicate,
        taste::predicate,
        work::predicate,
        kin::predicate,
    ];
    for reader in readers {
        reader(clause, found);
        if found.len() > before {
            return;
        }
    }
}

/// Whether the sentence states something by itself: no question, no condition, nobody else's words, no order about a
/// text.
fn is_statement(folded: &str, clauses: &[Clause<'_, '_>]) -> bool {
    let trimmed = folded.trim_end_matches(|c: char| !c.is_alphanumeric());
    let ending = folded.get(trimmed.len()..).unwrap_or_default();
    let asks = ending.contains(['?', '？'])
        || trimmed.ends_with(ASKING_ENDS)
        || ASKING.iter().any(|word| folded.contains(word));
    let mut first = clauses.first().copied();
    if let Some(clause) = &mut first {
        clause.skip(OPENERS);
        clause.skip(&[
            "请", "帮我", "麻烦", "你", "您", "给我", "再", "帮忙", "能", "可以",
        ]);
    }
    let orders =
        first.is_some_and(|clause| TEXT_ORDERS.iter().any(|order| clause.starts_with(order)));
    !asks && !orders && !NOT_SAID.iter().any(|word| folded.contains(word)) && !reports(folded)
}

/// Whether somebody is said to have said something.
fn reports(folded: &str) -> bool {
    let says = folded.matches('说').count();
    says > 0 && {
        let harmless = HARMLESS_SAYING
            .iter()
            .fold(folded.to_owned(), |text, word| text.replace(word, ""));
        harmless.contains('说')
    }
}

/// The shortest and longest Han names.
const NAME_CHARS: std::ops::RangeInclusive<usize> = 2..=3;
/// Family names of two characters; behind these a name may have four.
const DOUBLE_SURNAMES: &[&str] = &[
    "欧阳", "司马", "上官", "诸葛", "东方", "皇甫", "尉迟", "公孙", "慕容", "司徒", "夏侯", "端木",
    "南宫", "令狐", "独孤", "宇文", "长孙", "轩辕", "钟离",
];

/// A person's name that fills the clause.
fn name(clause: Clause<'_, '_>) -> Option<String> {
    const NEVER: &[&str] = &[
        "外卖", "出租", "滴滴", "快递", "救护", "服务", "停", "醒", "苦", "好", "做", "作", "出",
        "上", "来", "去", "回", "住", "嚷", "喊", "板", "救命", "不", "了", "过", "着", "个", "一",
        "车", "人", "什", "啥", "起床", "加班", "别", "帮", "给", "把", "等", "吃", "先", "再",
        "到", "下", "早", "是", "在", "有", "没", "都", "也", "很", "保密", "秘密", "的",
    ];
    let clause = clause.without_tail(&[
        "就行了",
        "就好了",
        "就可以了",
        "就行",
        "就好",
        "就可以",
        "即可",
        "啦",
        "哦",
        "呀",
        "哈",
        "啊",
        "吧",
    ]);
    let folded = clause.folded();
    let han = folded
        .chars()
        .filter(|c| super::sentence::is_han(*c))
        .count();
    let is_latin = han == 0
        && folded
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, ' ' | '-' | '.' | '·'))
        && folded.split_whitespace().count() <= 3;
    let is_double = han == 4
        && DOUBLE_SURNAMES
            .iter()
            .any(|surname| folded.starts_with(surname));
    let is_han_name = han == clause.len() && (NAME_CHARS.contains(&han) || is_double);
    let is_foreign = folded.contains('·') && (3..=20).contains(&han);
    let is_person =
        lexicon::TITLES.contains(&folded.as_str()) || KIN.iter().any(|(word, ..)| *word == folded);
    let ends_badly = [
        "来", "去", "了", "的", "着", "过", "饭", "床", "班", "钱", "帮忙", "一起", "开会",
    ]
    .iter()
    .any(|word| folded.ends_with(word));
    let is_bad = is_person
        || ends_badly
        || NEVER.iter().any(|word| folded.starts_with(word))
        || lexicon::POINTING.iter().any(|word| folded.contains(word));
    ((is_latin || is_han_name || is_foreign) && !is_bad && folded.chars().any(char::is_alphabetic))
        .then(|| clause.original().to_owned())
}

/// A number in digits or Han characters. The clause moves behind it.
fn number(clause: &mut Clause<'_, '_>) -> Option<String> {
    let count = clause
        .chars()
        .take_while(|c| c.is_ascii_digit() || "零一二两三四五六七八九十百".contains(*c))
        .count();
    let number = clause.until(clause.at + count);
    clause.at += count;
    (1..=4)
        .contains(&count)
        .then(|| number.original().to_owned())
}
