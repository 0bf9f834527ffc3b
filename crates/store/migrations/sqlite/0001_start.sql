-- Every table that holds something of a user has the columns project_id and user_id, and its primary key starts with
-- them: a user's rows lie together, and an erase finds every table by those two columns.
-- Ids are 16 bytes, times are microseconds since 1970 in UTC, JSON is text, vectors are little-endian f32.

CREATE TABLE project (
    id             TEXT    NOT NULL PRIMARY KEY,
    profile_config TEXT    NOT NULL,
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL
) WITHOUT ROWID, STRICT;

CREATE TABLE app_user (
    project_id TEXT    NOT NULL,
    user_id    BLOB    NOT NULL,
    name       TEXT,
    fields     TEXT,
    -- Counts the commits that changed a memory.
    version    INTEGER NOT NULL,
    -- The next number in the order in which the user's sources and jobs came in.
    next_seq   INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (project_id, user_id)
) WITHOUT ROWID, STRICT;

CREATE TABLE source (
    project_id   TEXT    NOT NULL,
    user_id      BLOB    NOT NULL,
    id           BLOB    NOT NULL,
    seq          INTEGER NOT NULL,
    kind         TEXT    NOT NULL,
    body         TEXT    NOT NULL,
    fields       TEXT,
    agent        TEXT,
    session      TEXT,
    said_at      INTEGER NOT NULL,
    received_at  INTEGER NOT NULL,
    content_hash BLOB    NOT NULL,
    PRIMARY KEY (project_id, user_id, id)
) WITHOUT ROWID, STRICT;
CREATE INDEX source_order ON source (project_id, user_id, kind, seq);

CREATE TABLE buffer (
    project_id TEXT    NOT NULL,
    user_id    BLOB    NOT NULL,
    id         BLOB    NOT NULL,
    source_id  BLOB    NOT NULL,
    kind       TEXT    NOT NULL,
    seq        INTEGER NOT NULL,
    tokens     INTEGER NOT NULL,
    state      TEXT    NOT NULL,
    job_id     BLOB,
    PRIMARY KEY (project_id, user_id, id)
) WITHOUT ROWID, STRICT;
CREATE UNIQUE INDEX buffer_source ON buffer (project_id, user_id, source_id);
CREATE INDEX buffer_order ON buffer (project_id, user_id, kind, state, seq);
CREATE INDEX buffer_job ON buffer (project_id, user_id, job_id, state, seq) WHERE job_id IS NOT NULL;

-- What is idle, summed up, so that neither the threshold nor the idle sweep has to count rows.
CREATE TABLE buffer_idle (
    project_id TEXT    NOT NULL,
    user_id    BLOB    NOT NULL,
    kind       TEXT    NOT NULL,
    sources    INTEGER NOT NULL,
    tokens     INTEGER NOT NULL,
    due_at     INTEGER NOT NULL,
    PRIMARY KEY (project_id, user_id, kind)
) WITHOUT ROWID, STRICT;
CREATE INDEX buffer_idle_due ON buffer_idle (due_at);

CREATE TABLE idempotency (
    project_id   TEXT    NOT NULL,
    user_id      BLOB    NOT NULL,
    key          TEXT    NOT NULL,
    content_hash TEXT    NOT NULL,
    -- The ids of the sources, one after the other.
    source_ids   BLOB    NOT NULL,
    job_id       BLOB,
    created_at   INTEGER NOT NULL,
    PRIMARY KEY (project_id, user_id, key)
) WITHOUT ROWID, STRICT;
CREATE INDEX idempotency_age ON idempotency (created_at);

CREATE TABLE job (
    project_id  TEXT    NOT NULL,
    user_id     BLOB    NOT NULL,
    id          BLOB    NOT NULL,
    seq         INTEGER NOT NULL,
    kind        TEXT    NOT NULL,
    state       TEXT    NOT NULL,
    attempt     INTEGER NOT NULL,
    run_at      INTEGER NOT NULL,
    -- Counts the claims; a write that names an older count is refused.
    fence       INTEGER NOT NULL,
    lease_until INTEGER,
    worker      TEXT,
    result      TEXT    NOT NULL,
    error       TEXT,
    created_at  INTEGER NOT NULL,
    finished_at INTEGER,
    PRIMARY KEY (project_id, user_id, id)
) WITHOUT ROWID, STRICT;
CREATE UNIQUE INDEX job_id ON job (project_id, id);
CREATE INDEX job_listing ON job (project_id, created_at, seq);
-- The state is a column of these, though it is the same in each row: so a search by it needs the index alone.
CREATE INDEX job_queued ON job (state, created_at, seq, project_id, user_id, run_at) WHERE state = 'queued';
CREATE INDEX job_waiting ON job (project_id, user_id, state, seq, run_at) WHERE state = 'queued';
CREATE INDEX job_running ON job (project_id, user_id, state, lease_until) WHERE state = 'running';
CREATE INDEX job_dead ON job (state, project_id, user_id) WHERE state = 'dead';
CREATE INDEX job_finished ON job (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE memory (
    project_id         TEXT    NOT NULL,
    user_id            BLOB    NOT NULL,
    id                 BLOB    NOT NULL,
    kind               TEXT    NOT NULL,
    agent              TEXT,
    session            TEXT,
    topic              TEXT,
    sub_topic          TEXT,
    slot_key           TEXT,
    parent_id          BLOB,
    ordinal            INTEGER NOT NULL,
    content            TEXT    NOT NULL,
    data               TEXT    NOT NULL,
    speaker            TEXT,
    mentioned_at       INTEGER,
    happened_from      INTEGER,
    happened_to        INTEGER,
    happened_precision TEXT,
    valid_from         INTEGER,
    valid_to           INTEGER,
    recorded_at        INTEGER NOT NULL,
    updated_at         INTEGER NOT NULL,
    importance         REAL    NOT NULL,
    -- How often recall gave it out, and when it last did.
    uses               INTEGER NOT NULL DEFAULT 0,
    used_at            INTEGER,
    tokens             INTEGER NOT NULL,
    revision           INTEGER NOT NULL,
    PRIMARY KEY (project_id, user_id, id)
) WITHOUT ROWID, STRICT;
-- One current memory in each slot; a missing agent or session is a value of its own.
CREATE UNIQUE INDEX memory_slot ON memory (
    project_id, user_id, slot_key, (agent IS NULL), (coalesce(agent, '')), (session IS NULL), (coalesce(session, ''))
) WHERE kind = 'profile';
CREATE INDEX memory_timeline ON memory (project_id, user_id, kind, recorded_at, parent_id, ordinal);
CREATE INDEX memory_parent ON memory (project_id, user_id, parent_id, ordinal) WHERE parent_id IS NOT NULL;

CREATE TABLE revision (
    project_id         TEXT    NOT NULL,
    user_id            BLOB    NOT NULL,
    memory_id          BLOB    NOT NULL,
    revision           INTEGER NOT NULL,
    content            TEXT    NOT NULL,
    topic              TEXT,
    sub_topic          TEXT,
    data               TEXT    NOT NULL,
    mentioned_at       INTEGER,
    happened_from      INTEGER,
    happened_to        INTEGER,
    happened_precision TEXT,
    valid_from         INTEGER,
    valid_to           INTEGER,
    recorded_at        INTEGER NOT NULL,
    replaced_at        INTEGER NOT NULL,
    reason             TEXT    NOT NULL,
    PRIMARY KEY (project_id, user_id, memory_id, revision)
) WITHOUT ROWID, STRICT;

CREATE TABLE provenance (
    project_id   TEXT    NOT NULL,
    user_id      BLOB    NOT NULL,
    memory_id    BLOB    NOT NULL,
    ordinal      INTEGER NOT NULL,
    revision     INTEGER NOT NULL,
    source_id    BLOB    NOT NULL,
    turn         INTEGER,
    speaker      TEXT,
    said_at      INTEGER,
    -- The source's own hash, kept because the source may be dropped.
    content_hash BLOB,
    PRIMARY KEY (project_id, user_id, memory_id, ordinal)
) WITHOUT ROWID, STRICT;

-- What the indexes hold of one memory: enough to take it out again, and to make its vector anew.
CREATE TABLE document (
    project_id TEXT    NOT NULL,
    user_id    BLOB    NOT NULL,
    memory_id  BLOB    NOT NULL,
    kind       TEXT    NOT NULL,
    length     INTEGER NOT NULL,
    terms      TEXT    NOT NULL,
    revision   INTEGER NOT NULL,
    embed_text TEXT,
    PRIMARY KEY (project_id, user_id, memory_id)
) WITHOUT ROWID, STRICT;

CREATE TABLE posting (
    project_id TEXT    NOT NULL,
    user_id    BLOB    NOT NULL,
    term       TEXT    NOT NULL,
    memory_id  BLOB    NOT NULL,
    kind       TEXT    NOT NULL,
    count      INTEGER NOT NULL,
    length     INTEGER NOT NULL,
    PRIMARY KEY (project_id, user_id, term, memory_id)
) WITHOUT ROWID, STRICT;

CREATE TABLE lexicon (
    project_id   TEXT    NOT NULL,
    user_id      BLOB    NOT NULL,
    kind         TEXT    NOT NULL,
    documents    INTEGER NOT NULL,
    length_total INTEGER NOT NULL,
    PRIMARY KEY (project_id, user_id, kind)
) WITHOUT ROWID, STRICT;

-- The spaces that vectors were ever kept in. `filled`: whatever lacks a vector there is on the backlog.
CREATE TABLE vector_space (
    name   TEXT    NOT NULL PRIMARY KEY,
    filled INTEGER NOT NULL
) WITHOUT ROWID, STRICT;

CREATE TABLE embedding (
    project_id  TEXT    NOT NULL,
    user_id     BLOB    NOT NULL,
    space       TEXT    NOT NULL,
    memory_id   BLOB    NOT NULL,
    kind        TEXT    NOT NULL,
    recorded_at INTEGER NOT NULL,
    revision    INTEGER NOT NULL,
    vector      BLOB    NOT NULL,
    PRIMARY KEY (project_id, user_id, space, memory_id)
) WITHOUT ROWID, STRICT;

CREATE TABLE vector_backlog (
    project_id TEXT    NOT NULL,
    user_id    BLOB    NOT NULL,
    space      TEXT    NOT NULL,
    memory_id  BLOB    NOT NULL,
    revision   INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (project_id, user_id, space, memory_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX vector_backlog_age ON vector_backlog (space, created_at);

CREATE TABLE tombstone (
    project_id TEXT NOT NULL,
    user_id    BLOB NOT NULL,
    hash       BLOB NOT NULL,
    PRIMARY KEY (project_id, user_id, hash)
) WITHOUT ROWID, STRICT;

CREATE TABLE usage_day (
    project_id        TEXT    NOT NULL,
    user_id           BLOB    NOT NULL,
    day               TEXT    NOT NULL,
    call              TEXT    NOT NULL,
    calls             INTEGER NOT NULL,
    prompt_tokens     INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    PRIMARY KEY (project_id, user_id, day, call)
) WITHOUT ROWID, STRICT;
CREATE INDEX usage_day_project ON usage_day (project_id, day, call);

-- A single row that the health check counts up.
CREATE TABLE pulse (
    id    INTEGER NOT NULL PRIMARY KEY,
    beats INTEGER NOT NULL
) STRICT;
