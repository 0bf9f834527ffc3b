//! What the fake server knows; one lock, never held while waiting.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::Value;

use super::answer::Answer;
use super::config::{Canned, Config};
use super::stats::{Stats, StepStats};
use super::step::Step;
use crate::words;

/// Requests that are kept.
const LOG_MAX: usize = 1_000;
/// Bytes of requests that are kept.
const LOG_BYTES_MAX: usize = 64 * 1024 * 1024;
/// System messages that are known again.
const SEEN_MAX: usize = 10_000;

/// A request that came in.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Logged {
    /// Its step.
    pub step: Step,
    /// Its path and query.
    pub path: String,
    /// The whole `Authorization` header, if there was one.
    pub authorization: Option<String>,
    /// Its body.
    pub body: Value,
}

#[derive(Default)]
struct Script {
    answers: VecDeque<Answer>,
    repeat: bool,
}

impl Script {
    fn next(&mut self) -> Option<Answer> {
        let answer = self.answers.pop_front()?;
        if self.repeat {
            self.answers.push_back(answer.clone());
        }
        Some(answer)
    }
}

struct Inner {
    config: Config,
    canned: BTreeMap<Step, String>,
    /// By step; `None` is for every step.
    scripts: HashMap<Option<Step>, Script>,
    stats: Stats,
    log: VecDeque<(usize, Logged)>,
    log_bytes: usize,
    seen: HashSet<u64>,
    in_flight: u64,
}

/// Shared by the server and its handle.
pub(super) struct State(Mutex<Inner>);

/// One request in flight; counted until dropped.
pub(super) struct InFlight<'a>(&'a State);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        let mut inner = self.0.lock();
        inner.in_flight = inner.in_flight.saturating_sub(1);
    }
}

impl State {
    pub(super) fn new() -> Self {
        Self(Mutex::new(Inner {
            config: Config::default(),
            canned: BTreeMap::new(),
            scripts: HashMap::new(),
            stats: Stats::new(),
            log: VecDeque::new(),
            log_bytes: 0,
            seen: HashSet::new(),
            in_flight: 0,
        }))
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Every change is whole before a panic could come.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn config(&self) -> Config {
        self.lock().config.clone()
    }

    pub(super) fn set_config(&self, config: Config) {
        self.lock().config = config;
    }

    pub(super) fn patch_config(&self, patch: &Value) -> Result<Config, String> {
        let mut inner = self.lock();
        inner.config = inner.config.patched(patch)?;
        Ok(inner.config.clone())
    }

    pub(super) fn set_canned(&self, canned: Canned) {
        let mut inner = self.lock();
        for (step, text) in canned.changes() {
            match text {
                Some(text) => inner.canned.insert(step, text),
                None => inner.canned.remove(&step),
            };
        }
    }

    pub(super) fn canned(&self, step: Step) -> Option<String> {
        self.lock().canned.get(&step).cloned()
    }

    /// Replaces the script of a step, or of every step.
    pub(super) fn set_script(&self, step: Option<Step>, answers: Vec<Answer>, repeat: bool) {
        self.lock().scripts.insert(
            step,
            Script {
                answers: answers.into(),
                repeat,
            },
        );
    }

    /// The next scripted answer of a step: its own script first, then the one for every step.
    pub(super) fn next_answer(&self, step: Step) -> Answer {
        let mut inner = self.lock();
        let own = inner.scripts.get_mut(&Some(step)).and_then(Script::next);
        own.or_else(|| inner.scripts.get_mut(&None).and_then(Script::next))
            .unwrap_or(Answer::Normal)
    }

    pub(super) fn stats(&self) -> Stats {
        self.lock().stats.clone()
    }

    /// Sets counters and log back; configuration, scripts and canned texts stay.
    pub(super) fn reset(&self) {
        let mut inner = self.lock();
        inner.stats = Stats::new();
        inner.stats.in_flight_max = inner.in_flight;
        inner.log.clear();
        inner.log_bytes = 0;
    }

    pub(super) fn requests(&self) -> Vec<Logged> {
        self.lock()
            .log
            .iter()
            .map(|(_, logged)| logged.clone())
            .collect()
    }

    /// Notes a request that has come in.
    pub(super) fn arrived(&self, bytes: usize, logged: Logged) -> InFlight<'_> {
        let mut inner = self.lock();
        inner.log_bytes = inner.log_bytes.saturating_add(bytes);
        inner.log.push_back((bytes, logged));
        while inner.log.len() > LOG_MAX || inner.log_bytes > LOG_BYTES_MAX {
            let Some((bytes, _)) = inner.log.pop_front() else {
                break;
            };
            inner.log_bytes = inner.log_bytes.saturating_sub(bytes);
        }
        inner.in_flight += 1;
        inner.stats.in_flight_max = inner.stats.in_flight_max.max(inner.in_flight);
        InFlight(self)
    }

    /// Adds to the counters of a step.
    pub(super) fn count(&self, step: Step, more: StepStats) {
        let mut inner = self.lock();
        let stats = inner.stats.steps.entry(step).or_default();
        stats.calls += more.calls;
        stats.items += more.items;
        stats.prompt_tokens += more.prompt_tokens;
        stats.completion_tokens += more.completion_tokens;
        stats.cached_tokens += more.cached_tokens;
    }

    /// Tokens of a system message that a prompt cache would have kept from an earlier request.
    pub(super) fn cached_tokens(&self, system: &str) -> u64 {
        let mut hasher = DefaultHasher::new();
        system.hash(&mut hasher);
        let mut inner = self.lock();
        if inner.seen.len() >= SEEN_MAX {
            inner.seen.clear();
        }
        if inner.seen.insert(hasher.finish()) {
            0
        } else {
            words::tokens(system)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logged(number: usize) -> Logged {
        Logged {
            step: Step::Other,
            path: "/".into(),
            authorization: None,
            body: number.into(),
        }
    }

    #[test]
    fn scripts_run_out_or_repeat() {
        let state = State::new();
        let text = |text: &str| Answer::Text(text.into());
        state.set_script(Some(Step::Merge), vec![text("a"), text("b")], false);
        state.set_script(None, vec![text("c")], true);
        let merges: Vec<_> = (0..4).map(|_| state.next_answer(Step::Merge)).collect();
        assert_eq!(merges, [text("a"), text("b"), text("c"), text("c")]);
        assert_eq!(state.next_answer(Step::Extract), text("c"));
        state.set_script(None, Vec::new(), false);
        assert_eq!(state.next_answer(Step::Extract), Answer::Normal);
    }

    #[test]
    fn the_log_is_bounded_by_count_and_bytes() {
        let state = State::new();
        for number in 0..LOG_MAX + 5 {
            drop(state.arrived(10, logged(number)));
        }
        let kept = state.requests();
        assert_eq!((kept.len(), &kept[0].body), (LOG_MAX, &Value::from(5)));
        drop(state.arrived(LOG_BYTES_MAX, logged(7)));
        assert_eq!(state.requests().len(), 1);
        state.reset();
        assert!(state.requests().is_empty());
    }

    #[test]
    fn a_repeated_system_message_is_cached() {
        let state = State::new();
        assert_eq!(
            [
                state.cached_tokens("12345678"),
                state.cached_tokens("12345678"),
                state.cached_tokens("other")
            ],
            [0, 2, 0]
        );
    }
}
