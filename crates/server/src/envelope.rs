//! The envelope of every answer of the Memobase dialect: `{"data":…,"errno":…,"errmsg":…}`, always with all three
//! keys in this order.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::error::Failure;

/// What a handler answers.
pub(crate) type Answer<T> = Result<Envelope<T>, Failure>;

/// An answer in the shape that the SDKs read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Envelope<T> {
    data: Option<T>,
    errno: u16,
    errmsg: String,
}

impl<T> Envelope<T> {
    /// Success with data.
    pub(crate) fn of(data: T) -> Self {
        Self {
            data: Some(data),
            errno: 0,
            errmsg: String::new(),
        }
    }

    /// Success with `null`.
    pub(crate) fn empty() -> Self {
        Self {
            data: None,
            errno: 0,
            errmsg: String::new(),
        }
    }
}

impl Envelope<()> {
    /// A failure.
    pub(crate) fn failed(errno: u16, errmsg: String) -> Self {
        Self {
            data: None,
            errno,
            errmsg,
        }
    }
}

impl<T: Serialize> IntoResponse for Envelope<T> {
    fn into_response(self) -> Response {
        (StatusCode::OK, Json(self)).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_keys_are_there_in_order() {
        let text = serde_json::to_string(&Envelope::of(1)).unwrap();
        assert_eq!(text, r#"{"data":1,"errno":0,"errmsg":""}"#);
        let text = serde_json::to_string(&Envelope::<()>::empty()).unwrap();
        assert_eq!(text, r#"{"data":null,"errno":0,"errmsg":""}"#);
        let text = serde_json::to_string(&Envelope::failed(404, "gone".to_owned())).unwrap();
        assert_eq!(text, r#"{"data":null,"errno":404,"errmsg":"gone"}"#);
    }
}
