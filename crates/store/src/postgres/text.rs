//! Statements that only PostgreSQL runs: those that lock, and those that handle many rows at once. The others are in
//! [`crate::sql`].

use crate::sql::memory_columns;

/// The lock under which everything of a user is written, and the user's version.
pub(super) const USER_LOCK: &str =
    "SELECT version FROM app_user WHERE project_id = $1 AND user_id = $2 FOR UPDATE";

/// Tables of our schema with the two columns of an owner.
pub(super) const OWNED_TABLES: &str = "SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = \
    (SELECT n.oid FROM pg_namespace n WHERE n.nspname = current_schema()) AND c.relkind IN ('r', 'p', 'f') \
    AND NOT c.relispartition AND (SELECT count(*) FROM pg_attribute a WHERE a.attrelid = c.oid \
    AND a.attname IN ('project_id', 'user_id') AND NOT a.attisdropped) = 2 ORDER BY c.relname";

// -------------------------------------------------------------------------------------------- inbox

pub(super) const SOURCES_INSERT: &str = "INSERT INTO source (project_id, user_id, id, seq, kind, body, fields, agent, \
    session, said_at, received_at, content_hash) SELECT $1, $2, t.id, t.seq, $3, t.body, t.fields, t.agent, t.session, \
    t.said_at, t.received_at, t.hash FROM unnest($4::uuid[], $5::bigint[], $6::text[], $7::text[], $8::text[], \
    $9::text[], $10::bigint[], $11::bigint[], $12::bytea[]) \
    AS t (id, seq, body, fields, agent, session, said_at, received_at, hash)";
pub(super) const BUFFERS_INSERT: &str = "INSERT INTO buffer (project_id, user_id, id, source_id, kind, seq, tokens, state) \
    SELECT $1, $2, t.id, t.source_id, $3, t.seq, t.tokens, 'idle' FROM unnest($4::uuid[], $5::uuid[], $6::bigint[], \
    $7::bigint[]) AS t (id, source_id, seq, tokens)";
/// Of a job that is ours, the next sources up to so many tokens, at least one; a row of NULLs when there is none.
pub(super) const TAKE: &str = "SELECT b.id, b.tokens, b.s_id, b.agent, b.session, b.kind, b.body, b.fields, b.said_at, \
    b.received_at FROM job j LEFT JOIN (SELECT w.id, w.tokens, w.seq, s.id AS s_id, s.agent, s.session, s.kind, s.body, \
        s.fields, s.said_at, s.received_at FROM (SELECT r.id, r.source_id, r.tokens, r.seq, \
            sum(r.tokens) OVER (ORDER BY r.seq) AS upto, row_number() OVER (ORDER BY r.seq) AS place FROM buffer r \
            WHERE r.project_id = $1 AND r.user_id = $2 AND r.job_id = $3 AND r.state = 'processing') AS w \
        JOIN source s ON s.project_id = $1 AND s.user_id = $2 AND s.id = w.source_id \
        WHERE w.upto <= $5 OR w.place = 1) AS b ON true \
    WHERE j.project_id = $1 AND j.user_id = $2 AND j.id = $3 AND j.state = 'running' AND j.fence = $4 ORDER BY b.seq";

// -------------------------------------------------------------------------------------------- jobs

/// The next waiting job whose user nobody writes to, with the user locked. What it rests on was read before the lock
/// was there, so [`CLAIM`] looks again.
pub(super) const NEXT_QUEUED: &str = "SELECT j.project_id, j.user_id, j.id, j.created_at, j.seq FROM job j \
    JOIN app_user u ON u.project_id = j.project_id AND u.user_id = j.user_id WHERE j.state = 'queued' AND j.run_at <= $1 \
    AND NOT EXISTS (SELECT 1 FROM job r WHERE r.state = 'running' AND r.project_id = j.project_id AND r.user_id = j.user_id) \
    AND NOT EXISTS (SELECT 1 FROM job e WHERE e.state = 'queued' AND e.project_id = j.project_id AND e.user_id = j.user_id \
        AND e.seq < j.seq AND e.run_at <= $1) \
    ORDER BY j.created_at, j.seq, j.project_id, j.user_id LIMIT 1 FOR UPDATE OF u SKIP LOCKED";
/// The same of the jobs whose lease ran out.
pub(super) const NEXT_EXPIRED: &str = "SELECT j.project_id, j.user_id, j.id, j.created_at, j.seq FROM job j \
    JOIN app_user u ON u.project_id = j.project_id AND u.user_id = j.user_id \
    WHERE j.state = 'running' AND j.lease_until <= $1 \
    ORDER BY j.created_at, j.seq, j.project_id, j.user_id LIMIT 1 FOR UPDATE OF u SKIP LOCKED";
/// Claims a job if it may still be claimed.
pub(super) const CLAIM: &str = "UPDATE job SET state = 'running', attempt = attempt + 1, fence = fence + 1, worker = $4, \
    lease_until = $5 WHERE project_id = $1 AND user_id = $2 AND id = $3 AND (state = 'running' AND lease_until <= $6 \
    OR state = 'queued' AND run_at <= $6 AND NOT EXISTS (SELECT 1 FROM job r WHERE r.state = 'running' \
        AND r.project_id = $1 AND r.user_id = $2) AND NOT EXISTS (SELECT 1 FROM job e WHERE e.state = 'queued' \
        AND e.project_id = $1 AND e.user_id = $2 AND e.seq < job.seq AND e.run_at <= $6)) RETURNING fence";

// -------------------------------------------------------------------------------------------- memories

/// Version and profile as they were at one moment; a row of NULLs behind the version when the profile is empty.
pub(super) const SNAPSHOT: &str = concat!(
    "SELECT u.version, ",
    memory_columns!(),
    " FROM app_user u LEFT JOIN memory m ON m.project_id = u.project_id AND m.user_id = u.user_id AND m.kind = 'profile' \
      WHERE u.project_id = $1 AND u.user_id = $2 ORDER BY m.updated_at DESC, m.id"
);
/// In any order.
pub(super) const MEMORIES: &str = concat!(
    "SELECT ",
    memory_columns!(),
    " FROM memory m WHERE m.project_id = $1 AND m.user_id = $2 AND m.id = ANY($3)"
);
/// An event comes before its gists, gists in the order of their lines.
pub(super) const TIMELINE: &str = concat!(
    "SELECT ",
    memory_columns!(),
    " FROM memory m WHERE m.project_id = $1 AND m.user_id = $2 AND m.kind = ANY($3) AND m.recorded_at >= $4 \
      ORDER BY m.recorded_at DESC, coalesce(m.parent_id, m.id), m.parent_id IS NOT NULL, m.ordinal, m.id \
      LIMIT $5 OFFSET $6"
);
/// One link more, if its memory is there.
pub(super) const PROVENANCE_ADD: &str = "INSERT INTO provenance (project_id, user_id, memory_id, ordinal, revision, \
    source_id, turn, speaker, said_at, content_hash) SELECT $1, $2, m.id, (SELECT coalesce(max(p.ordinal) + 1, 0) \
        FROM provenance p WHERE p.project_id = $1 AND p.user_id = $2 AND p.memory_id = $3), $4, $5, $6, $7, $8, \
    (SELECT s.content_hash FROM source s WHERE s.project_id = $1 AND s.user_id = $2 AND s.id = $5) \
    FROM memory m WHERE m.project_id = $1 AND m.user_id = $2 AND m.id = $3";
pub(super) const TOMBSTONES_INSERT: &str = "INSERT INTO tombstone (project_id, user_id, hash) \
    SELECT $1, $2, t.hash FROM unnest($3::bytea[]) AS t (hash) ON CONFLICT DO NOTHING";

// -------------------------------------------------------------------------------------------- indexes

pub(super) const POSTINGS_INSERT: &str = "INSERT INTO posting (project_id, user_id, term, memory_id, kind, count, length) \
    SELECT $1, $2, t.term, $3, $4, t.count, $5 FROM unnest($6::text[], $7::bigint[]) AS t (term, count)";
pub(super) const POSTINGS_DELETE: &str = "DELETE FROM posting \
    WHERE project_id = $1 AND user_id = $2 AND memory_id = $3 AND term = ANY($4)";
/// The statistics of the user (place 0), then who has each term: all as it was at one moment.
pub(super) const POSTINGS: &str = "SELECT 0::bigint AS place, NULL::uuid AS memory_id, kind, documents, length_total \
    FROM lexicon WHERE project_id = $1 AND user_id = $2 UNION ALL \
    SELECT t.place, p.memory_id, p.kind, p.count, p.length FROM unnest($3::text[]) WITH ORDINALITY AS t (term, place) \
    JOIN posting p ON p.project_id = $1 AND p.user_id = $2 AND p.term = t.term ORDER BY place, memory_id";
/// Exact: every vector of the user in the space is compared. The addition keeps an index for approximate search, should
/// somebody make one, from being used here: it would leave out the rows of users that are not near its entry.
pub(super) const NEAREST: &str = "SELECT e.memory_id, (e.vector <#> $4::real[]::vector) + 0 AS distance FROM embedding e \
    WHERE e.project_id = $1 AND e.user_id = $2 AND e.space = $3 AND e.vector IS NOT NULL \
    AND vector_dims(e.vector) = $5 AND e.kind = ANY($6) AND e.recorded_at >= $7 ORDER BY distance, e.memory_id LIMIT $8";
/// Changes hold it together, filling the backlog holds it alone: so no change is under way while a backlog is filled.
pub(super) const SPACES_SHARED: &str = "SELECT pg_advisory_xact_lock_shared(1835887981, 1)::text";
pub(super) const SPACES_ALONE: &str = "SELECT pg_advisory_xact_lock(1835887981, 1)::text";

// -------------------------------------------------------------------------------------------- usage and upkeep

pub(super) const USAGE: &str = "SELECT day, call, sum(calls)::bigint, sum(prompt_tokens)::bigint, \
    sum(completion_tokens)::bigint FROM usage_day WHERE project_id = $1 AND day >= $2 \
    GROUP BY day, call ORDER BY day DESC, call";
/// Final jobs that nothing in the buffer waits for. What somebody changes right now is left for the next time.
pub(super) const TIDY_JOBS: &str = "DELETE FROM job WHERE (project_id, user_id, id) IN (SELECT j.project_id, j.user_id, j.id \
    FROM job j WHERE j.finished_at < $1 AND NOT EXISTS (SELECT 1 FROM buffer b WHERE b.project_id = j.project_id \
        AND b.user_id = j.user_id AND b.job_id = j.id AND b.state <> 'done') \
    ORDER BY j.finished_at LIMIT $2 FOR UPDATE OF j SKIP LOCKED)";
