//! A running fake server in this process.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::answer::Answer;
use super::config::{Canned, Config};
use super::routes::router;
use super::state::{Logged, State};
use super::stats::Stats;
use super::step::Step;

/// A fake server on a loopback port; stops when dropped.
pub struct FakeLlm {
    address: SocketAddr,
    state: Arc<State>,
    server: JoinHandle<()>,
}

impl FakeLlm {
    /// Starts one on any free port.
    ///
    /// # Panics
    ///
    /// When no loopback port can be had.
    pub async fn start() -> Self {
        match Self::listen(0).await {
            Ok(fake) => fake,
            Err(error) => panic!("no loopback port for the fake model server: {error}"),
        }
    }

    /// Starts one on that port; 0 is any free one.
    ///
    /// # Errors
    ///
    /// When the port cannot be had.
    pub async fn listen(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        let state = Arc::new(State::new());
        let routes = router(Arc::clone(&state));
        let server = tokio::spawn(async move {
            // Ends only with the process or by abort; an accept error is retried inside.
            let _ = axum::serve(listener, routes).await;
        });
        Ok(Self {
            address,
            state,
            server,
        })
    }

    /// Serves until the task is cancelled.
    pub async fn run(mut self) {
        let _ = (&mut self.server).await;
    }

    /// `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// `http://127.0.0.1:PORT/v1`, as a client is configured.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("{}/v1", self.url())
    }

    /// The settings.
    #[must_use]
    pub fn config(&self) -> Config {
        self.state.config()
    }

    /// Changes settings.
    pub fn configure(&self, change: impl FnOnce(&mut Config)) {
        let mut config = self.state.config();
        change(&mut config);
        self.state.set_config(config);
    }

    /// Replaces the script of a step: its answers are given in order, then the usual ones again, or the list once more
    /// if it repeats.
    pub fn script(&self, step: Step, answers: impl IntoIterator<Item = Answer>, repeat: bool) {
        self.state
            .set_script(Some(step), answers.into_iter().collect(), repeat);
    }

    /// Replaces the script for every step that has no answer of its own left.
    pub fn script_all(&self, answers: impl IntoIterator<Item = Answer>, repeat: bool) {
        self.state
            .set_script(None, answers.into_iter().collect(), repeat);
    }

    /// Sets or takes back fixed texts.
    pub fn can(&self, canned: Canned) {
        self.state.set_canned(canned);
    }

    /// The counters.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.state.stats()
    }

    /// The last requests, oldest first.
    #[must_use]
    pub fn requests(&self) -> Vec<Logged> {
        self.state.requests()
    }

    /// Sets counters and requests back.
    pub fn reset(&self) {
        self.state.reset();
    }
}

impl Drop for FakeLlm {
    fn drop(&mut self) {
        self.server.abort();
    }
}
