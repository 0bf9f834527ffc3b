//! What must not be in any file under version control: paths of one machine, unfinished or switched-off code.

use std::fs;
use std::path::Path;

use crate::workspace;

/// Folders of one machine. Written in two parts so that this file does not find itself.
const MACHINE_FOLDERS: [&str; 2] = [concat!("/", "work/"), concat!("/", "root/")];
/// Fine in a shell script, wrong in a text that others follow.
const SCRATCH_FOLDER: &str = concat!("/", "tmp/");
/// Code that is not finished or does not run.
const UNFINISHED: [&str; 3] = [
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("#[", "ignore"),
];

/// The places in one file's text that should not be there, each with its line number.
fn findings(path: &Path, text: &str) -> Vec<String> {
    let extension = path
        .extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or_default();
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let mut note = |what: &str| found.push(format!("{}:{number}: {what}", path.display()));
        for folder in MACHINE_FOLDERS
            .into_iter()
            .filter(|folder| names_folder(line, folder))
        {
            note(folder);
        }
        if extension == "md" && names_folder(line, SCRATCH_FOLDER) {
            note(SCRATCH_FOLDER);
        }
        if extension == "rs" {
            UNFINISHED
                .into_iter()
                .filter(|pattern| line.contains(pattern))
                .for_each(note);
        }
    }
    found
}

/// Whether an absolute path below that folder stands in the line; the same letters inside a longer path do not count.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before
            .is_some_and(|character| character.is_alphanumeric() || "._-~}>])*".contains(character))
    })
}

#[test]
fn no_file_has_machine_paths_or_unfinished_code() {
    let root = workspace::root();
    let files = workspace::files().unwrap();
    assert!(
        files.iter().any(|path| path.ends_with("Cargo.toml")),
        "no file was read"
    );
    let found: Vec<_> = files
        .iter()
        // Models and other binary files have no text to read.
        .filter_map(|path| {
            fs::read_to_string(root.join(path))
                .ok()
                .map(|text| findings(path, &text))
        })
        .flatten()
        .collect();
    assert!(
        found.is_empty(),
        "should not be there:\n{}",
        found.join("\n")
    );
}

#[test]
fn each_rule_finds_its_case_and_leaves_others_alone() {
    let cases = [
        ("a.md", concat!("cd /", "work/x"), 1),
        ("a.md", concat!("see `/", "root/x`"), 1),
        ("a.md", concat!("GET /users/", "work/title"), 0),
        ("a.md", concat!("look at home/", "work/x"), 0),
        ("a.md", concat!("in /", "tmp/x"), 1),
        ("a.sh", concat!("in /", "tmp/x"), 0),
        ("a.rs", concat!("todo", "!()"), 1),
        ("a.md", concat!("todo", "!()"), 0),
        ("a.rs", concat!("#[", "ignore = \"slow\"]"), 1),
        ("a.rs", concat!("unimplemented", "!()"), 1),
    ];
    for (path, text, expected) in cases {
        assert_eq!(
            findings(Path::new(path), text).len(),
            expected,
            "{path}: {text}"
        );
    }
}
