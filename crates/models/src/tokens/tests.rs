use proptest::prelude::*;
use tiktoken_rs::o200k_base_singleton;

use super::*;

#[track_caller]
fn same_as_tiktoken(text: &str) {
    let expected = o200k_base_singleton().encode_ordinary(text).len();
    assert_eq!(
        O200k::count_now(text) as usize,
        expected,
        "{:?}",
        text.chars().take(80).collect::<String>()
    );
}

#[test]
fn the_table_and_the_pattern_can_be_read() {
    assert!(COUNTER.is_some());
    assert_eq!(O200k::count_now("[2026/11/29] user: hello"), 11);
    assert_eq!(O200k::count_now(""), 0);
}

#[tokio::test]
async fn counts_come_in_order() {
    let texts = ["[2026/11/29] user: hello", "", "hello"]
        .map(str::to_owned)
        .to_vec();
    assert_eq!(O200k.count(texts).await, [11, 0, 1]);
    assert!(O200k.count(Vec::new()).await.is_empty());
}

#[test]
fn counts_equal_tiktoken() {
    for text in [
        "I'll say WE'LL and they'Ve don't IT'S, HTTPServer camelCase ABCdef ǅungla ſ's 'ſ",
        "1 12 123 1234 12345 ١٢٣٤٥ ½ 3.14159 2026-11-29T22:35:00Z",
        "  two  before\n\n\n after \t\ttabs \r\n  mixed\r\r\n   \n  x   ",
        "   ",
        "\n",
        " \n ",
        "a \u{a0}b \u{3000}\u{3000}c\u{2028}\u{2028}d \u{85} e",
        "https://example.org/a/b//c?d=e&f=%20#g // comment /* x */ ///\n\n//\n",
        "我哥哥去年春天领养了一只金毛犬。它叫“豆豆”，今年3岁！（很可爱）",
        "日本語のテキスト、カタカナ、ひらがな。한국어 텍스트입니다.",
        "😀👩‍👩‍👧‍👦🇨🇳🏽 ❤️‍🔥 ∑∫√ ←→ ©®™ e\u{301}e\u{301} \u{301}a",
        "<|endoftext|><|endofprompt|> <|im_start|>",
        "fn main() { let x: Vec<u8> = vec![0; 10]; println!(\"{x:?}\"); }\n",
        "QWxhZGRpbjpvcGVuIHNlc2FtZQ== 0xDEADBEEF 550e8400-e29b-41d4-a716-446655440000",
        "\0\u{1}\u{7f}\u{feff}\u{fffd}\u{200b}",
        "Ünïcödé ÀÉÎÕÜ straße İstanbul ΑΒΓ αβγς Москва שלום مرحبا हिन्दी ไทย",
        "supercalifragilisticexpialidocious antidisestablishmentarianism pneumonoultramicroscopicsilicovolcanoconiosis",
    ] {
        same_as_tiktoken(text);
        same_as_tiktoken(&format!("{text} "));
        same_as_tiktoken(&format!(" \t{text}\n"));
        same_as_tiktoken(&text.repeat(7));
    }
}

#[test]
fn source_files_count_like_tiktoken() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/builtin");
    let files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| std::fs::read_to_string(entry.unwrap().path()).ok())
        .collect();
    assert!(files.len() > 3);
    files.iter().for_each(|file| same_as_tiktoken(file));
}

#[test]
fn one_endless_word_takes_linear_time_and_is_off_by_a_token_for_each_slice_at_most() {
    for letter in ["a", "A", "中", " ", "!", "\n", "ab"] {
        let text = letter.repeat(200_000 / letter.len());
        let expected = o200k_base_singleton().encode_ordinary(&text).len();
        let counted = O200k::count_now(&text) as usize;
        assert!(
            (expected..=expected + text.len() / (64 * 1024)).contains(&counted),
            "{letter:?}: {counted} for {expected}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_counts_like_tiktoken(text in any::<String>()) {
        same_as_tiktoken(&text);
    }

    #[test]
    fn mixed_text_counts_like_tiktoken(text in "([a-zA-Z']{0,9}|[0-9]{0,5}|[ \t]{0,4}|[\r\n]{0,3}|[，。的一是中国人]{0,6}|[-/.,:;!]{0,4}|[é\u{301}ß😀]{0,3}){0,24}") {
        same_as_tiktoken(&text);
    }
}
