//! Makes JSON text from careless writers readable, without changing what it says otherwise.
//!
//! Two things that occur in real chat logs cannot be kept by any of our stores: half of a surrogate pair (JavaScript
//! and Python write one when they cut an emoji in two) and the NUL character. The first becomes U+FFFD, the second is
//! left out. Both can only come in as `\u` escapes, because raw they are not UTF-8 or not JSON.

use std::borrow::Cow;

/// The bytes of an escape `\uXXXX`.
const ESCAPE_BYTES: usize = 6;

/// The same JSON text with lone surrogates replaced and NUL escapes removed. Borrowed when nothing was wrong.
///
/// Valid pairs stay as they are. Text that is not JSON comes out as something that is not JSON either.
pub(crate) fn repair_json(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut fixed = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(step) = find_backslash(bytes, at) {
        let (next, replacement) = match code_unit(bytes, step) {
            Some(0) => (step + ESCAPE_BYTES, Some("")),
            Some(0xd800..=0xdbff)
                if matches!(code_unit(bytes, step + ESCAPE_BYTES), Some(0xdc00..=0xdfff)) =>
            {
                (step + 2 * ESCAPE_BYTES, None)
            }
            Some(0xd800..=0xdfff) => (step + ESCAPE_BYTES, Some("\\ufffd")),
            Some(_) => (step + ESCAPE_BYTES, None),
            // `\\`, `\n`, … or nonsense: the byte after the backslash does not begin another escape.
            None => (step + 2, None),
        };
        if let Some(replacement) = replacement {
            // Both borders are next to ASCII bytes that were just read, so they are character borders.
            fixed.push_str(text.get(copied..step).unwrap_or_default());
            fixed.push_str(replacement);
            copied = next;
        }
        at = next;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    fixed.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(fixed)
}

/// Text without NUL characters.
pub(crate) fn without_nul(text: String) -> String {
    if text.contains('\0') {
        text.replace('\0', "")
    } else {
        text
    }
}

fn find_backslash(bytes: &[u8], from: usize) -> Option<usize> {
    bytes
        .get(from..)?
        .iter()
        .position(|byte| *byte == b'\\')
        .map(|found| from + found)
}

/// The code unit of the escape `\uXXXX` at that place, if there is one.
fn code_unit(bytes: &[u8], at: usize) -> Option<u16> {
    let escape = bytes.get(at..at.checked_add(ESCAPE_BYTES)?)?;
    let [b'\\', b'u', digits @ ..] = escape else {
        return None;
    };
    digits.iter().try_fold(0_u16, |unit, digit| {
        let value = char::from(*digit).to_digit(16)?;
        Some((unit << 4) | u16::try_from(value).ok()?)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    #[test]
    fn lone_halves_become_the_replacement_character() {
        let table = [
            (r#""a\ud83d""#, "a\u{fffd}"),
            (r#""\ude00b""#, "\u{fffd}b"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}😀"),
            (r#""\ud83d\\ude00""#, "\u{fffd}\\ude00"),
            (r#""\ud83d\n""#, "\u{fffd}\n"),
            (r#""\D83D""#, ""),
            (r#""\ud83d\ude00""#, "😀"),
            (r#""\\ud83d""#, "\\ud83d"),
            (r#""é\ud83d你""#, "é\u{fffd}你"),
        ];
        for (json, expected) in table {
            match serde_json::from_str::<String>(&repair_json(json)) {
                Ok(read) => assert_eq!(read, expected, "{json}"),
                Err(_) => assert_eq!(json, r#""\D83D""#, "only this one is no JSON at all"),
            }
        }
    }

    #[test]
    fn nul_is_left_out_of_values_and_keys() {
        let read: Value =
            serde_json::from_str(&repair_json(r#"{"a\u0000b":"\u0000x\\u0000"}"#)).unwrap();
        assert_eq!(read, serde_json::json!({"ab": "x\\u0000"}));
    }

    #[test]
    fn sound_text_is_not_copied() {
        assert!(matches!(
            repair_json(r#"{"a":"\u00e9 \ud83d\ude00 \\u0000"}"#),
            Cow::Borrowed(_)
        ));
    }

    proptest! {
        #[test]
        fn anything_goes_in_without_harm(text in r#"(\\|u|d|8|3|e|0|"|é|😀|[a-z]){0,60}"#) {
            let once = repair_json(&text).into_owned();
            prop_assert!(repair_json(&once).len() <= once.len());
        }

        #[test]
        fn valid_json_keeps_its_meaning(text in any::<String>()) {
            let json = serde_json::to_string(&text).unwrap();
            let read: String = serde_json::from_str(&repair_json(&json)).unwrap();
            prop_assert_eq!(read, text.replace('\0', ""));
        }

        #[test]
        fn strings_of_any_code_units_can_be_read(units in prop::collection::vec(any::<u16>(), 0..20)) {
            let body: String = units.iter().map(|unit| format!("\\u{unit:04X}")).collect();
            let json = format!("\"{body}\"");
            let read: String = serde_json::from_str(&repair_json(&json)).unwrap();
            prop_assert_eq!(read, String::from_utf16_lossy(&units).replace('\0', ""));
        }
    }
}
