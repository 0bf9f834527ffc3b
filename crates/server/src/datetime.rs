//! The moments that clients send: RFC 3339, ISO 8601 with or without a zone, a bare date, or seconds since 1970.

use jiff::civil;
use jiff::tz::TimeZone;
use mneme_core::time::{MICROS_PER_SECOND, Timestamp};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Numbers above this are taken as milliseconds; as seconds they would be after the year 2600.
const SECONDS_MAX: f64 = 2e10;

/// The moment that a JSON value names. Text without a zone is UTC, a bare date its midnight.
pub(crate) fn read(value: &Value) -> Option<Timestamp> {
    match value {
        Value::String(text) => read_text(text.trim()),
        Value::Number(number) => from_seconds(number.as_f64()?),
        _ => None,
    }
}

/// For `deserialize_with`: a moment or `null`.
pub(crate) fn maybe<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Timestamp>, D::Error> {
    match Option::<Value>::deserialize(deserializer)? {
        None => Ok(None),
        Some(value) => read(&value)
            .map(Some)
            .ok_or_else(|| D::Error::custom("Input should be a valid datetime")),
    }
}

fn read_text(text: &str) -> Option<Timestamp> {
    if let Some(at) = Timestamp::parse_rfc3339(text) {
        return Some(at);
    }
    if let Ok(number) = text.parse::<f64>() {
        return from_seconds(number);
    }
    let local = text
        .parse::<civil::DateTime>()
        .or_else(|_| text.parse::<civil::Date>().map(civil::DateTime::from))
        .ok()?;
    TimeZone::UTC
        .to_timestamp(local)
        .ok()
        .map(Timestamp::from_jiff)
}

fn from_seconds(number: f64) -> Option<Timestamp> {
    let seconds = if number.abs() > SECONDS_MAX {
        number / 1000.0
    } else {
        number
    };
    if !seconds.is_finite() || seconds.abs() > SECONDS_MAX {
        return None;
    }
    // In range by the check above: 2e16 microseconds fit easily.
    Some(Timestamp(
        (seconds * MICROS_PER_SECOND as f64).round() as i64
    ))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn usual_spellings() {
        let table = [
            (json!("2025-01-14T10:00:00Z"), "2025-01-14T10:00:00.000000Z"),
            (
                json!("2025-01-14T10:00:00.123Z"),
                "2025-01-14T10:00:00.123000Z",
            ),
            (
                json!("2025-01-14T10:00:00+08:00"),
                "2025-01-14T02:00:00.000000Z",
            ),
            (json!("2025-01-14T10:00:00"), "2025-01-14T10:00:00.000000Z"),
            (json!("2025-01-14 10:00"), "2025-01-14T10:00:00.000000Z"),
            (json!("2025-01-14"), "2025-01-14T00:00:00.000000Z"),
            (
                json!("2025-01-14T10:00:00.123456789-05:00"),
                "2025-01-14T15:00:00.123456Z",
            ),
            (json!(0), "1970-01-01T00:00:00.000000Z"),
            (json!(1_736_848_800), "2025-01-14T10:00:00.000000Z"),
            (json!(1_736_848_800_000_i64), "2025-01-14T10:00:00.000000Z"),
            (json!("1736848800"), "2025-01-14T10:00:00.000000Z"),
        ];
        for (value, expected) in table {
            assert_eq!(
                read(&value).map(|at| at.to_string()).as_deref(),
                Some(expected),
                "{value}"
            );
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for value in [
            json!("yesterday"),
            json!(""),
            json!("2025-13-01"),
            json!(1e300),
            json!(true),
            json!([]),
            json!("nan"),
            json!("inf"),
        ] {
            assert_eq!(read(&value), None, "{value}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(text in any::<String>(), number in any::<f64>()) {
            let _ = (read(&json!(text)), read(&json!(number)));
        }
    }
}
