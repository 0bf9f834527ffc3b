//! Failures inside the adapter, and what callers get to see of them: never a statement, never a value.

use mneme_core::ports::{StoreError, StoreErrorKind};
use tokio_postgres::error::SqlState;

/// What the functions that touch the database answer.
pub(super) type Work<T> = Result<T, Fault>;

/// A store's failure on its way out; made from the driver's errors by `?`.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) error: StoreError,
    /// Whether the whole transaction may be tried again at once: it was undone for the sake of another one, or its
    /// connection was lost before it was committed.
    pub(super) again: bool,
    unique: bool,
}

impl Fault {
    pub(super) fn new(kind: StoreErrorKind, message: impl Into<String>) -> Self {
        Self::from(StoreError::new(kind, message))
    }

    pub(super) fn no_such_user() -> Self {
        Self::new(StoreErrorKind::NoSuchOwner, "there is no such user")
    }

    pub(super) fn lease_lost() -> Self {
        Self::new(
            StoreErrorKind::LeaseLost,
            "the lease of the job is no longer ours",
        )
    }

    pub(super) fn conflict(message: &str) -> Self {
        Self::new(StoreErrorKind::Conflict, message)
    }

    pub(super) fn internal(message: impl Into<String>) -> Self {
        Self::new(StoreErrorKind::Internal, message)
    }

    pub(super) fn unusable(message: impl Into<String>) -> Self {
        Self::new(StoreErrorKind::Unusable, message)
    }

    pub(super) fn unavailable(message: impl Into<String>) -> Self {
        Self::new(StoreErrorKind::Unavailable, message)
    }

    /// A uniqueness that the caller's plan did not know of is a conflict; everything else stays what it is.
    pub(super) fn or_conflict(self, message: &str) -> Self {
        if self.unique {
            Self::conflict(message)
        } else {
            self
        }
    }

    /// Whoever makes what somebody else just made finds it at the next look.
    pub(super) fn or_again(self) -> Self {
        Self {
            again: self.again || self.unique,
            ..self
        }
    }

    /// Trying again at once is of no use.
    pub(super) fn for_good(self) -> Self {
        Self {
            again: false,
            ..self
        }
    }

    /// What callers see when there are no more tries. Two writes that were in each other's way are no conflict of plans.
    pub(super) fn last(self) -> StoreError {
        if self.again && self.error.kind == StoreErrorKind::Conflict {
            return StoreError::new(
                StoreErrorKind::Unavailable,
                "other writes were in the way, again and again",
            );
        }
        self.error
    }

    /// After a lost commit nobody knows whether it happened, so it is not tried again.
    pub(super) fn of_commit(self) -> Self {
        let undone = self.again && self.error.kind == StoreErrorKind::Conflict;
        Self {
            again: undone,
            ..self
        }
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self {
            error,
            again: false,
            unique: false,
        }
    }
}

impl From<Fault> for StoreError {
    fn from(fault: Fault) -> Self {
        fault.error
    }
}

impl From<tokio_postgres::Error> for Fault {
    fn from(error: tokio_postgres::Error) -> Self {
        match error.code() {
            Some(code) => of_code(code),
            None if error.is_closed() || is_io(&error) => Self {
                again: true,
                ..Self::unavailable("the connection to the database was lost")
            },
            None => Self::internal(
                "a stored row could not be read, or a statement does not fit the schema",
            ),
        }
    }
}

impl From<serde_json::Error> for Fault {
    fn from(_: serde_json::Error) -> Self {
        Self::internal("a stored value is not the JSON that it should be")
    }
}

/// Whether the cause, at some depth, is one of input and output.
fn is_io(error: &tokio_postgres::Error) -> bool {
    let mut cause: Option<&dyn std::error::Error> = std::error::Error::source(error);
    // Causes of causes are few; the bound is against a circle.
    for _ in 0..8 {
        match cause {
            Some(found) if found.is::<std::io::Error>() => return true,
            Some(found) => cause = found.source(),
            None => return false,
        }
    }
    false
}

fn of_code(code: &SqlState) -> Fault {
    let text = code.code();
    let class = text.get(..2).unwrap_or_default();
    let kind = match (class, text) {
        (_, "53100") => StoreErrorKind::Full,
        // Undone by the database so that others can go on: serialisation, deadlock.
        (_, "40001" | "40P01") => StoreErrorKind::Conflict,
        // No lock in time, cancelled, read-only after a fail-over, shutting down, starting up.
        (_, "55P03" | "57014" | "25006" | "25P03") | ("08" | "53" | "57" | "58", _) => {
            StoreErrorKind::Unavailable
        }
        // Wrong password, no such database or schema, no right, a table or column that is not there.
        (_, "42501" | "42P01" | "42703" | "42704" | "42883") | ("28" | "3D" | "3F" | "XX", _) => {
            StoreErrorKind::Unusable
        }
        _ => StoreErrorKind::Internal,
    };
    // The server ends the connection with these, so whatever it was doing is undone.
    let ended = matches!(text, "57P01" | "57P02" | "57P03" | "25P03") || class == "08";
    let undone = kind == StoreErrorKind::Conflict;
    Fault {
        error: StoreError::new(kind, format!("the database failed with SQLSTATE {text}")),
        again: undone || ended,
        unique: *code == SqlState::UNIQUE_VIOLATION,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_follow_the_code() {
        let cases = [
            ("53100", StoreErrorKind::Full, false),
            ("53300", StoreErrorKind::Unavailable, false),
            ("57P01", StoreErrorKind::Unavailable, true),
            ("57014", StoreErrorKind::Unavailable, false),
            ("08006", StoreErrorKind::Unavailable, true),
            ("40P01", StoreErrorKind::Conflict, true),
            ("40001", StoreErrorKind::Conflict, true),
            ("28P01", StoreErrorKind::Unusable, false),
            ("3D000", StoreErrorKind::Unusable, false),
            ("42P01", StoreErrorKind::Unusable, false),
            ("23505", StoreErrorKind::Internal, false),
            ("22P02", StoreErrorKind::Internal, false),
        ];
        for (code, kind, again) in cases {
            let fault = of_code(&SqlState::from_code(code));
            assert_eq!((fault.error.kind, fault.again), (kind, again), "{code}");
        }
    }

    #[test]
    fn a_second_writer_in_a_slot_is_a_conflict_and_other_failures_are_not() {
        let unique = of_code(&SqlState::UNIQUE_VIOLATION).or_conflict("taken");
        assert_eq!(unique.error.kind, StoreErrorKind::Conflict);
        assert!(!unique.again);
        let other = of_code(&SqlState::DISK_FULL).or_conflict("taken");
        assert_eq!(other.error.kind, StoreErrorKind::Full);
    }

    #[test]
    fn writes_in_each_others_way_are_no_conflict_of_plans() {
        let undone = of_code(&SqlState::T_R_DEADLOCK_DETECTED).last();
        assert_eq!(undone.kind, StoreErrorKind::Unavailable);
        let plans = Fault::conflict("the plan is old").last();
        assert_eq!(plans.kind, StoreErrorKind::Conflict);
    }

    #[test]
    fn a_lost_commit_is_not_repeated_but_an_undone_one_is() {
        assert!(!of_code(&SqlState::ADMIN_SHUTDOWN).of_commit().again);
        assert!(
            of_code(&SqlState::T_R_SERIALIZATION_FAILURE)
                .of_commit()
                .again
        );
    }
}
