use super::{anchor, check};
use crate::time::expression::{Direction, MentionKind, find};

#[test]
fn relative_words_on_a_monday() {
    check(
        &anchor("2023-05-08T13:56:00Z", "UTC"),
        &[
            ("I went yesterday", "yesterday=2023-05-07"),
            ("today is fine", "today=2023-05-08"),
            (
                "see you tomorrow morning",
                "tomorrow morning=2023-05-09 morning",
            ),
            ("dinner tonight", "tonight=2023-05-08 evening"),
            (
                "this morning, this afternoon and this evening",
                "this morning=2023-05-08 morning | this afternoon=2023-05-08 afternoon | this evening=2023-05-08 evening",
            ),
            ("last night was great", "last night=2023-05-07 night"),
            ("yesterday evening", "yesterday evening=2023-05-07 evening"),
            (
                "the day before yesterday",
                "the day before yesterday=2023-05-06",
            ),
            (
                "the day after tomorrow",
                "the day after tomorrow=2023-05-10",
            ),
            ("day after tomorrow", "day after tomorrow=2023-05-10"),
            ("last week", "last week=2023-05-01 to 2023-05-07"),
            ("this week", "this week=2023-05-08 to 2023-05-14"),
            ("next week's plan", "next week=2023-05-15 to 2023-05-21"),
            (
                "the week before last",
                "the week before last=2023-04-24 to 2023-04-30",
            ),
            ("the year before last", "the year before last=2021"),
            ("last weekend", "last weekend=2023-05-06 to 2023-05-07"),
            (
                "we camped over the weekend",
                "weekend=2023-05-06 to 2023-05-07",
            ),
            (
                "this weekend we will camp",
                "this weekend=2023-05-13 to 2023-05-14",
            ),
            (
                "this weekend we went camping",
                "this weekend=2023-05-06 to 2023-05-07",
            ),
            ("next weekend", "next weekend=2023-05-20 to 2023-05-21"),
            (
                "two weekends ago",
                "two weekends ago=2023-04-29 to 2023-04-30",
            ),
            ("last month", "last month=2023-04"),
            ("next month", "next month=2023-06"),
            ("this month", "this month=2023-05"),
            (
                "this past week and this past Friday",
                "this past week=2023-05-01 to 2023-05-07 | this past Friday=2023-05-05",
            ),
            ("last year", "last year=2022"),
            ("next year", "next year=2024"),
            ("last quarter", "last quarter=2023-01 to 2023-03"),
            ("this summer", "this summer=2023-06 to 2023-08"),
            ("last summer", "last summer=2022-06 to 2022-08"),
            ("next fall", "next fall=2023-09 to 2023-11"),
            ("last winter", "last winter=2022-12 to 2023-02"),
            ("this spring", "this spring=2023-03 to 2023-05"),
            ("last spring", "last spring=2022-03 to 2022-05"),
            ("last May", "last May=2022-05"),
            ("last march", "last march=2023-03"),
            ("next May", "next May=2024-05"),
            ("this March", "this March=2023-03"),
            ("last Christmas", "last Christmas=2022-12-25"),
            ("the other day", ""),
        ],
    );
}

#[test]
fn weekdays_follow_the_sentence() {
    check(
        &anchor("2023-05-10T12:00:00Z", "UTC"),
        &[
            ("I saw her on Friday", "Friday=2023-05-05"),
            ("I will see her on Friday", "Friday=2023-05-12"),
            ("The exam is on Friday", "Friday=2023-05-12"),
            ("I'm meeting her on Friday.", "Friday=2023-05-12"),
            ("See you. On Friday we went out", "Friday=2023-05-05"),
            ("last Friday", "last Friday=2023-05-05"),
            ("last Wednesday", "last Wednesday=2023-05-03"),
            ("last Tues", "last Tues=2023-05-09"),
            ("next Friday", "next Friday=2023-05-19"),
            ("next Monday", "next Monday=2023-05-15"),
            ("this coming Friday", "this coming Friday=2023-05-12"),
            ("this Friday", "this Friday=2023-05-12"),
            ("this Monday I bought a car", "this Monday=2023-05-08"),
            ("this Monday I will buy a car", "this Monday=2023-05-15"),
            ("Friday night we danced", "Friday night=2023-05-05 night"),
            (
                "on Saturday morning I ran",
                "Saturday morning=2023-05-06 morning",
            ),
            ("two Fridays ago", "two Fridays ago=2023-04-28"),
            ("it is due by Friday", "Friday=2023-05-12"),
            ("on Fridays", ""),
            ("every Friday night", ""),
            ("Happy Friday!", ""),
        ],
    );
}

#[test]
fn counted_time() {
    check(
        &anchor("2023-05-08T13:56:00Z", "UTC"),
        &[
            ("two days ago", "two days ago=2023-05-06"),
            ("3 days ago", "3 days ago=2023-05-05"),
            ("a week ago", "a week ago=2023-05-01 to 2023-05-07"),
            ("a week ago yesterday", "a week ago yesterday=2023-04-30"),
            (
                "a couple of weeks ago",
                "a couple of weeks ago=2023-04-24 to 2023-04-30",
            ),
            ("a few days ago", "a few days ago=2023-05-04 to 2023-05-06"),
            ("a few years ago", "a few years ago=2019 to 2021"),
            ("ten years ago", "ten years ago=2013"),
            ("twenty-five years ago", "twenty-five years ago=1998"),
            ("four years back", "four years back=2019"),
            ("half a year ago", "half a year ago=2022-11"),
            ("a year and a half ago", "a year and a half ago=2021-11"),
            (
                "two or three weeks ago",
                "two or three weeks ago=2023-04-17 to 2023-04-30",
            ),
            ("two years ago today", "two years ago today=2021-05-08"),
            (
                "a fortnight ago",
                "a fortnight ago=2023-04-24 to 2023-04-30",
            ),
            ("two summers ago", "two summers ago=2021-06 to 2021-08"),
            ("15 minutes ago", "15 minutes ago=2023-05-08 13:41"),
            ("two hours ago", "two hours ago=2023-05-08 morning"),
            (
                "I'm leaving in two weeks",
                "in two weeks=2023-05-22 to 2023-05-28",
            ),
            ("the exam is in 3 days", "in 3 days=2023-05-11"),
            ("in two days' time", "in two days' time=2023-05-10"),
            ("three days from now", "three days from now=2023-05-11"),
            (
                "a week from Friday I will go",
                "a week from Friday=2023-05-15 to 2023-05-21",
            ),
            (
                "over the past two weeks",
                "the past two weeks=2023-04-24 to 2023-05-08",
            ),
            (
                "the last few months",
                "the last few months=2023-01-08 to 2023-05-08",
            ),
            ("in the past year", "the past year=2022-05-08 to 2023-05-08"),
            (
                "two weeks before Christmas",
                "two weeks before Christmas=2022-12-05 to 2022-12-11",
            ),
            (
                "the day before Christmas 2021",
                "the day before Christmas 2021=2021-12-24",
            ),
            (
                "the week before 9 June 2023",
                "the week before 9 June 2023=2023-05-29 to 2023-06-04",
            ),
            (
                "the Friday before 9 June 2023",
                "the Friday before 9 June 2023=2023-06-02",
            ),
            (
                "3 days after 2023-02-27",
                "3 days after 2023-02-27=2023-03-02",
            ),
            ("since March", "since March=2023-03-01 to 2023-05-08"),
            ("since 2016", "since 2016=2016-01-01 to 2023-05-08"),
            (
                "since last Friday",
                "since last Friday=2023-05-05 to 2023-05-08",
            ),
            ("we built it in two weeks", ""),
            ("twice in a week", ""),
            ("how many days ago", ""),
            ("1.5 years ago", ""),
            (
                "the weekend after 3 June 2022",
                "the weekend after 3 June 2022=2022-06-04 to 2022-06-05",
            ),
            (
                "the weekend before 17 July 2023",
                "the weekend before 17 July 2023=2023-07-15 to 2023-07-16",
            ),
            (
                "last weekend before April 10, 2023",
                "last weekend before April 10, 2023=2023-04-08 to 2023-04-09",
            ),
            (
                "on the Sunday before October 25, 2022",
                "the Sunday before October 25, 2022=2022-10-23",
            ),
            (
                "a few days before November 2022",
                "a few days before November 2022=2022-10-28 to 2022-10-30",
            ),
            ("in the coming weeks", ""),
            ("she is two years back in school", ""),
            ("99999 years ago", ""),
            ("9000 years ago", ""),
        ],
    );
}

#[test]
fn written_dates() {
    check(
        &anchor("2023-05-08T13:56:00Z", "UTC"),
        &[
            ("8 May 2023", "8 May 2023=2023-05-08"),
            ("on 8 May, 2022, we met", "8 May, 2022=2022-05-08"),
            ("the 8th of May", "the 8th of May=2023-05-08"),
            ("May 8th", "May 8th=2023-05-08"),
            ("May 20th was fun", "May 20th=2022-05-20"),
            ("May 20th will be fun", "May 20th=2023-05-20"),
            ("the concert is on May 20", "May 20=2023-05-20"),
            ("July 4, 2021", "July 4, 2021=2021-07-04"),
            ("Sept. 3, 2021", "Sept. 3, 2021=2021-09-03"),
            ("2023-05-08", "2023-05-08=2023-05-08"),
            ("2023/05/08", "2023/05/08=2023-05-08"),
            ("2023-05-08T10:00", "2023-05-08T10:00=2023-05-08 10:00"),
            ("2023-05", "2023-05=2023-05"),
            ("May 2022", "May 2022=2022-05"),
            ("in 2022", "2022=2022"),
            ("in May", "May=2023-05"),
            ("in June we flew", "June=2022-06"),
            ("in June we will fly", "June=2023-06"),
            ("in April next year", "April next year=2024-04"),
            (
                "the summer of last year",
                "summer of last year=2022-06 to 2022-08",
            ),
            (
                "I have an appointment on June 3rd at 10:30 am",
                "June 3rd at 10:30 am=2023-06-03 10:30",
            ),
            ("in December", "December=2022-12"),
            ("early May", "early May=2023-05-01 to 2023-05-10"),
            ("mid-April", "mid-April=2023-04-11 to 2023-04-20"),
            (
                "late February 2024",
                "late February 2024=2024-02-21 to 2024-02-29",
            ),
            ("early 2022", "early 2022=2022-01 to 2022-04"),
            ("the end of 2022", "end of 2022=2022-11 to 2022-12"),
            (
                "the end of the month",
                "end of the month=2023-05-21 to 2023-05-31",
            ),
            ("late last year", "late last year=2022-09 to 2022-12"),
            ("summer 2021", "summer 2021=2021-06 to 2021-08"),
            ("the winter of 2021", "winter of 2021=2021-12 to 2022-02"),
            ("in the summer we went sailing", "summer=2022-06 to 2022-08"),
            ("Q3 2022", "Q3 2022=2022-07 to 2022-09"),
            ("in the 1990s", "1990s=1990 to 1999"),
            ("on the 3rd we met", "3rd=2023-05-03"),
            ("met them on the 3rd after my trip", "3rd=2023-05-03"),
            (
                "the first weekend of August 2023",
                "first weekend of August 2023=2023-08-05 to 2023-08-06",
            ),
            (
                "the second week of last November",
                "second week of last November=2022-11-08 to 2022-11-14",
            ),
            (
                "the last week of May",
                "last week of May=2023-05-25 to 2023-05-31",
            ),
            ("on the 8th floor", ""),
            ("on Christmas Eve", "Christmas Eve=2022-12-24"),
            ("New Year's Day 2022", "New Year's Day 2022=2022-01-01"),
            ("yesterday at 7pm", "yesterday at 7pm=2023-05-07 19:00"),
            (
                "at 7:30 p.m. yesterday",
                "at 7:30 p.m. yesterday=2023-05-07 19:30",
            ),
            (
                "1:56 pm on 8 May, 2023",
                "1:56 pm on 8 May, 2023=2023-05-08 13:56",
            ),
            ("tonight at 8", "tonight at 8=2023-05-08 20:00"),
            ("yesterday at 7", "yesterday=2023-05-07"),
            ("the shop opens at 7pm", ""),
            ("29 February 2023", ""),
            ("February 29th was odd", "February 29th=2020-02-29"),
        ],
    );
}

#[test]
fn ordinary_words_are_left_alone() {
    let friends = [
        "may I come in",
        "you may 5 times",
        "it may be late",
        "this may be wrong",
        "march on",
        "they march 10 miles",
        "this march was long",
        "sun is out",
        "in the sun",
        "the sun set",
        "I sat down",
        "I sat on the sofa",
        "we wed there",
        "second place",
        "the second of three",
        "fall down",
        "from Monday to Friday I work",
        "inspired by autumn so I am planning",
        "a book from the 1900s",
        "I may fall in love",
        "in the fall of Rome",
        "spring water",
        "a spring in my step",
        "winter is cold",
        "the last one",
        "last but not least",
        "next to me",
        "next time",
        "last time",
        "the last week of school",
        "this is it",
        "day after day",
        "day by day",
        "week in week out",
        "some day",
        "one day",
        "in a day",
        "in 2000 words",
        "order 2023-05-08-771",
        "v2.2023.05.08",
        "1.2023.05",
        "ip 10.2023.05.08.1",
        "room 2022",
        "2022 people",
        "I paid 2022 dollars",
        "on the 5th floor",
        "my friend May",
        "from May with love",
        "call June",
        "I love summer",
        "I swim in the summer",
        "I was born in May",
        "my birthday is May 8th",
        "Christmas tree",
        "a Christmas party",
        "Black Friday",
        "Sunday school",
        "years of work",
        "two days of rain",
        "5 minutes",
        "for two weeks",
        "in two years of marriage",
        "the next day",
        "the next week he left",
        "decade",
        "dec 5 times",
        "mar the surface",
        "a week",
        "may 2 dogs play",
        "sept",
        "the weekend of a lifetime",
        "back in the day",
        "ten years back to back",
        "May-be",
        "x2023-05-08",
        "2023-05-08x",
        "AM at PM",
        "at 7",
        "the last of us",
        "10:30",
        "since then",
        "ago",
        "before after",
    ];
    let table: Vec<(&str, &str)> = friends.iter().map(|text| (*text, "")).collect();
    check(&anchor("2023-05-08T13:56:00Z", "UTC"), &table);
}

#[test]
fn year_ends_and_leap_days() {
    check(
        &anchor("2024-01-01T08:00:00Z", "UTC"),
        &[
            ("yesterday", "yesterday=2023-12-31"),
            ("last week", "last week=2023-12-25 to 2023-12-31"),
            ("last month", "last month=2023-12"),
            ("last quarter", "last quarter=2023-10 to 2023-12"),
            ("this winter", "this winter=2023-12 to 2024-02"),
            ("last winter", "last winter=2022-12 to 2023-02"),
            ("next winter", "next winter=2024-12 to 2025-02"),
            ("on New Year's Eve", "New Year's Eve=2023-12-31"),
            ("in December", "December=2023-12"),
            ("last Christmas", "last Christmas=2023-12-25"),
        ],
    );
    check(
        &anchor("2024-02-29T12:00:00Z", "UTC"),
        &[
            ("a year ago", "a year ago=2023"),
            ("a month ago", "a month ago=2024-01"),
            ("tomorrow", "tomorrow=2024-03-01"),
            ("last year", "last year=2023"),
            ("February 29th", "February 29th=2024-02-29"),
        ],
    );
    check(
        &anchor("2023-03-31T12:00:00Z", "UTC"),
        &[
            ("last month", "last month=2023-02"),
            ("next month", "next month=2023-04"),
            ("a month ago", "a month ago=2023-02"),
        ],
    );
    check(
        &anchor("2023-05-07T12:00:00Z", "UTC"),
        &[
            ("last weekend", "last weekend=2023-04-29 to 2023-04-30"),
            (
                "we slept over the weekend",
                "weekend=2023-05-06 to 2023-05-07",
            ),
            ("this week", "this week=2023-05-01 to 2023-05-07"),
        ],
    );
}

#[test]
fn kind_and_direction() {
    let monday = anchor("2023-05-08T13:56:00Z", "UTC");
    let all: Vec<(MentionKind, Direction)> = find(
        "Yesterday, this week, next week, in 2022 and on 3 June 2024.",
        &monday,
    )
    .iter()
    .map(|m| (m.kind, m.direction))
    .collect();
    use Direction::{Future, Past, Present};
    use MentionKind::{Absolute, Relative};
    assert_eq!(
        all,
        [
            (Relative, Past),
            (Relative, Present),
            (Relative, Future),
            (Absolute, Past),
            (Absolute, Future)
        ]
    );
}
