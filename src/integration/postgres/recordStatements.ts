/** The SQL of the records of runs. */
export interface RecordStatements {
  readonly create: string;
  readonly get: string;
  readonly change: string;
  readonly head: string;
  readonly list: string;
  readonly questions: string;
  readonly prune: string;
}

const OPEN = `('queued', 'running', 'waiting', 'paused')`;
/** Named one by one: a prepared statement with `*` is refused once a migration adds a column. */
const COLUMNS = `id, place, conversation, tenant, input, messages, trace, status, owner, takeovers, progress, fingerprint,
  problem, expires, created, changed`;

/** @param schema a plain name, which needs no quotes */
export function recordStatementsOf(schema: string): RecordStatements {
  const runs = `${schema}.runs`;
  const questions = `${schema}.questions`;
  return {
    // Locked by conversation, so that a run which is seen later also has a later place.
    create: `INSERT INTO ${runs} (id, conversation, tenant, input, messages, trace, status, created, changed)
      SELECT $1, $2, $3, $4, $5, $6, 'queued', $7, $7
      FROM (SELECT pg_advisory_xact_lock(hashtextextended($2, 0)) OFFSET 0) AS locked
      ON CONFLICT (id) DO NOTHING RETURNING id`,
    get: `SELECT ${COLUMNS} FROM ${runs} WHERE id = $1`,
    change: `UPDATE ${runs} SET
        status = coalesce($5, status),
        owner = CASE WHEN $6::boolean THEN $7 ELSE owner END,
        takeovers = coalesce($8, takeovers),
        progress = coalesce($9, progress),
        fingerprint = coalesce($10, fingerprint),
        problem = CASE WHEN $11::boolean THEN $12 ELSE problem END,
        expires = CASE WHEN $13::boolean THEN $14::bigint ELSE expires END,
        changed = $15
      WHERE id = $1 AND status = ANY ($2::text[]) AND (NOT $3::boolean OR owner IS NOT DISTINCT FROM $4)
      RETURNING ${COLUMNS}`,
    head: `SELECT ${COLUMNS} FROM ${runs} WHERE conversation = $1 AND status IN ${OPEN} ORDER BY place LIMIT 1`,
    list: `SELECT ${COLUMNS} FROM ${runs} WHERE place > $1
        AND ($2::text[] IS NULL OR status = ANY ($2::text[]))
        AND ($3::text IS NULL OR tenant = $3)
        AND ($4::text IS NULL OR conversation = $4)
      ORDER BY place LIMIT $5`,
    questions: `SELECT question.* FROM ${questions} AS question JOIN ${runs} AS run ON run.id = question.run
      WHERE run.status = 'waiting'
        AND ($1::text IS NULL OR question.run = $1)
        AND ($2::text IS NULL OR question.tenant = $2)
        AND ($3::text IS NULL OR question.conversation = $3)
      ORDER BY question.asked, question.conversation, question.call LIMIT $4`,
    prune: `WITH pruned AS (
        DELETE FROM ${runs} WHERE status NOT IN ${OPEN} AND changed < $1 RETURNING id, conversation
      ), unused AS (
        DELETE FROM ${schema}.logs AS log USING pruned WHERE log.conversation = pruned.conversation AND NOT EXISTS (
          SELECT FROM ${runs} AS run WHERE run.conversation = log.conversation
            AND NOT EXISTS (SELECT FROM pruned AS gone WHERE gone.id = run.id)
        )
      )
      SELECT id FROM pruned`,
  };
}
