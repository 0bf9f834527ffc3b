//! Statement text that any SQL store can run as it stands.
//!
//! Placeholders are `$1`, `$2`, … PostgreSQL takes them by number; SQLite reads them as names and numbers the names in
//! the order in which they first appear. Every statement therefore mentions its parameters for the first time in
//! ascending order, which a test checks, and both engines bind by position.

macro_rules! statements {
    ($($(#[$doc:meta])* $name:ident = $($part:expr),+;)*) => {
        $($(#[$doc])* pub(crate) const $name: &str = concat!($($part),+);)*
        /// All of them by name, for the tests.
        #[cfg(test)]
        pub(crate) const ALL: &[(&str, &str)] = &[$((stringify!($name), $name)),*];
    };
}

macro_rules! memory_columns {
    () => {
        "m.id, m.kind, m.agent, m.session, m.topic, m.sub_topic, m.parent_id, m.ordinal, m.content, m.data, m.speaker, \
         m.mentioned_at, m.happened_from, m.happened_to, m.happened_precision, m.valid_from, m.valid_to, m.recorded_at, \
         m.updated_at, m.importance, m.tokens, m.revision"
    };
}

pub(crate) use memory_columns;

macro_rules! job_columns {
    () => {
        "project_id, user_id, id, kind, state, attempt, run_at, result, error, created_at, finished_at"
    };
}

macro_rules! source_columns {
    () => {
        "s.id, s.agent, s.session, s.kind, s.body, s.fields, s.said_at, s.received_at"
    };
}

macro_rules! memory_insert {
    () => {
        "INSERT INTO memory (project_id, user_id, id, kind, agent, session, topic, sub_topic, slot_key, parent_id, ordinal, \
         content, data, speaker, mentioned_at, happened_from, happened_to, happened_precision, valid_from, valid_to, \
         recorded_at, updated_at, importance, tokens, revision) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, \
         $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25)"
    };
}

statements! {
    // ---------------------------------------------------------------------------------------- projects and users
    PROJECT_ENSURE = "INSERT INTO project (id, profile_config, created_at, updated_at) VALUES ($1, '', $2, $2) ON CONFLICT DO NOTHING";
    PROJECT = "SELECT id, profile_config FROM project WHERE id = $1";
    PROJECT_CONFIG = "UPDATE project SET profile_config = $1, updated_at = $2 WHERE id = $3";
    USER_INSERT = "INSERT INTO app_user (project_id, user_id, name, fields, version, next_seq, created_at, updated_at) \
        VALUES ($1, $2, $3, $4, 0, 0, $5, $6) ON CONFLICT DO NOTHING";
    USER = "SELECT name, fields, created_at, updated_at FROM app_user WHERE project_id = $1 AND user_id = $2";
    USER_FIELDS = "UPDATE app_user SET fields = $1, updated_at = $2 WHERE project_id = $3 AND user_id = $4";
    USER_VERSION = "SELECT version FROM app_user WHERE project_id = $1 AND user_id = $2";
    USER_VERSION_BUMP = "UPDATE app_user SET version = version + 1 WHERE project_id = $1 AND user_id = $2 RETURNING version";
    /// Reserves numbers; answers with the one after the last.
    USER_SEQ = "UPDATE app_user SET next_seq = next_seq + $1 WHERE project_id = $2 AND user_id = $3 RETURNING next_seq";

    // ---------------------------------------------------------------------------------------- inbox
    SOURCE_INSERT = "INSERT INTO source (project_id, user_id, id, seq, kind, body, fields, agent, session, said_at, received_at, \
        content_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    SOURCE = "SELECT ", source_columns!(), " FROM source s WHERE s.project_id = $1 AND s.user_id = $2 AND s.id = $3";
    SOURCE_HASH = "SELECT content_hash FROM source WHERE project_id = $1 AND user_id = $2 AND id = $3";
    SOURCE_IDS = "SELECT id FROM source WHERE project_id = $1 AND user_id = $2 AND kind = $3 ORDER BY seq LIMIT $4 OFFSET $5";
    SOURCE_DELETE = "DELETE FROM source WHERE project_id = $1 AND user_id = $2 AND id = $3";
    BUFFER_INSERT = "INSERT INTO buffer (project_id, user_id, id, source_id, kind, seq, tokens, state, job_id) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, 'idle', NULL)";
    BUFFER_DELETE = "DELETE FROM buffer WHERE project_id = $1 AND user_id = $2 AND source_id = $3 RETURNING kind, state, tokens";
    BUFFER_IDS = "SELECT id FROM buffer WHERE project_id = $1 AND user_id = $2 AND kind = $3 AND state = $4 ORDER BY seq";
    BUFFER_OF = "SELECT kind, state, tokens FROM buffer WHERE project_id = $1 AND user_id = $2 AND id = $3";
    BUFFER_DONE = "UPDATE buffer SET state = 'done' WHERE project_id = $1 AND user_id = $2 AND id = $3";
    BUFFER_IDLE_EXISTS = "SELECT 1 FROM buffer_idle WHERE project_id = $1 AND user_id = $2 AND kind = $3";
    /// Gives everything idle of a kind to a job.
    BUFFER_START = "UPDATE buffer SET state = 'processing', job_id = $1 \
        WHERE project_id = $2 AND user_id = $3 AND kind = $4 AND state = 'idle'";
    /// Gives everything that failed of a kind to a job, its own rows included.
    BUFFER_TAKE_ALONG = "UPDATE buffer SET state = 'processing', job_id = $1 \
        WHERE project_id = $2 AND user_id = $3 AND kind = $4 AND state = 'failed'";
    /// The oldest first; a job as often as it has rows.
    BUFFER_FAILED_JOBS = "SELECT job_id FROM buffer \
        WHERE project_id = $1 AND user_id = $2 AND kind = $3 AND state = 'failed' ORDER BY seq";
    BUFFER_FAIL = "UPDATE buffer SET state = 'failed' WHERE project_id = $1 AND user_id = $2 AND job_id = $3 AND state = 'processing'";
    BUFFER_OF_JOB = "SELECT b.id, b.tokens, ", source_columns!(), " FROM buffer b \
        JOIN source s ON s.project_id = b.project_id AND s.user_id = b.user_id AND s.id = b.source_id \
        WHERE b.project_id = $1 AND b.user_id = $2 AND b.job_id = $3 AND b.state = 'processing' ORDER BY b.seq";
    IDLE_ADD = "INSERT INTO buffer_idle AS i (project_id, user_id, kind, sources, tokens, due_at) VALUES ($1, $2, $3, $4, $5, $6) \
        ON CONFLICT (project_id, user_id, kind) DO UPDATE SET sources = i.sources + excluded.sources, \
        tokens = i.tokens + excluded.tokens, due_at = excluded.due_at RETURNING tokens";
    IDLE_SUBTRACT = "UPDATE buffer_idle SET sources = sources - 1, tokens = tokens - $1 \
        WHERE project_id = $2 AND user_id = $3 AND kind = $4";
    IDLE_DROP_EMPTY = "DELETE FROM buffer_idle WHERE project_id = $1 AND user_id = $2 AND kind = $3 AND sources <= 0";
    IDLE_DROP = "DELETE FROM buffer_idle WHERE project_id = $1 AND user_id = $2 AND kind = $3";
    IDLE_DUE = "SELECT project_id, user_id, kind FROM buffer_idle WHERE due_at <= $1 \
        ORDER BY due_at, project_id, user_id, kind LIMIT $2";
    IDEMPOTENCY = "SELECT content_hash, source_ids, job_id FROM idempotency WHERE project_id = $1 AND user_id = $2 AND key = $3";
    IDEMPOTENCY_INSERT = "INSERT INTO idempotency (project_id, user_id, key, content_hash, source_ids, job_id, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7)";

    // ---------------------------------------------------------------------------------------- jobs
    JOB_INSERT = "INSERT INTO job (project_id, user_id, id, seq, kind, state, attempt, run_at, fence, result, created_at) \
        VALUES ($1, $2, $3, $4, $5, 'queued', 0, $6, 0, '[]', $6)";
    /// The oldest due job of a user of whom nothing runs; among the user's own the one that came first.
    JOB_NEXT_QUEUED = "SELECT j.project_id, j.user_id, j.id, j.created_at, j.seq FROM job j \
        WHERE j.state = 'queued' AND j.run_at <= $1 \
        AND NOT EXISTS (SELECT 1 FROM job r WHERE r.state = 'running' AND r.project_id = j.project_id AND r.user_id = j.user_id) \
        AND NOT EXISTS (SELECT 1 FROM job e WHERE e.state = 'queued' AND e.project_id = j.project_id AND e.user_id = j.user_id \
            AND e.seq < j.seq AND e.run_at <= $1) \
        ORDER BY j.created_at, j.seq, j.project_id, j.user_id LIMIT 1";
    JOB_NEXT_EXPIRED = "SELECT project_id, user_id, id, created_at, seq FROM job WHERE state = 'running' AND lease_until <= $1 \
        ORDER BY created_at, seq, project_id, user_id LIMIT 1";
    JOB_CLAIM = "UPDATE job SET state = 'running', attempt = attempt + 1, fence = fence + 1, worker = $1, lease_until = $2 \
        WHERE project_id = $3 AND user_id = $4 AND id = $5 RETURNING fence";
    JOB_SUPERSEDE = "UPDATE job SET state = 'superseded', finished_at = $1 \
        WHERE project_id = $2 AND user_id = $3 AND id = $4 AND state IN ('queued', 'dead') \
        AND NOT EXISTS (SELECT 1 FROM buffer b WHERE b.project_id = job.project_id AND b.user_id = job.user_id \
            AND b.job_id = job.id AND b.state <> 'done')";
    JOB_OWNED = "SELECT kind FROM job WHERE project_id = $1 AND user_id = $2 AND id = $3 AND state = 'running' AND fence = $4";
    JOB_HEARTBEAT = "UPDATE job SET lease_until = $1 \
        WHERE project_id = $2 AND user_id = $3 AND id = $4 AND state = 'running' AND fence = $5";
    JOB_FINISH = "UPDATE job SET state = $1, error = CASE WHEN $1 = 'dead' THEN error END, finished_at = $2, lease_until = NULL, worker = NULL \
        WHERE project_id = $3 AND user_id = $4 AND id = $5";
    JOB_RETRY = "UPDATE job SET state = 'queued', run_at = $1, error = $2, lease_until = NULL, worker = NULL \
        WHERE project_id = $3 AND user_id = $4 AND id = $5";
    JOB_DIE = "UPDATE job SET state = 'dead', finished_at = $1, error = $2, lease_until = NULL, worker = NULL \
        WHERE project_id = $3 AND user_id = $4 AND id = $5";
    JOB_RELEASE = "UPDATE job SET state = 'queued', attempt = attempt - 1, lease_until = NULL, worker = NULL \
        WHERE project_id = $1 AND user_id = $2 AND id = $3 AND state = 'running' AND fence = $4";
    JOB_RESULT = "SELECT result FROM job WHERE project_id = $1 AND user_id = $2 AND id = $3";
    JOB_RESULT_SET = "UPDATE job SET result = $1 WHERE project_id = $2 AND user_id = $3 AND id = $4";
    JOB_REPLAY = "UPDATE job SET state = 'queued', attempt = 0, run_at = $1, finished_at = NULL \
        WHERE project_id = $2 AND id = $3 AND state = 'dead'";
    JOB_DUE_NOW = "UPDATE job SET run_at = $1 WHERE project_id = $2 AND user_id = $3 AND id = $4 AND state = 'queued' AND run_at > $1";
    JOB_LAST_QUEUED = "SELECT id FROM job WHERE project_id = $1 AND user_id = $2 AND state = 'queued' AND kind = $3 \
        ORDER BY seq DESC LIMIT 1";
    JOB_RUNNING = "SELECT id FROM job WHERE project_id = $1 AND user_id = $2 AND state = 'running' AND kind = $3 LIMIT 1";
    JOB = "SELECT ", job_columns!(), " FROM job WHERE project_id = $1 AND id = $2";
    JOBS_OF_PROJECT = "SELECT ", job_columns!(), " FROM job WHERE project_id = $1 AND ($2 = '' OR state = $2) \
        ORDER BY created_at DESC, seq DESC, user_id, id LIMIT $3 OFFSET $4";
    /// The plus keeps SQLite from walking through the whole project in the order of time.
    JOBS_OF_USER = "SELECT ", job_columns!(), " FROM job WHERE project_id = $1 AND user_id = $2 AND ($3 = '' OR state = $3) \
        ORDER BY +created_at DESC, seq DESC, user_id, id LIMIT $4 OFFSET $5";
    JOB_NEXT_DUE = "SELECT min(at) FROM (SELECT lease_until AS at FROM job WHERE state = 'running' \
        UNION ALL SELECT j.run_at AS at FROM job j WHERE j.state = 'queued' AND NOT EXISTS (SELECT 1 FROM job r \
            WHERE r.state = 'running' AND r.project_id = j.project_id AND r.user_id = j.user_id)) AS due";
    JOB_STATS = "SELECT (SELECT count(*) FROM job WHERE state = 'queued'), (SELECT count(*) FROM job WHERE state = 'running'), \
        (SELECT count(*) FROM job WHERE state = 'dead'), (SELECT min(created_at) FROM job WHERE state = 'queued')";

    // ---------------------------------------------------------------------------------------- memories
    PROFILE = "SELECT ", memory_columns!(), " FROM memory m WHERE m.project_id = $1 AND m.user_id = $2 AND m.kind = 'profile' \
        ORDER BY m.updated_at DESC, m.ordinal, m.id";
    MEMORY = "SELECT ", memory_columns!(), " FROM memory m WHERE m.project_id = $1 AND m.user_id = $2 AND m.id = $3";
    MEMORY_INSERT = memory_insert!();
    /// For a memory that exists: replaces everything but how it was used.
    MEMORY_REPLACE = memory_insert!(), " ON CONFLICT (project_id, user_id, id) DO UPDATE SET kind = excluded.kind, \
        agent = excluded.agent, session = excluded.session, topic = excluded.topic, sub_topic = excluded.sub_topic, \
        slot_key = excluded.slot_key, parent_id = excluded.parent_id, ordinal = excluded.ordinal, content = excluded.content, \
        data = excluded.data, speaker = excluded.speaker, mentioned_at = excluded.mentioned_at, \
        happened_from = excluded.happened_from, happened_to = excluded.happened_to, \
        happened_precision = excluded.happened_precision, valid_from = excluded.valid_from, valid_to = excluded.valid_to, \
        recorded_at = excluded.recorded_at, updated_at = excluded.updated_at, importance = excluded.importance, \
        tokens = excluded.tokens, revision = excluded.revision";
    MEMORY_UNSLOT = "UPDATE memory SET slot_key = NULL WHERE project_id = $1 AND user_id = $2 AND id = $3";
    MEMORY_CONFIRM = "UPDATE memory SET updated_at = $1 WHERE project_id = $2 AND user_id = $3 AND id = $4";
    MEMORY_DELETE = "DELETE FROM memory WHERE project_id = $1 AND user_id = $2 AND id = $3";
    CHILDREN = "SELECT ", memory_columns!(), " FROM memory m WHERE m.project_id = $1 AND m.user_id = $2 AND m.parent_id = $3 \
        ORDER BY m.ordinal, m.id";
    CHILD_IDS = "SELECT id FROM memory WHERE project_id = $1 AND user_id = $2 AND parent_id = $3 ORDER BY ordinal, id";
    REVISION_INSERT = "INSERT INTO revision (project_id, user_id, memory_id, revision, content, topic, sub_topic, data, mentioned_at, \
        happened_from, happened_to, happened_precision, valid_from, valid_to, recorded_at, replaced_at, reason) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)";
    REVISIONS = "SELECT memory_id, revision, content, topic, sub_topic, data, mentioned_at, happened_from, happened_to, \
        happened_precision, valid_from, valid_to, recorded_at, replaced_at, reason \
        FROM revision WHERE project_id = $1 AND user_id = $2 AND memory_id = $3 ORDER BY revision DESC";
    REVISIONS_DELETE = "DELETE FROM revision WHERE project_id = $1 AND user_id = $2 AND memory_id = $3";
    PROVENANCE_NEXT = "SELECT (SELECT coalesce(max(p.ordinal) + 1, 0) FROM provenance p \
        WHERE p.project_id = m.project_id AND p.user_id = m.user_id AND p.memory_id = m.id) \
        FROM memory m WHERE m.project_id = $1 AND m.user_id = $2 AND m.id = $3";
    PROVENANCE_INSERT = "INSERT INTO provenance (project_id, user_id, memory_id, ordinal, revision, source_id, turn, speaker, said_at, \
        content_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    PROVENANCE = "SELECT memory_id, revision, source_id, turn, speaker, said_at \
        FROM provenance WHERE project_id = $1 AND user_id = $2 AND memory_id = $3 ORDER BY ordinal";
    PROVENANCE_HASHES = "SELECT DISTINCT content_hash FROM provenance \
        WHERE project_id = $1 AND user_id = $2 AND memory_id = $3 AND content_hash IS NOT NULL";
    PROVENANCE_DELETE = "DELETE FROM provenance WHERE project_id = $1 AND user_id = $2 AND memory_id = $3";
    TOMBSTONE_INSERT = "INSERT INTO tombstone (project_id, user_id, hash) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
    TOMBSTONE = "SELECT 1 FROM tombstone WHERE project_id = $1 AND user_id = $2 AND hash = $3";

    // ---------------------------------------------------------------------------------------- indexes
    DOCUMENT_PUT = "INSERT INTO document (project_id, user_id, memory_id, kind, length, terms, revision, embed_text) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    DOCUMENT_DELETE = "DELETE FROM document WHERE project_id = $1 AND user_id = $2 AND memory_id = $3 RETURNING kind, length, terms";
    POSTING_INSERT = "INSERT INTO posting (project_id, user_id, term, memory_id, kind, count, length) VALUES ($1, $2, $3, $4, $5, $6, $7)";
    POSTING_DELETE = "DELETE FROM posting WHERE project_id = $1 AND user_id = $2 AND term = $3 AND memory_id = $4";
    POSTINGS = "SELECT memory_id, kind, count, length FROM posting WHERE project_id = $1 AND user_id = $2 AND term = $3 ORDER BY memory_id";
    LEXICON_ADD = "INSERT INTO lexicon AS l (project_id, user_id, kind, documents, length_total) VALUES ($1, $2, $3, $4, $5) \
        ON CONFLICT (project_id, user_id, kind) DO UPDATE SET documents = l.documents + excluded.documents, \
        length_total = l.length_total + excluded.length_total";
    LEXICON = "SELECT kind, documents, length_total FROM lexicon WHERE project_id = $1 AND user_id = $2";
    SPACE_KNOW = "INSERT INTO vector_space (name, filled) VALUES ($1, 0) ON CONFLICT DO NOTHING";
    /// A change that goes to one space leaves gaps in all others.
    SPACE_GAPS = "UPDATE vector_space SET filled = 0 WHERE name <> $1 AND filled <> 0";
    SPACE_FILLED = "SELECT filled FROM vector_space WHERE name = $1";
    SPACE_SET_FILLED = "UPDATE vector_space SET filled = 1 WHERE name = $1";
    EMBEDDING_PUT = "INSERT INTO embedding (project_id, user_id, space, memory_id, kind, recorded_at, revision, vector) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (project_id, user_id, space, memory_id) DO UPDATE SET \
        kind = excluded.kind, recorded_at = excluded.recorded_at, revision = excluded.revision, vector = excluded.vector";
    EMBEDDING_DELETE = "DELETE FROM embedding WHERE project_id = $1 AND user_id = $2 AND memory_id = $3 \
        AND space IN (SELECT name FROM vector_space)";
    EMBEDDINGS = "SELECT memory_id, kind, recorded_at, vector FROM embedding WHERE project_id = $1 AND user_id = $2 AND space = $3";
    BACKLOG_PUT = "INSERT INTO vector_backlog (project_id, user_id, space, memory_id, revision, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (project_id, user_id, space, memory_id) DO UPDATE SET \
        revision = excluded.revision, created_at = excluded.created_at";
    BACKLOG_DELETE = "DELETE FROM vector_backlog WHERE project_id = $1 AND user_id = $2 AND memory_id = $3 \
        AND space IN (SELECT name FROM vector_space)";
    BACKLOG_DONE = "DELETE FROM vector_backlog WHERE project_id = $1 AND user_id = $2 AND space = $3 AND memory_id = $4";
    BACKLOG = "SELECT b.project_id, b.user_id, b.memory_id, b.revision, d.embed_text FROM vector_backlog b JOIN document d \
        ON d.project_id = b.project_id AND d.user_id = b.user_id AND d.memory_id = b.memory_id \
        WHERE b.space = $1 AND d.embed_text IS NOT NULL ORDER BY b.created_at, b.project_id, b.user_id, b.memory_id LIMIT $2";
    BACKLOG_COUNT = "SELECT count(*) FROM vector_backlog WHERE space = $1";
    BACKLOG_COUNT_OF_USER = "SELECT count(*) FROM vector_backlog WHERE project_id = $1 AND user_id = $2 AND space = $3";
    /// Puts every memory that should have a vector in the space and has none on its backlog.
    BACKLOG_FILL = "INSERT INTO vector_backlog (project_id, user_id, space, memory_id, revision, created_at) \
        SELECT d.project_id, d.user_id, $1, d.memory_id, d.revision, m.updated_at FROM document d JOIN memory m \
        ON m.project_id = d.project_id AND m.user_id = d.user_id AND m.id = d.memory_id \
        WHERE d.embed_text IS NOT NULL AND NOT EXISTS (SELECT 1 FROM embedding e WHERE e.project_id = d.project_id \
            AND e.user_id = d.user_id AND e.space = $1 AND e.memory_id = d.memory_id) ON CONFLICT DO NOTHING";
    MEMORY_STAMP = "SELECT kind, recorded_at, revision FROM memory WHERE project_id = $1 AND user_id = $2 AND id = $3";

    // ---------------------------------------------------------------------------------------- usage and upkeep
    USAGE_ADD = "INSERT INTO usage_day AS u (project_id, user_id, day, call, calls, prompt_tokens, completion_tokens) \
        VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (project_id, user_id, day, call) DO UPDATE SET \
        calls = u.calls + excluded.calls, prompt_tokens = u.prompt_tokens + excluded.prompt_tokens, \
        completion_tokens = u.completion_tokens + excluded.completion_tokens";
    USAGE = "SELECT day, call, sum(calls), sum(prompt_tokens), sum(completion_tokens) FROM usage_day \
        WHERE project_id = $1 AND day >= $2 GROUP BY day, call ORDER BY day DESC, call";
    PULSE = "INSERT INTO pulse AS p (id, beats) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET beats = p.beats + 1";
    PULSE_READ = "SELECT beats FROM pulse WHERE id = 1";
    /// Final jobs that nothing in the buffer waits for.
    TIDY_JOBS = "DELETE FROM job WHERE (project_id, user_id, id) IN (SELECT j.project_id, j.user_id, j.id FROM job j \
        WHERE j.finished_at < $1 AND NOT EXISTS (SELECT 1 FROM buffer b WHERE b.project_id = j.project_id \
            AND b.user_id = j.user_id AND b.job_id = j.id AND b.state <> 'done') ORDER BY j.finished_at LIMIT $2)";
    /// Those of imports stay: a file may be imported again after years.
    TIDY_KEYS = "DELETE FROM idempotency WHERE (project_id, user_id, key) IN (SELECT project_id, user_id, key FROM idempotency \
        WHERE created_at < $1 AND substr(key, 1, 7) <> 'import:' ORDER BY created_at LIMIT $2)";
}

#[cfg(test)]
mod tests {
    use super::ALL;

    /// The numbers behind the dollar signs, in the order of the text.
    fn placeholders(text: &str) -> Vec<usize> {
        text.split('$')
            .skip(1)
            .filter_map(|rest| {
                rest.split(|c: char| !c.is_ascii_digit())
                    .next()?
                    .parse()
                    .ok()
            })
            .collect()
    }

    #[test]
    fn parameters_first_appear_in_ascending_order() {
        for (name, text) in ALL {
            let mut highest = 0;
            for number in placeholders(text) {
                assert!(
                    number <= highest + 1,
                    "{name} mentions ${number} before ${}",
                    highest + 1
                );
                highest = highest.max(number);
            }
        }
    }

    #[test]
    fn every_statement_prepares_on_the_migrated_schema() {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        for migration in crate::migrate::SQLITE {
            connection.execute_batch(migration.sql).unwrap();
        }
        for (name, text) in ALL {
            let statement = connection
                .prepare(text)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            let asked = placeholders(text).into_iter().max().unwrap_or(0);
            assert_eq!(statement.parameter_count(), asked, "{name}");
        }
    }
}
