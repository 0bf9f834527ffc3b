//! 上周, 这周五, 下周末, 上个月底, 下个季度, and weekdays of no week: 周三.

use jiff::civil::Weekday;

use super::cursor::Cursor;
use super::{Chinese, Read};
use crate::time::expression::calendar::{
    Rel, Season, Unit, half_year, month, nth_weekday, plus_days, shift, unit_at, weekday_in_week,
    weekend,
};
use crate::time::expression::near::season_rel;
use crate::time::expression::tense::Tense;

const WEEKDAYS: [(&str, Weekday); 8] = [
    ("一", Weekday::Monday),
    ("二", Weekday::Tuesday),
    ("三", Weekday::Wednesday),
    ("四", Weekday::Thursday),
    ("五", Weekday::Friday),
    ("六", Weekday::Saturday),
    ("日", Weekday::Sunday),
    ("天", Weekday::Sunday),
];

/// The seasons, longer words first.
pub(super) const SEASONS: [(&str, Season); 8] = [
    ("春天", Season::Spring),
    ("春季", Season::Spring),
    ("夏天", Season::Summer),
    ("夏季", Season::Summer),
    ("秋天", Season::Autumn),
    ("秋季", Season::Autumn),
    ("冬天", Season::Winter),
    ("冬季", Season::Winter),
];

/// 周末喜欢爬山, 我通常周六游泳: said of every week, so that no single day is meant.
fn habitual(start: Cursor<'_>, mut end: Cursor<'_>) -> bool {
    const BEFORE: [&str; 9] = [
        "喜欢", "爱", "都", "总", "常", "一般", "通常", "习惯", "每逢",
    ];
    const BEHIND: [&str; 12] = [
        "喜欢", "最爱", "爱", "总", "常", "经常", "一般", "通常", "习惯", "从不", "很少", "偶尔",
    ];
    end.eat_any(&["早上", "上午", "中午", "下午", "晚上"]);
    end.eat("我");
    BEFORE.iter().any(|word| start.follows(word)) || BEHIND.iter().any(|word| end.sees(word))
}

impl Chinese<'_> {
    /// 上, 这, 下 with how many steps, if the characters around do not make it another word.
    fn steps(&self, cursor: &mut Cursor<'_>) -> Option<i64> {
        // 晚上周杰伦, 一下月, 日本月: the first character belongs to the word before.
        let (up, down, here) = (
            "晚早网路身手马以世海线楼车街天地头面桌",
            "一以之天地如乡私当剩楼手",
            "日根基原书",
        );
        if cursor.sees("上") && !cursor.previous_in(up) {
            cursor.eat("上");
            return Some(if cursor.eat("上") { -2 } else { -1 });
        }
        if cursor.sees("下") && !cursor.previous_in(down) {
            cursor.eat("下");
            return Some(if cursor.eat("下") { 2 } else { 1 });
        }
        let this =
            cursor.eat("这") || cursor.sees("本") && !cursor.previous_in(here) && cursor.eat("本");
        this.then_some(0)
    }

    /// 上周三, 这个月, 下下周, 上个夏天, 下半年.
    pub(super) fn related(&self, cursor: &mut Cursor<'_>, _token: usize) -> Option<Read> {
        let start = *cursor;
        let steps = self.steps(cursor)?;
        if steps.abs() == 1 && cursor.eat("半年") {
            return Some(Read {
                piece: half_year(self.now.date.year(), steps == 1)?,
                fixed: false,
            });
        }
        let classified = cursor.eat("个");
        if cursor.sees("一周") || cursor.sees("一个") {
            cursor.eat_any(&["一个", "一"]);
        }
        let today = self.now.date;
        let spoken = *cursor;
        if cursor.eat_any(&["周", "星期", "礼拜"]) {
            let base = plus_days(today, 7 * steps)?;
            if cursor.eat("末") {
                return Some(Read {
                    piece: weekend(base)?,
                    fixed: false,
                });
            }
            if spoken.sees("周") && cursor.next_in("围边年期岁转刊报长游杰密旋折") {
                return None;
            }
            if let Some(weekday) = self.weekday_name(cursor) {
                return Some(Read {
                    piece: self.part_on(cursor, weekday_in_week(base, weekday)?)?,
                    fixed: false,
                });
            }
            return Some(Read {
                piece: unit_at(base, Unit::Week)?,
                fixed: false,
            });
        }
        if cursor.eat_any(&["月份", "月"]) {
            if cursor.next_in("亮光球饼经薪票台") {
                return None;
            }
            let base = shift(today, Unit::Month, steps)?;
            return self.within_month(cursor, base.year(), base.month(), false);
        }
        if cursor.eat("季度") {
            return Some(Read {
                piece: unit_at(shift(today, Unit::Quarter, steps)?, Unit::Quarter)?,
                fixed: false,
            });
        }
        if classified || start.sees("这") {
            let season = cursor.eat_map(&SEASONS)?;
            let rel = match steps {
                -1 => Rel::Last,
                0 => Rel::This,
                1 => Rel::Next,
                _ => return None,
            };
            return Some(Read {
                piece: season_rel(today, season, rel)?,
                fixed: false,
            });
        }
        None
    }

    /// The weekday's character, unless it begins another word: 上周一直, 上周三次.
    fn weekday_name(&self, cursor: &mut Cursor<'_>) -> Option<Weekday> {
        let before = *cursor;
        let weekday = cursor.eat_map(&WEEKDAYS)?;
        let other = match weekday {
            Weekday::Monday => cursor.next_in("直起共定样般些个次家边切同旦块路遍位场天份本件条只"),
            Weekday::Sunday => cursor.next_in("本气"),
            _ => cursor.next_in("个次位天场份本件条只点名"),
        };
        if other {
            *cursor = before;
            return None;
        }
        Some(weekday)
    }

    /// 周三, 星期五, 周末: the nearest in the direction of the tense. 每周三 and 周一至周五 recur, 一周三次 counts.
    pub(super) fn weekday(&self, cursor: &mut Cursor<'_>, token: usize) -> Option<Read> {
        let start = *cursor;
        if !cursor.eat_any(&["周", "星期", "礼拜"]) {
            return None;
        }
        // A numeral before counts weeks (一周三次), unless it is the weekday before (周二周三); 周一到周五 recurs.
        let listed = "一二三四五六日"
            .chars()
            .any(|day| start.follows(&format!("周{day}")));
        let recurs = "一二三四五六日天"
            .chars()
            .any(|day| start.follows(&format!("{day}到")));
        let counted = start.previous_in("一二三四五六七八九十两几半0123456789") && !listed;
        if counted || start.previous_in("每个逢第上下这本至") || recurs {
            return None;
        }
        if cursor.eat("末") {
            if cursor.next_in("愉快") || habitual(start, *cursor) {
                return None;
            }
            let running = self.now.date.weekday().to_monday_zero_offset() >= 5;
            let back = !running && self.tense_or_past(token, *cursor) == Tense::Past;
            let base = if back {
                plus_days(self.now.date, -7)?
            } else {
                self.now.date
            };
            return Some(Read {
                piece: weekend(base)?,
                fixed: false,
            });
        }
        let weekday = self.weekday_name(cursor)?;
        if cursor.next_in("至到-—~～、和") || habitual(start, *cursor) {
            return None;
        }
        let step = if self.tense_or_past(token, *cursor) == Tense::Past {
            -1
        } else {
            1
        };
        let date = nth_weekday(self.now.date, weekday, step)?;
        Some(Read {
            piece: self.part_on(cursor, date)?,
            fixed: false,
        })
    }

    /// The whole month, or the part or day of it that is named behind: 上个月底, 5月初, 5月8日.
    pub(super) fn within_month(
        &self,
        cursor: &mut Cursor<'_>,
        year: i16,
        number: i8,
        fixed: bool,
    ) -> Option<Read> {
        let whole = month(year, number)?;
        let before = *cursor;
        cursor.eat("的");
        if let Some(which) = Self::share_word(cursor) {
            return Some(Read {
                piece: crate::time::expression::calendar::share(&whole, which)?,
                fixed,
            });
        }
        cursor.space();
        if let Some(number_of_day) = cursor.number() {
            cursor.space();
            if cursor.eat_any(&["日", "号"]) && !cursor.next_in("楼线院桌店房") {
                let date =
                    jiff::civil::Date::new(year, number, i8::try_from(number_of_day).ok()?).ok()?;
                return Some(Read {
                    piece: self.part_on(cursor, date)?,
                    fixed,
                });
            }
        }
        *cursor = before;
        Some(Read {
            piece: whole,
            fixed,
        })
    }
}
