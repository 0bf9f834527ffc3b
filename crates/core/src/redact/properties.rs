//! What holds for every text: once is enough, the rest stays, and long texts take linear time.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::secrets;

/// Long inputs that invite a scan to look far from each hit.
#[test]
fn long_input_takes_linear_time() {
    const BYTES: usize = 100 * 1024;
    let repeated = |part: &str| part.repeat(BYTES / part.len());
    let inputs = [
        "password is ",
        "password=",
        "password: \"",
        "password for ",
        "passphrase is horse ",
        "token ",
        "sk-",
        "eyJ.",
        "a://b:c/",
        "-----BEGIN ",
        "-----BEGIN RSA PRIVATE KEY-----\n",
        "4111 ",
        "4111-1111-1111-1112 ",
        "authorization: ",
        "what ",
        "密码是",
        "密码：",
        "password: $",
        "x",
        "[redacted: password] password: P ",
        "an ordinary sentence about nothing in particular. ",
    ];
    for part in inputs {
        let text = repeated(part);
        let begin = Instant::now();
        let _ = secrets(&text);
        let took = begin.elapsed();
        let once = secrets(&text).into_owned();
        assert!(secrets(&once) == once, "{part:?} twice");
        // The usual without optimisation is 1 to 300 ms; a quadratic scan takes many seconds.
        assert!(took < Duration::from_secs(4), "{part:?}: {took:?}");
    }
}

/// Pieces that the scans look at, glued together at random.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[ -~]{0,6}",
        "\\PC{0,4}",
        prop::sample::select(vec![
            "password",
            " is ",
            "pwd",
            "=",
            ": ",
            "\"",
            "'",
            "\\",
            "api key",
            "secret",
            "token",
            "key",
            "passphrase",
            "密码",
            "是",
            "：",
            "口令",
            "密钥",
            "，",
            "what ",
            "?",
            ".",
            "\n",
            " ",
            "sk-",
            "a1b2c3d4e5f6",
            "eyJ",
            "postgres://u:",
            "@h",
            "Authorization: Bearer ",
            "-----BEGIN PRIVATE KEY-----",
            "-----END PRIVATE KEY-----",
            "4111 1111 1111 1111",
            "-",
            "1",
            "[redacted: password]",
            "[redacted: ",
            "]",
            " for ",
            " to ",
            "changed ",
            "(",
            ")",
            ", it is ",
            "horse battery staple dog ",
            "芝麻",
            "hunter2",
            "AKIAIOSFODNN7EXAMPLE",
            "--",
            "==",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn twice_is_once(text in pieces()) {
        let once = secrets(&text).into_owned();
        prop_assert_eq!(secrets(&once), once.as_str());
    }

    #[test]
    fn any_text_is_survived(text in any::<String>()) {
        let _ = secrets(&text);
    }

    #[test]
    fn text_without_evidence_is_lent_back(text in "[b-df-jl-oq-rt-vx-z0-9 .,!?\n]{0,80}") {
        prop_assume!(text.bytes().filter(u8::is_ascii_digit).count() < 13);
        prop_assert!(matches!(secrets(&text), Cow::Borrowed(_)));
    }

    #[test]
    fn a_planted_secret_is_gone(
        before in "[a-z ,.]{0,30}",
        secret in "[A-Za-z0-9]{3,6}[0-9][A-Z][!@#$%^*+_-]?[0-9]{2}",
        after in "[a-z ,.]{0,30}",
        form in prop::sample::select(vec![
            "my password is @S@", "password: @S@", "pwd=@S@", "密码是@S@", "密码：@S@", "api key is @S@",
            "postgres://u:@S@@h/db", "{\"password\": \"@S@\"}", "my secret = @S@", "password for the x is @S@",
        ]),
    ) {
        let text = format!("{before}\n{} {after}", form.replace("@S@", &secret));
        let clean = secrets(&text).into_owned();
        prop_assert!(!clean.contains(&secret), "{}", clean);
        prop_assert!(clean.starts_with(&before));
        prop_assert!(clean.ends_with(&after));
    }
}
