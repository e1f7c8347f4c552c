import type { SqlDialect } from './SqlDialect.js';

/** Statements that every database understands. `$1` is the tenant; in `runs`, `outline` and `questions`, null means all tenants. */
export type SharedStatement =
  | 'open'
  | 'state'
  | 'entries'
  | 'conversations'
  | 'writtenBefore'
  | 'get'
  | 'change'
  | 'head'
  | 'runs'
  | 'outline'
  | 'questions'
  | 'sessionVersion'
  | 'sessionChanges'
  | 'deleteSession'
  | 'inbox'
  | 'chat'
  | 'createChat'
  | 'changeChat'
  | 'chats'
  | 'deleteChat';

/**
 * Statements that each database writes in its own way. `$1` is the tenant, except in `prune`.
 *
 * `lockedState`: `state`, locked against changes of other transactions until this one ends.
 * `append`: adds entries `$5` with checksums `$6` to the log `$2` if its epoch is `$3` and it has `$4` entries; on success, returns a row
 * with the number of messages in its inbox as `waiting`.
 * `appendMarked`: `append`, and changes records and questions for the entries: `$7` to `$9` are ids, states and problems of ended runs,
 * `$10` and `$11` ids and entries of questions, `$12` the ids of closed questions (`*` for all), `$13` the time, `$14` the checksums of
 * questions. Removes the messages `$15` from the inbox. If `$16` is true, it does nothing while messages wait there.
 * `appendShared`: `appendMarked`, and adds changes `$19` with checksums `$20` to the session `$17`, from version `$18` on; returns no row
 * if this is not the next version, and may fail if another transaction writes it first.
 * `clearSession`: adds the change `$3` with text `$4` and checksum `$5` to the session `$2`, and deletes all before it; returns a row if
 * this is the next version, and may fail if another transaction writes it first.
 * `steer`: adds the message `$5` with text `$6` and checksum `$7` for the run `$3` to the inbox, if the run is open, the log has `$4`
 * entries and the inbox does not have the message; returns a row on success. Creates the log with epoch `$8` if there is none.
 * `reply`: `append`, deletes the question `$7` and queues the run `$8` if it waits; `$9` is the time, and `$10` the new value of
 * `expires`: the time since which the run has to be enqueued, or null if the caller enqueues it.
 * `create`: adds the record of a run; returns a row unless the id exists.
 * `delete`: deletes the conversation `$2` and its runs unless one of them has not ended; returns a row if it deleted a log.
 * `deleteWrittenBefore`: the same for conversations in the list `$3` with a log without writes since `$2`; returns their ids.
 * `prune`: deletes the records of runs that ended before `$1`, of the tenant `$2` or of all tenants if null, and conversations that then
 * have no runs; returns the ids of the runs.
 */
export type OwnStatement =
  | 'lockedState'
  | 'append'
  | 'appendMarked'
  | 'appendShared'
  | 'clearSession'
  | 'steer'
  | 'reply'
  | 'create'
  | 'delete'
  | 'deleteWrittenBefore'
  | 'prune';

export type StatementName = SharedStatement | OwnStatement;

/** The states of an open run, as an SQL list. */
export const OPEN_STATES = `('queued', 'running', 'waiting', 'paused')`;
/** The columns of `runs` by name. A prepared statement with `*` would fail once a migration adds a column. */
const RUN_COLUMNS = `id, place, tenant, conversation, trace, status, owner, takeovers, progress, fingerprint, problem, expires,
  created, changed, sum, input, messages`;

const CHAT_COLUMNS = 'owner, id, created, changed, sum, branches, title';

/** Writes the statements that every database understands, with parameters `$1`, `$2` and so on. */
export function writeSharedStatements({ prefix, now, isAmong }: SqlDialect): Readonly<Record<SharedStatement, string>> {
  const [logs, entries] = [`${prefix}logs`, `${prefix}entries`];
  const [runs, questions, changes] = [`${prefix}runs`, `${prefix}questions`, `${prefix}session_changes`];
  const page = `WHERE place > $2 AND ${isAmong('status', '$3')}
          AND (CAST($1 AS text) IS NULL OR tenant = $1)
          AND (CAST($4 AS text) IS NULL OR conversation = $4)
          AND (CAST($6 AS bigint) IS NULL OR expires < CAST($6 AS bigint))
        ORDER BY place LIMIT $5`;
  return {
    open: `INSERT INTO ${logs} AS log (tenant, conversation, epoch, writer) VALUES ($1, $2, $3, $4)
      ON CONFLICT (tenant, conversation) DO UPDATE SET epoch = log.epoch + 1, writer = excluded.writer, written = ${now}
      RETURNING epoch, count, waiting`,
    state: `SELECT epoch, writer, count, waiting FROM ${logs} WHERE tenant = $1 AND conversation = $2`,
    entries: `SELECT position, sum, entry FROM ${entries} WHERE tenant = $1 AND conversation = $2 AND position >= $3
      ORDER BY position LIMIT $4`,
    conversations: `SELECT conversation FROM ${logs} WHERE tenant = $1`,
    writtenBefore: `SELECT conversation FROM ${logs} WHERE tenant = $1 AND written < $2`,
    get: `SELECT ${RUN_COLUMNS} FROM ${runs} WHERE tenant = $1 AND id = $2`,
    change: `UPDATE ${runs} SET
        status = coalesce($6, status),
        owner = CASE WHEN CAST($7 AS boolean) THEN $8 ELSE owner END,
        takeovers = coalesce($9, takeovers),
        progress = coalesce($10, progress),
        fingerprint = coalesce($11, fingerprint),
        problem = CASE WHEN CAST($12 AS boolean) THEN $13 ELSE problem END,
        expires = CASE WHEN CAST($14 AS boolean) THEN CAST($15 AS bigint) ELSE expires END,
        changed = $16
      WHERE tenant = $1 AND id = $2 AND ${isAmong('status', '$3')}
        AND (NOT CAST($4 AS boolean) OR owner IS NOT DISTINCT FROM $5)
      RETURNING ${RUN_COLUMNS}`,
    head: `SELECT ${RUN_COLUMNS} FROM ${runs} WHERE tenant = $1 AND conversation = $2 AND status IN ${OPEN_STATES}
      ORDER BY place LIMIT 1`,
    // Selects the places first, so that only the returned records are read.
    runs: `SELECT ${RUN_COLUMNS} FROM ${runs} WHERE place IN (SELECT place FROM ${runs} ${page}) ORDER BY place`,
    outline: `SELECT id, place, tenant, conversation, status, owner FROM ${runs} ${page}`,
    questions: `SELECT question.tenant, question.conversation, question.id, question.run, question.sum, question.entry
      FROM ${questions} AS question JOIN ${runs} AS run ON run.tenant = question.tenant AND run.id = question.run
      WHERE run.status = 'waiting'
        AND (CAST($1 AS text) IS NULL OR question.tenant = $1)
        AND (CAST($2 AS text) IS NULL OR question.run = $2)
        AND (CAST($3 AS text) IS NULL OR question.conversation = $3)
        AND (CAST($4 AS text) IS NULL OR question.id = $4)
      ORDER BY question.asked, question.conversation, question.id LIMIT $5`,
    sessionVersion: `SELECT coalesce(max(version), 0) AS version FROM ${changes} WHERE tenant = $1 AND name = $2`,
    sessionChanges: `SELECT version, conversation, epoch, sum, delta FROM ${changes}
      WHERE tenant = $1 AND name = $2 AND version > $3 ORDER BY version LIMIT $4`,
    // Deletes all changes in one statement, so that no other transaction sees only a part of them.
    deleteSession: `DELETE FROM ${changes} WHERE tenant = $1 AND name = $2`,
    inbox: `SELECT letter.id, letter.run, letter.sum, letter.message FROM ${prefix}inbox AS letter
      WHERE letter.tenant = $1 AND letter.conversation = $2 AND (CAST($3 AS text) IS NULL OR letter.run = $3 OR NOT EXISTS (
        SELECT 1 FROM ${runs} AS run WHERE run.tenant = letter.tenant AND run.id = letter.run AND run.status IN ${OPEN_STATES}))
      ORDER BY letter.place`,
    ...writeChatStatements(`${prefix}chats`),
  };
}

function writeChatStatements(
  chats: string,
): Readonly<Record<'chat' | 'createChat' | 'changeChat' | 'chats' | 'deleteChat', string>> {
  // Later than all chats of the owner, so that pages end between two of them.
  const changed = `coalesce((SELECT max(changed) + 1 FROM ${chats} WHERE tenant = $1 AND owner = $2 AND changed >= CAST($4 AS bigint)),
        CAST($4 AS bigint))`;
  return {
    chat: `SELECT ${CHAT_COLUMNS} FROM ${chats} WHERE tenant = $1 AND owner = $2 AND id = $3`,
    createChat: `INSERT INTO ${chats} (tenant, owner, id, created, changed, sum, branches, title)
      VALUES ($1, $2, $3, ${changed}, ${changed}, $5, $6, $7) ON CONFLICT (tenant, owner, id) DO NOTHING RETURNING id`,
    changeChat: `UPDATE ${chats} SET changed = ${changed}, sum = $5, branches = $6, title = $7
      WHERE tenant = $1 AND owner = $2 AND id = $3 AND sum = $8 RETURNING ${CHAT_COLUMNS}`,
    chats: `SELECT ${CHAT_COLUMNS} FROM ${chats}
      WHERE tenant = $1 AND owner = $2 AND (CAST($3 AS bigint) IS NULL OR changed < CAST($3 AS bigint))
      ORDER BY changed DESC, id LIMIT $4`,
    deleteChat: `DELETE FROM ${chats} WHERE tenant = $1 AND owner = $2 AND id = $3 RETURNING id`,
  };
}
