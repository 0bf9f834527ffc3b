//! Every bound in one place, named with its unit last. Nothing that comes from outside is unbounded.

/// Longest project id, characters.
pub const PROJECT_ID_CHARS_MAX: usize = 64;
/// Longest text that may name a user in the native dialects, characters.
pub const USER_NAME_CHARS_MAX: usize = 255;
/// Buffered tokens of one user and kind above which a batch is started (Memobase: strictly greater than 1024).
pub const BUFFER_TOKENS_MAX: u32 = 1024;
/// How long a buffer may rest before it is flushed by itself, seconds.
pub const BUFFER_IDLE_SECONDS: u64 = 3600;
/// Tokens that go into one window of the distiller.
pub const WINDOW_TOKENS_MAX: u32 = 16_384;
/// Longest content of one memory, bytes of UTF-8. Longer text is split, never cut.
pub const MEMORY_BYTES_MAX: usize = 8_000;
/// Longest content of a slot that a caller writes by hand, bytes of UTF-8.
pub const SLOT_BYTES_MAX: usize = 64 * 1024;
/// Longest gist of the built-in distiller, characters; longer turns become several gists at sentence borders.
pub const GIST_CHARS_MAX: usize = 600;
/// Longest profile configuration, characters (Memobase's bound).
pub const PROFILE_CONFIG_CHARS_MAX: usize = 65_535;
/// Largest request body, bytes.
pub const BODY_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Largest page of any listing, rows.
pub const PAGE_ROWS_MAX: usize = 10_000;
/// Attempts of one job before it is a dead letter.
pub const JOB_ATTEMPTS_MAX: u32 = 8;
/// How long a claimed job is safe from other workers without a heartbeat, seconds.
pub const LEASE_SECONDS: u64 = 60;
/// Longest text that is analysed into index terms for one memory, bytes.
pub const ANALYZE_BYTES_MAX: usize = 64 * 1024;
/// Most terms that one query asks the store for.
pub const QUERY_TERMS_MAX: usize = 128;
/// Longest idempotency key, characters.
pub const IDEMPOTENCY_KEY_CHARS_MAX: usize = 255;
