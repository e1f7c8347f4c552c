import type { SqlDialect } from '../../runs/sql/SqlDialect.js';
import { OPEN_STATES, sharedStatements, type OwnStatement, type StatementName } from '../../runs/sql/statements.js';
import { tableSteps } from '../../runs/sql/tables.js';
import type { SqliteScript, SqliteStep } from './protocol.js';

const NOW_MS = `(CAST(unixepoch('subsec') * 1000 AS integer))`;

const dialect: SqlDialect = {
  prefix: '',
  runKeys: `place integer PRIMARY KEY AUTOINCREMENT,
      id text NOT NULL UNIQUE`,
  timeType: 'bigint',
  now: NOW_MS,
  isAmong: (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`,
};

/** The fence: updates the row of the log for the writer of its epoch, at its end, or not at all. */
const append: readonly SqliteStep[] = [
  {
    sql: `UPDATE logs SET count = count + json_array_length($4), written = ${NOW_MS}
      WHERE conversation = $1 AND epoch = $2 AND count = $3 RETURNING conversation`,
    returns: true,
  },
  { sql: `INSERT INTO entries (conversation, position, entry) SELECT $1, $3 + key, value FROM json_each($4)` },
];
/** The run whose log is being written. */
const asking = `SELECT id, tenant FROM runs WHERE conversation = $1 AND status IN ${OPEN_STATES}
    AND status IN ('running', 'waiting') ORDER BY place LIMIT 1`;

const own: Readonly<Record<OwnStatement, readonly SqliteStep[]>> = {
  append,
  appendMarked: [
    ...append,
    {
      sql: `UPDATE runs SET status = ended.status, problem = ended.problem, expires = NULL, changed = $10
        FROM (SELECT run.value AS id, status.value AS status, problem.value AS problem FROM json_each($5) AS run
          JOIN json_each($6) AS status ON status.key = run.key
          JOIN json_each($7) AS problem ON problem.key = run.key) AS ended
        WHERE runs.id = ended.id AND runs.conversation = $1 AND runs.status IN ${OPEN_STATES}`,
    },
    {
      sql: `DELETE FROM questions WHERE conversation = $1
        AND (${dialect.isAmong('call', '$9')} OR '*' IN (SELECT value FROM json_each($9)))`,
    },
    {
      sql: `INSERT INTO questions (conversation, call, run, tenant, entry, asked)
        SELECT $1, call.value, asking.id, asking.tenant, entry.value, $10
        FROM (${asking}) AS asking, json_each($11) AS call JOIN json_each($8) AS entry ON entry.key = call.key
        WHERE true ON CONFLICT (conversation, call) DO UPDATE SET run = excluded.run, tenant = excluded.tenant,
          entry = excluded.entry, asked = excluded.asked`,
    },
    {
      sql: `UPDATE runs SET status = 'waiting', changed = $10
        WHERE json_array_length($8) > 0 AND status = 'running' AND id = (SELECT id FROM (${asking}))`,
    },
  ],
  reply: [
    ...append,
    { sql: `DELETE FROM questions WHERE conversation = $1 AND call = $5` },
    {
      sql: `UPDATE runs SET status = 'queued', expires = NULL, changed = $7
        WHERE id = $6 AND conversation = $1 AND status = 'waiting'`,
    },
  ],
  create: [
    {
      sql: `INSERT INTO runs (id, conversation, tenant, input, messages, trace, status, created, changed)
        VALUES ($1, $2, $3, $4, $5, $6, 'queued', $7, $7) ON CONFLICT (id) DO NOTHING RETURNING id`,
      returns: true,
    },
  ],
  prune: [
    {
      sql: `DELETE FROM logs WHERE conversation IN (
          SELECT conversation FROM runs WHERE status NOT IN ${OPEN_STATES} AND changed < $1
          EXCEPT SELECT conversation FROM runs WHERE status IN ${OPEN_STATES} OR changed >= $1)`,
    },
    { sql: `DELETE FROM runs WHERE status NOT IN ${OPEN_STATES} AND changed < $1 RETURNING id`, returns: true },
  ],
};

/** Scripts that delete texts. */
const DELETING: ReadonlySet<string> = new Set<StatementName>(['delete', 'deleteWrittenBefore', 'prune']);

/** Every statement of a store, as its thread runs it. */
export const sqliteScripts: Readonly<Record<string, SqliteScript>> = Object.fromEntries(
  Object.entries({ ...inOneStep(sharedStatements(dialect)), ...own }).map(([name, steps]) => [
    name,
    toScript(name, steps),
  ]),
);

/** The SQL of each version of the tables, the first version first. */
export const sqliteTableSteps: readonly string[] = tableSteps(dialect);

function inOneStep(statements: Readonly<Record<string, string>>): Readonly<Record<string, readonly SqliteStep[]>> {
  return Object.fromEntries(Object.entries(statements).map(([name, sql]) => [name, [{ sql, returns: true }]]));
}

function toScript(name: string, steps: readonly SqliteStep[]): SqliteScript {
  return {
    // SQLite takes $1 for a name, and ?1 for the first parameter.
    steps: steps.map(({ sql, ...rest }) => ({ ...rest, sql: sql.replace(/\$(\d+)/g, '?$1') })),
    isRead: steps.every(({ sql }) => sql.startsWith('SELECT')),
    deletes: DELETING.has(name),
  };
}
