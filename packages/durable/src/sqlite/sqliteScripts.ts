import type { SqlDialect } from '../runs/sql/SqlDialect.js';
import {
  OPEN_STATES,
  writeSharedStatements,
  type OwnStatement,
  type StatementName,
} from '../runs/sql/sharedStatements.js';
import { writeTableSteps } from '../runs/sql/tables.js';
import type { SqliteScript, SqliteStep } from './protocol.js';

const NOW_MS = `(CAST(unixepoch('subsec') * 1000 AS integer))`;

const dialect: SqlDialect = {
  prefix: '',
  runKeys: `place integer PRIMARY KEY AUTOINCREMENT,
      id text NOT NULL`,
  runKeysBefore3: `place integer PRIMARY KEY AUTOINCREMENT,
      id text NOT NULL UNIQUE`,
  // SQLite would delete them recursively, at most 1,000 levels deep. No rows can be added while the statement runs.
  onDeleteOfChain: '',
  inKeyOrder: 'WITHOUT ROWID',
  keepIdentity: '',
  restoreIdentity: '',
  timeType: 'bigint',
  now: NOW_MS,
  isAmong: (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`,
};

/** Writes the steps of an append. The first one is the fence: it changes the log only for the writer with its epoch, and only at its end. */
const writeAppend = (change = '', condition = ''): readonly SqliteStep[] => [
  {
    sql: `UPDATE logs SET count = count + json_array_length($5), written = ${NOW_MS} ${change}
      WHERE tenant = $1 AND conversation = $2 AND epoch = $3 AND count = $4 ${condition} RETURNING waiting`,
    returns: true,
  },
  {
    sql: `INSERT INTO entries (tenant, conversation, position, entry, sum)
      SELECT $1, $2, $4 + given.key, given.value ->> 0, given.value ->> 1 FROM json_each($5) AS given`,
  },
];
const append = writeAppend();
/** A condition for the messages that the run hears. */
const isHeard = `tenant = $1 AND conversation = $2 AND ${dialect.isAmong('id', '$15')}`;
/** Checks that the change has the next version. No other process can write between this step and the others. */
const isNextVersion: SqliteStep = {
  sql: `SELECT $17 AS name
    WHERE $18 = 1 + (SELECT coalesce(max(version), 0) FROM session_changes WHERE tenant = $1 AND name = $17)`,
  returns: true,
};
const addChanges: SqliteStep = {
  sql: `INSERT INTO session_changes (tenant, name, version, previous, conversation, epoch, delta, sum)
    SELECT $1, $17, $18 + given.key, nullif($18 + given.key - 1, 0), $2, $3, given.value ->> 0, given.value ->> 1
    FROM json_each($19) AS given`,
};
/** Selects the run of the written log. */
const asking = `SELECT id FROM runs WHERE tenant = $1 AND conversation = $2 AND status IN ${OPEN_STATES}
    AND status IN ('running', 'waiting') ORDER BY place LIMIT 1`;
/** Writes a condition for rows of a table whose conversation has an open run. */
const writeIsOpen = (table: string): string => `EXISTS (SELECT 1 FROM runs AS run WHERE run.tenant = ${table}.tenant
    AND run.conversation = ${table}.conversation AND run.status IN ${OPEN_STATES})`;

/** Appends entries, and changes records and questions for them. */
const appendMarked: readonly SqliteStep[] = [
  ...writeAppend(`, waiting = waiting - (SELECT count(*) FROM inbox WHERE ${isHeard})`, 'AND (NOT $16 OR waiting = 0)'),
  { sql: `DELETE FROM inbox WHERE ${isHeard}` },
  {
    sql: `UPDATE runs SET status = ended.status, problem = ended.problem, expires = NULL, changed = $13
      FROM (SELECT value ->> 0 AS id, value ->> 1 AS status, value ->> 2 AS problem FROM json_each($7)) AS ended
      WHERE runs.tenant = $1 AND runs.id = ended.id AND runs.conversation = $2 AND runs.status IN ${OPEN_STATES}`,
  },
  {
    sql: `DELETE FROM questions WHERE tenant = $1 AND conversation = $2
      AND (${dialect.isAmong('id', '$12')} OR '*' IN (SELECT value FROM json_each($12)))`,
  },
  {
    sql: `INSERT INTO questions (id, tenant, conversation, run, asked, sum, entry)
      SELECT given.value ->> 0, $1, $2, asking.id, $13, given.value ->> 2, given.value ->> 1
      FROM (${asking}) AS asking, json_each($10) AS given
      WHERE true ON CONFLICT (id) DO NOTHING`,
  },
  {
    sql: `UPDATE runs SET status = 'waiting', changed = $13
      WHERE json_array_length($10) > 0 AND tenant = $1 AND status = 'running' AND id = (SELECT id FROM (${asking}))`,
  },
];

/** The parameters of the entries and their checksums. */
const ENTRIES = [5, 6] as const;
/** The parameters of ended runs and of questions. */
const MARKS = [
  [7, 8, 9],
  [10, 11, 14],
] as const;
/**
 * Lists with items that belong together, by the numbers of their parameters. The first parameter gets all of them as rows, because SQLite
 * reads a list from its beginning for each item that it joins.
 */
export const sqliteRows: Readonly<Partial<Record<StatementName, readonly (readonly number[])[]>>> = {
  append: [ENTRIES],
  reply: [ENTRIES],
  appendMarked: [ENTRIES, ...MARKS],
  appendShared: [ENTRIES, ...MARKS, [19, 20]],
};

const own: Readonly<Record<OwnStatement, readonly SqliteStep[]>> = {
  // Resources cannot take part in this store's transactions.
  lockedState: [],
  append,
  appendMarked,
  appendShared: [isNextVersion, ...appendMarked, addChanges],
  clearSession: [
    {
      sql: `INSERT INTO session_changes (tenant, name, version, conversation, epoch, delta, sum)
        SELECT $1, $2, $3, '', 0, $4, $5
        WHERE $3 = 1 + (SELECT max(version) FROM session_changes WHERE tenant = $1 AND name = $2) RETURNING version`,
      returns: true,
    },
    { sql: `DELETE FROM session_changes WHERE tenant = $1 AND name = $2 AND version < $3` },
  ],
  steer: [
    {
      sql: `INSERT INTO logs (tenant, conversation, epoch, writer, waiting)
        SELECT $1, $2, $8, '', 1 FROM runs
        WHERE tenant = $1 AND id = $3 AND conversation = $2 AND status IN ${OPEN_STATES}
          AND $4 = coalesce((SELECT count FROM logs WHERE tenant = $1 AND conversation = $2), 0)
          AND NOT EXISTS (SELECT 1 FROM inbox WHERE tenant = $1 AND conversation = $2 AND id = $5)
        ON CONFLICT (tenant, conversation) DO UPDATE SET waiting = waiting + 1, written = ${NOW_MS} RETURNING conversation`,
      returns: true,
    },
    { sql: `INSERT INTO inbox (tenant, conversation, run, id, message, sum) VALUES ($1, $2, $3, $5, $6, $7)` },
  ],
  reply: [
    ...append,
    { sql: `DELETE FROM questions WHERE id = $7 AND tenant = $1 AND conversation = $2` },
    {
      sql: `UPDATE runs SET status = 'queued', expires = $10, changed = $9
        WHERE tenant = $1 AND id = $8 AND conversation = $2 AND status = 'waiting'`,
    },
  ],
  create: [
    {
      sql: `INSERT INTO runs (tenant, id, conversation, trace, status, created, changed, sum, input, messages)
        VALUES ($1, $2, $3, $4, 'queued', $5, $5, $6, $7, $8) ON CONFLICT (tenant, id) DO NOTHING RETURNING id`,
      returns: true,
    },
  ],
  delete: [
    { sql: `DELETE FROM runs WHERE tenant = $1 AND conversation = $2 AND NOT ${writeIsOpen('runs')}` },
    {
      sql: `DELETE FROM logs WHERE tenant = $1 AND conversation = $2 AND NOT ${writeIsOpen('logs')} RETURNING conversation`,
      returns: true,
    },
  ],
  deleteWrittenBefore: [
    {
      sql: `DELETE FROM logs WHERE tenant = $1 AND written < $2 AND ${dialect.isAmong('conversation', '$3')}
        AND NOT ${writeIsOpen('logs')} RETURNING conversation`,
      returns: true,
    },
    // Conversations that were kept have their log. An open run without a log is of a conversation that was begun again meanwhile.
    {
      sql: `DELETE FROM runs WHERE tenant = $1 AND ${dialect.isAmong('conversation', '$3')} AND NOT ${writeIsOpen('runs')}
        AND NOT EXISTS (
          SELECT 1 FROM logs AS log WHERE log.tenant = runs.tenant AND log.conversation = runs.conversation)`,
    },
  ],
  prune: [
    {
      sql: `DELETE FROM logs WHERE ($2 IS NULL OR tenant = $2) AND (tenant, conversation) IN (
          SELECT tenant, conversation FROM runs WHERE status NOT IN ${OPEN_STATES} AND changed < $1
          EXCEPT SELECT tenant, conversation FROM runs WHERE status IN ${OPEN_STATES} OR changed >= $1)`,
    },
    {
      sql: `DELETE FROM runs WHERE status NOT IN ${OPEN_STATES} AND changed < $1 AND ($2 IS NULL OR tenant = $2)
        RETURNING id`,
      returns: true,
    },
  ],
};

/** Scripts that delete texts. */
const DELETING: ReadonlySet<string> = new Set<StatementName>([
  'delete',
  'deleteWrittenBefore',
  'prune',
  'clearSession',
  'deleteSession',
  'changeChat',
  'deleteChat',
]);

/** Every statement of a store as a script for its thread. */
export const sqliteScripts: Readonly<Record<string, SqliteScript>> = Object.fromEntries(
  Object.entries({ ...toOneStepScripts(writeSharedStatements(dialect)), ...own }).map(([name, steps]) => [
    name,
    toScript(name, steps),
  ]),
);

/**
 * The SQL of each version of the tables, the first version first. SQLite keeps the statements in the file, where all of them fit into one
 * page without their indentation.
 */
export const sqliteTableSteps: readonly string[] = writeTableSteps(dialect).map((step) => step.replace(/\s+/g, ' '));

function toOneStepScripts(
  statements: Readonly<Record<string, string>>,
): Readonly<Record<string, readonly SqliteStep[]>> {
  return Object.fromEntries(Object.entries(statements).map(([name, sql]) => [name, [{ sql, returns: true }]]));
}

function toScript(name: string, steps: readonly SqliteStep[]): SqliteScript {
  return {
    // SQLite reads $1 as a name, and ?1 as the first parameter.
    steps: steps.map(({ sql, ...rest }) => ({ ...rest, sql: sql.replace(/\$(\d+)/g, '?$1') })),
    isRead: steps.every(({ sql }) => sql.startsWith('SELECT')),
    deletes: DELETING.has(name),
  };
}
