//! Years, months and days in Chinese: 去年夏天, 2023年5月8日, 五月初, 年底, 国庆节.

use jiff::civil::Date;

use super::cursor::Cursor;
use super::week::SEASONS;
use super::{Chinese, Read};
use crate::time::expression::calendar::{Share, half_year, month, quarter, season, share, year};
use crate::time::expression::near::{day_near, month_near};
use crate::time::expression::tense::speaks_of_birth;

const YEARS: [(&str, i16); 6] = [
    ("大前年", -3),
    ("前年", -2),
    ("去年", -1),
    ("今年", 0),
    ("明年", 1),
    ("后年", 2),
];

/// Holidays on a fixed day, longer names first.
const HOLIDAYS: [(&str, i8, i8); 8] = [
    ("圣诞节", 12, 25),
    ("平安夜", 12, 24),
    ("元旦", 1, 1),
    ("国庆节", 10, 1),
    ("国庆", 10, 1),
    ("情人节", 2, 14),
    ("劳动节", 5, 1),
    ("圣诞", 12, 25),
];

impl Chinese<'_> {
    /// 初, 中旬, 底: a part of a month or year.
    pub(super) fn share_word(cursor: &mut Cursor<'_>) -> Option<Share> {
        const WORDS: [(&str, Share); 7] = [
            ("上旬", Share::Early),
            ("中旬", Share::Mid),
            ("下旬", Share::Late),
            ("月底", Share::End),
            ("初", Share::Start),
            ("底", Share::End),
            ("末", Share::End),
        ];
        cursor.eat_map(&WORDS)
    }

    /// 去年, 今年春天, 明年三月.
    pub(super) fn year_word(&self, cursor: &mut Cursor<'_>, _token: usize) -> Option<Read> {
        let before = *cursor;
        let offset = cursor.eat_map(&YEARS)?;
        // 过去|年轻, 以前|年年, 文明|年代, 然后|年底.
        let other = match offset {
            -1 => before.previous_in("过回出进上下"),
            -2 => before.previous_in("以之目从先提年空"),
            1 => before.previous_in("表证聪文发透光"),
            2 => before.previous_in("以之然最"),
            _ => false,
        };
        if other || cursor.next_in("轻纪") {
            return None;
        }
        self.within_year(cursor, self.now.date.year().checked_add(offset)?, false)
    }

    /// The whole year, or the part of it that is named behind.
    fn within_year(&self, cursor: &mut Cursor<'_>, number: i16, fixed: bool) -> Option<Read> {
        let whole = *cursor;
        cursor.eat("的");
        cursor.space();
        let read = |piece| Some(Read { piece, fixed });
        if let Some(which) = cursor.eat_map(&SEASONS) {
            return read(season(number, which)?);
        }
        if cursor.eat("上半年") {
            return read(half_year(number, false)?);
        }
        if cursor.eat("下半年") {
            return read(half_year(number, true)?);
        }
        if let Some(which) = Self::year_share(cursor) {
            return read(share(&year(number)?, which)?);
        }
        if let Some((month, day)) = Self::holiday_name(cursor) {
            return read(self.part_on(cursor, Date::new(number, month, day).ok()?)?);
        }
        let ordinal = cursor.eat("第");
        if let Some(value) = cursor.number() {
            cursor.space();
            if cursor.eat("季度") && (1..=4).contains(&value) {
                return read(quarter(number, i8::try_from(value).ok()?)?);
            }
            if !ordinal && (1..=12).contains(&value) && cursor.eat_any(&["月份", "月"]) {
                return self.within_month(cursor, number, i8::try_from(value).ok()?, fixed);
            }
        }
        *cursor = whole;
        read(year(number)?)
    }

    /// 年初, 年中, 年底 with or without their 年, behind a year.
    fn year_share(cursor: &mut Cursor<'_>) -> Option<Share> {
        const WORDS: [(&str, Share); 7] = [
            ("年初", Share::Start),
            ("年中", Share::Mid),
            ("年底", Share::End),
            ("年末", Share::End),
            ("初", Share::Start),
            ("底", Share::End),
            ("末", Share::End),
        ];
        cursor.eat_map(&WORDS)
    }

    /// 2023年…, 5月8日, 五月初, 月底, 年底.
    pub(super) fn dated(&self, cursor: &mut Cursor<'_>, token: usize) -> Option<Read> {
        if let Some(read) = self.this_share(cursor) {
            return Some(read);
        }
        if cursor.previous_in("0123456789０１２３４５６７８９.-—/一二三四五六七八九十〇零百千第每")
        {
            return None;
        }
        let start = *cursor;
        if let Some(number) = cursor.four_digits() {
            cursor.space();
            if (1000..=2999).contains(&number) && cursor.eat("年") && !cursor.next_in("代") {
                // 1000年 and 3000年 are more often a span than a date.
                if !(1800..=2199).contains(&number) {
                    return None;
                }
                return self.within_year(cursor, i16::try_from(number).ok()?, true);
            }
        }
        *cursor = start;
        self.month_of_no_year(cursor, token)
    }

    fn month_of_no_year(&self, cursor: &mut Cursor<'_>, token: usize) -> Option<Read> {
        // A two-digit year before it, as in 23年5月, was not read, so its month cannot be placed.
        if cursor.previous_in("年") {
            return None;
        }
        let number = cursor.number().filter(|value| (1..=12).contains(value))?;
        cursor.space();
        if !cursor.eat_any(&["月份", "月"]) || cursor.next_in("怀大小") {
            return None;
        }
        let number = i8::try_from(number).ok()?;
        if speaks_of_birth(self.tokens, token, self.token_after(token, *cursor)) {
            return None;
        }
        let before = *cursor;
        cursor.space();
        let day = cursor.number().filter(|_| {
            cursor.space();
            cursor.eat_any(&["日", "号"])
        });
        if day.is_none() {
            *cursor = before;
        }
        let tense = self.tense_or_past(token, *cursor);
        if let Some(day) = day {
            let date = day_near(self.now.date, number, i8::try_from(day).ok()?, tense)?;
            return Some(Read {
                piece: self.part_on(cursor, date)?,
                fixed: false,
            });
        }
        let near = month_near(self.now.date, number, tense)?;
        self.within_month(cursor, near.first_day().year(), number, false)
    }

    /// 月底, 年初: of the running month or year.
    fn this_share(&self, cursor: &mut Cursor<'_>) -> Option<Read> {
        if cursor.previous_in("每个一二三四五六七八九十两几数0123456789月年上下")
        {
            return None;
        }
        let before = *cursor;
        let today = self.now.date;
        let piece = if cursor.eat_any(&["月初", "月底", "月末"]) {
            let which = if before.sees("月初") {
                Share::Start
            } else {
                Share::End
            };
            share(&month(today.year(), today.month())?, which)?
        } else if cursor.eat_any(&["年初", "年底", "年末"]) {
            let which = if before.sees("年初") {
                Share::Start
            } else {
                Share::End
            };
            share(&year(today.year())?, which)?
        } else {
            return None;
        };
        Some(Read {
            piece,
            fixed: false,
        })
    }

    fn holiday_name(cursor: &mut Cursor<'_>) -> Option<(i8, i8)> {
        let (_, month, day) = HOLIDAYS.iter().find(|(word, _, _)| cursor.eat(word))?;
        (!cursor.next_in("快树礼老歌贺卡晚大假")).then_some((*month, *day))
    }

    /// 国庆节, 元旦: the nearest in the direction of the tense.
    pub(super) fn holiday(&self, cursor: &mut Cursor<'_>, token: usize) -> Option<Read> {
        if cursor.previous_in("每") {
            return None;
        }
        let (month, day) = Self::holiday_name(cursor)?;
        let tense = self.tense_or_past(token, *cursor);
        Some(Read {
            piece: self.part_on(cursor, day_near(self.now.date, month, day, tense)?)?,
            fixed: false,
        })
    }
}
