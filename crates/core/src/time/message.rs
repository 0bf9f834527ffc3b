//! The free-form time of a message or transcript heading.
//!
//! A text is read whole or not at all: every token must belong to a date, a clock time, a zone or a weekday. What is
//! fictional ("year 3 of the war"), ambiguous (03/04/2023) or contradictory (a wrong weekday) has no time.

#[cfg(test)]
mod tests;

use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::tz::{Offset, TimeZone};

use super::expression::chinese::cursor::{Cursor, HALVES, clock_time, folded};
use super::expression::token::{Kind, Token, tokens};
use super::expression::written::{clock, date, named_date, number, numeric_date, numeric_month};
use super::expression::{instant, lexicon};
use super::{Anchor, MICROS_PER_SECOND, Precision, SECONDS_PER_DAY, Timestamp};

/// From a day's midnight to its noon.
const HALF_DAY_SECONDS: i64 = SECONDS_PER_DAY / 2;

/// Longer texts are no dates.
const MAX_BYTES: usize = 128;

/// When a message was said.
#[derive(Debug, Clone, PartialEq)]
pub struct MessageTime {
    /// The moment; of a bare day its beginning, of a bare month its first day's.
    pub at: Timestamp,
    /// The zone in which the message's days begin: the one that the text names, else the default.
    pub zone: TimeZone,
    /// Minute with a clock time, else day or month.
    pub precision: Precision,
}

impl MessageTime {
    /// What the message's words are resolved against. A date without a time of day stands for its noon: "this morning"
    /// was before it and "tonight" comes after.
    #[must_use]
    pub fn anchor(self) -> Anchor {
        let at = match self.precision {
            Precision::Day => self.at.plus_seconds(HALF_DAY_SECONDS),
            _ => self.at,
        };
        Anchor {
            at,
            zone: self.zone,
        }
    }
}

/// The latest moment at which a message of that anchor may have been said: a noon may stand for its whole day, see
/// [`MessageTime::anchor`].
#[must_use]
pub fn latest(at: Timestamp, zone: &TimeZone) -> Timestamp {
    let time = at.to_jiff().to_zoned_datetime(zone.clone()).time();
    if time == jiff::civil::time(12, 0, 0, 0) {
        at.plus_seconds(HALF_DAY_SECONDS)
    } else {
        at
    }
}

/// Reads a time such as `2023-05-08T13:56:00-05:00`, `2026/11/29 10:05`, `1:56 pm on 8 May, 2023`, `May 8, 2023`,
/// `2023年5月8日 下午3点20分`, `20230508`, `1683554160` or `Mon, 08 May 2023 13:56:00 +0000`.
///
/// Texts without an offset or zone are in `default_zone`. None for anything that is not surely one date of the years
/// 1 to 9999.
#[must_use]
pub fn read(text: &str, default_zone: &TimeZone) -> Option<MessageTime> {
    let text = text.trim();
    let text = text
        .strip_prefix(['[', '('])
        .and_then(|inner| inner.strip_suffix([']', ')']))
        .unwrap_or(text)
        .trim();
    if text.is_empty() || text.len() > MAX_BYTES {
        return None;
    }
    if let Some(at) = unix(text) {
        return in_years(at).then(|| MessageTime {
            at,
            zone: default_zone.clone(),
            precision: Precision::Minute,
        });
    }
    let plain = folded(text);
    let cut = tokens(&plain);
    let mut reader = Reader {
        text: &plain,
        tokens: &cut,
        at: 0,
        day: None,
        month: None,
        time: None,
        zone: None,
        weekday: None,
    };
    while reader.at < cut.len() {
        let before = reader.at;
        reader.step()?;
        if reader.at <= before {
            return None;
        }
    }
    reader.finish(default_zone)
}

/// Unix seconds of ten digits, with or without a fraction, or milliseconds of thirteen.
fn unix(text: &str) -> Option<Timestamp> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| {
        !part.is_empty() && part.len() <= 13 && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    let value: i64 = whole.parse().ok()?;
    match whole.len() {
        10 => {
            let micros: i64 = format!("{:0<6}", fraction.get(..fraction.len().min(6))?)
                .parse()
                .ok()?;
            Some(Timestamp(
                value.checked_mul(MICROS_PER_SECOND)?.checked_add(micros)?,
            ))
        }
        13 if fraction == "0" => Some(Timestamp(value.checked_mul(1000)?)),
        _ => None,
    }
}

fn in_years(at: Timestamp) -> bool {
    (1..=9999).contains(&at.to_jiff().to_zoned_datetime(TimeZone::UTC).year())
}

struct Reader<'a> {
    text: &'a str,
    tokens: &'a [Token<'a>],
    at: usize,
    day: Option<Date>,
    month: Option<(i16, i8)>,
    time: Option<Time>,
    zone: Option<TimeZone>,
    weekday: Option<Weekday>,
}

impl<'a> Reader<'a> {
    /// Reads one part, or gives up on the whole text.
    fn step(&mut self) -> Option<()> {
        let token = self.tokens.get(self.at)?;
        let dated = self.day.is_some() || self.month.is_some();
        if !dated && self.read_date() {
            return Some(());
        }
        if self.time.is_none() && self.read_time() {
            return Some(());
        }
        if self.time.is_some() && self.zone.is_none() && self.read_zone() {
            return Some(());
        }
        if self.weekday.is_none() && self.read_weekday() {
            return Some(());
        }
        let between = token.text == ","
            || token.text == "，"
            || token.one_of(&["on", "at", "of"])
            || token.is("t") && token.glued && dated
            || token.text == "-" && !token.glued && dated
            || token.text == "." && self.weekday.is_some() && token.glued && !dated;
        if between {
            self.at += 1;
        }
        between.then_some(())
    }

    fn read_date(&mut self) -> bool {
        if let Some((day, next)) = numeric_date(self.tokens, self.at)
            .or_else(|| self.compact_date())
            .or_else(|| self.day_first())
        {
            (self.day, self.at) = (Some(day), next);
            return true;
        }
        if let Some((year, month, next)) =
            numeric_month(self.tokens, self.at).filter(|(year, _, _)| *year >= 1)
        {
            (self.month, self.at) = (Some((year, month)), next);
            return true;
        }
        if let Some(named) = named_date(self.tokens, self.at) {
            let Some(year) = named.year else { return false };
            self.at = named.next;
            match named.day {
                Some(day) => self.day = Date::new(year, named.month, day).ok(),
                None => self.month = Some((year, named.month)),
            }
            return self.day.is_some() || self.month.is_some();
        }
        self.han_date()
    }

    /// `20230508`, perhaps with `T135600` behind.
    fn compact_date(&self) -> Option<(Date, usize)> {
        let value = number(self.tokens, self.at, 8..=8)?;
        Some((
            date(value / 10_000, value / 100 % 100, value % 100)?,
            self.at + 1,
        ))
    }

    /// `29/11/2023`, `11/29/2023`: only when one part can be no month. `05/05/2023` is clear as well.
    fn day_first(&self) -> Option<(Date, usize)> {
        let at = self.at;
        let separator = self.tokens.get(at + 1)?.text;
        let tight =
            (at + 1..at + 5).all(|index| self.tokens.get(index).is_some_and(|token| token.glued));
        if !matches!(separator, "/" | "-" | ".")
            || self.tokens.get(at + 3)?.text != separator
            || !tight
        {
            return None;
        }
        let (first, second) = (
            number(self.tokens, at, 1..=2)?,
            number(self.tokens, at + 2, 1..=2)?,
        );
        let year = number(self.tokens, at + 4, 4..=4)?;
        let (month, day) = match (first > 12, second > 12) {
            (true, false) => (second, first),
            (false, true) => (first, second),
            (false, false) if first == second => (first, second),
            _ => return None,
        };
        Some((date(year, month, day)?, at + 5))
    }

    /// `2023年5月8日`, `2023年5月`.
    fn han_date(&mut self) -> bool {
        let Some(mut cursor) = self.cursor() else {
            return false;
        };
        let Some(year) = cursor.four_digits().filter(|year| *year >= 1) else {
            return false;
        };
        cursor.space();
        if !cursor.eat("年") {
            return false;
        }
        cursor.space();
        let Some(month) = cursor.number().filter(|month| (1..=12).contains(month)) else {
            return false;
        };
        cursor.space();
        if !cursor.eat("月") {
            return false;
        }
        let month_end = cursor;
        cursor.space();
        match cursor.number() {
            Some(day) => {
                cursor.space();
                if !cursor.eat_any(&["日", "号"]) {
                    return false;
                }
                self.day = date(year, month, day);
            }
            None => {
                cursor = month_end;
                self.month = i16::try_from(year).ok().zip(i8::try_from(month).ok());
            }
        }
        self.jump(cursor);
        self.day.is_some() || self.month.is_some()
    }

    fn read_time(&mut self) -> bool {
        let dated = self.day.is_some();
        let glued_t = dated
            && self
                .tokens
                .get(self.at)
                .is_some_and(|token| token.is("t") && token.glued);
        let start = if glued_t { self.at + 1 } else { self.at };
        if let Some(read) = clock(self.tokens, start) {
            (self.time, self.at) = (Some(read.time), read.next);
            return true;
        }
        if let Some(value) = number(self.tokens, start, 6..=6).filter(|_| glued_t) {
            let part = |value: i64| i8::try_from(value % 100).unwrap_or(-1);
            self.time = Time::new(part(value / 10_000), part(value / 100), part(value), 0).ok();
            self.at = start + 1;
            return self.time.is_some();
        }
        let Some(mut cursor) = self.cursor() else {
            return false;
        };
        let half = cursor.eat_map(&HALVES);
        cursor.space();
        let Some((hour, minute)) = cursor.clock() else {
            return false;
        };
        // A heading's bare "3点20分" is a 24-hour time, as in "15点20分".
        let bare = || Time::new(i8::try_from(hour).ok()?, i8::try_from(minute).ok()?, 0, 0).ok();
        self.time = clock_time(hour, minute, half).or_else(|| half.is_none().then(bare).flatten());
        self.seconds(&mut cursor);
        self.jump(cursor);
        self.time.is_some()
    }

    /// `07秒` or `:07` behind a Chinese clock time.
    fn seconds(&mut self, cursor: &mut Cursor<'a>) {
        let before = *cursor;
        let colon = cursor.eat(":");
        let second = cursor
            .number()
            .filter(|_| colon || cursor.eat("秒"))
            .and_then(|value| i8::try_from(value).ok());
        match (second, self.time) {
            (Some(second), Some(time)) => self.time = time.with().second(second).build().ok(),
            _ => *cursor = before,
        }
    }

    /// `Z`, `UTC`, `GMT`, `+08:00`, `-0500`, `+8`, `[America/New_York]`.
    fn read_zone(&mut self) -> bool {
        let Some(token) = self.tokens.get(self.at) else {
            return false;
        };
        let zero = token.one_of(&["utc", "gmt"]) || token.is("z") && token.glued;
        let signed = if zero { self.at + 1 } else { self.at };
        if let Some((offset, next)) = self.offset(signed) {
            (self.zone, self.at) = (
                Some(
                    self.bracketed(next)
                        .map_or_else(|| TimeZone::fixed(offset), |(zone, _)| zone),
                ),
                next,
            );
            if let Some((_, after)) = self.bracketed(next) {
                self.at = after;
            }
            return true;
        }
        if zero {
            (self.zone, self.at) = (Some(TimeZone::fixed(Offset::UTC)), signed);
            return true;
        }
        if let Some((zone, next)) = self.bracketed(self.at) {
            (self.zone, self.at) = (Some(zone), next);
            return true;
        }
        false
    }

    fn offset(&self, at: usize) -> Option<(Offset, usize)> {
        let sign = match self.tokens.get(at)?.text {
            "+" => 1,
            "-" | "−" => -1,
            _ => return None,
        };
        let first = self.tokens.get(at + 1).filter(|token| token.glued)?;
        let value = number(self.tokens, at + 1, 1..=4)?;
        let colon = self
            .tokens
            .get(at + 2)
            .is_some_and(|token| token.text == ":" && token.glued);
        let (hours, minutes, next) = match first.digits() {
            1 | 2 if colon => (value, number(self.tokens, at + 3, 2..=2)?, at + 4),
            1 | 2 => (value, 0, at + 2),
            4 => (value / 100, value % 100, at + 2),
            _ => return None,
        };
        // No place on earth is further from UTC than fourteen hours; a little room for old zones.
        if hours > 15 || minutes > 59 {
            return None;
        }
        let seconds = i32::try_from((hours * 60 + minutes) * 60).ok()?;
        Some((Offset::from_seconds(sign * seconds).ok()?, next))
    }

    /// `[America/New_York]`: a name of the zone database.
    fn bracketed(&self, at: usize) -> Option<(TimeZone, usize)> {
        let open = self.tokens.get(at).filter(|token| token.text == "[")?;
        let close = (at + 1..at + 9).find(|index| {
            self.tokens
                .get(*index)
                .is_some_and(|token| token.text == "]")
        })?;
        let name = self.text.get(open.end()..self.tokens.get(close)?.start)?;
        Some((TimeZone::get(name).ok()?, close + 1))
    }

    fn read_weekday(&mut self) -> bool {
        let Some(token) = self.tokens.get(self.at) else {
            return false;
        };
        if let Some(weekday) = lexicon::weekday(token.text) {
            self.weekday = Some(weekday);
            self.at += 1;
            return true;
        }
        let Some(mut cursor) = self.cursor() else {
            return false;
        };
        if !cursor.eat_any(&["星期", "周", "礼拜"]) {
            return false;
        }
        const NAMES: [(&str, Weekday); 8] = [
            ("一", Weekday::Monday),
            ("二", Weekday::Tuesday),
            ("三", Weekday::Wednesday),
            ("四", Weekday::Thursday),
            ("五", Weekday::Friday),
            ("六", Weekday::Saturday),
            ("日", Weekday::Sunday),
            ("天", Weekday::Sunday),
        ];
        self.weekday = cursor.eat_map(&NAMES);
        self.jump(cursor);
        self.weekday.is_some()
    }

    fn cursor(&self) -> Option<Cursor<'a>> {
        let token = self.tokens.get(self.at)?;
        matches!(token.kind, Kind::Han | Kind::Number).then(|| Cursor::new(self.text, token.start))
    }

    /// On to the first token that the cursor has not passed.
    fn jump(&mut self, cursor: Cursor<'a>) {
        while self
            .tokens
            .get(self.at)
            .is_some_and(|token| token.start < cursor.at)
        {
            self.at += 1;
        }
    }

    fn finish(self, default_zone: &TimeZone) -> Option<MessageTime> {
        let zone = self.zone.unwrap_or_else(|| default_zone.clone());
        let (date, precision) = match (self.day, self.month) {
            (Some(day), None) => (
                day,
                if self.time.is_some() {
                    Precision::Minute
                } else {
                    Precision::Day
                },
            ),
            (None, Some((year, month))) if self.time.is_none() => {
                (Date::new(year, month, 1).ok()?, Precision::Month)
            }
            _ => return None,
        };
        if self
            .weekday
            .is_some_and(|weekday| self.day.is_none_or(|day| day.weekday() != weekday))
        {
            return None;
        }
        let at = instant(
            &zone,
            DateTime::from_parts(date, self.time.unwrap_or(Time::midnight())),
        )?;
        in_years(at).then_some(MessageTime {
            at,
            zone,
            precision,
        })
    }
}
