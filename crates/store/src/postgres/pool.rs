//! Connections, and how often a piece of work is tried.

use std::str::FromStr as _;
use std::time::Duration;

use deadpool_postgres::{
    Manager, ManagerConfig, Object, Pool, PoolError, RecyclingMethod, Runtime, TimeoutType,
};
use tokio_postgres::config::SslMode;
use tokio_postgres::{Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::PostgresOptions;
use super::fault::{Fault, Work};

/// Tries of one transaction, the first included. Each failed one means that another made way.
const TRIES_MAX: u32 = 8;
/// The first wait between two tries; doubled each time.
const FIRST_WAIT: Duration = Duration::from_millis(2);

/// How long a host may be silent that should have answered to the network, before its connection counts as lost.
const SILENCE_MAX: Duration = Duration::from_secs(30);

/// The pool; nothing is connected yet.
pub(super) fn pool(options: &PostgresOptions) -> Work<Pool> {
    // The parser's message may quote the address, and the address may hold a password.
    let mut config = Config::from_str(&options.url)
        .map_err(|_| Fault::unusable("the address of the database cannot be read"))?;
    if config.get_application_name().is_none() {
        config.application_name("mneme");
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(options.wait);
    }
    // A host that vanished says nothing; without these a call to it would wait for hours.
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(SILENCE_MAX);
    }
    config.keepalives_idle(config.get_keepalives_idle().min(SILENCE_MAX));
    config.keepalives_interval(config.get_keepalives_interval().unwrap_or(SILENCE_MAX / 3));
    config.keepalives_retries(config.get_keepalives_retries().unwrap_or(3));
    if let Some(schema) = &options.schema {
        let path = format!("-c search_path={}", search_path(schema)?);
        let path = match config.get_options() {
            Some(others) => format!("{others} {path}"),
            None => path,
        };
        config.options(path);
    }
    let how = ManagerConfig {
        recycling_method: RecyclingMethod::Fast,
    };
    // What is merely preferred cannot be trusted either, so there is encryption with a certificate that was checked,
    // or none.
    let manager = match config.get_ssl_mode() {
        SslMode::Require => Manager::from_config(config, encryption()?, how),
        _ => Manager::from_config(config, NoTls, how),
    };
    Pool::builder(manager)
        .max_size(options.pool_size.max(1))
        .wait_timeout(Some(options.wait))
        .create_timeout(Some(options.wait))
        .runtime(Runtime::Tokio1)
        .build()
        .map_err(|_| Fault::internal("the pool of connections could not be made"))
}

/// Encryption that trusts whom the system trusts.
fn encryption() -> Work<MakeRustlsConnect> {
    // Fails when one was chosen already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    // Single certificates that cannot be read are left out; none at all is an error.
    MakeRustlsConnect::with_native_certs()
        .map(|(encryption, _)| encryption)
        .map_err(|_| Fault::unusable("the certificates that this system trusts cannot be read"))
}

/// The schema of our own first, then the one where extensions are by default. A value of the option `-c` ends at a
/// blank, so a name is held to what needs no quoting.
fn search_path(schema: &str) -> Work<String> {
    let plain =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    let starts = schema.starts_with(|letter: char| letter.is_ascii_lowercase() || letter == '_');
    if starts && schema.len() <= 63 && schema.chars().all(plain) {
        Ok(format!("{schema},public"))
    } else {
        Err(Fault::unusable(
            "the name of a schema may have at most 63 letters a-z, digits and underscores",
        ))
    }
}

/// A connection that was alive when it was last looked at.
pub(super) async fn lend(pool: &Pool) -> Work<Object> {
    pool.get().await.map_err(|error| match error {
        PoolError::Timeout(TimeoutType::Wait) => {
            Fault::unavailable("all connections to the database are in use")
        }
        PoolError::Timeout(_) => Fault::unavailable("the database does not answer in time"),
        PoolError::Closed => Fault::unavailable("the store is closed"),
        // What cannot be connected to now is not there at once; the caller decides how long to go on.
        PoolError::Backend(error) => refused(error).for_good(),
        PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_) => {
            Fault::internal("the pool of connections could not be used")
        }
    })
}

fn refused(error: tokio_postgres::Error) -> Fault {
    if error.code().is_some() {
        return Fault::from(error);
    }
    let text = error.to_string();
    if text.starts_with("error performing TLS handshake") {
        return Fault::unusable(
            "the connection cannot be encrypted: the database does not offer it, or its certificate is not trusted here",
        );
    }
    if text.starts_with("invalid configuration") || text.starts_with("authentication") {
        return Fault::unusable("the database refuses the user or the password");
    }
    Fault::unavailable("the database cannot be reached")
}

/// Counts the tries of one transaction.
#[derive(Debug, Default)]
pub(super) struct Tries(u32);

impl Tries {
    /// Whether to try once more; waits a little before it says so.
    pub(super) async fn more(&mut self, fault: &Fault) -> bool {
        self.0 += 1;
        if !fault.again || self.0 >= TRIES_MAX {
            return false;
        }
        tokio::time::sleep(FIRST_WAIT * 2_u32.saturating_pow(self.0)).await;
        true
    }
}

/// Runs the body in a transaction, again when the database undid it for the sake of another one.
macro_rules! transact {
    ($store:expr, $db:ident => $body:expr) => {{
        let mut tries = $crate::postgres::pool::Tries::default();
        loop {
            let attempt = async {
                let db = $store.writer().await?;
                let outcome = {
                    let $db = &db;
                    async { $body }.await
                };
                db.end(outcome).await
            };
            match attempt.await {
                Err(fault) if tries.more(&fault).await => {}
                other => break other.map_err($crate::postgres::fault::Fault::last),
            }
        }
    }};
}

/// Runs the body, a single statement that only reads, again when the connection turns out to be dead.
macro_rules! look {
    ($store:expr, $db:ident => $body:expr) => {{
        let mut tries = $crate::postgres::pool::Tries::default();
        loop {
            let attempt = async {
                let db = $store.reader().await?;
                let $db = &db;
                $body
            };
            match attempt.await {
                Err(fault) if tries.more(&fault).await => {}
                other => break other.map_err($crate::postgres::fault::Fault::last),
            }
        }
    }};
}

pub(super) use {look, transact};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_schemas_are_held_to_what_needs_no_quoting() {
        assert_eq!(search_path("mneme_1").unwrap(), "mneme_1,public");
        for name in ["", "1a", "A", "a b", "a,b", "a\"", "a;b", &"a".repeat(64)] {
            assert!(search_path(name).is_err(), "{name}");
        }
    }

    #[test]
    fn addresses_are_never_quoted() {
        let options = PostgresOptions::new("postgres://me:secret@host:port/x");
        let fault = pool(&options).unwrap_err();
        assert!(!fault.error.message.contains("secret"));
        assert!(!format!("{options:?}").contains("secret"));
    }
}
