//! Failures inside the adapter, and what callers get to see of them: never a statement, never a value.

use mneme_core::ports::{StoreError, StoreErrorKind};
use rusqlite::ErrorCode;

/// What the functions that touch the database answer.
pub(crate) type Work<T> = Result<T, Fault>;

/// A store's failure on its way out; made from SQLite's errors by `?`.
#[derive(Debug)]
pub(crate) struct Fault(pub(crate) StoreError);

impl Fault {
    pub(crate) fn new(kind: StoreErrorKind, message: impl Into<String>) -> Self {
        Self(StoreError::new(kind, message))
    }

    pub(crate) fn no_such_user() -> Self {
        Self::new(StoreErrorKind::NoSuchOwner, "there is no such user")
    }

    pub(crate) fn lease_lost() -> Self {
        Self::new(
            StoreErrorKind::LeaseLost,
            "the lease of the job is no longer ours",
        )
    }

    pub(crate) fn conflict(message: &str) -> Self {
        Self::new(StoreErrorKind::Conflict, message)
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(StoreErrorKind::Internal, message)
    }

    /// A uniqueness that the caller's plan did not know of is a conflict; everything else stays what it is.
    pub(crate) fn or_conflict(error: rusqlite::Error, message: &str) -> Self {
        if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) {
            Self::conflict(message)
        } else {
            Self::from(error)
        }
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self(error)
    }
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        let Some(failure) = error.sqlite_error() else {
            return Self::internal(
                "a stored row could not be read, or a statement does not fit the schema",
            );
        };
        let kind = match failure.code {
            ErrorCode::DiskFull => StoreErrorKind::Full,
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::SystemIoFailure
            | ErrorCode::OutOfMemory
            | ErrorCode::CannotOpen
            | ErrorCode::OperationInterrupted
            | ErrorCode::FileLockingProtocolFailed => StoreErrorKind::Unavailable,
            ErrorCode::NotADatabase
            | ErrorCode::DatabaseCorrupt
            | ErrorCode::PermissionDenied
            | ErrorCode::ReadOnly => StoreErrorKind::Unusable,
            _ => StoreErrorKind::Internal,
        };
        Self::new(
            kind,
            format!(
                "the database failed: {:?} (code {})",
                failure.code, failure.extended_code
            ),
        )
    }
}

impl From<serde_json::Error> for Fault {
    fn from(_: serde_json::Error) -> Self {
        Self::internal("a stored value is not the JSON that it should be")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_follow_the_code_and_messages_name_no_text() {
        let cases = [
            (rusqlite::ffi::SQLITE_FULL, StoreErrorKind::Full),
            (rusqlite::ffi::SQLITE_BUSY, StoreErrorKind::Unavailable),
            (rusqlite::ffi::SQLITE_IOERR, StoreErrorKind::Unavailable),
            (rusqlite::ffi::SQLITE_CORRUPT, StoreErrorKind::Unusable),
            (rusqlite::ffi::SQLITE_NOTADB, StoreErrorKind::Unusable),
            (rusqlite::ffi::SQLITE_CONSTRAINT, StoreErrorKind::Internal),
        ];
        for (code, kind) in cases {
            let error = rusqlite::Error::SqliteFailure(
                rusqlite::ffi::Error::new(code),
                Some("secret words".to_owned()),
            );
            let Fault(seen) = Fault::from(error);
            assert_eq!(seen.kind, kind);
            assert!(!seen.message.contains("secret"), "{seen}");
        }
    }
}
