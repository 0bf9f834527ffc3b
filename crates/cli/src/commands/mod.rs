//! One file for each command.

pub(crate) mod import;
pub(crate) mod jobs;
pub(crate) mod read;
pub(crate) mod serve;

use mneme_core::id::{ProjectId, UserId, UserKey};
use mneme_core::limits;
use mneme_engine::Engine;

/// The user that an id or a name means, in the root project.
pub(crate) fn owner(name: &str) -> anyhow::Result<UserKey> {
    let length = name.chars().count();
    if name.trim().is_empty() || length > limits::USER_NAME_CHARS_MAX {
        anyhow::bail!(
            "a user is named by 1 to {} characters",
            limits::USER_NAME_CHARS_MAX
        );
    }
    Ok(UserKey {
        project: ProjectId::root(),
        user: UserId::from_name(name),
    })
}

/// Says on standard error when the user is not there: an empty answer may come from a misspelt name.
pub(crate) async fn hint_unknown(
    engine: &Engine,
    owner: &UserKey,
    name: &str,
) -> anyhow::Result<()> {
    use std::io::Write as _;
    if engine.user(owner).await?.is_none() {
        let _ = writeln!(std::io::stderr(), "note: there is no user {name}");
    }
    Ok(())
}

/// Prints a line to standard output; a closed pipe is not an error.
pub(crate) fn say(text: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stdout(), "{text}");
}
