//! `/project/profile_config`: the project's slots and language as YAML text.

use mneme_core::limits::PROFILE_CONFIG_CHARS_MAX;
use mneme_engine::{EngineError, ErrorKind};
use serde::{Deserialize, Deserializer};

use super::wire::ConfigReply;
use crate::call::{Call, Fields};
use crate::envelope::{Answer, Envelope};
use crate::error::Failure;

/// What every refusal of a configuration begins with.
const INVALID: &str = "Invalid profile config: ";

#[derive(Debug, Deserialize)]
struct ConfigBody {
    /// The key has to be there, its value may be `null`.
    #[serde(deserialize_with = "nullable")]
    profile_config: Option<String>,
}

fn nullable<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(deserializer)
}

/// `GET /project/profile_config`: the text as it was sent, empty when none was.
pub(super) async fn config(call: Call) -> Answer<ConfigReply> {
    match call.engine.profile_config(&call.project).await? {
        Some(profile_config) => Ok(Envelope::of(ConfigReply { profile_config })),
        None => Err(Failure::not_found("Project not found")),
    }
}

/// `POST /project/profile_config`.
pub(super) async fn set_config(mut call: Call) -> Answer<()> {
    let text = call
        .read(Fields::body::<ConfigBody>)?
        .profile_config
        .unwrap_or_default();
    if text.chars().count() > PROFILE_CONFIG_CHARS_MAX {
        return Err(Failure::invalid("Profile config is too long"));
    }
    match call
        .engine
        .set_profile_config(&call.project, &text)
        .await
        .map_err(refused)?
    {
        true => Ok(Envelope::empty()),
        false => Err(Failure::not_found("Project not found")),
    }
}

fn refused(error: EngineError) -> Failure {
    match error.kind {
        ErrorKind::Invalid => Failure::invalid(format!(
            "{INVALID}{}",
            error
                .message
                .strip_prefix(INVALID)
                .unwrap_or(&error.message)
        )),
        _ => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_begin_alike_and_only_once() {
        for message in ["no such key", "Invalid profile config: no such key"] {
            assert_eq!(
                refused(EngineError::new(ErrorKind::Invalid, message)),
                Failure::invalid("Invalid profile config: no such key")
            );
        }
    }
}
