//! Where things are: the checkout, the build folder, the files under version control.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// The checkout's root folder.
pub(crate) fn root() -> PathBuf {
    // Cargo sets the variable for the programs that it runs; the built-in value serves a direct start of the program.
    let manifest = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    manifest
        .parent()
        .map_or_else(|| manifest.clone(), Path::to_path_buf)
}

/// A command that runs the cargo that runs us, in the root folder.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    // What cargo tells us about ourselves is not for the cargo below: build scripts that look at these variables would
    // run again, and with them half of a release build.
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        let ours = [
            "CARGO_PKG_",
            "CARGO_MANIFEST_",
            "CARGO_BIN_",
            "CARGO_CRATE_",
        ];
        if ours.iter().any(|prefix| text.starts_with(prefix)) || text == "OUT_DIR" {
            command.env_remove(&name);
        }
    }
    command
}

/// What `cargo metadata` says about the workspace, dependencies included.
pub(crate) fn metadata() -> Result<Value> {
    let output = cargo()
        .args(["metadata", "--format-version", "1"])
        .output()
        .context("cargo metadata does not start")?;
    ensure!(
        output.status.success(),
        "cargo metadata failed:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout)
        .context("cargo metadata printed something that is not JSON")
}

/// The folder that cargo builds into.
pub(crate) fn target_folder() -> Result<PathBuf> {
    match metadata()?.get("target_directory").and_then(Value::as_str) {
        Some(folder) => Ok(PathBuf::from(folder)),
        None => bail!("cargo metadata names no target folder"),
    }
}

/// Files that are, or are about to be, under version control: tracked ones and new ones that are not ignored. Paths
/// are relative to the root; files that were deleted from the work tree are left out.
pub(crate) fn files() -> Result<Vec<PathBuf>> {
    let root = root();
    let output = Command::new("git")
        .current_dir(&root)
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .output()
        .context("git does not start")?;
    ensure!(
        output.status.success(),
        "git ls-files failed:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let names = String::from_utf8(output.stdout).context("a file name is not UTF-8")?;
    Ok(names
        .split('\0')
        .filter(|name| !name.is_empty())
        .map(PathBuf::from)
        .filter(|path| root.join(path).is_file())
        .collect())
}
