//! Counters of what was asked.

use std::collections::BTreeMap;

use serde::Serialize;

use super::step::Step;

/// Counters of one step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct StepStats {
    /// Requests, failed ones too.
    pub calls: u64,
    /// Texts, of embeddings.
    pub items: u64,
    /// Tokens that came in.
    pub prompt_tokens: u64,
    /// Tokens that went out.
    pub completion_tokens: u64,
    /// Tokens of system messages that had been seen before, which a provider's prompt cache would have kept.
    pub cached_tokens: u64,
}

/// All counters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// By step; the three steps of the pipeline and embeddings are always there.
    pub steps: BTreeMap<Step, StepStats>,
    /// Most requests that were being answered at the same time.
    pub in_flight_max: u64,
}

impl Stats {
    /// Nothing counted yet.
    #[must_use]
    pub fn new() -> Self {
        let always = [
            Step::EntryNotes,
            Step::Extract,
            Step::Merge,
            Step::Embeddings,
        ];
        Self {
            steps: always
                .into_iter()
                .map(|step| (step, StepStats::default()))
                .collect(),
            in_flight_max: 0,
        }
    }

    /// The counters of a step; zeros when it was never asked.
    #[must_use]
    pub fn of(&self, step: Step) -> StepStats {
        self.steps.get(&step).copied().unwrap_or_default()
    }
}
