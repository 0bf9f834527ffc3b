//! How the fake server is set.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize};

use super::step::Step;

/// Longest delay, milliseconds; longer ones are shortened to it.
const DELAY_MS_MAX: u64 = 600_000;

/// Settings. Over HTTP any of them may be sent alone; the others stay.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Delay of each chat, milliseconds.
    pub delay_ms: u64,
    /// Delay of each embeddings request, milliseconds.
    pub embed_delay_ms: u64,
    /// Delay of single steps, milliseconds, instead of the general one.
    pub step_delay_ms: BTreeMap<Step, u64>,
    /// Components of a vector when the request does not say.
    pub dimension: usize,
    /// Whether answers tell their usage.
    pub usage: bool,
    /// Longest text that is embedded, characters; longer ones are refused. `None`: any.
    pub embed_max_chars: Option<usize>,
    /// The status of that refusal.
    pub embed_long_status: u16,
    /// Whether an embeddings request of several texts gets one vector only.
    pub embed_one_vector: bool,
    /// Whether vectors come in reverse order, with the right `index`.
    pub embed_reversed: bool,
    /// Whether `dimensions` is refused.
    pub refuse_dimensions: bool,
    /// Whether `max_tokens` is refused in favour of `max_completion_tokens`.
    pub refuse_max_tokens: bool,
    /// Whether a `temperature` is refused.
    pub refuse_temperature: bool,
    /// Key that requests must carry; `None`: any or none.
    pub api_key: Option<String>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            delay_ms: 0,
            embed_delay_ms: 0,
            step_delay_ms: BTreeMap::new(),
            dimension: 1536,
            usage: true,
            embed_max_chars: None,
            embed_long_status: 400,
            embed_one_vector: false,
            embed_reversed: false,
            refuse_dimensions: false,
            refuse_max_tokens: false,
            refuse_temperature: false,
            api_key: None,
        }
    }
}

impl Config {
    /// How late a step is answered.
    #[must_use]
    pub fn delay(&self, step: Step) -> Duration {
        let general = if step == Step::Embeddings {
            self.embed_delay_ms
        } else {
            self.delay_ms
        };
        Duration::from_millis(
            self.step_delay_ms
                .get(&step)
                .copied()
                .unwrap_or(general)
                .min(DELAY_MS_MAX),
        )
    }

    /// This configuration with the members of a JSON object put over it.
    ///
    /// # Errors
    ///
    /// The reader's words when a member is unknown or has the wrong type.
    pub fn patched(&self, patch: &serde_json::Value) -> Result<Self, String> {
        let patch = patch
            .as_object()
            .ok_or("the configuration must be a JSON object")?;
        let mut whole = serde_json::to_value(self).map_err(|error| error.to_string())?;
        for (name, value) in patch {
            whole[name] = value.clone();
        }
        serde_json::from_value(whole).map_err(|error| error.to_string())
    }
}

/// Fixed texts of steps, until they are taken back. Over HTTP a member that is missing stays, `null` takes it back.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Canned {
    /// Of [`Step::EntryNotes`]; `None` leaves it, `Some(None)` takes it back.
    #[serde(alias = "entry_notes", deserialize_with = "present")]
    pub entry: Option<Option<String>>,
    /// Of [`Step::Extract`].
    #[serde(deserialize_with = "present")]
    pub extract: Option<Option<String>>,
    /// Of [`Step::Merge`].
    #[serde(deserialize_with = "present")]
    pub merge: Option<Option<String>>,
    /// Of [`Step::Tag`].
    #[serde(deserialize_with = "present")]
    pub tag: Option<Option<String>>,
    /// Of [`Step::Pick`].
    #[serde(deserialize_with = "present")]
    pub pick: Option<Option<String>>,
    /// Of [`Step::Repair`].
    #[serde(deserialize_with = "present")]
    pub repair: Option<Option<String>>,
    /// Of [`Step::Other`].
    #[serde(deserialize_with = "present")]
    pub other: Option<Option<String>>,
}

impl Canned {
    /// What is to change, by step.
    pub(super) fn changes(self) -> impl Iterator<Item = (Step, Option<String>)> {
        let all = [
            (Step::EntryNotes, self.entry),
            (Step::Extract, self.extract),
            (Step::Merge, self.merge),
            (Step::Tag, self.tag),
            (Step::Pick, self.pick),
            (Step::Repair, self.repair),
            (Step::Other, self.other),
        ];
        all.into_iter()
            .filter_map(|(step, change)| change.map(|text| (step, text)))
    }
}

/// Tells a `null` from a missing member.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::<String>::deserialize(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_patch_changes_only_what_it_names() {
        let patched = Config::default()
            .patched(&json!({"delay_ms": 5, "step_delay_ms": {"merge": 9}}))
            .expect("valid");
        assert_eq!(patched.delay(Step::Extract), Duration::from_millis(5));
        assert_eq!(patched.delay(Step::Merge), Duration::from_millis(9));
        assert_eq!(patched.delay(Step::Embeddings), Duration::ZERO);
        let again = patched
            .patched(&json!({"embed_max_chars": 10, "step_delay_ms": {}}))
            .expect("valid");
        assert_eq!(
            (
                again.delay_ms,
                again.embed_max_chars,
                again.delay(Step::Merge)
            ),
            (5, Some(10), Duration::from_millis(5))
        );
        assert_eq!(
            again
                .patched(&json!({"embed_max_chars": null}))
                .expect("valid")
                .embed_max_chars,
            None
        );
        for wrong in [
            json!({"delay": 5}),
            json!({"delay_ms": "5"}),
            json!([]),
            json!(null),
        ] {
            assert!(Config::default().patched(&wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn canned_texts_tell_null_from_missing() {
        let canned: Canned =
            serde_json::from_value(json!({"entry": "- a", "merge": null})).expect("valid");
        let changes: Vec<_> = canned.changes().collect();
        assert_eq!(
            changes,
            [
                (Step::EntryNotes, Some("- a".to_owned())),
                (Step::Merge, None)
            ]
        );
    }
}
