//! How text in a query becomes a flag or a number: the leniency that Memobase's clients rely on.

use std::borrow::Cow;

/// Integers are moved into this range, so that arithmetic on them further inside cannot overflow.
pub(crate) const INT_ABS_MAX: i64 = 1_000_000_000_000;

/// A flag: `true`/`false`, `1`/`0`, `t`/`f`, `y`/`n`, `yes`/`no`, `on`/`off`, in any case.
pub(crate) fn flag(text: &str) -> Option<bool> {
    let is_one_of = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    if is_one_of(&["true", "1", "t", "y", "yes", "on"]) {
        Some(true)
    } else if is_one_of(&["false", "0", "f", "n", "no", "off"]) {
        Some(false)
    } else {
        None
    }
}

/// An integer: blanks around it, a sign, single underscores between digits and a fraction of zeros are all right.
/// Values beyond [`INT_ABS_MAX`] are moved to it.
pub(crate) fn int(text: &str) -> Option<i64> {
    let text = without_underscores(text.trim())?;
    let (negative, digits) = match text.strip_prefix(['+', '-']) {
        Some(digits) => (text.starts_with('-'), digits),
        None => (false, text.as_ref()),
    };
    let whole = match digits.split_once('.') {
        Some((whole, zeros)) if zeros.bytes().all(|byte| byte == b'0') => whole,
        Some(_) => return None,
        None => digits,
    };
    if whole.is_empty() || !whole.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = whole.bytes().fold(0_i64, |size, byte| {
        size.saturating_mul(10)
            .saturating_add(i64::from(byte - b'0'))
            .min(INT_ABS_MAX)
    });
    Some(if negative { -size } else { size })
}

/// A number, `nan` and `inf` included.
pub(crate) fn float(text: &str) -> Option<f64> {
    without_underscores(text.trim())?.parse().ok()
}

/// Underscores may stand between two digits and nowhere else.
fn without_underscores(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('_') {
        return Some(Cow::Borrowed(text));
    }
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = text.as_bytes();
    let sound = bytes
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'_')
        .all(|(at, _)| at > 0 && is_digit(bytes.get(at - 1)) && is_digit(bytes.get(at + 1)));
    sound.then(|| Cow::Owned(text.replace('_', "")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn flags() {
        for text in ["True", "TRUE", "true", "1", "t", "Y", "yes", "On"] {
            assert_eq!(flag(text), Some(true), "{text}");
        }
        for text in ["False", "0", "f", "N", "no", "OFF"] {
            assert_eq!(flag(text), Some(false), "{text}");
        }
        for text in ["", "maybe", "2", " true", "truee"] {
            assert_eq!(flag(text), None, "{text}");
        }
    }

    #[test]
    fn integers() {
        let table = [
            ("10", Some(10)),
            (" 10 ", Some(10)),
            ("10.0", Some(10)),
            ("1_0", Some(10)),
            ("+5", Some(5)),
            ("-3", Some(-3)),
            ("-0", Some(0)),
            ("", None),
            ("1e1", None),
            ("10.5", None),
            ("abc", None),
            ("_1", None),
            ("1_", None),
            ("1__0", None),
            ("+-1", None),
            ("١", None),
            ("99999999999999999999999999", Some(INT_ABS_MAX)),
            ("-99999999999999999999999999", Some(-INT_ABS_MAX)),
        ];
        for (text, expected) in table {
            assert_eq!(int(text), expected, "{text:?}");
        }
    }

    #[test]
    fn floats() {
        assert_eq!(float(" 0.200000"), Some(0.2));
        assert_eq!(float("1e-1"), Some(0.1));
        assert_eq!(float("inf"), Some(f64::INFINITY));
        assert!(float("NaN").is_some_and(f64::is_nan));
        for text in ["", ".", "x", "0,2", "n_an", "1_"] {
            assert_eq!(float(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn never_panics_and_stays_in_range(text in any::<String>()) {
            let _ = (flag(&text), float(&text));
            prop_assert!(int(&text).is_none_or(|value| value.abs() <= INT_ABS_MAX));
        }

        #[test]
        fn reads_what_is_written(value in -INT_ABS_MAX..=INT_ABS_MAX) {
            prop_assert_eq!(int(&value.to_string()), Some(value));
        }
    }
}
