//! Reading Chinese text from one place on, with traditional characters folded to simplified ones of the same length.

use jiff::civil::Time;

use crate::time::expression::token::digit_value;

/// Traditional characters of time words and their simplified forms. Both take three bytes, so that places stay true.
const FOLDED: [(char, char); 18] = [
    ('後', '后'),
    ('週', '周'),
    ('個', '个'),
    ('號', '号'),
    ('點', '点'),
    ('兩', '两'),
    ('禮', '礼'),
    ('這', '这'),
    ('過', '过'),
    ('來', '来'),
    ('節', '节'),
    ('聖', '圣'),
    ('誕', '诞'),
    ('國', '国'),
    ('慶', '庆'),
    ('幾', '几'),
    ('時', '时'),
    ('從', '从'),
];

/// The text with those characters replaced; every place in it is the same place in the original.
pub(in crate::time) fn folded(text: &str) -> String {
    text.chars()
        .map(|c| {
            FOLDED
                .iter()
                .find(|(from, _)| *from == c)
                .map_or(c, |(_, to)| *to)
        })
        .collect()
}

/// A place in a folded text.
#[derive(Debug, Clone, Copy)]
pub(in crate::time) struct Cursor<'a> {
    text: &'a str,
    /// Byte offset, always on a character border.
    pub(in crate::time) at: usize,
}

impl<'a> Cursor<'a> {
    pub(in crate::time) fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Whether the text goes on with that.
    pub(in crate::time) fn sees(&self, word: &str) -> bool {
        self.rest().starts_with(word)
    }

    /// Steps over that word if it comes next.
    pub(in crate::time) fn eat(&mut self, word: &str) -> bool {
        let found = self.sees(word);
        if found {
            self.at += word.len();
        }
        found
    }

    /// Steps over the first of the words that comes next; longer ones have to stand first.
    pub(in crate::time) fn eat_any(&mut self, words: &[&str]) -> bool {
        words.iter().any(|word| self.eat(word))
    }

    /// Steps over the first key that comes next and gives its value.
    pub(in crate::time) fn eat_map<T: Copy>(&mut self, table: &[(&str, T)]) -> Option<T> {
        table
            .iter()
            .find(|(word, _)| self.eat(word))
            .map(|(_, value)| *value)
    }

    /// The next character.
    pub(in crate::time) fn next(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Whether one of those characters comes next.
    pub(in crate::time) fn next_in(&self, set: &str) -> bool {
        self.next().is_some_and(|c| set.contains(c))
    }

    /// The character before this place.
    pub(in crate::time) fn previous(&self) -> Option<char> {
        self.text.get(..self.at)?.chars().next_back()
    }

    /// Whether that word stands before.
    pub(in crate::time) fn follows(&self, word: &str) -> bool {
        self.text
            .get(..self.at)
            .is_some_and(|before| before.ends_with(word))
    }

    /// Whether one of those characters stands before.
    pub(in crate::time) fn previous_in(&self, set: &str) -> bool {
        self.previous().is_some_and(|c| set.contains(c))
    }

    /// Steps over one space between a number and its unit.
    pub(in crate::time) fn space(&mut self) {
        self.eat(" ");
    }

    /// A number in digits or Chinese numerals up to 99, or digits up to 9999.
    pub(in crate::time) fn number(&mut self) -> Option<i64> {
        let (mut value, mut count, start) = (0_i64, 0, self.at);
        while let Some((digit, c)) = self
            .next()
            .and_then(|c| digit_value(c).map(|digit| (digit, c)))
        {
            count += 1;
            if count > 4 {
                self.at = start;
                return None;
            }
            value = value * 10 + digit;
            self.at += c.len_utf8();
        }
        if count > 0 {
            return Some(value);
        }
        self.numeral()
    }

    /// 一 to 九十九, and 两.
    fn numeral(&mut self) -> Option<i64> {
        let first = self.next()?;
        let ones = han_digit(first).filter(|digit| *digit > 0);
        if ones.is_none() && first != '十' {
            return None;
        }
        let start = self.at;
        if let Some(ones) = ones {
            self.at += first.len_utf8();
            if !self.eat("十") {
                // "一百" and "三五" are no numbers that this reads.
                let goes_on = self
                    .next()
                    .is_some_and(|c| han_digit(c).is_some() || "百千万亿多来余".contains(c));
                if goes_on {
                    self.at = start;
                }
                return (!goes_on).then_some(ones);
            }
        } else {
            self.at += first.len_utf8();
        }
        let tens = ones.unwrap_or(1) * 10;
        let last = self
            .next()
            .and_then(|c| han_digit(c).map(|digit| (digit, c)));
        if let Some((digit, c)) = last {
            self.at += c.len_utf8();
            return Some(tens + digit);
        }
        // "十多年", "十几天": roughly, which is not said here.
        if self.next_in("几多来余百千万亿") {
            self.at = start;
            return None;
        }
        Some(tens)
    }

    /// 两三, 三五: two numerals that name a rough number between them.
    pub(in crate::time) fn pair(&mut self) -> Option<(i64, i64)> {
        let mut chars = self.rest().chars();
        let (first, second) = (chars.next()?, chars.next()?);
        let (low, high) = (han_digit(first)?, han_digit(second)?);
        if low < 1 || high <= low {
            return None;
        }
        self.at += first.len_utf8() + second.len_utf8();
        Some((low, high))
    }

    /// A year: four digits, or four Chinese ones as in 二〇二三.
    pub(in crate::time) fn four_digits(&mut self) -> Option<i64> {
        let start = self.at;
        let mut value = 0_i64;
        for _ in 0..4 {
            let Some(c) = self.next() else {
                self.at = start;
                return None;
            };
            let Some(digit) = digit_value(c).or_else(|| han_digit(c).filter(|_| c != '两')) else {
                self.at = start;
                return None;
            };
            value = value * 10 + digit;
            self.at += c.len_utf8();
        }
        Some(value)
    }

    /// `3点`, `三点半`, `3点20分`, `15时20分`, `3:20`: hour as written and minute.
    pub(in crate::time) fn clock(&mut self) -> Option<(i64, i64)> {
        let start = *self;
        let read = self.try_clock();
        if read.is_none() {
            *self = start;
        }
        read
    }

    fn try_clock(&mut self) -> Option<(i64, i64)> {
        let hour = self.number().filter(|hour| (0..=24).contains(hour))?;
        if self.eat(":") || self.eat("：") {
            let minute = self.number().filter(|minute| (0..=59).contains(minute))?;
            return Some((hour, minute));
        }
        if !(self.eat("点") || self.eat("时")) {
            return None;
        }
        self.eat("钟");
        if self.eat("半") {
            return Some((hour, 30));
        }
        if self.eat("一刻") {
            return Some((hour, 15));
        }
        if self.eat("三刻") {
            return Some((hour, 45));
        }
        let before = *self;
        self.eat("零");
        match self.number().filter(|minute| (0..=59).contains(minute)) {
            Some(minute) if self.eat("分") || !self.next_in("个天次位人年月周号日点") => {
                Some((hour, minute))
            }
            _ => {
                *self = before;
                Some((hour, 0))
            }
        }
    }
}

/// The time of day that a Chinese clock time means behind its part of day; without one only a 24-hour time is sure.
pub(in crate::time) fn clock_time(hour: i64, minute: i64, half: Option<Half>) -> Option<Time> {
    let hour = match half {
        Some(Half::After) if (1..=11).contains(&hour) => hour + 12,
        Some(Half::Evening) if (4..=11).contains(&hour) => hour + 12,
        Some(Half::Noon) if (1..=2).contains(&hour) => hour + 12,
        // Midnight of an evening belongs to the next day, which is not said here.
        Some(Half::Evening) if hour < 18 => return None,
        Some(_) => hour,
        None if hour > 12 || hour == 0 => hour,
        None => return None,
    };
    Time::new(i8::try_from(hour).ok()?, i8::try_from(minute).ok()?, 0, 0).ok()
}

/// What the word before a clock time says about the hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::time) enum Half {
    /// 上午, 早上, 凌晨.
    Before,
    /// 中午.
    Noon,
    /// 下午.
    After,
    /// 晚上, 傍晚.
    Evening,
}

/// The words for parts of a day, longer ones first.
pub(in crate::time) const HALVES: [(&str, Half); 13] = [
    ("早上", Half::Before),
    ("上午", Half::Before),
    ("早晨", Half::Before),
    ("清晨", Half::Before),
    ("凌晨", Half::Before),
    ("中午", Half::Noon),
    ("下午", Half::After),
    ("午后", Half::After),
    ("傍晚", Half::Evening),
    ("晚上", Half::Evening),
    ("夜里", Half::Evening),
    ("夜晚", Half::Evening),
    ("晚间", Half::Evening),
];

fn han_digit(c: char) -> Option<i64> {
    Some(match c {
        '〇' | '零' => 0,
        '一' => 1,
        '二' | '两' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_keeps_every_place() {
        let text = "兩個月後，這週三 a";
        assert_eq!(folded(text).len(), text.len());
        assert_eq!(folded(text), "两个月后，这周三 a");
    }

    #[test]
    fn numbers() {
        for (text, expected) in [
            ("三天", Some(3)),
            ("十二月", Some(12)),
            ("二十三日", Some(23)),
            ("十天", Some(10)),
            ("１２月", Some(12)),
            ("十多年", None),
            ("一百天", None),
            ("12345", None),
        ] {
            assert_eq!(Cursor::new(text, 0).number(), expected, "{text}");
        }
        assert_eq!(Cursor::new("二〇二三年", 0).four_digits(), Some(2023));
    }
}
