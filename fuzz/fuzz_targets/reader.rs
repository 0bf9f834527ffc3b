//! Answers of language models, and templates of callers.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mneme_core::context;
use mneme_core::distil::reader;

fuzz_target!(|answer: &str| {
    if let Ok(notes) = reader::notes(answer) {
        assert!(notes.lines.iter().all(|line| line.starts_with("- ")));
    }
    if let Ok((facts, _)) = reader::facts(answer) {
        assert!(
            facts
                .iter()
                .all(|(slot, value)| !slot.topic.is_empty() && !reader::is_meaningless(value))
        );
    }
    if let Ok((verdicts, _)) = reader::verdicts(answer, 5) {
        assert!(verdicts.keys().all(|number| *number < 5));
    }
    let _ = reader::tags(answer, &[]);
    if let Some(numbers) = reader::picked(answer, 3) {
        assert!(numbers.iter().all(|number| *number < 3));
    }
    let _ = context::render_custom(answer, "{event_section}", "");
});
