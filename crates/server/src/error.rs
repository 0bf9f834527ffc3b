//! Failures of the Memobase dialect, and the one place where the engine's classes of failure become its numbers.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use mneme_engine::{EngineError, ErrorKind};
use serde_json::json;

use crate::envelope::Envelope;
use crate::validation::Flaw;

/// What callers see when a fault is ours; the reason goes to the log only.
const INTERNAL_MESSAGE: &str = "Internal server error";

/// Why a request has no good answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Failure {
    /// HTTP 200 with an `errno`: the SDKs read application errors from the envelope only.
    Refused {
        /// The number.
        errno: u16,
        /// What to show.
        message: String,
    },
    /// HTTP 422: path, query or body do not have the right shape.
    Shape(Vec<Flaw>),
    /// `{"detail":…}` with an HTTP status of its own.
    Detail(StatusCode, &'static str),
}

impl Failure {
    /// The request makes no sense.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::Refused {
            errno: 400,
            message: message.into(),
        }
    }

    /// What it names is not there.
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::Refused {
            errno: 404,
            message: message.into(),
        }
    }

    /// A fault of ours. The reason is logged, not shown.
    pub(crate) fn internal(reason: &str) -> Self {
        tracing::error!(reason, "request failed");
        Self::Refused {
            errno: 500,
            message: INTERNAL_MESSAGE.to_owned(),
        }
    }
}

/// The number of a class of failure.
fn errno(kind: ErrorKind) -> u16 {
    match kind {
        ErrorKind::Invalid => 400,
        ErrorKind::NotFound => 404,
        ErrorKind::Exists | ErrorKind::Conflict => 409,
        ErrorKind::ModelUnavailable | ErrorKind::ModelRejected | ErrorKind::StoreUnavailable => 503,
        ErrorKind::Parse => 520,
        ErrorKind::Internal => 500,
    }
}

/// A message without the addresses of models: they are for the operator, who finds them in the log and the job.
pub(crate) fn without_addresses(message: &str) -> String {
    let word = |word: &str| {
        let hidden = word.contains("http://") || word.contains("https://");
        if hidden {
            "its endpoint".to_owned()
        } else {
            word.to_owned()
        }
    };
    message.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        match error.kind {
            ErrorKind::Internal => Self::internal(&error.message),
            kind => Self::Refused {
                errno: errno(kind),
                message: without_addresses(&error.message),
            },
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        match self {
            Self::Refused { errno, message } => Envelope::failed(errno, message).into_response(),
            Self::Shape(flaws) => (
                StatusCode::UNPROCESSABLE_ENTITY,
                Json(json!({ "detail": flaws })),
            )
                .into_response(),
            Self::Detail(status, detail) => {
                (status, Json(json!({ "detail": detail }))).into_response()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_their_numbers() {
        let table = [
            (ErrorKind::Invalid, 400),
            (ErrorKind::NotFound, 404),
            (ErrorKind::Exists, 409),
            (ErrorKind::Conflict, 409),
            (ErrorKind::ModelUnavailable, 503),
            (ErrorKind::ModelRejected, 503),
            (ErrorKind::Parse, 520),
            (ErrorKind::StoreUnavailable, 503),
        ];
        for (kind, number) in table {
            let failure = Failure::from(EngineError::new(kind, "why"));
            assert_eq!(
                failure,
                Failure::Refused {
                    errno: number,
                    message: "why".to_owned()
                }
            );
        }
    }

    #[test]
    fn our_own_faults_are_not_explained() {
        let failure = Failure::from(EngineError::new(
            ErrorKind::Internal,
            "table users has no column x",
        ));
        assert_eq!(
            failure,
            Failure::Refused {
                errno: 500,
                message: INTERNAL_MESSAGE.to_owned()
            }
        );
    }

    #[test]
    fn refusals_are_http_200() {
        assert_eq!(
            Failure::invalid("x").into_response().status(),
            StatusCode::OK
        );
        assert_eq!(
            Failure::Shape(vec![Flaw::missing("query", "query")])
                .into_response()
                .status(),
            StatusCode::UNPROCESSABLE_ENTITY
        );
        assert_eq!(
            Failure::Detail(StatusCode::NOT_FOUND, "Not Found")
                .into_response()
                .status(),
            StatusCode::NOT_FOUND
        );
    }
}
