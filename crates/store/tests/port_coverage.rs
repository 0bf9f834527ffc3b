//! Every method of the storage ports has a case, and every case is run.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The traits that make up a store; the others in that file are ports of models and clocks.
const STORAGE: [&str; 7] = [
    "Users",
    "Inbox",
    "Jobs",
    "Memories",
    "RecallIndex",
    "Tenants",
    "Upkeep",
];

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("readable")
}

/// The text of the cases by module name, without the module list and the helpers.
fn cases() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/conformance");
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("readable") {
        let path = entry.expect("readable").path();
        let name = path
            .file_stem()
            .expect("readable")
            .to_str()
            .expect("readable")
            .to_owned();
        if name != "mod" && name != "given" {
            files.push((name, fs::read_to_string(path).expect("readable")));
        }
    }
    assert!(files.len() > 5, "the cases were not found");
    files
}

/// The names after `async fn ` in a text.
fn async_functions(text: &str) -> BTreeSet<String> {
    let name = |rest: &str| {
        rest.split(['(', '<'])
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    text.split("async fn ").skip(1).map(name).collect()
}

#[test]
fn every_storage_method_has_a_case() {
    let ports = read("../core/src/ports.rs");
    let mut methods = BTreeSet::new();
    for name in STORAGE {
        let start = ports
            .find(&format!("pub trait {name}:"))
            .unwrap_or_else(|| panic!("no trait {name}"));
        let end = ports[start..].find("\n}").unwrap() + start;
        methods.extend(async_functions(&ports[start..end]));
    }
    assert!(
        methods.len() > 35,
        "too few methods were found: {methods:?}"
    );
    let text: String = cases()
        .into_iter()
        .map(|(_, text)| text)
        .collect::<String>()
        + &read("src/conformance/given.rs");
    let calls: String = text.split_whitespace().collect();
    let missing: Vec<_> = methods
        .iter()
        .filter(|method| !calls.contains(&format!("store.{method}(")))
        .collect();
    assert!(missing.is_empty(), "no conformance case calls {missing:?}");
}

#[test]
fn every_case_is_in_the_suite() {
    let suite = read("src/conformance/mod.rs");
    for (module, text) in cases() {
        let list = suite
            .split(&format!("{module}: ["))
            .nth(1)
            .unwrap_or_else(|| panic!("no group {module}"));
        let list = list.split(']').next().unwrap();
        let listed: BTreeSet<String> = list
            .split(',')
            .map(|name| name.trim().to_owned())
            .filter(|name| !name.is_empty())
            .collect();
        let written: BTreeSet<String> = text
            .split("pub async fn ")
            .skip(1)
            .map(|rest| rest.split('(').next().unwrap().to_owned())
            .collect();
        assert_eq!(listed, written, "group {module}");
    }
}
