//! Turns that say nothing: greetings and acknowledgements. They give no gist.

/// Whole turns, lower case, words only.
#[rustfmt::skip]
const ENGLISH: &[&str] = &[
    "bye", "bye bye", "cool", "cool thanks", "fine", "good", "good afternoon", "good evening",
    "good morning", "good night", "goodbye", "got it", "great", "great thanks", "ha", "haha",
    "hahaha", "hello", "hello again", "hello there", "hey", "hey there", "hi", "hi again",
    "hi there", "hm", "hmm", "i see", "k", "kk", "lol", "many thanks", "nice", "no problem", "ok",
    "ok cool", "ok great", "ok thank you", "ok thanks", "okay", "okay thanks", "perfect", "see you",
    "see you later", "sounds good", "sure", "sure thing", "thank you", "thank you so much",
    "thank you very much", "thanks", "thanks a lot", "thanks so much", "thx", "ty", "understood",
    "wow", "yep", "you are welcome", "you re welcome", "yup",
];

#[rustfmt::skip]
const CHINESE: &[&str] = &[
    "你好", "您好", "大家好", "嗨", "哈喽", "哈啰", "早", "早安", "早上好", "上午好", "中午好",
    "下午好", "晚上好", "晚安", "再见", "拜拜", "嗯", "嗯嗯", "哦", "噢", "喔", "好", "好的",
    "好的谢谢", "好吧", "好呀", "好啊", "好滴", "行", "行吧", "可以", "可以的", "谢谢", "谢谢你",
    "谢谢您", "多谢", "感谢", "非常感谢", "谢啦", "辛苦了", "收到", "明白", "明白了", "知道了",
    "了解", "没事", "不客气", "不用谢", "哈哈", "哈哈哈", "在吗", "謝謝", "謝謝你", "收到了",
];

/// Longest turn that is looked up, characters.
const CHARS_MAX: usize = 40;

/// Whether a turn has nothing to remember: no letter or digit at all, or nothing but a greeting or an acknowledgement.
pub(super) fn says_nothing(text: &str) -> bool {
    if text.chars().nth(CHARS_MAX).is_some() {
        return !text.chars().any(char::is_alphanumeric);
    }
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>();
    if words.is_empty() {
        return true;
    }
    let spaced = words.join(" ").to_lowercase();
    ENGLISH.contains(&spaced.as_str()) || CHINESE.contains(&words.concat().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greetings_and_signs_say_nothing() {
        for text in [
            "ok",
            "Thanks!",
            "Hello :)",
            "嗯",
            "好的。",
            "谢谢！",
            "👍👍",
            "?!",
            "",
            "  ",
            "You're welcome!",
            "好的，谢谢",
        ] {
            assert!(says_nothing(text), "{text}");
        }
    }

    #[test]
    fn anything_more_says_something() {
        for text in [
            "ok 7",
            "hello Anna",
            "no",
            "yes",
            "不",
            "hi, I moved",
            "42",
            "谢谢小林",
            "はい",
            "да",
        ] {
            assert!(!says_nothing(text), "{text}");
        }
    }
}
