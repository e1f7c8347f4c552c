import type { SqlDialect } from '../runs/sql/SqlDialect.js';
import { OPEN_STATES, writeSharedStatements, type StatementName } from '../runs/sql/sharedStatements.js';
import { writeTableSteps } from '../runs/sql/tables.js';

/** Returns the SQL dialect of PostgreSQL. @param schema a plain name, which needs no quotes */
function dialectOf(schema: string): SqlDialect {
  return {
    prefix: `${schema}.`,
    runKeys: `id text NOT NULL,
      place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY`,
    runKeysBefore3: `id text PRIMARY KEY,
      place bigint GENERATED ALWAYS AS IDENTITY UNIQUE`,
    // Covers a change that another transaction adds during the deletion.
    onDeleteOfChain: 'ON DELETE CASCADE',
    inKeyOrder: '',
    keepIdentity: 'OVERRIDING SYSTEM VALUE',
    restoreIdentity: `PERFORM setval(pg_get_serial_sequence('${schema}.runs', 'place'), max(place)) FROM ${schema}.runs;`,
    timeType: 'timestamptz',
    now: 'now()',
    isAmong: (column, parameter) => `${column} = ANY (${parameter}::text[])`,
  };
}

/** Writes the statements of a store with its tables in one schema. */
export function writePostgresStatements(schema: string): Readonly<Record<StatementName, string>> {
  const shared = writeSharedStatements(dialectOf(schema));
  const lockedState = `${shared.state} FOR UPDATE`;
  return {
    ...shared,
    lockedState,
    ...writeAppendStatements(schema),
    ...writeClearStatement(`${schema}.session_changes`),
    ...writeCreateStatement(schema),
    ...writeDeleteStatements(schema),
  };
}

function writeAppendStatements(
  schema: string,
): Readonly<Record<'append' | 'appendMarked' | 'appendShared' | 'reply' | 'steer', string>> {
  const [entries, runs, questions] = [`${schema}.entries`, `${schema}.runs`, `${schema}.questions`];
  const [changes, inbox] = [`${schema}.session_changes`, `${schema}.inbox`];
  // The fence: only the writer with the epoch of the log can update its row, and only at the end of the log.
  const append = (change = '', condition = ''): string => `log AS (
      UPDATE ${schema}.logs SET count = count + cardinality($5::text[]), written = now() ${change}
      WHERE tenant = $1 AND conversation = $2 AND epoch = $3 AND count = $4 ${condition}
      RETURNING tenant, conversation, waiting
    ), added AS (
      INSERT INTO ${entries} (tenant, conversation, position, entry, sum)
      SELECT log.tenant, log.conversation, $4::integer + given.place - 1, given.entry, given.sum
      FROM log, unnest($5::text[], $6::text[]) WITH ORDINALITY AS given (entry, sum, place)
    )`;
  const marks = writeMarkingParts(runs, questions, inbox);
  // `waiting` is read again if a message has come meanwhile, unlike the rows of the inbox. Messages that are heard were there before.
  const hears = `, waiting = waiting - (
        SELECT count(*) FROM ${inbox} WHERE tenant = $1 AND conversation = $2 AND id = ANY ($15::text[]))`;
  const isHeard = 'AND (NOT $16::boolean OR waiting = 0)';
  // Another open transaction may write the same version. The key then refuses the second one, with its whole statement.
  const isNextVersion = `AND $18::integer = 1 + (
        SELECT coalesce(max(version), 0) FROM ${changes} WHERE tenant = $1 AND name = $17)`;
  return {
    append: `WITH ${append()} SELECT waiting FROM log`,
    // Records and questions change in the transaction of the entries.
    appendMarked: `WITH ${append(hears, isHeard)}, ${marks} SELECT waiting FROM log`,
    appendShared: `WITH ${append(hears, `${isHeard} ${isNextVersion}`)}, ${marks}, changed AS (
        INSERT INTO ${changes} (tenant, name, version, previous, conversation, epoch, delta, sum)
        SELECT log.tenant, $17, $18::integer + given.place - 1, nullif($18::integer + given.place - 2, 0), log.conversation, $3,
          given.delta, given.sum
        FROM log, unnest($19::text[], $20::text[]) WITH ORDINALITY AS given (delta, sum, place)
      )
      SELECT waiting FROM log`,
    // Changes the row of the log, so that an append which begins before it ends finds the message.
    steer: `WITH log AS (
        INSERT INTO ${schema}.logs AS log (tenant, conversation, epoch, writer, waiting)
        SELECT $1, $2, $8, '', 1 FROM ${runs} AS run
        WHERE run.tenant = $1 AND run.id = $3 AND run.conversation = $2 AND run.status IN ${OPEN_STATES}
          AND $4 = coalesce((SELECT count FROM ${schema}.logs WHERE tenant = $1 AND conversation = $2), 0)
          AND NOT EXISTS (SELECT FROM ${inbox} WHERE tenant = $1 AND conversation = $2 AND id = $5)
        ON CONFLICT (tenant, conversation) DO UPDATE SET waiting = log.waiting + 1, written = now() WHERE log.count = $4
        RETURNING tenant, conversation
      )
      INSERT INTO ${inbox} (tenant, conversation, run, id, message, sum)
      SELECT tenant, conversation, $3, $5, $6, $7 FROM log RETURNING id`,
    reply: `WITH ${append()}, closed AS (
        DELETE FROM ${questions} AS question USING log
        WHERE question.tenant = log.tenant AND question.conversation = log.conversation AND question.id = $7
      ), queued AS (
        UPDATE ${runs} AS run SET status = 'queued', expires = $10, changed = $9 FROM log
        WHERE run.tenant = log.tenant AND run.id = $8 AND run.conversation = log.conversation AND run.status = 'waiting'
      )
      SELECT conversation FROM log`,
  };
}

function writeClearStatement(changes: string): Readonly<Record<'clearSession', string>> {
  return {
    clearSession: `WITH marked AS (
        INSERT INTO ${changes} (tenant, name, version, conversation, epoch, delta, sum)
        SELECT $1, $2, $3::integer, '', 0, $4, $5
        WHERE $3::integer = 1 + (SELECT max(version) FROM ${changes} WHERE tenant = $1 AND name = $2)
        RETURNING version
      ), gone AS (
        DELETE FROM ${changes} AS change USING marked
        WHERE change.tenant = $1 AND change.name = $2 AND change.version < marked.version
      )
      SELECT version FROM marked`,
  };
}

/** Writes the parts of a statement that change records and questions for the appended entries. */
function writeMarkingParts(runs: string, questions: string, inbox: string): string {
  return `ended AS (
        UPDATE ${runs} AS run SET status = given.status, problem = given.problem, expires = NULL, changed = $13
        FROM log, unnest($7::text[], $8::text[], $9::text[]) AS given (id, status, problem)
        WHERE run.tenant = log.tenant AND run.id = given.id AND run.conversation = log.conversation
          AND run.status IN ${OPEN_STATES}
      ), asking AS (
        SELECT run.id, log.tenant, log.conversation FROM log JOIN ${runs} AS run USING (tenant, conversation)
        WHERE run.status IN ('running', 'waiting') ORDER BY run.place LIMIT 1
      ), parked AS (
        UPDATE ${runs} AS run SET status = 'waiting', changed = $13 FROM asking
        WHERE run.tenant = asking.tenant AND run.id = asking.id AND run.status = 'running'
          AND cardinality($10::text[]) > 0
      ), asked AS (
        INSERT INTO ${questions} (id, tenant, conversation, run, asked, sum, entry)
        SELECT given.id, asking.tenant, asking.conversation, asking.id, $13, given.sum, given.entry
        FROM asking, unnest($10::text[], $11::text[], $14::text[]) AS given (id, entry, sum) ON CONFLICT (id) DO NOTHING
      ), closed AS (
        DELETE FROM ${questions} AS question USING log
        WHERE question.tenant = log.tenant AND question.conversation = log.conversation
          AND (question.id = ANY ($12::text[]) OR '*' = ANY ($12::text[]))
      ), heard AS (
        DELETE FROM ${inbox} AS letter USING log
        WHERE letter.tenant = log.tenant AND letter.conversation = log.conversation AND letter.id = ANY ($15::text[])
      )`;
}

function writeCreateStatement(schema: string): Readonly<Record<'create', string>> {
  return {
    // Inserts are locked by conversation, so that a run that becomes visible later also has a later place.
    create: `INSERT INTO ${schema}.runs (tenant, id, conversation, trace, status, created, changed, sum, input, messages)
      SELECT $1, $2, $3, $4, 'queued', $5, $5, $6, $7, $8
      FROM (SELECT pg_advisory_xact_lock(hashtextextended($1 || ' ' || $3, 0)) OFFSET 0) AS locked
      ON CONFLICT (tenant, id) DO NOTHING RETURNING id`,
  };
}

function writeDeleteStatements(schema: string): Readonly<Record<'delete' | 'deleteWrittenBefore' | 'prune', string>> {
  const [logs, runs] = [`${schema}.logs`, `${schema}.runs`];
  const writeIsOpen = (row: string): string => `EXISTS (SELECT FROM ${runs} AS other WHERE other.tenant = ${row}.tenant
      AND other.conversation = ${row}.conversation AND other.status IN ${OPEN_STATES})`;
  return {
    delete: `WITH runs AS (
        DELETE FROM ${runs} AS run WHERE tenant = $1 AND conversation = $2 AND NOT ${writeIsOpen('run')}
      ), gone AS (
        DELETE FROM ${logs} AS log WHERE tenant = $1 AND conversation = $2 AND NOT ${writeIsOpen('log')}
        RETURNING conversation
      )
      SELECT conversation FROM gone`,
    deleteWrittenBefore: `WITH gone AS (
        DELETE FROM ${logs} AS log WHERE tenant = $1 AND written < $2 AND conversation = ANY ($3::text[]) AND NOT ${writeIsOpen('log')}
        RETURNING tenant, conversation
      ), runs AS (
        DELETE FROM ${runs} AS run USING gone WHERE run.tenant = gone.tenant AND run.conversation = gone.conversation
      )
      SELECT conversation FROM gone`,
    prune: `WITH pruned AS (
        DELETE FROM ${runs} WHERE status NOT IN ${OPEN_STATES} AND changed < $1
          AND ($2::text IS NULL OR tenant = $2) RETURNING tenant, id, conversation
      ), unused AS (
        DELETE FROM ${logs} AS log USING pruned
        WHERE log.tenant = pruned.tenant AND log.conversation = pruned.conversation AND NOT EXISTS (
          SELECT FROM ${runs} AS run WHERE run.tenant = log.tenant AND run.conversation = log.conversation
            AND NOT EXISTS (SELECT FROM pruned AS gone WHERE gone.tenant = run.tenant AND gone.id = run.id)
        )
      )
      SELECT id FROM pruned`,
  };
}

/**
 * Writes the SQL that brings the tables of a schema to the newest version. It is one statement, and so one transaction, in which
 * processes that start at the same time wait for each other. Each step runs once.
 *
 * @param schema a plain name, which needs no quotes
 */
export function writePostgresMigration(schema: string): string {
  const steps = writeTableSteps(dialectOf(schema)).map((step, index) => {
    const version = String(index + 1);
    return `IF NOT EXISTS (SELECT FROM ${schema}.migrations WHERE version = ${version}) THEN
      ${step}
      INSERT INTO ${schema}.migrations (version) VALUES (${version});
    END IF;`;
  });
  return `DO $$ BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('toolwright ${schema}'));
    CREATE SCHEMA IF NOT EXISTS ${schema};
    CREATE TABLE IF NOT EXISTS ${schema}.migrations (
      version integer PRIMARY KEY,
      applied timestamptz NOT NULL DEFAULT now()
    );
    ${steps.join('\n')}
  END $$`;
}
