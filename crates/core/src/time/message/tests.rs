use proptest::prelude::*;

use super::*;

fn shanghai() -> TimeZone {
    TimeZone::get("Asia/Shanghai").expect("in the database")
}

/// The moment in UTC, the zone's offset then, and the precision.
fn reading(text: &str) -> Option<(String, i32, Precision)> {
    let read = read(text, &shanghai())?;
    let moment = read.at.to_jiff();
    Some((
        moment.strftime("%Y-%m-%dT%H:%M:%S").to_string(),
        read.zone.to_offset(moment).seconds() / 60,
        read.precision,
    ))
}

#[test]
fn readable_forms() {
    use Precision::{Day, Minute, Month};
    let table: &[(&str, &str, i32, Precision)] = &[
        ("2023-05-08T13:56:00Z", "2023-05-08T13:56:00", 0, Minute),
        (
            "2023-05-08T13:56:00.123456Z",
            "2023-05-08T13:56:00",
            0,
            Minute,
        ),
        (
            "2026-06-01T19:00-05:00",
            "2026-06-02T00:00:00",
            -300,
            Minute,
        ),
        (
            "2026-06-01T19:00:00-0500",
            "2026-06-02T00:00:00",
            -300,
            Minute,
        ),
        (
            "2026-06-01 19:00:00 +08:00",
            "2026-06-01T11:00:00",
            480,
            Minute,
        ),
        ("2026-06-01 19:00:00 UTC", "2026-06-01T19:00:00", 0, Minute),
        ("2026-06-01 19:00 UTC+2", "2026-06-01T17:00:00", 120, Minute),
        (
            "2026-07-01T19:00:00-04:00[America/New_York]",
            "2026-07-01T23:00:00",
            -240,
            Minute,
        ),
        ("2026-06-01T19:00:00", "2026-06-01T11:00:00", 480, Minute),
        ("2026-06-01 19:00", "2026-06-01T11:00:00", 480, Minute),
        ("2023-05-08", "2023-05-07T16:00:00", 480, Day),
        ("2025-01-14", "2025-01-13T16:00:00", 480, Day),
        ("2026/11/29", "2026-11-28T16:00:00", 480, Day),
        ("2026/11/29 10:05", "2026-11-29T02:05:00", 480, Minute),
        ("2026.11.29", "2026-11-28T16:00:00", 480, Day),
        ("1:56 pm on 8 May, 2023", "2023-05-08T05:56:00", 480, Minute),
        (
            "12:09 am on 13 September, 2023",
            "2023-09-12T16:09:00",
            480,
            Minute,
        ),
        ("8 May 2023", "2023-05-07T16:00:00", 480, Day),
        ("8th of May, 2023", "2023-05-07T16:00:00", 480, Day),
        ("May 8, 2023 1:56 PM", "2023-05-08T05:56:00", 480, Minute),
        (
            "May 8, 2023, 1:56\u{202f}PM",
            "2023-05-08T05:56:00",
            480,
            Minute,
        ),
        (
            "May 8, 2023 at 1:56 p.m.",
            "2023-05-08T05:56:00",
            480,
            Minute,
        ),
        ("Sept. 8, 2023", "2023-09-07T16:00:00", 480, Day),
        ("08-May-2023", "2023-05-07T16:00:00", 480, Day),
        ("May 2023", "2023-04-30T16:00:00", 480, Month),
        ("2023-05", "2023-04-30T16:00:00", 480, Month),
        (
            "Mon, 08 May 2023 13:56:00 +0000",
            "2023-05-08T13:56:00",
            0,
            Minute,
        ),
        ("Monday, May 8, 2023", "2023-05-07T16:00:00", 480, Day),
        (
            "2023年5月8日 下午3点20分",
            "2023-05-08T07:20:00",
            480,
            Minute,
        ),
        (
            "2023年5月8日 星期一 15:20",
            "2023-05-08T07:20:00",
            480,
            Minute,
        ),
        ("2023年5月8日下午3:20", "2023-05-08T07:20:00", 480, Minute),
        ("2023-05-08 下午3:20", "2023-05-08T07:20:00", 480, Minute),
        ("2023 年 5 月 8 日", "2023-05-07T16:00:00", 480, Day),
        ("二〇二三年五月八日", "2023-05-07T16:00:00", 480, Day),
        ("2023年5月", "2023-04-30T16:00:00", 480, Month),
        ("20230508", "2023-05-07T16:00:00", 480, Day),
        ("20230508T135600Z", "2023-05-08T13:56:00", 0, Minute),
        ("1683554160", "2023-05-08T13:56:00", 480, Minute),
        ("1683554160.5", "2023-05-08T13:56:00", 480, Minute),
        ("1683554160000", "2023-05-08T13:56:00", 480, Minute),
        ("29/11/2023", "2023-11-28T16:00:00", 480, Day),
        ("11/29/2023", "2023-11-28T16:00:00", 480, Day),
        ("05/05/2023", "2023-05-04T16:00:00", 480, Day),
        ("[2023-05-08 13:56]", "2023-05-08T05:56:00", 480, Minute),
        ("2024-02-29", "2024-02-28T16:00:00", 480, Day),
        ("9999-12-30", "9999-12-29T16:00:00", 480, Day),
    ];
    for (text, utc, offset, precision) in table {
        assert_eq!(
            reading(text),
            Some(((*utc).to_owned(), *offset, *precision)),
            "{text}"
        );
    }
}

#[test]
fn unreadable_ambiguous_and_fictional_forms() {
    for text in [
        "",
        " ",
        "y1",
        "third age",
        "year 3 of the war",
        "yesterday",
        "03/04/2023",
        "31/31/2023",
        "2023-02-29",
        "2023-13-01",
        "0000-01-01",
        "10000-01-01",
        "2023",
        "12345",
        "12345678",
        "8 May",
        "5月8日",
        "13:56",
        "Tuesday, May 8, 2023",
        "2023-05-08 25:00",
        "2023-05-08 13:56 EST",
        "2023-05-08 and more",
        "8/5/23",
        "Day 12",
        "T.A. 3019-03-25 of the ring",
        "Stardate 41153.7",
        "0-0-0",
        "13 pm on 8 May, 2023",
        "May 2023 13:00",
        "2023-05-08 2023-05-09",
        "99999999999999999999",
        "-5",
        "1.5",
        "2023-05-08T13:56:00+99:00",
        "2023-05-08T13:56:00[Nowhere/City]",
    ] {
        assert_eq!(reading(text), None, "{text}");
    }
}

#[test]
fn the_named_offset_is_the_zone_of_the_day() {
    let late = read("2026-06-01T19:30:00-05:00", &TimeZone::UTC).expect("readable");
    assert_eq!(late.at.date_iso(&late.zone), "2026-06-01");
    assert_eq!(late.zone, TimeZone::fixed(jiff::tz::offset(-5)));
}

#[test]
fn a_time_that_the_clocks_skip_is_the_one_after() {
    let zone = TimeZone::get("America/New_York").expect("in the database");
    let skipped = read("2023-03-12 02:30", &zone).expect("readable");
    assert_eq!(skipped.at.to_string(), "2023-03-12T07:30:00.000000Z");
}

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,40}") {
        let _ = read(&text, &TimeZone::UTC);
    }

    #[test]
    fn no_text_of_date_pieces_panics(parts in prop::collection::vec(prop::sample::select(vec![
        "2023", "5", "08", "9999", "年", "月", "日", "-", "/", ":", ".", " ", "May", "pm", "T", "Z", "+", "下午", "点", "十", "[", "]", "Mon", "，",
    ]), 0..12)) {
        let _ = read(&parts.concat(), &TimeZone::UTC);
    }

    #[test]
    fn every_day_round_trips(year in 1_i16..=9998, month in 1_i8..=12, day in 1_i8..=28) {
        let date = Date::new(year, month, day).expect("valid");
        let names = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
        let name = names[usize::try_from(month - 1).expect("small")];
        for text in [format!("{year:04}-{month:02}-{day:02}"), format!("{year:04}/{month}/{day}"), format!("{day} {name}, {year:04}"), format!("{year:04}年{month}月{day}日")] {
            let read = read(&text, &TimeZone::UTC).unwrap_or_else(|| panic!("{text}"));
            prop_assert_eq!(read.at.date_iso(&TimeZone::UTC), date.to_string());
        }
    }
}
