-- Every table that holds something of a user has the columns project_id and user_id, and its primary key starts with
-- them: a user's rows lie together, and an erase finds every table by those two columns.
-- Times are microseconds since 1970 in UTC. Text is compared byte by byte, as in the other store. JSON is text, because
-- jsonb neither keeps numbers as they were written nor has NUL. No table refers to another: a user's rows are always
-- written under the lock of the user's own row, and tables can be distributed by user.

CREATE TABLE project (
    id                 text COLLATE "C" NOT NULL PRIMARY KEY,
    profile_config     text COLLATE "C" NOT NULL,
    created_at         bigint           NOT NULL,
    updated_at         bigint           NOT NULL
);

CREATE TABLE app_user (
    project_id         text COLLATE "C" NOT NULL,
    user_id            uuid             NOT NULL,
    name               text COLLATE "C",
    fields             text COLLATE "C",
    -- Counts the commits that changed a memory.
    version            bigint           NOT NULL,
    -- The next number in the order in which the user's sources and jobs came in.
    next_seq           bigint           NOT NULL,
    created_at         bigint           NOT NULL,
    updated_at         bigint           NOT NULL,
    PRIMARY KEY (project_id, user_id)
) WITH (fillfactor = 70);

CREATE TABLE source (
    project_id         text COLLATE "C" NOT NULL,
    user_id            uuid             NOT NULL,
    id                 uuid             NOT NULL,
    seq                bigint           NOT NULL,
    kind               text COLLATE "C" NOT NULL,
    body               text COLLATE "C" NOT NULL,
    fields             text COLLATE "C",
    agent              text COLLATE "C",
    session            text COLLATE "C",
    said_at            bigint           NOT NULL,
    received_at        bigint           NOT NULL,
    content_hash       bytea            NOT NULL,
    PRIMARY KEY (project_id, user_id, id)
);
CREATE INDEX source_order ON source (project_id, user_id, kind, seq);

CREATE TABLE buffer (
    project_id         text COLLATE "C" NOT NULL,
    user_id            uuid             NOT NULL,
    id                 uuid             NOT NULL,
    source_id          uuid             NOT NULL,
    kind               text COLLATE "C" NOT NULL,
    seq                bigint           NOT NULL,
    tokens             bigint           NOT NULL,
    state              text COLLATE "C" NOT NULL,
    job_id             uuid,
    PRIMARY KEY (project_id, user_id, id)
);
CREATE UNIQUE INDEX buffer_source ON buffer (project_id, user_id, source_id);
CREATE INDEX buffer_order ON buffer (project_id, user_id, kind, state, seq);
CREATE INDEX buffer_job ON buffer (project_id, user_id, job_id, state, seq) WHERE job_id IS NOT NULL;

-- What is idle, summed up, so that neither the threshold nor the idle sweep has to count rows.
CREATE TABLE buffer_idle (
    project_id         text COLLATE "C" NOT NULL,
    user_id            uuid             NOT NULL,
    kind               text COLLATE "C" NOT NULL,
    sources            bigint           NOT NULL,
    tokens             bigint           NOT NULL,
    due_at             bigint           NOT NULL,
    PRIMARY KEY (project_id, user_id, kind)
) WITH (fillfactor = 70);
CREATE INDEX buffer_idle_due ON buffer_idle (due_at);

CREATE TABLE idempotency (
    project_id         text COLLATE "C" NOT NULL,
    user_id            uuid             NOT NULL,
    key                text COLLATE "C" NOT NULL,
    content_hash       text COLLATE "C" NOT NULL,
    source_ids         uuid[]           NOT NULL,
    job_id             uuid,
    created_at         bigint           NOT NULL,
    PRIMARY KEY (project_id, user_id, key)
);
CREATE INDEX idempotency_age ON idempotency (created_at);

CREATE TABLE job (
    project_id         text COLLATE "C" NOT NULL,
    user_id            uuid             NOT NULL,
    id                 uuid             NOT NULL,
    seq                bigint           NOT NULL,
    kind               text COLLATE "C" NOT NULL,
    state              text COLLATE "C" NOT NULL,
    attempt            bigint           NOT NULL,
    run_at             bigint           NOT NULL,
    -- Counts the claims; a write that names an older count is refused.
    fence              bigint           NOT NULL,
    lease_until        bigint,
    worker             text COLLATE "C",
    result             text COLLATE "C" NOT NULL,
    error              text COLLATE "C",
    created_at         bigint           NOT NULL,
    finished_at        bigint,
    PRIMARY KEY (project_id, user_id, id)
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX job_id ON job (project_id, id);
CREATE INDEX job_listing ON job (project_id, created_at, seq);
-- The state is a column of these, though it is the same in each row: so a search by it needs the index alone.
CREATE INDEX job_queued ON job (state, created_at, seq, project_id, user_id, run_at) WHERE state = 'queued';
CREATE INDEX job_waiting ON job (project_id, user_id, state, seq, run_at) WHERE state = 'queued';
CREATE INDEX job_running ON job (project_id, user_id, state, lease_until) WHERE state = 'running';
CREATE INDEX job_dead ON job (state, project_id, user_id) WHERE state = 'dead';
CREATE INDEX job_finished ON job (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE memory (
    project_id         text COLLATE "C" NOT NULL,
    user_id            uuid             NOT NULL,
    id                 uuid             NOT NULL,
    kind               text COLLATE "C" NOT NULL,
    agent              text COLLATE "C",
    session            text COLLATE "C",
    topic              text COLLATE "C",
    sub_topic          text COLLATE "C",
    slot_key           text COLLATE "C",
    parent_id          uuid,
    ordinal            bigint           NOT NULL,
    content            text COLLATE "C" NOT NULL,
    data               text COLLATE "C" NOT NULL,
    speaker            text COLLATE "C",
    mentioned_at       bigint,
    happened_from      bigint,
    happened_to        bigint,
    happened_precision text COLLATE "C",
    valid_from         bigint,
    valid_to           bigint,
    recorded_at        bigint           NOT NULL,
    updated_at         bigint           NOT NULL,
    importance         double precision NOT NULL,
    -- How often recall gave it out, and when it last did.
    uses               bigint           NOT NULL DEFAULT 0,
    used_at            bigint,
    tokens             bigint           NOT NULL,
    revision           bigint           NOT NULL,
    PRIMARY KEY (project_id, user_id, id)
);
-- One current memory in each slot; a missing agent or session is a value of its own. Hashed, since an index entry has
-- room for less than a third of a page.
CREATE UNIQUE INDEX memory_slot ON memory (
    project_id, user_id, md5(slot_key), (agent IS NULL), md5(coalesce(agent, '')), (session IS NULL), md5(coalesce(session, ''))
) WHERE kind = 'profile';
CREATE INDEX memory_timeline ON memory (project_id, user_id, kind, recorded_at, parent_id, ordinal);
CREATE INDEX memory_parent ON memory (project_id, user_id, parent_id, ordinal) WHERE parent_id IS NOT NULL;

CREATE TABLE revision (
    project_id         text COLLATE "C" NOT NULL,
    user_id            uuid             NOT NULL,
    memory_id          uuid             NOT NULL,
    revision           bigint           NOT NULL,
    content            text COLLATE "C" NOT NULL,
    topic              text COLLATE "C",
    sub_topic          text COLLATE "C",
    data               text COLLATE "C" NOT NULL,
    mentioned_at       bigint,
    happened_from      bigint,
    happened_to        bigint,
    happened_precision text COLLATE "C",
    valid_from         bigint,
    valid_to           bigint,
    recorded_at        bigint           NOT NULL,
    replaced_at        bigint           NOT NULL,
    reason             text COLLATE "C" NOT NULL,
    PRIMARY KEY (project_id, user_id, memory_id, revision)
);

CREATE TABLE provenance (
    project_id         text COLLATE "C" NOT NULL,
    user_id            uuid             NOT NULL,
    memory_id          uuid             NOT NULL,
    ordinal            bigint           NOT NULL,
    revision           bigint           NOT NULL,
    source_id          uuid             NOT NULL,
    turn               bigint,
    speaker            text COLLATE "C",
    said_at            bigint,
    -- The source's own hash, kept because the source may be dropped.
    content_hash       bytea,
    PRIMARY KEY (project_id, user_id, memory_id, ordinal)
);

-- What the indexes hold of one memory: enough to take it out again, and to make its vector anew.
CREATE TABLE document (
    project_id         text COLLATE "C" NOT NULL,
    user_id            uuid             NOT NULL,
    memory_id          uuid             NOT NULL,
    kind               text COLLATE "C" NOT NULL,
    length             bigint           NOT NULL,
    terms              text COLLATE "C" NOT NULL,
    revision           bigint           NOT NULL,
    embed_text         text COLLATE "C",
    PRIMARY KEY (project_id, user_id, memory_id)
);

CREATE TABLE posting (
    project_id         text COLLATE "C" NOT NULL,
    user_id            uuid             NOT NULL,
    term               text COLLATE "C" NOT NULL,
    memory_id          uuid             NOT NULL,
    kind               text COLLATE "C" NOT NULL,
    count              bigint           NOT NULL,
    length             bigint           NOT NULL,
    PRIMARY KEY (project_id, user_id, term, memory_id)
);

CREATE TABLE lexicon (
    project_id         text COLLATE "C" NOT NULL,
    user_id            uuid             NOT NULL,
    kind               text COLLATE "C" NOT NULL,
    documents          bigint           NOT NULL,
    length_total       bigint           NOT NULL,
    PRIMARY KEY (project_id, user_id, kind)
);

-- The spaces that vectors were ever kept in. `filled`: whatever lacks a vector there is on the backlog.
CREATE TABLE vector_space (
    name               text COLLATE "C" NOT NULL PRIMARY KEY,
    filled             bigint           NOT NULL
) WITH (fillfactor = 70);

CREATE TABLE embedding (
    project_id         text COLLATE "C" NOT NULL,
    user_id            uuid             NOT NULL,
    space              text COLLATE "C" NOT NULL,
    memory_id          uuid             NOT NULL,
    kind               text COLLATE "C" NOT NULL,
    recorded_at        bigint           NOT NULL,
    revision           bigint           NOT NULL,
    -- Without a dimension, as each space has its own. NULL: no search can find it, yet it is not missing.
    vector             vector,
    PRIMARY KEY (project_id, user_id, space, memory_id)
);

-- Up to some 2,000 components stay in the row, so that a search reads one table in its order.
ALTER TABLE embedding ALTER COLUMN vector SET STORAGE MAIN;

CREATE TABLE vector_backlog (
    project_id         text COLLATE "C" NOT NULL,
    user_id            uuid             NOT NULL,
    space              text COLLATE "C" NOT NULL,
    memory_id          uuid             NOT NULL,
    revision           bigint           NOT NULL,
    created_at         bigint           NOT NULL,
    PRIMARY KEY (project_id, user_id, space, memory_id)
);
CREATE INDEX vector_backlog_age ON vector_backlog (space, created_at);

CREATE TABLE tombstone (
    project_id         text COLLATE "C" NOT NULL,
    user_id            uuid             NOT NULL,
    hash               bytea            NOT NULL,
    PRIMARY KEY (project_id, user_id, hash)
);

CREATE TABLE usage_day (
    project_id         text COLLATE "C" NOT NULL,
    user_id            uuid             NOT NULL,
    day                text COLLATE "C" NOT NULL,
    call               text COLLATE "C" NOT NULL,
    calls              bigint           NOT NULL,
    prompt_tokens      bigint           NOT NULL,
    completion_tokens  bigint           NOT NULL,
    PRIMARY KEY (project_id, user_id, day, call)
);
CREATE INDEX usage_day_project ON usage_day (project_id, day, call);

-- A single row that the health check counts up.
CREATE TABLE pulse (
    id                 bigint           NOT NULL PRIMARY KEY,
    beats              bigint           NOT NULL
) WITH (fillfactor = 70);
