//! `GET /healthcheck`: open to everybody.

use axum::extract::State;
use axum::http::StatusCode;

use crate::app::AppState;
use crate::envelope::{Answer, Envelope};
use crate::error::Failure;

/// Whether the store answers. A real HTTP 500 when it does not, for load balancers.
pub(super) async fn check(State(app): State<AppState>) -> Answer<()> {
    match app.engine.health().await {
        Ok(()) => Ok(Envelope::empty()),
        Err(error) => {
            tracing::error!(reason = error.message, "the store is not well");
            Err(Failure::Detail(
                StatusCode::INTERNAL_SERVER_ERROR,
                "Database not available",
            ))
        }
    }
}
