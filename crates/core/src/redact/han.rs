//! Whether Chinese characters after 密码是 are a password or go on with the sentence.

use super::op::Tie;

/// Characters that begin a remark about the password rather than the password.
const REMARKS: &str = "什甚多哪谁誰怎啥几幾我你您他她它咱的必需须須不没沒有无無空错錯对對正否一这這那个個可要会會能很太非加明默由用存保随隨设設\
                       被已在从從和与與或为為吗嗎呢忘只还還最同相请請上下输輸填未弱强強安过過失泄重新旧老复複简簡记記";
/// Characters that end a question or a statement.
const ENDINGS: &str = "吗嗎呢吧的了么嘛啊位";
/// Words that describe a password, wherever they stand in it. So does 的.
const WORDS: &[&str] = &[
    "的",
    "生日",
    "数字",
    "字母",
    "英文",
    "中文",
    "拼音",
    "系统",
    "系統",
    "密文",
    "公开",
    "公開",
    "隐藏",
    "管理",
    "长度",
    "至少",
    "八位",
    "六位",
    "自动",
    "电话",
    "手机",
    "名字",
    "姓名",
    "车牌",
    "学号",
    "身份证",
];
/// Words that speak of secrets themselves.
const NAMES: &[&str] = &["密码", "密碼", "口令"];
/// What follows the name of a technique: MD5加密.
const TECHNIQUES: &[&str] = &[
    "加密", "哈希", "散列", "算法", "格式", "编码", "類型", "类型", "存储", "位", "个", "個", "字",
    "年", "天", "月",
];

/// Longest password in Chinese characters after 是, characters.
const SAID_CHARS_MAX: usize = 8;
/// The same after a colon.
const ASSIGNED_CHARS_MAX: usize = 16;

/// Whether the run of Chinese characters can be a password.
pub(super) fn is_password(text: &str, tie: Tie) -> bool {
    let max = match tie {
        Tie::Is => SAID_CHARS_MAX,
        Tie::Assign => ASSIGNED_CHARS_MAX,
        Tie::Compare | Tie::Flag | Tie::Loose | Tie::Bare => return false,
    };
    text.chars().count() <= max
        && !text.starts_with(|c| REMARKS.contains(c))
        && !text.ends_with(|c| ENDINGS.contains(c))
        && !NAMES.iter().any(|name| text.contains(name))
        && !WORDS.iter().any(|word| text.contains(word))
}

/// Whether what follows a Latin word or a number makes it a technique or a length.
pub(super) fn makes_technical(after: &str) -> bool {
    TECHNIQUES.iter().any(|word| after.starts_with(word))
}
