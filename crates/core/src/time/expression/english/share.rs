//! Parts of a longer time: "early May", "the end of 2022", "the second week of November".

use jiff::civil::Weekday;

use super::{English, Hit};
use crate::time::Precision;
use crate::time::expression::calendar::{Piece, Share, When, month, plus_days, share, year};

impl English<'_> {
    /// "Early May", "the end of 2022", "late last year", "the end of the month".
    pub(super) fn share_of(&self, at: usize) -> Option<Hit> {
        if let Some(hit) = self.week_of_month(at) {
            return Some(hit);
        }
        let (which, next) = self.share_word(at)?;
        let the = self.is(next, "the");
        if the && self.one_of(next + 1, &["month", "year"]) {
            let whole = if self.is(next + 1, "month") {
                month(self.now.date.year(), self.now.date.month())?
            } else {
                year(self.now.date.year())?
            };
            return self.civil(at, next + 2, share(&whole, which)?);
        }
        let base = self
            .relative_name(next)
            .or_else(|| self.written(next))
            .or_else(|| self.bare(next, "in"))?;
        let When::Civil(piece) = base.when else {
            return None;
        };
        Some(Hit {
            first: at,
            end: base.end,
            when: When::Civil(share(&piece, which)?),
            fixed: base.fixed,
        })
    }

    /// "The second week of November", "the first weekend of August 2023". The first week are the first seven days, and
    /// so on; the first weekend is the one of the first Saturday.
    fn week_of_month(&self, at: usize) -> Option<Hit> {
        const ORDINALS: [(&str, i64); 5] = [
            ("first", 0),
            ("second", 1),
            ("third", 2),
            ("fourth", 3),
            ("last", -1),
        ];
        let (_, nth) = ORDINALS.iter().find(|(word, _)| self.is(at, word))?;
        let weekend = self.is(at + 1, "weekend");
        if !(weekend || self.is(at + 1, "week")) || !self.one_of(at + 2, &["of", "in"]) {
            return None;
        }
        let base = self
            .relative_name(at + 3)
            .or_else(|| self.written(at + 3))
            .or_else(|| self.bare(at + 3, "in"))?;
        let When::Civil(piece) = base.when else {
            return None;
        };
        if piece.precision != Precision::Month || piece.first_day().day() != 1 {
            return None;
        }
        let (first, last) = (piece.first_day(), piece.last_day());
        let from = match (weekend, *nth) {
            (true, -1) => last.nth_weekday_of_month(-1, Weekday::Saturday).ok()?,
            (true, nth) => plus_days(
                first.nth_weekday_of_month(1, Weekday::Saturday).ok()?,
                7 * nth,
            )?,
            (false, -1) => plus_days(last, -6)?,
            (false, nth) => plus_days(first, 7 * nth)?,
        };
        let to = plus_days(from, if weekend { 2 } else { 7 })?;
        Some(Hit {
            first: at,
            end: base.end,
            when: When::Civil(Piece::days(from, to, Precision::Week)),
            fixed: base.fixed,
        })
    }

    /// "Last year" behind "late": no share of a share.
    fn relative_name(&self, at: usize) -> Option<Hit> {
        self.one_of(at, &["last", "this", "next"])
            .then(|| self.relative(at))
            .flatten()
    }

    fn share_word(&self, at: usize) -> Option<(Share, usize)> {
        let named = [
            ("early", Share::Early),
            ("mid", Share::Mid),
            ("late", Share::Late),
        ];
        if let Some((_, which)) = named.iter().find(|(word, _)| self.is(at, word)) {
            let dash = if self.mark(at + 1, "-") {
                at + 2
            } else {
                at + 1
            };
            return Some((*which, if self.is(dash, "in") { dash + 1 } else { dash }));
        }
        let of = [
            ("beginning", Share::Start),
            ("start", Share::Start),
            ("middle", Share::Mid),
            ("end", Share::End),
        ];
        let (_, which) = of.iter().find(|(word, _)| self.is(at, word))?;
        self.is(at + 1, "of").then_some((*which, at + 2))
    }
}
