//! Terms: those of a query are among those of the same text as a document.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mneme_core::analyze;

fuzz_target!(|text: &str| {
    let document = analyze::terms(text);
    assert!(
        analyze::query_terms(text)
            .iter()
            .all(|term| document.contains_key(term))
    );
});
