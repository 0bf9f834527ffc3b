//! Who may ask: bearer tokens.
//!
//! Everything under `/api` needs a token, the health check apart, and nothing else is looked at before it: without a
//! token an unknown path is 401, not 404.

use std::fmt;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use mneme_core::id::ProjectId;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::app::AppState;
use crate::envelope::Envelope;

/// The server's own token, which opens the root project. Only its hash is kept.
#[derive(Clone, Copy)]
pub struct Token([u8; 32]);

impl Token {
    /// The token with that text; blanks around it do not count. `None` when nothing is left: a server without a token
    /// would be open to everybody.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(digest(text)))
    }

    /// Whether that text is the token. Takes the same time wherever the two differ.
    fn is(&self, text: &str) -> bool {
        self.0.ct_eq(&digest(text)).into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

fn digest(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// Why nobody is let in; the words are Memobase's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    NoToken,
    Format,
    NoProject,
    Secret,
}

impl Refusal {
    fn text(self) -> &'static str {
        match self {
            Self::NoToken => "You have to provide a valid Bearer token.",
            Self::Format => "CODE 401; ERROR Invalid project id format",
            Self::NoProject => "CODE 401; ERROR Your project is not exists!",
            Self::Secret => "CODE 401; ERROR Wrong secret key",
        }
    }
}

/// Lets a request through with its [`ProjectId`], or answers 401.
pub(crate) async fn require_token(
    State(app): State<AppState>,
    mut request: Request,
    next: Next,
) -> Response {
    if is_guarded(request.uri().path()) {
        match project_of(&app.token, request.headers()) {
            Ok(project) => {
                request.extensions_mut().insert(project);
            }
            Err(refusal) => {
                let message = format!(
                    "Unauthorized access to {}. {}",
                    request.uri().path(),
                    refusal.text()
                );
                return (
                    StatusCode::UNAUTHORIZED,
                    Json(Envelope::failed(401, message)),
                )
                    .into_response();
            }
        }
    }
    next.run(request).await
}

fn is_guarded(path: &str) -> bool {
    path.starts_with("/api") && !path.starts_with("/api/v1/healthcheck")
}

fn project_of(token: &Token, headers: &HeaderMap) -> Result<ProjectId, Refusal> {
    let header = headers
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .ok_or(Refusal::NoToken)?;
    let rest = header.strip_prefix("Bearer ").ok_or(Refusal::NoToken)?;
    // The second piece between single blanks: after a doubled blank it is empty.
    let given = rest.split(' ').next().unwrap_or_default();
    if token.is(given) {
        return Ok(ProjectId::root());
    }
    Err(refuse(given))
}

/// What is wrong with a token that is not the server's own: `sk-<project id>-<secret>`.
fn refuse(given: &str) -> Refusal {
    match given
        .strip_prefix("sk-")
        .and_then(|rest| rest.rsplit_once('-'))
    {
        None => Refusal::Format,
        Some((ProjectId::ROOT, _)) => Refusal::Secret,
        Some(_) => Refusal::NoProject,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    fn ask(header: &[u8]) -> Result<ProjectId, Refusal> {
        let token = Token::new(" secret\n").unwrap();
        let mut headers = HeaderMap::new();
        if let Ok(value) = HeaderValue::from_bytes(header) {
            headers.insert(AUTHORIZATION, value);
        }
        project_of(&token, &headers)
    }

    #[test]
    fn the_second_piece_counts_and_case_matters() {
        let root = Ok(ProjectId::root());
        let table: [(&[u8], Result<ProjectId, Refusal>); 12] = [
            (b"Bearer secret", root.clone()),
            (b"Bearer secret more", root),
            (b"bearer secret", Err(Refusal::NoToken)),
            (b"Bearer", Err(Refusal::NoToken)),
            (b"secret", Err(Refusal::NoToken)),
            (b"Bearer  secret", Err(Refusal::Format)),
            (b"Bearer ", Err(Refusal::Format)),
            (b"Bearer Secret", Err(Refusal::Format)),
            (b"Bearer sk-secret", Err(Refusal::Format)),
            (b"Bearer sk-p-x-y-zz", Err(Refusal::NoProject)),
            (b"Bearer sk-__root__-x", Err(Refusal::Secret)),
            (b"Bearer \xff", Err(Refusal::NoToken)),
        ];
        for (header, expected) in table {
            assert_eq!(ask(header), expected, "{}", String::from_utf8_lossy(header));
        }
    }

    #[test]
    fn a_blank_token_is_none_and_none_is_shown() {
        assert!(Token::new(" \n").is_none());
        assert_eq!(format!("{:?}", Token::new("secret").unwrap()), "Token(…)");
    }

    #[test]
    fn only_the_api_is_guarded() {
        for path in ["/api", "/api/v1/users", "/api/nowhere", "/api/v1/health"] {
            assert!(is_guarded(path), "{path}");
        }
        for path in ["/", "/docs", "/api/v1/healthcheck", "/api/v1/healthcheck/x"] {
            assert!(!is_guarded(path), "{path}");
        }
    }

    proptest! {
        #[test]
        fn no_other_header_opens(header in any::<Vec<u8>>()) {
            prop_assert!(ask(&header).is_err());
        }

        #[test]
        fn no_other_token_opens(token in "[!-~]{0,40}") {
            prop_assume!(token != "secret");
            let header = format!("Bearer {token}");
            prop_assert!(ask(header.as_bytes()).is_err());
        }
    }
}
