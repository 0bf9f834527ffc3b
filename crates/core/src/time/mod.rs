//! Time as the product keeps it: microseconds since 1970 in UTC, and intervals with a precision.
//!
//! Calendar arithmetic goes through jiff; nothing here asks what time it is.

pub mod expression;
pub mod message;

use std::fmt;

use jiff::tz::TimeZone;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A moment: microseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

/// Seconds in one day of 24 hours.
pub const SECONDS_PER_DAY: i64 = 86_400;

/// Microseconds in one second.
pub const MICROS_PER_SECOND: i64 = 1_000_000;

impl Timestamp {
    /// The moment as jiff's type; moments outside jiff's range (years -9999 to 9999) are moved to its border.
    #[must_use]
    pub fn to_jiff(self) -> jiff::Timestamp {
        jiff::Timestamp::from_microsecond(self.0).unwrap_or(if self.0 < 0 {
            jiff::Timestamp::MIN
        } else {
            jiff::Timestamp::MAX
        })
    }

    /// From jiff's type.
    #[must_use]
    pub fn from_jiff(at: jiff::Timestamp) -> Self {
        Self(at.as_microsecond())
    }

    /// Reads an RFC 3339 text with an explicit zone.
    #[must_use]
    pub fn parse_rfc3339(text: &str) -> Option<Self> {
        text.trim()
            .parse::<jiff::Timestamp>()
            .ok()
            .map(Self::from_jiff)
    }

    /// This moment moved by seconds, stopping at the ends of the range.
    #[must_use]
    pub fn plus_seconds(self, seconds: i64) -> Self {
        Self(
            self.0
                .saturating_add(seconds.saturating_mul(MICROS_PER_SECOND)),
        )
    }

    /// `2026/11/29` in that zone: the date of Memobase's text forms.
    #[must_use]
    pub fn date_slashed(self, zone: &TimeZone) -> String {
        self.to_jiff()
            .to_zoned_datetime(zone.clone())
            .strftime("%Y/%m/%d")
            .to_string()
    }

    /// `2026-11-29` in that zone.
    #[must_use]
    pub fn date_iso(self, zone: &TimeZone) -> String {
        self.to_jiff()
            .to_zoned_datetime(zone.clone())
            .strftime("%Y-%m-%d")
            .to_string()
    }
}

/// `2026-11-29T22:35:00.123456Z`: always six digits and `Z`, as Memobase's SDKs expect.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_jiff().strftime("%Y-%m-%dT%H:%M:%S.%6fZ"))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse_rfc3339(&text)
            .ok_or_else(|| serde::de::Error::custom("not an RFC 3339 time with a zone"))
    }
}

/// How exactly a time is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// To the minute or better.
    Minute,
    /// A part of a day: morning, evening.
    DayPart,
    /// A calendar day.
    Day,
    /// A week or a weekend.
    Week,
    /// A calendar month.
    Month,
    /// A season or quarter.
    Season,
    /// A calendar year.
    Year,
    /// Longer than a year.
    Era,
}

impl Precision {
    /// All precisions, finest first.
    pub const ALL: [Self; 8] = [
        Self::Minute,
        Self::DayPart,
        Self::Day,
        Self::Week,
        Self::Month,
        Self::Season,
        Self::Year,
        Self::Era,
    ];

    /// The name in the stores.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Minute => "minute",
            Self::DayPart => "day_part",
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Season => "season",
            Self::Year => "year",
            Self::Era => "era",
        }
    }

    /// The precision of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|precision| precision.as_str() == name)
    }
}

/// When something happened: the half-open interval `[from, to)` and how exactly that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Happened {
    /// The first moment.
    pub from: Timestamp,
    /// The first moment after it.
    pub to: Timestamp,
    /// The unit that the words named.
    pub precision: Precision,
}

/// What relative words in a message are resolved against: the message's own time, in the message's own zone.
#[derive(Debug, Clone, PartialEq)]
pub struct Anchor {
    /// When the message was said.
    pub at: Timestamp,
    /// In which zone its days begin.
    pub zone: TimeZone,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_has_six_digits_and_round_trips() {
        for micros in [0, 1, 1_700_000_000_123_456, -1, 253_402_207_200_000_000] {
            let at = Timestamp(micros);
            let text = at.to_string();
            assert!(text.ends_with('Z') && text.len() == 27, "{text}");
            assert_eq!(Timestamp::parse_rfc3339(&text), Some(at));
        }
    }

    #[test]
    fn out_of_range_does_not_panic() {
        let _ = Timestamp(i64::MAX).to_string();
        let _ = Timestamp(i64::MIN).to_string();
    }

    #[test]
    fn dates_follow_the_zone() {
        let late = Timestamp::parse_rfc3339("2026-06-02T00:30:00Z").expect("valid");
        let zone = TimeZone::fixed(jiff::tz::offset(-5));
        assert_eq!(late.date_iso(&zone), "2026-06-01");
        assert_eq!(late.date_slashed(&TimeZone::UTC), "2026/06/02");
    }
}
