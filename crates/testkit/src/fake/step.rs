//! Which step of the pipeline a request belongs to.

use serde::{Deserialize, Serialize};

/// A step, told by the first line of the system message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// `# Task: entry notes`
    #[serde(alias = "entry")]
    EntryNotes,
    /// `# Task: extract profile`
    Extract,
    /// `# Task: merge profile`
    Merge,
    /// `# Task: repair`
    Repair,
    /// `# Task: pick profiles`
    Pick,
    /// `# Task: tag event`
    Tag,
    /// `/embeddings`
    Embeddings,
    /// Any other chat.
    Other,
}

impl Step {
    /// All steps.
    pub const ALL: [Self; 8] = [
        Self::EntryNotes,
        Self::Extract,
        Self::Merge,
        Self::Repair,
        Self::Pick,
        Self::Tag,
        Self::Embeddings,
        Self::Other,
    ];

    /// The step of a chat with that system message.
    #[must_use]
    pub fn of_system(system: &str) -> Self {
        match system.lines().next().unwrap_or_default().trim_end() {
            "# Task: entry notes" => Self::EntryNotes,
            "# Task: extract profile" => Self::Extract,
            "# Task: merge profile" => Self::Merge,
            "# Task: repair" => Self::Repair,
            "# Task: pick profiles" => Self::Pick,
            "# Task: tag event" => Self::Tag,
            _ => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_decides() {
        for (system, step) in [
            ("# Task: entry notes\nmore", Step::EntryNotes),
            ("# Task: extract profile", Step::Extract),
            ("# Task: merge profile\r\n", Step::Merge),
            ("# Task: repair\n# Task: merge profile", Step::Repair),
            ("# Task: pick profiles", Step::Pick),
            ("# Task: tag event", Step::Tag),
            ("\n# Task: tag event", Step::Other),
            ("# Task: tag events", Step::Other),
            ("", Step::Other),
        ] {
            assert_eq!(Step::of_system(system), step, "{system:?}");
        }
    }

    #[test]
    fn names_on_the_wire() {
        let names: Vec<_> = Step::ALL
            .iter()
            .map(|step| serde_json::to_value(step).expect("a name"))
            .collect();
        assert_eq!(
            names,
            [
                "entry_notes",
                "extract",
                "merge",
                "repair",
                "pick",
                "tag",
                "embeddings",
                "other"
            ]
        );
        assert_eq!(
            serde_json::from_str::<Step>("\"entry\"").expect("alias"),
            Step::EntryNotes
        );
    }
}
