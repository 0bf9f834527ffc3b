//! Names of things: records, projects, users, scopes.
//!
//! Record ids are UUIDs; the engine makes them as version 4, because the official Memobase SDK for Python
//! accepts only versions 4 and 5.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! record_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::parse_str(text).map(Self)
            }
        }

        impl $name {
            /// The sixteen bytes that both stores keep.
            #[must_use]
            pub fn as_bytes(&self) -> &[u8; 16] {
                self.0.as_bytes()
            }
        }
    };
}

record_id!(
    /// A user of one project.
    UserId
);
record_id!(
    /// An immutable thing that we were told.
    SourceId
);
record_id!(
    /// A source's place in the buffer. Not the source's own id: the Memobase dialect shows both.
    BufferId
);
record_id!(
    /// One memory, of any kind. The same id works in every dialect.
    MemoryId
);
record_id!(
    /// A piece of background work.
    JobId
);

impl UserId {
    /// The user that any text names.
    ///
    /// Text that is a UUID (any usual spelling) is that UUID. Anything else maps to a version-5 UUID in the DNS
    /// namespace over `text + "memobase_client"`, which is the rule of the Memobase SDKs' own `string_to_uuid`,
    /// so that `u123` is the same person in every dialect.
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        if let Ok(id) = Uuid::parse_str(name) {
            return Self(id);
        }
        let salted = format!("{name}memobase_client");
        Self(Uuid::new_v5(&Uuid::NAMESPACE_DNS, salted.as_bytes()))
    }
}

/// A project: the tenant that owns tokens, configuration and usage. At most [`crate::limits::PROJECT_ID_CHARS_MAX`]
/// characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ProjectId(pub String);

impl ProjectId {
    /// The project that the server's own token opens; the name is Memobase's.
    pub const ROOT: &'static str = "__root__";

    /// The root project.
    #[must_use]
    pub fn root() -> Self {
        Self(Self::ROOT.to_owned())
    }
}

impl fmt::Display for ProjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whose rows: the first part of every per-user key in every store. Two users that differ in a single character
/// share nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct UserKey {
    /// The tenant.
    pub project: ProjectId,
    /// The user inside it. The same user id in two projects is two users.
    pub user: UserId,
}

impl fmt::Display for UserKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.project, self.user)
    }
}

/// The narrower part of a scope inside a user. `None` is a value of its own, never a wildcard.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SubScope {
    /// The agent that the memory belongs to, if the caller keeps agents apart.
    pub agent: Option<String>,
    /// The session that it comes from, if the caller keeps sessions apart.
    pub session: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_maps_to_the_sdk_rule() {
        // Reference: `memobase.utils.string_to_uuid("user")` of the Python SDK 0.0.27.
        let expected = Uuid::new_v5(&Uuid::NAMESPACE_DNS, b"usermemobase_client");
        assert_eq!(UserId::from_name("user").0, expected);
        assert_eq!(UserId::from_name("user").0.get_version_num(), 5);
    }

    #[test]
    fn uuid_text_in_any_spelling_is_itself() {
        let plain = "67e55044-10b1-426f-9247-bb680e5fe0c8";
        for form in [
            plain.to_owned(),
            plain.to_uppercase(),
            plain.replace('-', ""),
            format!("{{{plain}}}"),
            format!("urn:uuid:{plain}"),
        ] {
            assert_eq!(UserId::from_name(&form).to_string(), plain);
        }
    }
}
