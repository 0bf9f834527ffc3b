//! Dates of messages and time words in texts.
#![no_main]

use jiff::tz::TimeZone;
use libfuzzer_sys::fuzz_target;
use mneme_core::time::{Anchor, Timestamp, expression, message};

fuzz_target!(|input: (i64, &str)| {
    let (micros, text) = input;
    let zone = TimeZone::get("America/New_York").unwrap_or(TimeZone::UTC);
    let _ = message::read(text, &zone);
    let anchor = Anchor {
        at: Timestamp(micros),
        zone,
    };
    for mention in expression::find(text, &anchor) {
        assert!(mention.happened.from < mention.happened.to);
        assert!(text.is_char_boundary(mention.start) && text.is_char_boundary(mention.end));
    }
    assert!(expression::annotate(text, &anchor).starts_with(text));
});
