//! Which requests cover a list of texts, and what to ask instead of a request that was refused. No I/O.

use crate::chunk::{self, PART_CHARS_MIN};

/// What stands for a blank text, because providers refuse empty input.
const BLANK: &str = ".";

/// A piece of one of the texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    /// Which text.
    pub(crate) text: usize,
    pub(crate) piece: String,
    /// Whether it was found by halving, so that its success tells the provider's limit.
    halved: bool,
}

impl Part {
    /// A whole text.
    pub(crate) fn whole(text: usize, piece: &str) -> Self {
        Self {
            text,
            piece: piece.to_owned(),
            halved: false,
        }
    }

    pub(crate) fn chars(&self) -> usize {
        self.piece.chars().count()
    }
}

/// The requests that are still to be made: a stack of batches, the next one on top.
#[derive(Debug)]
pub(crate) struct Plan {
    stack: Vec<Vec<Part>>,
    batch_max: usize,
    chars_max: usize,
    learned: Option<usize>,
}

impl Plan {
    /// Covers the texts with batches of at most `batch_max` parts of at most `chars_max` characters.
    pub(crate) fn new(texts: &[String], batch_max: usize, chars_max: usize) -> Self {
        let parts = texts.iter().enumerate().map(|(text, whole)| {
            Part::whole(
                text,
                if whole.trim().is_empty() {
                    BLANK
                } else {
                    whole
                },
            )
        });
        let mut plan = Self {
            stack: Vec::new(),
            batch_max: batch_max.max(1),
            chars_max: chars_max.max(1),
            learned: None,
        };
        plan.push(parts.collect());
        plan
    }

    /// The next batch, cut to what has been learned meanwhile.
    pub(crate) fn next(&mut self) -> Option<Vec<Part>> {
        let batch = self.stack.pop()?;
        let chars_max = self.learned.unwrap_or(self.chars_max);
        if batch.iter().any(|part| !fits(part, chars_max)) {
            self.push(batch);
            return self.stack.pop();
        }
        Some(batch)
    }

    /// Puts parts on top, cut and in batches.
    fn push(&mut self, parts: Vec<Part>) {
        let chars_max = self.learned.unwrap_or(self.chars_max);
        let mut batches: Vec<Vec<Part>> = Vec::new();
        for part in parts {
            let pieces = if fits(&part, chars_max) {
                vec![part.piece.as_str()]
            } else {
                chunk::parts(&part.piece, chars_max)
            };
            for piece in pieces {
                let part = Part {
                    piece: piece.to_owned(),
                    ..part
                };
                match batches.last_mut() {
                    Some(batch) if batch.len() < self.batch_max => batch.push(part),
                    _ => batches.push(vec![part]),
                }
            }
        }
        self.stack.extend(batches.into_iter().rev());
    }

    /// Asks for each part of a batch alone, and from now on for every part.
    pub(crate) fn one_by_one(&mut self, batch: Vec<Part>) {
        self.batch_max = 1;
        let waiting = std::mem::take(&mut self.stack);
        let all = waiting.into_iter().chain([batch]);
        self.stack = all
            .flat_map(|batch| batch.into_iter().rev().map(|part| vec![part]))
            .collect();
    }

    /// Asks for smaller pieces than a refused batch: its halves, or the halves of its only part. `false` when there is
    /// nothing smaller.
    ///
    /// Depth first: a provider that refuses everything is found out after a dozen requests.
    pub(crate) fn halve(&mut self, mut batch: Vec<Part>) -> bool {
        if batch.len() > 1 {
            let second = batch.split_off(batch.len() / 2);
            self.stack.extend([second, batch]);
            return true;
        }
        let Some(part) = batch.first() else {
            return false;
        };
        let Some((first, second)) = chunk::halves(&part.piece) else {
            return false;
        };
        let half = |piece: &str| {
            vec![Part {
                text: part.text,
                piece: piece.to_owned(),
                halved: true,
            }]
        };
        self.stack.extend([half(second), half(first)]);
        true
    }

    /// Notes that a batch was accepted.
    pub(crate) fn accepted(&mut self, batch: &[Part]) {
        let longest = batch
            .iter()
            .filter(|part| part.halved)
            .map(Part::chars)
            .max();
        self.learned = self
            .learned
            .max(longest.map(|chars| chars.max(PART_CHARS_MIN)));
    }

    /// The longest text that the provider accepts, when a refusal made us look for it.
    pub(crate) fn learned(&self) -> Option<usize> {
        self.learned
    }
}

/// Halves always fit: their own success or refusal is what teaches.
fn fits(part: &Part, chars_max: usize) -> bool {
    part.halved || part.piece.chars().nth(chars_max).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(lengths: &[usize]) -> Vec<String> {
        lengths.iter().map(|&length| "x".repeat(length)).collect()
    }

    /// Runs a plan against a provider that refuses batches by a rule; returns the characters that were accepted of
    /// each text and the number of requests, or `None` when the plan gave up.
    fn run(
        plan: &mut Plan,
        count: usize,
        refuses: impl Fn(&[Part]) -> bool,
    ) -> Option<(Vec<usize>, usize)> {
        let (mut accepted, mut requests) = (vec![0; count], 0);
        while let Some(batch) = plan.next() {
            requests += 1;
            if refuses(&batch) {
                if !plan.halve(batch) {
                    return None;
                }
                continue;
            }
            plan.accepted(&batch);
            for part in &batch {
                accepted[part.text] += part.chars();
            }
        }
        Some((accepted, requests))
    }

    #[test]
    fn batches_are_bounded_and_in_order() {
        let mut plan = Plan::new(&texts(&[1, 25, 0, 3]), 2, 10);
        let mut seen = Vec::new();
        while let Some(batch) = plan.next() {
            assert!(batch.len() <= 2);
            seen.extend(batch.into_iter().map(|part| (part.text, part.piece.len())));
        }
        assert_eq!(seen, [(0, 1), (1, 10), (1, 10), (1, 5), (2, 1), (3, 3)]);
        assert!(Plan::new(&[], 2, 10).next().is_none());
    }

    #[test]
    fn a_limit_is_found_once_and_used_for_the_rest() {
        let mut plan = Plan::new(&texts(&[4_000; 10]), 64, 8_000);
        let (accepted, requests) = run(&mut plan, 10, |batch| {
            batch.iter().any(|part| part.chars() > 1_200)
        })
        .expect("fits");
        assert_eq!(accepted, [4_000; 10]);
        assert_eq!(plan.learned(), Some(1_000));
        assert!(requests < 25, "{requests}");
    }

    #[test]
    fn a_provider_that_refuses_everything_is_found_out_soon() {
        let asked = std::cell::Cell::new(0);
        let mut plan = Plan::new(&texts(&[8_000; 64]), 64, 8_000);
        let end = run(&mut plan, 64, |_| {
            asked.set(asked.get() + 1);
            true
        });
        assert!(end.is_none() && asked.get() < 20, "{}", asked.get());
    }

    #[test]
    fn one_by_one_asks_each_part_once_in_order() {
        let mut plan = Plan::new(&texts(&[1, 2, 3, 4, 5]), 3, 10);
        let batch = plan.next().expect("one");
        plan.one_by_one(batch);
        let mut seen = Vec::new();
        while let Some(batch) = plan.next() {
            assert_eq!(batch.len(), 1);
            seen.push(batch[0].text);
        }
        assert_eq!(seen, [0, 1, 2, 3, 4]);
    }

    proptest::proptest! {
        #[test]
        fn every_character_is_embedded_once(
            lengths in proptest::collection::vec(0_usize..3_000, 0..20),
            batch_max in 1_usize..8,
            limit in PART_CHARS_MIN..2_000,
        ) {
            let texts = texts(&lengths);
            let mut plan = Plan::new(&texts, batch_max, 2_500);
            let (accepted, _) = run(&mut plan, texts.len(), |batch| batch.iter().any(|part| part.chars() > limit.max(2 * PART_CHARS_MIN))).expect("fits");
            let expected: Vec<usize> = lengths.iter().map(|&length| length.max(1)).collect();
            proptest::prop_assert_eq!(accepted, expected);
        }
    }
}
