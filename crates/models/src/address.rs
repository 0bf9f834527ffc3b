//! From the base URL that somebody configured to the address that is asked.
//!
//! People paste base URLs in every form: with and without `/v1`, with a slash at the end, with the whole path of a
//! call. All of these lead to one address; a path that belongs to another protocol is refused when the client is
//! made, not with a 404 at the first call.

use std::net::IpAddr;

use reqwest::Url;

use crate::config::SetupError;

/// The calls of the protocol that we make; each is also accepted as the end of a base URL.
const CALLS: [&str; 2] = ["chat/completions", "embeddings"];

/// Ends of paths that belong to other protocols, with what to say about them.
const FOREIGN: [(&str, &str); 9] = [
    ("api/generate", OLLAMA),
    ("api/chat", OLLAMA),
    ("api/embed", OLLAMA),
    ("api/embeddings", OLLAMA),
    ("api/tags", OLLAMA),
    (
        "v1/completions",
        "that is the older completion call; give the base URL, such as https://host/v1",
    ),
    (
        "v1/responses",
        "that is the responses call; give the base URL, such as https://host/v1",
    ),
    (
        "v1/messages",
        "that is another protocol; give the base URL of an OpenAI-compatible endpoint",
    ),
    (
        "v1/models",
        "that is the list of models; give the base URL, such as https://host/v1",
    ),
];
const OLLAMA: &str =
    "that is Ollama's own protocol; its OpenAI-compatible base URL is http://host:11434/v1";

/// The address of `call` (`chat/completions` or `embeddings`) below a base URL.
///
/// A bare host gets `/v1`; any other path is kept. A query is kept, a fragment dropped.
pub(crate) fn join(base: &str, call: &str) -> Result<Url, SetupError> {
    let refuse = |why: &str| SetupError::BaseUrl {
        url: shown_text(base),
        why: why.to_owned(),
    };
    let mut url =
        Url::parse(base.trim()).map_err(|_| refuse("it must look like https://host/v1"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return Err(refuse("it must begin with http:// or https://"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refuse(
            "credentials belong in the key or in a header, not in the URL",
        ));
    }
    let parts: Vec<&str> = url
        .path()
        .split('/')
        .filter(|part| !part.is_empty())
        .collect();
    let path = parts.join("/");
    if let Some((_, why)) = FOREIGN.iter().find(|(end, _)| ends_with_path(&path, end)) {
        return Err(refuse(why));
    }
    let whole = CALLS.iter().find(|known| ends_with_path(&path, known));
    let prefix = match whole {
        Some(known) => path[..path.len() - known.len()].trim_end_matches('/'),
        None if path.is_empty() => "v1",
        None => path.as_str(),
    };
    let joined = if prefix.is_empty() {
        format!("/{call}")
    } else {
        format!("/{prefix}/{call}")
    };
    url.set_path(&joined);
    url.set_fragment(None);
    Ok(url)
}

/// Whether `path` is `end` or ends with `/end`.
fn ends_with_path(path: &str, end: &str) -> bool {
    path.strip_suffix(end)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// An address as it may be logged: without query, fragment and credentials, any of which may hold a key.
pub(crate) fn shown(url: &Url) -> String {
    let port = url
        .port()
        .map(|port| format!(":{port}"))
        .unwrap_or_default();
    format!(
        "{}://{}{port}{}",
        url.scheme(),
        url.host_str().unwrap_or_default(),
        url.path()
    )
}

/// The same for a text that may not be a URL at all.
pub(crate) fn shown_text(text: &str) -> String {
    let text = text.trim();
    if let Ok(url) = Url::parse(text)
        && url.has_host()
    {
        return shown(&url);
    }
    let end = text.find(['?', '#']).unwrap_or(text.len());
    let start = text[..end].rfind('@').map_or(0, |at| at + 1);
    text[start..end].chars().take(200).collect()
}

/// Whether the address is on this machine, where no proxy can reach it.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url
        .host_str()
        .unwrap_or_default()
        .trim_start_matches('[')
        .trim_end_matches(']');
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V6(v6)) => {
            v6.is_loopback() || v6.to_ipv4_mapped().is_some_and(|v4| v4.is_loopback())
        }
        Ok(IpAddr::V4(v4)) => v4.is_loopback(),
        Err(_) => {
            let name = host.trim_end_matches('.').to_ascii_lowercase();
            name == "localhost" || name.ends_with(".localhost")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(base: &str, call: &str) -> String {
        join(base, call).map_or_else(|error| format!("refused: {error}"), String::from)
    }

    #[test]
    fn g04_base_urls_join() {
        let cases = [
            ("https://host", "https://host/v1/chat/completions"),
            ("https://host/", "https://host/v1/chat/completions"),
            ("https://host/v1", "https://host/v1/chat/completions"),
            ("  https://host/v1/ ", "https://host/v1/chat/completions"),
            ("https://host//v1//", "https://host/v1/chat/completions"),
            (
                "https://host/v1/chat/completions",
                "https://host/v1/chat/completions",
            ),
            (
                "https://host/v1/chat/completions/",
                "https://host/v1/chat/completions",
            ),
            (
                "https://host/v1/embeddings",
                "https://host/v1/chat/completions",
            ),
            (
                "https://host/chat/completions",
                "https://host/chat/completions",
            ),
            (
                "http://127.0.0.1:11434",
                "http://127.0.0.1:11434/v1/chat/completions",
            ),
            (
                "http://[::1]:8080/v1",
                "http://[::1]:8080/v1/chat/completions",
            ),
            (
                "https://host/compatible-mode/v1",
                "https://host/compatible-mode/v1/chat/completions",
            ),
            (
                "https://host/api/paas/v4/",
                "https://host/api/paas/v4/chat/completions",
            ),
            (
                "https://host/openai/deployments/m?api-version=1",
                "https://host/openai/deployments/m/chat/completions?api-version=1",
            ),
            ("https://host/v1#x", "https://host/v1/chat/completions"),
        ];
        for (base, expected) in cases {
            assert_eq!(joined(base, "chat/completions"), expected, "{base}");
        }
        assert_eq!(
            joined("https://host/v1/chat/completions", "embeddings"),
            "https://host/v1/embeddings"
        );
        assert_eq!(
            joined("https://host", "embeddings"),
            "https://host/v1/embeddings"
        );
    }

    #[test]
    fn g04_other_protocols_are_refused_with_the_url() {
        for base in [
            "http://host:11434/api/generate",
            "http://host:11434/api/chat/",
            "https://host/v1/messages",
            "https://host/v1/api/embeddings",
        ] {
            let error = join(base, "embeddings").expect_err(base).to_string();
            assert!(error.contains(base.trim_end_matches('/')), "{error}");
        }
        for base in [
            "",
            "host",
            "localhost:11434/v1",
            "ftp://host/v1",
            "http://",
            "/v1",
        ] {
            assert!(join(base, "embeddings").is_err(), "{base}");
        }
    }

    #[test]
    fn no_credential_is_shown() {
        for base in [
            "https://u:pw1234@host/v1",
            "https://host/api/generate?key=pw1234",
            "u:pw1234@host?key=pw1234",
        ] {
            let error = join(base, "embeddings").expect_err(base).to_string();
            assert!(!error.contains("pw1234"), "{error}");
        }
    }

    #[test]
    fn loopback_is_known() {
        for (base, expected) in [
            ("http://127.0.0.1:1/", true),
            ("http://127.9.9.9/", true),
            ("http://localhost:1/", true),
            ("http://LOCALHOST./", true),
            ("http://a.localhost/", true),
            ("http://[::1]/", true),
            ("http://[::ffff:127.0.0.1]/", true),
            ("http://10.0.0.1/", false),
            ("http://localhost.example/", false),
            ("http://notlocalhost/", false),
        ] {
            assert_eq!(
                is_loopback(&Url::parse(base).expect(base)),
                expected,
                "{base}"
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_joined_or_refused(base in "\\PC{0,40}", scheme in proptest::bool::ANY) {
            let base = if scheme { format!("http://{base}") } else { base };
            if let Ok(url) = join(&base, "embeddings") {
                proptest::prop_assert!(url.path().ends_with("/embeddings"));
                // Joining is idempotent: what we ask can itself be configured.
                proptest::prop_assert_eq!(join(url.as_str(), "embeddings").map(String::from).ok(), Some(url.to_string()));
            }
        }
    }
}
