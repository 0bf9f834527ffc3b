//! The store in PostgreSQL with pgvector: any number of servers on one database.
//!
//! Nothing is remembered between two calls. A write locks the row of its user first, so writes of one user come one
//! after the other, whichever server they come from; users do not wait for each other. All locks end with their
//! transaction, so a pooler in transaction mode may stand between.

mod append;
mod bind;
mod change;
mod claim;
mod fault;
mod forget;
mod inbox;
mod index;
mod jobs;
mod memories;
mod migrate;
mod pool;
mod recall;
mod rows;
mod run;
mod tenants;
mod text;
mod upkeep;
mod users;

use std::fmt;
use std::time::Duration;

use deadpool_postgres::Pool;
use mneme_core::ports::StoreResult;

use fault::Work;
use run::Db;

/// How to reach the database.
#[derive(Clone)]
pub struct PostgresOptions {
    /// `postgres://user:password@host:port/database`, with the parameters that libpq knows. Several hosts may be named.
    /// With `sslmode=require` the connection is encrypted and the certificate is checked against those that the system
    /// trusts (or `SSL_CERT_FILE`); otherwise it is plain.
    pub url: String,
    /// The schema to live in; it is made when it is missing. `None`: where the role's own search path leads. A schema
    /// is asked for when a connection begins, which poolers do not pass on; behind one give the role a search path.
    pub schema: Option<String>,
    /// Connections at most. Together with those of other servers they must fit into the database's own limit.
    pub pool_size: usize,
    /// Whether statements are kept prepared by the connection. Not behind a pooler in transaction mode that does not
    /// know of them.
    pub prepared: bool,
    /// How long to wait for a connection.
    pub wait: Duration,
}

impl PostgresOptions {
    /// Sixteen connections, ten seconds to wait for one, prepared statements.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            schema: None,
            pool_size: 16,
            prepared: true,
            wait: Duration::from_secs(10),
        }
    }
}

impl fmt::Debug for PostgresOptions {
    /// Without the address, which may hold a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresOptions")
            .field("schema", &self.schema)
            .field("pool_size", &self.pool_size)
            .field("prepared", &self.prepared)
            .field("wait", &self.wait)
            .finish_non_exhaustive()
    }
}

/// A store in a PostgreSQL database.
pub struct PostgresStore {
    pool: Pool,
    prepared: bool,
}

impl PostgresStore {
    /// Connects, and brings the schema up to date. Servers that start at the same time wait for each other.
    ///
    /// # Errors
    /// `Unavailable` when the database does not answer; `Unusable` when it refuses us, when pgvector is neither there
    /// nor may be made by us, when the schema is newer than we are or was made by other migrations.
    pub async fn connect(options: &PostgresOptions) -> StoreResult<Self> {
        let store = Self {
            pool: pool::pool(options)?,
            prepared: options.prepared,
        };
        migrate::migrate(&store, options.schema.as_deref()).await?;
        Ok(store)
    }

    /// A connection for statements that stand for themselves.
    async fn reader(&self) -> Work<Db> {
        Ok(Db::alone(pool::lend(&self.pool).await?, self.prepared))
    }

    /// A connection in a transaction.
    async fn writer(&self) -> Work<Db> {
        Ok(Db::transaction(
            pool::lend(&self.pool).await?,
            self.prepared,
        ))
    }
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore")
            .field("pool", &self.pool.status())
            .finish_non_exhaustive()
    }
}
