//! The query string, read leniently from its raw text.
//!
//! The Python SDK builds query strings by hand: doubled ampersands between list items, raw brackets, braces,
//! backslashes and colons, stray percent signs. Nothing of that is an error here.
//!
//! What the HTTP library itself lets through in a request target was measured: everything printable in ASCII but
//! `"`, `<`, `>` and blank, and UTF-8 beyond ASCII. All known clients escape these four themselves.

use percent_encoding::percent_decode;
use serde::de::IgnoredAny;

use crate::repair::{repair_json, without_nul};

/// Parameters that carry JSON: their text is put together again where a raw `&` cut it.
const JSON_KEYS: [&str; 3] = ["chats_str", "topic_limits_json", "topic_limits"];

/// Segments that may be looked at in all to put cut values together again; keeps hostile queries cheap.
const MEND_STEPS_MAX: usize = 512;

/// A query's parameters in the order they came.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Query {
    pairs: Vec<(String, String)>,
}

impl Query {
    /// Reads a raw query string; every text is a query.
    pub(crate) fn parse(raw: &str) -> Self {
        let segments: Vec<&str> = raw.split('&').collect();
        let mut pairs = Vec::new();
        let mut steps_left = MEND_STEPS_MAX;
        let mut rest = segments.as_slice();
        while let Some((segment, after)) = rest.split_first() {
            rest = after;
            if segment.is_empty() {
                continue;
            }
            let (key, value) = segment.split_once('=').unwrap_or((segment, ""));
            let (key, mut value) = (decode(key), decode(value));
            if JSON_KEYS.contains(&key.as_str())
                && let Some((whole, used)) = mend(&value, rest, &mut steps_left)
            {
                value = whole;
                rest = rest.get(used..).unwrap_or_default();
            }
            pairs.push((key, value));
        }
        Self { pairs }
    }

    /// The value of a parameter that is not a list: the last one wins.
    pub(crate) fn last(&self, key: &str) -> Option<&str> {
        self.pairs
            .iter()
            .rev()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value.as_str())
    }

    /// All values of a parameter that is a list; `None` when it was not given.
    pub(crate) fn all(&self, key: &str) -> Option<Vec<&str>> {
        let values: Vec<&str> = self
            .pairs
            .iter()
            .filter(|(name, _)| name == key)
            .map(|(_, value)| value.as_str())
            .collect();
        (!values.is_empty()).then_some(values)
    }
}

/// `+` is a blank, `%XX` a byte, a stray `%` itself; bytes that are not UTF-8 become U+FFFD, NUL goes.
fn decode(text: &str) -> String {
    let bytes: Vec<u8> = text
        .bytes()
        .map(|byte| if byte == b'+' { b' ' } else { byte })
        .collect();
    let decoded: Vec<u8> = percent_decode(&bytes).collect();
    without_nul(String::from_utf8_lossy(&decoded).into_owned())
}

/// Puts JSON together again that a raw `&` cut: takes over the segments after it, up to the first at which the text
/// is complete. Returns the text and how many segments it took; `None` when the value is complete as it is, or never
/// becomes complete.
fn mend(value: &str, rest: &[&str], steps_left: &mut usize) -> Option<(String, usize)> {
    let closing = match value.trim_start().chars().next()? {
        '[' => ']',
        '{' => '}',
        _ => return None,
    };
    if is_json(value) {
        return None;
    }
    let mut text = value.to_owned();
    for (index, segment) in rest.iter().enumerate() {
        *steps_left = steps_left.checked_sub(1)?;
        text.push('&');
        text.push_str(&decode(segment));
        if text.trim_end().ends_with(closing) && is_json(&text) {
            return Some((text, index + 1));
        }
    }
    None
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(&repair_json(text)).is_ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn python_joins_lists_with_two_ampersands() {
        let query = Query::parse("max_token_size=1000&prefer_topics=a&&prefer_topics=b&&&x");
        assert_eq!(query.all("prefer_topics"), Some(vec!["a", "b"]));
        assert_eq!(query.last("max_token_size"), Some("1000"));
        assert_eq!(query.last("x"), Some(""));
        assert_eq!(query.all("only_topics"), None);
    }

    #[test]
    fn the_last_scalar_wins_and_blank_values_stay() {
        let query = Query::parse("a=1&a=2&b=&c=x=y");
        assert_eq!(query.last("a"), Some("2"));
        assert_eq!(query.last("b"), Some(""));
        assert_eq!(query.last("c"), Some("x=y"));
    }

    #[test]
    fn decoding_is_lenient() {
        let table = [
            ("a+b%20c", "a b c"),
            ("100%%20", "100% "),
            ("%", "%"),
            ("%zz%4", "%zz%4"),
            ("%e4%bd%a0", "你"),
            ("%ff", "\u{fffd}"),
            ("é你", "é你"),
            ("%00a", "a"),
            ("[{\\\"}]:,", "[{\\\"}]:,"),
        ];
        for (raw, expected) in table {
            assert_eq!(decode(raw), expected, "{raw}");
        }
    }

    #[test]
    fn the_http_library_lets_raw_json_through() {
        let target =
            |query: &str| axum::http::uri::PathAndQuery::try_from(format!("/api/v1/users?{query}"));
        for byte in (b'!'..=b'~').filter(|byte| !b"\"<>#".contains(byte)) {
            let query = format!("q=%{}é你", char::from(byte));
            assert_eq!(target(&query).unwrap().query(), Some(query.as_str()));
        }
        for refused in ["\"", "<", ">", " ", "\u{7f}"] {
            assert!(
                target(refused).is_err(),
                "{refused}: when this changes, so must the words at the top of this file"
            );
        }
        assert_eq!(target("a=1#b").unwrap().query(), Some("a=1"));
    }

    #[test]
    fn chats_cut_by_an_ampersand_are_put_together_again() {
        let query = Query::parse(
            r#"chats_str=[{"role":"user","content":"a%20&%20b&&c=1"}]&max_token_size=5"#,
        );
        assert_eq!(
            query.last("chats_str"),
            Some(r#"[{"role":"user","content":"a & b&&c=1"}]"#)
        );
        assert_eq!(query.last("max_token_size"), Some("5"));
        assert_eq!(
            query.last("c"),
            None,
            "what belongs to the chats is no parameter"
        );
    }

    #[test]
    fn chats_that_never_end_leave_the_other_parameters_alone() {
        let query = Query::parse("chats_str=[{&topk=3");
        assert_eq!(query.last("chats_str"), Some("[{"));
        assert_eq!(query.last("topk"), Some("3"));
        let query = Query::parse("chats_str=[]&topk=3]");
        assert_eq!(
            (query.last("chats_str"), query.last("topk")),
            (Some("[]"), Some("3]"))
        );
    }

    #[test]
    fn limits_are_mended_too() {
        let query = Query::parse(r#"topic_limits_json={"a&b":1}"#);
        assert_eq!(query.last("topic_limits_json"), Some(r#"{"a&b":1}"#));
    }

    #[test]
    fn hostile_queries_stay_cheap() {
        let raw = format!("chats_str=[\"{}", "&]".repeat(20_000));
        assert_eq!(
            Query::parse(&raw).all("]").map(|all| all.len()),
            Some(20_000)
        );
        let raw = "chats_str=[&".repeat(5_000);
        assert_eq!(
            Query::parse(&raw).all("chats_str").map(|all| all.len()),
            Some(5_000)
        );
    }

    proptest! {
        #[test]
        fn every_text_is_a_query(raw in any::<String>()) {
            let _ = Query::parse(&raw);
        }

        #[test]
        fn nothing_that_looks_like_chats_panics(raw in r#"(chats_str|topic_limits|=|&|\[|\]|\{|\}|"|%|%2|%22|\+|é|\\|:|,|1){0,40}"#) {
            let _ = Query::parse(&raw);
        }

        #[test]
        fn chats_with_any_ampersands_survive(words in prop::collection::vec("[a-z&=]{0,8}", 1..6)) {
            let chats = serde_json::to_string(&words).unwrap();
            let query = Query::parse(&format!("x=1&chats_str={chats}&y=2"));
            prop_assert_eq!(query.last("chats_str"), Some(chats.as_str()));
            prop_assert_eq!(query.last("y"), Some("2"));
        }

        #[test]
        fn escaped_text_comes_back(text in "[^\0]{0,40}") {
            let escaped = percent_encoding::utf8_percent_encode(&text, percent_encoding::NON_ALPHANUMERIC).to_string();
            let query = Query::parse(&format!("q={escaped}"));
            prop_assert_eq!(query.last("q"), Some(text.as_str()));
        }
    }
}
