//! Memobase's dialect: `/api/v1/*` as its SDKs speak it.

mod blob_shape;
mod blobs;
mod buffer;
mod context;
mod events;
mod health;
mod profiles;
mod project;
mod selection;
mod users;
mod wire;

use axum::Router;
use axum::routing::{get, post, put};
use mneme_core::id::UserId;
use mneme_core::job::JobState;
use mneme_engine::api::Outcome;
use mneme_engine::{EngineError, ErrorKind};

use crate::app::AppState;
use crate::error::Failure;

const HEALTH: &str = "/api/v1/healthcheck";
const CONFIG: &str = "/api/v1/project/profile_config";
const USERS: &str = "/api/v1/users";
const USER: &str = "/api/v1/users/{user_id}";
const BLOB_INSERT: &str = "/api/v1/blobs/insert/{user_id}";
const BLOB: &str = "/api/v1/blobs/{user_id}/{blob_id}";
const BLOBS: &str = "/api/v1/users/blobs/{user_id}/{blob_type}";
const BUFFER: &str = "/api/v1/users/buffer/{user_id}/{buffer_type}";
const BUFFER_CAPACITY: &str = "/api/v1/users/buffer/capacity/{user_id}/{buffer_type}";
const PROFILES: &str = "/api/v1/users/profile/{user_id}";
const PROFILE: &str = "/api/v1/users/profile/{user_id}/{profile_id}";
const EVENTS: &str = "/api/v1/users/event/{user_id}";
const EVENT: &str = "/api/v1/users/event/{user_id}/{event_id}";
const EVENT_SEARCH: &str = "/api/v1/users/event/search/{user_id}";
const GIST_SEARCH: &str = "/api/v1/users/event_gist/search/{user_id}";
const CONTEXT: &str = "/api/v1/users/context/{user_id}";

/// All paths of this dialect, for redirects from a spelling with a slash too many.
const KNOWN: [&str; 16] = [
    HEALTH,
    CONFIG,
    USERS,
    USER,
    BLOB_INSERT,
    BLOB,
    BLOBS,
    BUFFER,
    BUFFER_CAPACITY,
    PROFILES,
    PROFILE,
    EVENTS,
    EVENT,
    EVENT_SEARCH,
    GIST_SEARCH,
    CONTEXT,
];

/// The dialect's routes.
pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route(HEALTH, get(health::check))
        .route(CONFIG, get(project::config).post(project::set_config))
        .route(USERS, post(users::create))
        .route(
            USER,
            get(users::show).put(users::update).delete(users::erase),
        )
        .route(BLOB_INSERT, post(blobs::insert))
        .route(BLOB, get(blobs::show).delete(blobs::delete))
        .route(BLOBS, get(blobs::list))
        .route(BUFFER, post(buffer::flush))
        .route(BUFFER_CAPACITY, get(buffer::capacity))
        .route(PROFILES, get(profiles::list).post(profiles::add))
        .route(PROFILE, put(profiles::update).delete(profiles::delete))
        .route(EVENTS, get(events::list))
        .route(EVENT, put(events::update).delete(events::delete))
        .route(EVENT_SEARCH, get(events::search))
        .route(GIST_SEARCH, get(events::search_gists))
        .route(CONTEXT, get(context::show))
}

/// Whether a path (without a slash at its end) is one of this dialect's, whatever the method.
pub(crate) fn is_known(path: &str) -> bool {
    KNOWN.iter().any(|template| {
        let mut parts = path.split('/');
        let fits = template.split('/').all(|wanted| {
            parts.next().is_some_and(|part| {
                if wanted.starts_with('{') {
                    !part.is_empty()
                } else {
                    part == wanted
                }
            })
        });
        fits && parts.next().is_none()
    })
}

/// The words for a user who does not exist; the engine's writes use the same.
fn no_user(user: UserId) -> Failure {
    Failure::not_found(format!("User {user} not found"))
}

/// What a waited-for job brought about.
fn settled(outcome: Outcome) -> Result<Vec<wire::ChatModal>, EngineError> {
    match outcome {
        Outcome::Finished(JobState::Dead, _) => Err(EngineError::new(
            ErrorKind::ModelUnavailable,
            "Processing was given up after too many failed attempts; what was inserted is kept",
        )),
        Outcome::Finished(_, results) => {
            Ok(results.into_iter().map(wire::ChatModal::from).collect())
        }
        Outcome::Failed(error) => Err(error.into()),
        Outcome::Gone => Err(EngineError::new(
            ErrorKind::NotFound,
            "The user was deleted meanwhile",
        )),
    }
}

#[cfg(test)]
mod tests {
    use mneme_core::job::{FailureKind, JobError};

    use super::*;

    #[test]
    fn known_paths_fit_their_templates() {
        for path in [
            "/api/v1/users",
            "/api/v1/users/x",
            "/api/v1/users/event/search/x",
            "/api/v1/users/buffer/capacity/x/chat",
        ] {
            assert!(is_known(path), "{path}");
        }
        for path in [
            "",
            "/",
            "/api/v1",
            "/api/v1/users/",
            "/api/v1/nowhere",
            "/api/v1/users/a/b/c/d/e",
            "/api/v1/users//x/y",
        ] {
            assert!(!is_known(path), "{path}");
        }
    }

    #[test]
    fn failed_jobs_keep_their_class() {
        let table = [
            (FailureKind::Unavailable, ErrorKind::ModelUnavailable),
            (FailureKind::Rejected, ErrorKind::ModelRejected),
            (FailureKind::Parse, ErrorKind::Parse),
            (FailureKind::Store, ErrorKind::StoreUnavailable),
        ];
        for (failure, kind) in table {
            let error = JobError {
                stage: "extract".to_owned(),
                kind: failure,
                message: "why".to_owned(),
            };
            assert_eq!(settled(Outcome::Failed(error)).unwrap_err().kind, kind);
        }
        assert_eq!(
            settled(Outcome::Gone).unwrap_err().kind,
            ErrorKind::NotFound
        );
        assert!(settled(Outcome::Finished(JobState::Dead, vec![])).is_err());
        assert_eq!(
            settled(Outcome::Finished(JobState::Partial, vec![]))
                .unwrap()
                .len(),
            0
        );
    }
}
