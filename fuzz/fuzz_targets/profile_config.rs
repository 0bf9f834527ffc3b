//! Profile configurations: what is accepted can be used.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mneme_core::config;
use mneme_core::distil::Language;

fuzz_target!(|text: &str| {
    if let Ok(config) = config::parse(text) {
        assert!(
            config
                .topics(Language::En)
                .iter()
                .all(|topic| !topic.topic.is_empty())
        );
    }
});
