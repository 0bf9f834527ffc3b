//! What the engine's callers tell apart; every dialect maps these, and only these, to its own codes.

use mneme_core::job::{FailureKind, JobError};
use mneme_core::ports::{ModelError, ModelErrorKind, StoreError, StoreErrorKind};

/// The classes of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The request makes no sense; the message says what and where.
    Invalid,
    /// What the request names is not there.
    NotFound,
    /// What the request would make is there already.
    Exists,
    /// Somebody else changed the same thing meanwhile, or an idempotency key came with other content.
    Conflict,
    /// A model cannot be reached, is too slow or asks us to wait.
    ModelUnavailable,
    /// A model refuses the request.
    ModelRejected,
    /// A model's answer could not be read.
    Parse,
    /// The store cannot be reached or has no room.
    StoreUnavailable,
    /// A fault of ours.
    Internal,
}

/// An engine failure. The message may be shown to callers: no SQL, no prompts, no secrets.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct EngineError {
    /// What callers match on.
    pub kind: ErrorKind,
    /// One sentence.
    pub message: String,
}

impl EngineError {
    /// An error of that kind.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }
}

/// What the engine answers.
pub type EngineResult<T> = Result<T, EngineError>;

impl From<StoreError> for EngineError {
    fn from(error: StoreError) -> Self {
        let kind = match error.kind {
            StoreErrorKind::NoSuchOwner => ErrorKind::NotFound,
            StoreErrorKind::Conflict | StoreErrorKind::LeaseLost | StoreErrorKind::KeyReused => {
                ErrorKind::Conflict
            }
            StoreErrorKind::Unavailable | StoreErrorKind::Full | StoreErrorKind::Unusable => {
                ErrorKind::StoreUnavailable
            }
            StoreErrorKind::Internal => ErrorKind::Internal,
        };
        Self::new(kind, error.message)
    }
}

impl From<ModelError> for EngineError {
    fn from(error: ModelError) -> Self {
        let kind = match error.kind {
            ModelErrorKind::Unavailable | ModelErrorKind::Timeout | ModelErrorKind::RateLimited => {
                ErrorKind::ModelUnavailable
            }
            ModelErrorKind::Rejected => ErrorKind::ModelRejected,
            ModelErrorKind::Protocol => ErrorKind::Parse,
        };
        Self::new(kind, error.message)
    }
}

impl From<JobError> for EngineError {
    fn from(error: JobError) -> Self {
        let kind = match error.kind {
            FailureKind::Unavailable => ErrorKind::ModelUnavailable,
            FailureKind::Rejected => ErrorKind::ModelRejected,
            FailureKind::Parse => ErrorKind::Parse,
            FailureKind::Store => ErrorKind::StoreUnavailable,
        };
        Self::new(kind, error.message)
    }
}
