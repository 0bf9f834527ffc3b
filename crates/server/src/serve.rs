//! The accept loop.
//!
//! axum's own `serve` sets no time limit for the header of a request, no bound on connections and none on the time
//! that a clean stop may take; this loop does.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use crate::app::{AppState, router};

/// Longest time for the header of a request to arrive.
const HEADER_WAIT: Duration = Duration::from_secs(30);
/// How long requests may go on after a stop was asked for.
const STOP_WAIT: Duration = Duration::from_secs(30);
/// Pause after the system refused a new connection (too many open files).
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);

/// Serves until `shutdown` is ready, then lets running requests end (at most 30 seconds).
///
/// # Errors
/// When the listener's own address cannot be read.
pub async fn serve(
    listener: TcpListener,
    state: AppState,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()> {
    let address = listener.local_addr()?;
    tracing::info!(%address, version = state.version, "listening");
    let slots = Arc::new(Semaphore::new(state.limits.connections_max));
    let service = TowerToHyperService::new(router(state));
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_WAIT);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(HEADER_WAIT);
    let graceful = GracefulShutdown::new();
    let mut shutdown = pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            biased;
            () = &mut shutdown => break,
            accepted = accept(&listener, &slots) => accepted,
        };
        let Some((stream, slot)) = accepted else {
            continue;
        };
        let connection = graceful.watch(
            builder
                .serve_connection_with_upgrades(TokioIo::new(stream), service.clone())
                .into_owned(),
        );
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "connection ended early");
            }
            drop(slot);
        });
    }
    drop(listener);
    if tokio::time::timeout(STOP_WAIT, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("requests were cut off: they did not end in time");
    }
    Ok(())
}

/// The next connection together with its slot; `None` when the system refused one.
async fn accept(
    listener: &TcpListener,
    slots: &Arc<Semaphore>,
) -> Option<(TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let slot = Arc::clone(slots).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => {
            // Answers are small; waiting to fill a packet only delays them.
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!(%error, "a connection stays without TCP_NODELAY");
            }
            Some((stream, slot))
        }
        Err(error) => {
            tracing::warn!(%error, "a connection could not be accepted");
            tokio::time::sleep(ACCEPT_PAUSE).await;
            None
        }
    }
}
