//! What the rules can find out about a user, and where it goes in each language.

use crate::distil::Language;
use crate::memory::Slot;

/// A property of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Field {
    Name,
    Nickname,
    Age,
    Gender,
    BirthDate,
    Nationality,
    LanguageSpoken,
    Hometown,
    City,
    Country,
    Email,
    School,
    Degree,
    Major,
    Company,
    Title,
    Industry,
    Tenure,
    MaritalStatus,
    Children,
    Books,
    Movies,
    Music,
    Foods,
    Sports,
    Hobbies,
    Colour,
    Likes,
    Dislikes,
    Allergies,
    Diet,
    Avoids,
    Pets,
    /// Somebody who belongs to the user, by the word for them in the language of the sentence. `only` says that a user
    /// has one of them at a time.
    Relation {
        kin: &'static str,
        only: bool,
    },
}

impl Field {
    /// The slot that it fills. The names are those of the built-in profile slots where these have one.
    pub(super) fn slot(self, language: Language) -> Slot {
        let (topic, sub_topic) = match language {
            Language::En => self.english(),
            Language::Zh => self.chinese(),
        };
        Slot::new(topic, sub_topic)
    }

    /// Whether a user has one value of it at a time, so that a new one takes the place of the old one.
    pub(super) fn is_single(self) -> bool {
        match self {
            Self::Relation { only, .. } => only,
            Self::LanguageSpoken
            | Self::Degree
            | Self::Books
            | Self::Movies
            | Self::Music
            | Self::Foods
            | Self::Sports
            | Self::Hobbies
            | Self::Likes
            | Self::Dislikes
            | Self::Allergies
            | Self::Avoids
            | Self::Pets => false,
            _ => true,
        }
    }

    /// Whether less of the same is nothing new: "Anna" says nothing against "Anna Smith".
    pub(super) fn keeps_fuller_value(self) -> bool {
        matches!(self, Self::Name | Self::City | Self::Hometown)
    }

    fn english(self) -> (&'static str, &'static str) {
        match self {
            Self::Name => ("basic_info", "name"),
            Self::Nickname => ("basic_info", "nickname"),
            Self::Age => ("basic_info", "age"),
            Self::Gender => ("basic_info", "gender"),
            Self::BirthDate => ("basic_info", "birth_date"),
            Self::Nationality => ("basic_info", "nationality"),
            Self::LanguageSpoken => ("basic_info", "language_spoken"),
            Self::Hometown => ("basic_info", "hometown"),
            Self::City => ("contact_info", "city"),
            Self::Country => ("contact_info", "country"),
            Self::Email => ("contact_info", "email"),
            Self::School => ("education", "school"),
            Self::Degree => ("education", "degree"),
            Self::Major => ("education", "major"),
            Self::Company => ("work", "company"),
            Self::Title => ("work", "title"),
            Self::Industry => ("work", "working_industry"),
            Self::Tenure => ("work", "tenure"),
            Self::MaritalStatus => ("demographics", "marital_status"),
            Self::Children => ("demographics", "number_of_children"),
            Self::Books => ("interest", "books"),
            Self::Movies => ("interest", "movies"),
            Self::Music => ("interest", "music"),
            Self::Foods => ("interest", "foods"),
            Self::Sports => ("interest", "sports"),
            Self::Hobbies => ("interest", "hobbies"),
            Self::Colour => ("interest", "favorite_color"),
            Self::Likes => ("interest", "likes"),
            Self::Dislikes => ("interest", "dislikes"),
            Self::Allergies => ("health", "allergies"),
            Self::Diet => ("health", "diet"),
            Self::Avoids => ("health", "dietary_restrictions"),
            Self::Pets => ("life", "pets"),
            Self::Relation { kin, .. } => ("relations", kin),
        }
    }

    fn chinese(self) -> (&'static str, &'static str) {
        match self {
            Self::Name => ("基本信息", "姓名"),
            Self::Nickname => ("基本信息", "昵称"),
            Self::Age => ("基本信息", "年龄"),
            Self::Gender => ("基本信息", "性别"),
            Self::BirthDate => ("基本信息", "出生日期"),
            Self::Nationality => ("基本信息", "国籍"),
            Self::LanguageSpoken => ("基本信息", "语言"),
            Self::Hometown => ("基本信息", "家乡"),
            Self::City => ("联系信息", "城市"),
            Self::Country => ("联系信息", "国家"),
            Self::Email => ("联系信息", "邮箱"),
            Self::School => ("教育背景", "学校"),
            Self::Degree => ("教育背景", "学位"),
            Self::Major => ("教育背景", "专业"),
            Self::Company => ("工作", "公司"),
            Self::Title => ("工作", "职位"),
            Self::Industry => ("工作", "行业"),
            Self::Tenure => ("工作", "年限"),
            Self::MaritalStatus => ("人口统计", "婚姻状况"),
            Self::Children => ("人口统计", "子女数量"),
            Self::Books => ("兴趣爱好", "书籍"),
            Self::Movies => ("兴趣爱好", "电影"),
            Self::Music => ("兴趣爱好", "音乐"),
            Self::Foods => ("兴趣爱好", "美食"),
            Self::Sports => ("兴趣爱好", "运动"),
            Self::Hobbies => ("兴趣爱好", "爱好"),
            Self::Colour => ("兴趣爱好", "喜欢的颜色"),
            Self::Likes => ("兴趣爱好", "喜欢"),
            Self::Dislikes => ("兴趣爱好", "不喜欢"),
            Self::Allergies => ("健康", "过敏"),
            Self::Diet => ("健康", "饮食"),
            Self::Avoids => ("健康", "忌口"),
            Self::Pets => ("生活", "宠物"),
            Self::Relation { kin, .. } => ("关系", kin),
        }
    }
}

/// How a sentence changes a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// It is so.
    Is,
    /// It was so and is no longer.
    WasOnly,
    /// It is not so; whether it ever was, the words do not tell.
    IsNot,
}

/// What one sentence says about the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) field: Field,
    /// Words of the sentence.
    pub(super) value: String,
    pub(super) change: Change,
}

impl Finding {
    /// The property has this value.
    pub(super) fn is(field: Field, value: impl Into<String>) -> Self {
        Self {
            field,
            value: value.into(),
            change: Change::Is,
        }
    }

    /// The property had this value and has it no longer.
    pub(super) fn was_only(field: Field, value: impl Into<String>) -> Self {
        Self {
            field,
            value: value.into(),
            change: Change::WasOnly,
        }
    }

    /// The property has not this value.
    pub(super) fn is_not(field: Field, value: impl Into<String>) -> Self {
        Self {
            field,
            value: value.into(),
            change: Change::IsNot,
        }
    }
}
