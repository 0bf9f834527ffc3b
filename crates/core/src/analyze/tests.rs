use proptest::prelude::*;

use super::*;

fn asked(text: &str) -> Vec<String> {
    query_terms(text)
}

/// Whether a document is found by a query through at least one term.
fn finds(document: &str, query: &str) -> bool {
    let terms = terms(document);
    query_terms(query)
        .iter()
        .any(|term| terms.contains_key(term))
}

#[test]
fn words_are_stemmed_and_stop_words_go() {
    for (text, wanted) in [
        (
            "What are the hobbies of Caroline?",
            vec!["hobbi", "carolin"],
        ),
        ("Running, runs and RUN", vec!["run"]),
        (
            "Caroline's café isn't open; they'll close",
            vec!["carolin", "cafe", "open", "close"],
        ),
        ("I don't know what it is", vec!["know"]),
        ("the U.S.A. and e.g. 3 p.m.", vec!["usa", "eg", "3", "pm"]),
        ("naïve Straße", vec!["naiv", "strass"]),
        ("книги о книгах", vec!["книг", "о"]),
        ("C++ and c#", vec!["c++", "c", "c#"]),
        ("is it?", vec![]),
        ("", vec![]),
        ("…!? --- ***", vec![]),
    ] {
        assert_eq!(asked(text), wanted, "{text}");
    }
}

#[test]
fn ids_numbers_and_addresses_stay_whole() {
    for (text, wanted) in [
        ("rate 7.1,", vec!["rate", "7.1"]),
        ("$1,299.50!", vec!["1299.50"]),
        ("ORD-2023-881", vec!["ord-2023-881", "ord", "2023", "881"]),
        ("sk-AbC_123x", vec!["sk-abc_123x", "sk", "abc", "123x"]),
        ("v1.2.3", vec!["v1.2.3", "1.2.3"]),
        ("iPhone15 Pro", vec!["iphone15", "15", "iphon", "pro"]),
        ("15kg", vec!["15kg", "15", "kg"]),
        ("at 12:30", vec!["12:30"]),
        (
            "138-0013-8000",
            vec!["138-0013-8000", "13800138000", "138", "0013", "8000"],
        ),
        (
            "john.smith@example.com",
            vec![
                "john.smith@example.com",
                "john.smith",
                "john",
                "smith",
                "example.com",
                "exampl",
                "com",
            ],
        ),
        (
            "see https://example.com/docs?q=1.",
            vec![
                "see",
                "example.com/docs?q=1",
                "example.com",
                "exampl",
                "com",
                "doc",
                "q",
                "1",
            ],
        ),
        ("2023/5/7", vec!["2023-05-07"]),
        ("2023-05-07T10:00:00Z", vec!["2023-05-07", "10:00:00z"]),
        ("2023-05", vec!["2023-05"]),
        ("9999-99-99", vec!["9999-99-99", "99999999", "9999", "99"]),
        ("192.168.0.1", vec!["192.168.0.1"]),
        (
            "{\"mail\":\"a@b.io\"}",
            vec!["mail", "a@b.io", "b.io", "b", "io"],
        ),
    ] {
        let mut wanted = wanted;
        // One-letter words may be stop words; the table does not repeat the list.
        wanted.retain(|term| !stop::is_english_stop(term));
        assert_eq!(asked(text), wanted, "{text}");
    }
}

#[test]
fn dense_scripts_become_pairs() {
    assert_eq!(
        asked("汇率换算"),
        ["汇", "率", "换", "算", "汇率", "率换", "换算"]
    );
    assert_eq!(asked("猫"), ["猫"]);
    assert_eq!(asked("我们的"), Vec::<String>::new());
    assert_eq!(asked("猫が好き"), ["猫", "好", "猫が", "が好", "好き"]);
    assert_eq!(asked("한국어"), ["한국", "국어"]);
    assert_eq!(asked("5月7日"), ["5", "5月", "月", "7", "7日", "日"]);
    assert_eq!(
        asked("去😀👩\u{200d}👩\u{200d}👧"),
        ["😀", "👩\u{200d}👩\u{200d}👧"]
    );
}

#[test]
fn other_spellings_find_each_other() {
    for (document, query) in [
        ("外币汇率换算 used rate 7.1", "汇率换算"),
        ("外币汇率换算 used rate 7.1", "7.1"),
        (
            "去年我们讨论的数据库备份方案已经上线",
            "去年我们讨论的数据库备份方案",
        ),
        ("We met at the café", "CAFE"),
        ("ＡＩ　ｔｏｏｌｓ", "ai"),
        ("well-known", "wellknown"),
        ("an e-mail", "email"),
        ("costs 1299", "$1,299"),
        ("on 2023-05-07", "in May"),
        ("on 2023-05-07", "2023-05"),
        ("call 138-0013-8000", "13800138000"),
        ("her iPhone 15", "iphone15"),
        ("他今年3岁", "3岁"),
        ("http://example.com/x", "example.com/x"),
        ("love it ❤️", "❤"),
        ("don’t like mushrooms", "mushroom"),
        ("ภาษาไทย", "ไทย"),
    ] {
        assert!(
            finds(document, query),
            "{query} in {document}: {:?} / {:?}",
            query_terms(query),
            terms(document)
        );
    }
    for (document, query) in [
        ("rate 7.10", "7.1"),
        ("我们的", "他们的"),
        ("likes tea", "the"),
        ("2023-05-08", "2023-05-07"),
    ] {
        assert!(!finds(document, query), "{query} in {document}");
    }
}

#[test]
fn counts_are_occurrences() {
    let terms = terms("tea, tea and more Tea; 茶茶");
    assert_eq!(terms.get("tea"), Some(&3));
    assert_eq!(terms.get("茶"), Some(&2));
    assert_eq!(terms.get("茶茶"), Some(&1));
}

#[test]
fn speaker_and_day_are_terms() {
    let terms = index_terms(
        Some("Caroline"),
        Some("2023-05-07T09:00:00+02:00"),
        "went hiking",
    );
    for term in [
        "carolin",
        "2023-05-07",
        "2023-05",
        "2023",
        "may",
        "2023年",
        "5月",
        "7",
        "hike",
    ] {
        assert!(terms.contains_key(term), "{term} in {terms:?}");
    }
    assert_eq!(
        index_terms(None, Some("soon"), "went hiking"),
        super::terms("went hiking")
    );
    assert_eq!(
        index_terms(None, Some("2023-13-07"), "went hiking"),
        super::terms("went hiking")
    );
    assert_eq!(
        index_terms(None, Some("2023-05-071"), "went hiking"),
        super::terms("went hiking")
    );
}

#[test]
fn everything_is_bounded() {
    let long = "家".repeat(ANALYZE_BYTES_MAX);
    assert!(terms(&long).values().sum::<u32>() as usize <= 2 * ANALYZE_BYTES_MAX / 3);
    let many: String = (0..1000).map(|number| format!("word{number} ")).collect();
    assert_eq!(query_terms(&many).len(), QUERY_TERMS_MAX);
    for hostile in [
        "a'".repeat(40_000),
        "x's".repeat(30_000),
        "a/".repeat(40_000),
        "a@".repeat(40_000),
        "-1".repeat(40_000),
        "z".repeat(80_000),
        "e\u{301}".repeat(30_000),
        "ﷺ".repeat(20_000),
    ] {
        assert!(
            terms(&hostile)
                .keys()
                .all(|term| term.chars().count() <= TERM_CHARS_MAX)
        );
    }
}

#[test]
fn sequence_keeps_every_word_in_order() {
    assert_eq!(
        sequence("She doesn't like TEA, at 7.1%!"),
        ["she", "doesn't", "like", "tea", "at", "7.1"]
    );
    assert_eq!(sequence("他不喜欢茶。"), ["他", "不", "喜", "欢", "茶"]);
}

/// Text of the kinds of characters that take different ways through the analyser.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[a-z0-9A-Z '’@./:,_+#%-]{0,60}",
        "[的一-龥ぁ-んァ-ヶ가-힣ก-๙а-я0-9年月 .-]{0,40}",
        "(20[0-9]{2}[-/.年][0-9]{1,2}[-/.月][0-9]{1,2}[T日 ]?){0,4}",
        "[😀❤👩👧\u{200d}\u{fe0f}🇩🇪1️⃣a ]{0,20}"
    ]
}

proptest! {
    #[test]
    fn a_text_finds_itself_by_every_term(text in text()) {
        let terms = terms(&text);
        for term in query_terms(&text) {
            prop_assert!(terms.contains_key(&term), "{term:?} of {text:?}");
        }
    }

    #[test]
    fn query_terms_are_distinct_and_not_empty(text in text()) {
        let asked = query_terms(&text);
        prop_assert_eq!(asked.iter().collect::<HashSet<_>>().len(), asked.len());
        prop_assert!(asked.iter().all(|term| !term.trim().is_empty()));
    }

    #[test]
    fn case_and_width_make_no_difference(text in "[a-z0-9 .@-]{0,40}") {
        let wide: String = text.chars().map(|letter| match letter {
            ' ' => ' ',
            _ => char::from_u32(u32::from(letter) + 0xfee0).unwrap(),
        }).collect();
        prop_assert_eq!(terms(&text), terms(&wide.to_uppercase()));
    }

    #[test]
    fn any_day_text_is_taken(date in any::<String>(), text in text()) {
        let indexed = index_terms(Some(&date), Some(&date), &text);
        prop_assert!(terms(&text).keys().all(|term| indexed.contains_key(term)));
        prop_assert!(sequence(&text).iter().all(|piece| !piece.is_empty()));
    }
}
