//! The direction of the house: `cli ──► server ──► engine ──► core ◄── store, models`, read from `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};
use serde_json::Value;

use crate::workspace;

/// Each crate of ours and the crates of ours that it may be built from. Dependencies of tests are free.
const ALLOWED: [(&str, &[&str]); 8] = [
    ("mneme-core", &[]),
    ("mneme-store", &["mneme-core"]),
    ("mneme-models", &["mneme-core"]),
    ("mneme-engine", &["mneme-core"]),
    ("mneme-server", &["mneme-core", "mneme-engine"]),
    (
        "mneme",
        &[
            "mneme-core",
            "mneme-store",
            "mneme-models",
            "mneme-engine",
            "mneme-server",
        ],
    ),
    // Nobody ships the testkit, so it may know everybody but the program that it tests.
    (
        "mneme-testkit",
        &[
            "mneme-core",
            "mneme-store",
            "mneme-models",
            "mneme-engine",
            "mneme-server",
        ],
    ),
    ("xtask", &[]),
];

/// What must not get into the core even by a detour: runtimes, databases, networks, logs.
const NEVER_IN_CORE: [&str; 7] = [
    "tokio",
    "rusqlite",
    "tokio-postgres",
    "reqwest",
    "hyper",
    "axum",
    "tracing",
];

/// What these crates must not name themselves: the core logs nothing, the engine knows no wire and no SQL, the server
/// no SQL.
const NEVER_DIRECT: [(&str, &[&str]); 3] = [
    ("mneme-core", &["log"]),
    (
        "mneme-engine",
        &["axum", "hyper", "rusqlite", "tokio-postgres"],
    ),
    ("mneme-server", &["rusqlite", "tokio-postgres"]),
];

/// Fails with every wrong dependency of the workspace.
pub(crate) fn check() -> Result<()> {
    let wrong = violations(&workspace::metadata()?);
    if wrong.is_empty() {
        println!("crate directions: as designed");
        return Ok(());
    }
    bail!("wrong dependencies:\n  {}", wrong.join("\n  "))
}

/// One sentence for each dependency that should not be.
fn violations(metadata: &Value) -> Vec<String> {
    let direct = direct_dependencies(metadata);
    let mut wrong = Vec::new();
    for (name, dependencies) in &direct {
        let Some((_, allowed)) = ALLOWED.iter().find(|(package, _)| package == name) else {
            wrong.push(format!("{name} is not in the table of crates"));
            continue;
        };
        let refused = NEVER_DIRECT
            .iter()
            .find(|(package, _)| package == name)
            .map_or(&[][..], |(_, refused)| refused);
        for dependency in dependencies {
            let ours = direct.contains_key(dependency);
            if (ours && !allowed.contains(&dependency.as_str()))
                || refused.contains(&dependency.as_str())
            {
                wrong.push(format!("{name} must not depend on {dependency}"));
            }
        }
    }
    let in_core = reachable(metadata, "mneme-core");
    wrong.extend(
        NEVER_IN_CORE
            .iter()
            .filter(|name| in_core.contains(**name))
            .map(|name| format!("mneme-core must not contain {name}, not even through others")),
    );
    wrong
}

/// For each workspace member, the packages that it is built from (optional ones included, test ones not).
fn direct_dependencies(metadata: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let members: BTreeSet<&str> = list(metadata, "workspace_members")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    list(metadata, "packages")
        .iter()
        .filter(|package| members.contains(text(package, "id")))
        .map(|package| {
            let built_from = list(package, "dependencies")
                .iter()
                .filter(|dependency| text(dependency, "kind") != "dev");
            (
                text(package, "name").to_owned(),
                built_from
                    .map(|dependency| text(dependency, "name").to_owned())
                    .collect(),
            )
        })
        .collect()
}

/// Names of all packages that the package is built from, directly or not.
fn reachable(metadata: &Value, start: &str) -> BTreeSet<String> {
    let names: BTreeMap<&str, &str> = list(metadata, "packages")
        .iter()
        .map(|package| (text(package, "id"), text(package, "name")))
        .collect();
    let nodes: BTreeMap<&str, &Value> = list(&metadata["resolve"], "nodes")
        .iter()
        .map(|node| (text(node, "id"), node))
        .collect();
    let mut waiting: Vec<&str> = names
        .iter()
        .filter(|(_, name)| **name == start)
        .map(|(id, _)| *id)
        .collect();
    let mut seen = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if !seen.insert(id) {
            continue;
        }
        let Some(node) = nodes.get(id) else { continue };
        let built_from = list(node, "deps").iter().filter(|dependency| {
            list(dependency, "dep_kinds")
                .iter()
                .any(|kind| text(kind, "kind") != "dev")
        });
        waiting.extend(built_from.map(|dependency| text(dependency, "pkg")));
    }
    seen.iter()
        .filter_map(|id| names.get(id))
        .map(|name| (*name).to_owned())
        .collect()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// The text under a key; empty when it is null or missing.
fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_crates_depend_on_each_other_as_designed() {
        let metadata = workspace::metadata().unwrap();
        assert_eq!(violations(&metadata), Vec::<String>::new());
        // The check saw the whole table, and the graph below the core.
        assert_eq!(direct_dependencies(&metadata).len(), ALLOWED.len());
        assert!(reachable(&metadata, "mneme-core").contains("serde"));
    }

    /// A workspace of one crate that is built from `dependency` under the given kind.
    fn workspace_of(name: &str, dependency: &str, kind: &Value) -> Value {
        json!({
            "workspace_members": ["a", "b"],
            "packages": [
                {"id": "a", "name": name, "dependencies": [{"name": dependency, "kind": kind}]},
                {"id": "b", "name": "mneme-testkit", "dependencies": []},
                {"id": "c", "name": "tokio", "dependencies": []},
                {"id": "d", "name": "detour", "dependencies": [{"name": "tokio", "kind": null}]},
            ],
            "resolve": {"nodes": [
                {"id": "a", "deps": [{"pkg": if dependency == "tokio" { "c" } else { "d" }, "dep_kinds": [{"kind": kind}]}]},
                {"id": "d", "deps": [{"pkg": "c", "dep_kinds": [{"kind": null}]}]},
            ]},
        })
    }

    #[test]
    fn wrong_dependencies_are_found() {
        let cases = [
            ("mneme-engine", "mneme-testkit", Value::Null, 1),
            ("mneme-engine", "mneme-testkit", json!("build"), 1),
            ("mneme-engine", "mneme-testkit", json!("dev"), 0),
            ("mneme-engine", "axum", Value::Null, 1),
            ("mneme-engine", "tokio", Value::Null, 0),
            ("mneme-core", "tokio", Value::Null, 1),
            ("mneme-core", "detour", Value::Null, 1),
            ("mneme-core", "detour", json!("dev"), 0),
            ("stranger", "serde", Value::Null, 1),
        ];
        for (name, dependency, kind, expected) in cases {
            let wrong = violations(&workspace_of(name, dependency, &kind));
            assert_eq!(
                wrong.len(),
                expected,
                "{name} -> {dependency} ({kind}): {wrong:?}"
            );
        }
    }
}
