//! How long the source files are: one idea per module shows in its length.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::workspace;

/// Above this a file is worth a look, lines.
const SOFT_CAP_LINES: usize = 400;
/// Above this it is an error, lines.
const HARD_CAP_LINES: usize = 700;
/// Folders of tests, which may be as long as their tables.
const TEST_FOLDERS: [&str; 3] = ["tests", "benches", "fuzz"];

/// Lists files over the soft cap, fails when one is over the hard cap.
pub(crate) fn check() -> Result<()> {
    let files = measured()?;
    for (path, lines) in files.iter().filter(|(_, lines)| *lines > SOFT_CAP_LINES) {
        println!("{lines:>6} {}", path.display());
    }
    let over = files
        .iter()
        .filter(|(_, lines)| *lines > HARD_CAP_LINES)
        .count();
    if over > 0 {
        bail!(
            "{over} file(s) have more than {HARD_CAP_LINES} lines: which second idea lives in them?"
        );
    }
    Ok(())
}

/// Every Rust file that is no test, with its lines, the longest first.
fn measured() -> Result<Vec<(PathBuf, usize)>> {
    let root = workspace::root();
    let mut files = Vec::new();
    for path in workspace::files()?
        .into_iter()
        .filter(|path| is_measured(path))
    {
        let text = fs::read_to_string(root.join(&path))
            .with_context(|| format!("{} cannot be read", path.display()))?;
        files.push((path, text.lines().count()));
    }
    files.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    Ok(files)
}

fn is_measured(path: &Path) -> bool {
    let in_tests = path.components().any(|part| {
        TEST_FOLDERS
            .iter()
            .any(|folder| part.as_os_str() == *folder)
    });
    path.extension().is_some_and(|extension| extension == "rs") && !in_tests
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_over_the_hard_cap() {
        let files = measured().unwrap();
        assert!(
            files
                .iter()
                .any(|(path, _)| path.ends_with("xtask/src/sizes.rs")),
            "this very file was not measured"
        );
        let over: Vec<_> = files
            .iter()
            .filter(|(_, lines)| *lines > HARD_CAP_LINES)
            .collect();
        assert!(over.is_empty(), "too long: {over:?}");
    }

    #[test]
    fn tests_and_other_languages_are_left_out() {
        assert!(is_measured(Path::new("crates/core/src/id.rs")));
        assert!(!is_measured(Path::new("crates/store/tests/conformance.rs")));
        assert!(!is_measured(Path::new("tests/sdk-python/conftest.py")));
    }
}
