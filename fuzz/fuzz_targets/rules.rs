//! The built-in distiller: no panic, no empty value.
#![no_main]

use jiff::tz::TimeZone;
use libfuzzer_sys::fuzz_target;
use mneme_core::distil::{DatedTurn, Language, Verdict, builtin};
use mneme_core::id::SourceId;
use mneme_core::source::{Role, Turn};
use mneme_core::time::{Anchor, Timestamp};

fuzz_target!(|input: (&str, Option<&str>, &str)| {
    let (content, date, current) = input;
    let turn = DatedTurn {
        source: SourceId(uuid::Uuid::nil()),
        index: 0,
        turn: Turn {
            role: Role::User,
            alias: None,
            content: content.to_owned(),
            created_at: date.map(str::to_owned),
        },
        anchor: Anchor {
            at: Timestamp(1_700_000_000_000_000),
            zone: TimeZone::UTC,
        },
    };
    let distilled = builtin::distil(&[turn], &|_| Some(current.to_owned()), Language::En);
    for (fact, verdict) in &distilled.facts {
        assert!(!fact.value.trim().is_empty());
        assert!(!matches!(verdict, Verdict::Update(text) if text.trim().is_empty()));
    }
});
