//! The slots that every project starts with, in English and Chinese.

use super::{SubTopic, Topic};
use crate::distil::Language;

const ENGLISH: &[(&str, &[&str])] = &[
    (
        "basic_info",
        &[
            "name",
            "age",
            "gender",
            "birth_date",
            "nationality",
            "ethnicity",
            "language_spoken",
        ],
    ),
    ("contact_info", &["email", "phone", "city", "country"]),
    ("education", &["school", "degree", "major"]),
    (
        "demographics",
        &["marital_status", "number_of_children", "household_income"],
    ),
    (
        "work",
        &[
            "company",
            "title",
            "working_industry",
            "previous_projects",
            "work_skills",
        ],
    ),
    ("interest", &["books", "movies", "music", "foods", "sports"]),
    (
        "psychological",
        &["personality", "values", "beliefs", "motivations", "goals"],
    ),
    ("life_event", &["marriage", "relocation", "retirement"]),
];

const CHINESE: &[(&str, &[&str])] = &[
    (
        "基本信息",
        &["姓名", "年龄", "性别", "出生日期", "国籍", "民族", "语言"],
    ),
    ("联系信息", &["邮箱", "电话", "城市", "国家"]),
    ("教育背景", &["学校", "学位", "专业", "毕业年份"]),
    ("人口统计", &["婚姻状况", "子女数量", "家庭收入"]),
    ("工作", &["公司", "职位", "行业", "过往项目", "技能"]),
    ("兴趣爱好", &["书籍", "电影", "音乐", "美食", "运动"]),
    (
        "生活方式",
        &["饮食", "锻炼", "健康", "睡眠", "吸烟", "饮酒"],
    ),
    ("心理特征", &["性格", "价值观", "信仰", "动力", "目标"]),
    ("人生大事", &["婚姻", "搬迁", "退休"]),
];

/// The built-in topics of a language.
#[must_use]
pub fn built_in(language: Language) -> Vec<Topic> {
    let table = match language {
        Language::En => ENGLISH,
        Language::Zh => CHINESE,
    };
    let sub_topic = |name: &&str| SubTopic {
        name: (*name).to_owned(),
        description: (*name == "age" || *name == "年龄").then(|| "integer".to_owned()),
        update_description: None,
        validate_value: false,
    };
    table
        .iter()
        .map(|(topic, subs)| Topic {
            topic: (*topic).to_owned(),
            description: None,
            sub_topics: subs.iter().map(sub_topic).collect(),
        })
        .collect()
}
