//! Counted time in Chinese: 三天前, 半年前, 两个月后, 过去两周, 圣诞节前两周.

use super::cursor::Cursor;
use super::{Chinese, Read};
use crate::time::expression::amount::{Amount, amount_from, elapsed, stretch};
use crate::time::expression::calendar::{Piece, Unit, When};
use crate::time::expression::tense::Tense;

const UNITS: [(&str, Unit); 17] = [
    ("个小时", Unit::Hour),
    ("小时", Unit::Hour),
    ("个钟头", Unit::Hour),
    ("分钟", Unit::Minute),
    ("个星期", Unit::Week),
    ("星期", Unit::Week),
    ("个礼拜", Unit::Week),
    ("礼拜", Unit::Week),
    ("个周末", Unit::Weekend),
    ("个季度", Unit::Quarter),
    ("个月", Unit::Month),
    ("周", Unit::Week),
    ("天", Unit::Day),
    ("日", Unit::Day),
    ("个晚上", Unit::Night),
    ("年", Unit::Year),
    ("个年头", Unit::Year),
];

impl Chinese<'_> {
    /// A number with a unit: 三天, 半年, 几个月, 一年半.
    fn amount(&self, cursor: &mut Cursor<'_>) -> Option<Amount> {
        // 第三天 counts from somewhere else; 1.5年 is not read.
        if cursor.previous_in("第每.．-—几数两一二三四五六七八九十百千万0123456789")
        {
            return None;
        }
        if cursor.eat("半年") {
            return Some(Amount {
                low: 6,
                high: 6,
                unit: Unit::Month,
            });
        }
        if cursor.eat("半个月") {
            return Some(Amount {
                low: 2,
                high: 2,
                unit: Unit::Week,
            });
        }
        let digits = cursor.next().is_some_and(|c| c.is_ascii_digit());
        let (low, high) = if cursor.eat("几") || cursor.eat("数") {
            (2, 4)
        } else {
            cursor.pair().or_else(|| cursor.number().map(|n| (n, n)))?
        };
        cursor.space();
        let at_unit = *cursor;
        let unit = cursor.eat_map(&UNITS)?;
        // 8日前 is a date and 2023年前 is a year; 周年 and 周岁 are no weeks.
        let date = digits && at_unit.sees("日") || unit == Unit::Year && low >= 1000;
        if date || low < 1 || at_unit.sees("周") && cursor.next_in("年岁期围边末") {
            return None;
        }
        if unit == Unit::Year && cursor.eat("半") {
            return Some(Amount {
                low: low * 12 + 6,
                high: high * 12 + 6,
                unit: Unit::Month,
            });
        }
        Some(Amount { low, high, unit })
    }

    /// 前 or 后 behind an amount.
    fn side(&self, cursor: &mut Cursor<'_>) -> Option<Tense> {
        if cursor.eat_any(&["以前", "之前"]) {
            return Some(Tense::Past);
        }
        if cursor.eat_any(&["以后", "之后"]) {
            return Some(Tense::Future);
        }
        if cursor.eat("前") {
            return (!cursor.next_in("面后台往途进天年任锋")).then_some(Tense::Past);
        }
        if cursor.eat("后") {
            return (!cursor.next_in("悔果面台天年")).then_some(Tense::Future);
        }
        None
    }

    /// 三天前, 两个月后, 过去两周.
    pub(super) fn counted(&self, cursor: &mut Cursor<'_>, _token: usize) -> Option<Read> {
        if !cursor.previous_in("不最附靠接临将")
            && cursor.eat_any(&["过去的", "过去", "最近这", "最近", "近"])
        {
            let amount = self.amount(cursor)?;
            return Some(Read {
                piece: stretch(self.now.date, amount, Tense::Past)?,
                fixed: false,
            });
        }
        if !cursor.previous_in("在") && cursor.eat("未来") {
            let amount = self.amount(cursor)?;
            return Some(Read {
                piece: stretch(self.now.date, amount, Tense::Future)?,
                fixed: false,
            });
        }
        let amount = self.amount(cursor)?;
        let tense = self.side(cursor)?;
        Some(Read {
            piece: amount_from(self.now.date, amount, tense)?,
            fixed: false,
        })
    }

    /// Hours and minutes, which are counted in elapsed time: 两小时前.
    pub(super) fn elapsed(&self, mut cursor: Cursor<'_>) -> Option<(When, usize)> {
        let amount = self.amount(&mut cursor)?;
        let tense = self.side(&mut cursor)?;
        Some((elapsed(self.now.at, amount, tense)?, cursor.at))
    }

    /// 圣诞节前两周, 5月8日后三天, 圣诞节前一天: an amount beside a day that was read.
    pub(super) fn beside(&self, cursor: &mut Cursor<'_>, piece: &Piece) -> Option<Piece> {
        if !Self::is_day(piece) {
            return None;
        }
        let before = *cursor;
        cursor.eat("的");
        let tense = if cursor.eat("前") {
            Some(Tense::Past)
        } else {
            cursor.eat("后").then_some(Tense::Future)
        };
        let found = tense.and_then(|tense| {
            let amount = self.amount(cursor)?;
            let day = if tense == Tense::Past {
                piece.first_day()
            } else {
                piece.last_day()
            };
            amount_from(day, amount, tense)
        });
        if found.is_none() {
            *cursor = before;
        }
        found
    }
}
