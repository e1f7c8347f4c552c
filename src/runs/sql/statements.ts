import type { SqlDialect } from './SqlDialect.js';

/** The statements that every database understands, by name. */
export type SharedStatement =
  | 'open'
  | 'state'
  | 'entries'
  | 'conversations'
  | 'writtenBefore'
  | 'delete'
  | 'deleteWrittenBefore'
  | 'get'
  | 'change'
  | 'head'
  | 'runs'
  | 'questions';

/**
 * Statements that each database writes in its own way.
 *
 * `append`: adds entries `$4` to the log `$1` if its epoch is `$2` and it has `$3` entries; returns one row if it did.
 * `appendMarked`: the same, and changes records and questions as the entries say (`$5` to `$11`, see `Marks`).
 * `reply`: `append`, deletes the question about the call `$5` and queues the run `$6` if it waits; `$7` is the time.
 * `create`: adds the record of a run; returns a row unless the id exists.
 * `prune`: deletes the records of runs that ended before `$1`, and the conversations that then have none; returns their ids.
 */
export type OwnStatement = 'append' | 'appendMarked' | 'reply' | 'create' | 'prune';

export type StatementName = SharedStatement | OwnStatement;

/** A list in SQL: the states of a run that has not ended. */
export const OPEN_STATES = `('queued', 'running', 'waiting', 'paused')`;
/** Columns by name: a prepared statement with `*` fails once a migration adds a column. */
const RUN_COLUMNS = `id, place, conversation, tenant, trace, status, owner, takeovers, progress, fingerprint, problem,
  expires, created, changed, input, messages`;

/** Returns the statements that every database understands, with parameters `$1`, `$2` and so on. */
export function sharedStatements({ prefix, now, isAmong }: SqlDialect): Readonly<Record<SharedStatement, string>> {
  const [logs, entries] = [`${prefix}logs`, `${prefix}entries`];
  const [runs, questions] = [`${prefix}runs`, `${prefix}questions`];
  return {
    open: `INSERT INTO ${logs} AS log (conversation, epoch, writer) VALUES ($1, $2, $3)
      ON CONFLICT (conversation) DO UPDATE SET epoch = log.epoch + 1, writer = excluded.writer, written = ${now}
      RETURNING epoch, count`,
    state: `SELECT epoch, writer, count FROM ${logs} WHERE conversation = $1`,
    entries: `SELECT position, entry FROM ${entries} WHERE conversation = $1 AND position >= $2
      ORDER BY position LIMIT $3`,
    conversations: `SELECT conversation FROM ${logs}`,
    writtenBefore: `SELECT conversation FROM ${logs} WHERE written < $1`,
    delete: `DELETE FROM ${logs} WHERE conversation = $1`,
    deleteWrittenBefore: `DELETE FROM ${logs} WHERE written < $1 AND ${isAmong('conversation', '$2')}
      RETURNING conversation`,
    get: `SELECT ${RUN_COLUMNS} FROM ${runs} WHERE id = $1`,
    change: `UPDATE ${runs} SET
        status = coalesce($5, status),
        owner = CASE WHEN CAST($6 AS boolean) THEN $7 ELSE owner END,
        takeovers = coalesce($8, takeovers),
        progress = coalesce($9, progress),
        fingerprint = coalesce($10, fingerprint),
        problem = CASE WHEN CAST($11 AS boolean) THEN $12 ELSE problem END,
        expires = CASE WHEN CAST($13 AS boolean) THEN CAST($14 AS bigint) ELSE expires END,
        changed = $15
      WHERE id = $1 AND ${isAmong('status', '$2')} AND (NOT CAST($3 AS boolean) OR owner IS NOT DISTINCT FROM $4)
      RETURNING ${RUN_COLUMNS}`,
    head: `SELECT ${RUN_COLUMNS} FROM ${runs} WHERE conversation = $1 AND status IN ${OPEN_STATES}
      ORDER BY place LIMIT 1`,
    // First only the places, so that no more records are read than are returned.
    runs: `SELECT ${RUN_COLUMNS} FROM ${runs} WHERE place IN (
        SELECT place FROM ${runs} WHERE place > $1 AND ${isAmong('status', '$2')}
          AND (CAST($3 AS text) IS NULL OR tenant = $3)
          AND (CAST($4 AS text) IS NULL OR conversation = $4)
          AND (CAST($6 AS bigint) IS NULL OR expires < CAST($6 AS bigint))
        ORDER BY place LIMIT $5)
      ORDER BY place`,
    questions: `SELECT question.conversation, question.call, question.run, question.tenant, question.entry
      FROM ${questions} AS question JOIN ${runs} AS run ON run.id = question.run
      WHERE run.status = 'waiting'
        AND (CAST($1 AS text) IS NULL OR question.run = $1)
        AND (CAST($2 AS text) IS NULL OR question.tenant = $2)
        AND (CAST($3 AS text) IS NULL OR question.conversation = $3)
      ORDER BY question.asked, question.conversation, question.call LIMIT $4`,
  };
}
