//! `mneme serve`

use anyhow::Context as _;
use mneme_models::Secret;
use mneme_server::{AppState, Limits, Token};
use tokio::net::TcpListener;

use super::say;
use crate::args::ServeArgs;
use crate::settings::{EmbedderSettings, Settings, StoreSettings};
use crate::token;
use crate::wire::House;

/// Memobase's port.
const LISTEN: &str = "127.0.0.1:8019";

pub(crate) async fn run(settings: &Settings, args: &ServeArgs, json: bool) -> anyhow::Result<()> {
    let address = args
        .listen
        .as_deref()
        .or(settings.listen.as_deref())
        .unwrap_or(LISTEN);
    let listener = TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot listen on {address}; choose another with --listen"))?;
    let url = format!("http://{}", listener.local_addr()?);
    let house = House::open(settings).await?;
    let given = args.token.clone().or_else(|| {
        settings
            .token
            .as_ref()
            .map(|token| Secret::expose(token).to_owned())
    });
    let own = given.is_none();
    let text = match given {
        Some(token) => token,
        None => token::of_folder(&settings.data)?,
    };
    let token = Token::new(&text).context("the token must not be empty")?;
    announce(settings, &url, &text, own, json);
    let state = AppState {
        engine: house.engine.clone(),
        token,
        limits: Limits::default(),
        version: env!("CARGO_PKG_VERSION"),
    };
    mneme_server::serve(listener, state, stop_signal()).await?;
    house.close().await
}

fn announce(settings: &Settings, url: &str, token: &str, own: bool, json: bool) {
    if json {
        let line = serde_json::json!({"url": url, "token": token, "data": settings.data, "pid": std::process::id()});
        return say(&line.to_string());
    }
    let distiller = match &settings.llm {
        Some(llm) => format!("{} at {}", llm.model, without_credentials(&llm.base_url)),
        None => {
            "built-in rules (set MNEME_LLM_BASE_URL and MNEME_LLM_MODEL for a model)".to_owned()
        }
    };
    let embedder = match &settings.embedder {
        EmbedderSettings::Local => "local (built in)".to_owned(),
        EmbedderSettings::Tiny => "tiny (built in)".to_owned(),
        EmbedderSettings::Remote { model, .. } => model.clone(),
    };
    let place = match &settings.store {
        StoreSettings::Sqlite => settings.data.display().to_string(),
        StoreSettings::Postgres { .. } => "PostgreSQL (as given)".to_owned(),
    };
    // A token that the caller chose is known to them; printing it would only spread it.
    let shown = if own { token } else { "$MNEME_TOKEN" };
    say(&format!(
        "Mneme {version}\n  url       {url}\n  token     {shown_token}\n  data      {data}\n  distils   {distiller}\n  embeds    {embedder}\n\n\
         Try it:\n  \
         curl -s -X POST {url}/api/v1/users -H \"Authorization: Bearer {shown}\" -H 'Content-Type: application/json' -d '{{\"id\":\"11111111-1111-4111-8111-111111111111\"}}'\n  \
         curl -s -X POST {url}/api/v1/blobs/insert/11111111-1111-4111-8111-111111111111 -H \"Authorization: Bearer {shown}\" -H 'Content-Type: application/json' \\\n       \
         -d '{{\"blob_type\":\"chat\",\"blob_data\":{{\"messages\":[{{\"role\":\"user\",\"content\":\"My name is Ana and I live in Lisbon.\"}}]}}}}'\n  \
         curl -s -X POST '{url}/api/v1/users/buffer/11111111-1111-4111-8111-111111111111/chat?wait_process=true' -H \"Authorization: Bearer {shown}\"\n  \
         curl -s {url}/api/v1/users/context/11111111-1111-4111-8111-111111111111 -H \"Authorization: Bearer {shown}\"\n",
        version = env!("CARGO_PKG_VERSION"),
        shown_token = if own { token } else { "(as given)" },
        data = place,
    ));
}

/// A URL may hold a name and a password before its host; they are not shown.
fn without_credentials(url: &str) -> String {
    match url.split_once("//") {
        Some((scheme, rest)) => {
            let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
            let (host, path) = rest.split_at(end);
            let host = host.rsplit('@').next().unwrap_or(host);
            format!(
                "{scheme}//{host}{}",
                path.split(['?', '#']).next().unwrap_or_default()
            )
        }
        None => url.to_owned(),
    }
}

/// Ready when the process is asked to stop.
async fn stop_signal() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        let Ok(mut terminate) =
            tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
        else {
            let _ = interrupt.await;
            return;
        };
        tokio::select! { _ = interrupt => {}, _ = terminate.recv() => {} }
    }
    #[cfg(not(unix))]
    let _ = interrupt.await;
    tracing::info!("stopping: running batches may finish");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_in_a_url_are_not_shown() {
        for (url, shown) in [
            ("https://api.example.com/v1", "https://api.example.com/v1"),
            (
                "https://me:secret@api.example.com/v1?key=x",
                "https://api.example.com/v1",
            ),
            ("http://a@b@c:1", "http://c:1"),
        ] {
            assert_eq!(without_credentials(url), shown);
        }
    }
}
