//! The server's token: given, or made once and kept in the data folder for its owner alone.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;

/// The file's name in the data folder.
const FILE: &str = "token";

/// The token of the data folder; made at the first call.
pub(crate) fn of_folder(data: &Path) -> anyhow::Result<String> {
    let path = data.join(FILE);
    if let Ok(text) = fs::read_to_string(&path)
        && !text.trim().is_empty()
    {
        return Ok(text.trim().to_owned());
    }
    fs::create_dir_all(data)
        .with_context(|| format!("cannot make the folder {}", data.display()))?;
    // Two random UUIDs: 244 random bits.
    let token = format!(
        "{}{}",
        uuid::Uuid::new_v4().simple(),
        uuid::Uuid::new_v4().simple()
    );
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options
        .open(&path)
        .with_context(|| format!("cannot write {}", path.display()))?;
    // The mode above counts only for a new file.
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    writeln!(file, "{token}")?;
    Ok(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_once_for_the_owner_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = of_folder(folder.path()).expect("made");
        assert_eq!(of_folder(folder.path()).expect("read"), first);
        assert_eq!(first.len(), 64);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(folder.path().join(FILE))
                .expect("there")
                .permissions()
                .mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }
}
