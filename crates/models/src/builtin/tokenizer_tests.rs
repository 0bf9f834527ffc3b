//! Our tokenizers against the library that the models' own tokenizer files are written for.

use std::sync::LazyLock;

use proptest::prelude::*;
use tokenizers::Tokenizer;

use super::word_piece::WordPiece;

/// English, Chinese, both, and what breaks tokenizers.
const TEXTS: &[&str] = &[
    "My brother adopted a golden retriever last spring; its name is Biscuit.",
    "我哥哥去年春天领养了一只金毛犬，名字叫“饼干”。（今年三岁！）",
    "[2026/11/29] user: I'll move to 深圳 in 2027，probably near the 科技园 station…",
    "Prices: $1,299.00 / €99 / ¥8,800 (−15%) at 7:30pm – see https://example.org/a_b?c=1&d=%20#e",
    "naïve café Ångström İstanbul straße ﬁne ① ½ ｆｕｌｌｗｉｄｔｈ ＡＢＣ １２３ ㈱ ㌔ ™ K ſ",
    "e\u{301}t\u{e9} a\u{308} \u{301}start n\u{303}\u{303} 한국어 각 가\u{11a8} が か\u{3099}",
    "😀👩‍👩‍👧‍👦🇨🇳🏽❤️‍🔥 ∑∫√ ←→ ©® 𝔘𝔫𝔦 𠮷野家 豈更車",
    "▁ ▁▁ a▁b ▁c d▁ ▁▁e ▁▁▁",
    "tabs\tand\u{a0}odd\u{3000}blanks\u{2003}here\u{85}x\u{2028}y\u{200b}z\u{feff}w\u{ad}v\0u\u{1}t",
    "Москва שלום مرحبا हिन्दी ไทย ქართული ΑΒΓ αβγς ᚠᚢᚦ ⠿⠿ ꙮꙮꙮ",
    "pneumonoultramicroscopicsilicovolcanoconiosis aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa xqzjkvbw",
    "fn main() { println!(\"{:?}\", vec![0_u8; 10]); } // ##not a piece## [unused1] un##able",
    "",
    " ",
    "\n\n",
    "。",
    "a",
    "##",
    "'s 't don't DON'T",
];

/// What the reference reads and we do not, on purpose: marks that text must not be able to spell.
fn without_marks(text: &str) -> String {
    [
        "<s>", "</s>", "<pad>", "<unk>", "[CLS]", "[SEP]", "[PAD]", "[MASK]", "[UNK]",
    ]
    .iter()
    .fold(text.to_owned(), |text, mark| text.replace(mark, ""))
}

/// The texts, and the files of this folder, which are prose and code.
fn corpus() -> Vec<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/builtin");
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
    let texts = TEXTS.iter().copied().map(str::to_owned);
    texts
        .chain(files)
        .flat_map(|text| [text.repeat(3), text])
        .map(|text| without_marks(&text))
        .collect()
}

/// Ids of the reference, without marks.
fn reference(tokenizer: &Tokenizer, text: &str) -> Vec<u32> {
    tokenizer
        .encode_fast(text, false)
        .unwrap()
        .get_ids()
        .to_vec()
}

fn load(name: &str) -> Tokenizer {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../models")
        .join(name);
    let mut tokenizer = Tokenizer::from_file(path).unwrap();
    tokenizer.with_padding(None).with_truncation(None).unwrap();
    tokenizer
}

mod word_piece {
    use super::*;

    static REFERENCE: LazyLock<Tokenizer> =
        LazyLock::new(|| load("static-minilm-256-int8/tokenizer.json"));
    static OURS: LazyLock<WordPiece> =
        LazyLock::new(|| WordPiece::new(super::super::tiny::PIECES).unwrap());
    /// `[UNK]`, which we leave out.
    const UNKNOWN: u32 = 100;

    #[track_caller]
    fn same(text: &str) {
        let mut ours = Vec::new();
        OURS.encode(text, |id| ours.push(id));
        let expected: Vec<u32> = reference(&REFERENCE, text)
            .into_iter()
            .filter(|&id| id != UNKNOWN)
            .collect();
        assert_eq!(ours, expected, "{text:?}");
    }

    #[test]
    fn ids_equal_the_reference() {
        corpus().iter().for_each(|text| same(text));
        same(&"long".repeat(30));
        same(&format!("{} x", "a".repeat(100)));
    }

    proptest! {
        #[test]
        fn ids_of_mixed_text_equal_the_reference(text in "([a-zA-Z']{0,9}|[0-9]{0,5}|[ \t\n]{0,3}|[，。的一是中国人]{0,6}|[-/.,:;!#]{0,4}|[é\u{301}ßÅñ😀ｆ]{0,3}){0,24}") {
            same(&text);
        }
    }
}

#[cfg(feature = "local-embedder")]
mod unigram {
    use super::super::unigram::Unigram;
    use super::*;

    static REFERENCE: LazyLock<Tokenizer> = LazyLock::new(|| load("e5-small-enzh-tokenizer.json"));
    static OURS: LazyLock<Unigram> = LazyLock::new(|| {
        Unigram::new(super::super::local::PIECES, super::super::local::SCORES).unwrap()
    });

    #[track_caller]
    fn same(text: &str) {
        assert_eq!(OURS.encode(text), reference(&REFERENCE, text), "{text:?}");
    }

    #[test]
    fn ids_equal_the_reference() {
        corpus().iter().for_each(|text| same(text));
    }

    /// So a prefix can be spelled once and put before any text.
    #[test]
    fn words_are_spelled_apart_from_each_other() {
        for text in TEXTS {
            let apart = [OURS.encode("passage:"), OURS.encode(text)].concat();
            assert_eq!(OURS.encode(&format!("passage: {text}")), apart, "{text:?}");
        }
    }

    #[test]
    fn marks_in_a_text_are_plain_text() {
        let ids = OURS.encode("</s> <s> <unk> <pad>");
        assert!(ids.iter().all(|&id| id > 3), "{ids:?}");
    }

    #[test]
    fn a_stretch_without_blanks_is_spelled_whatever_its_length() {
        let sentence = "我哥哥去年春天领养了一只金毛犬名字叫饼干今年三岁";
        let ours = OURS.encode(&sentence.repeat(1_000));
        let expected = reference(&REFERENCE, &sentence.repeat(1_000));
        // The cuts may fall into a piece.
        assert!(
            ours.len().abs_diff(expected.len()) <= 10,
            "{} {}",
            ours.len(),
            expected.len()
        );
        assert_eq!(ours[..1_000], expected[..1_000]);
        assert!(OURS.encode(&"x".repeat(1_000_000)).len() > 10_000);
    }

    proptest! {
        #[test]
        fn ids_of_mixed_text_equal_the_reference(text in "([a-zA-Z']{0,9}|[0-9]{0,5}|[ \t\n]{0,3}|[，。的一是中国人▁]{0,6}|[-/.,:;!#]{0,4}|[é\u{301}ßÅñ😀ｆก]{0,3}){0,24}") {
            same(&text);
        }
    }
}
