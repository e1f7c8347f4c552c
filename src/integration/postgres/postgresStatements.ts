import type { SqlDialect } from '../../runs/sql/SqlDialect.js';
import { OPEN_STATES, sharedStatements, type StatementName } from '../../runs/sql/statements.js';
import { tableSteps } from '../../runs/sql/tables.js';

/** @param schema a plain name, which needs no quotes */
function dialectOf(schema: string): SqlDialect {
  return {
    prefix: `${schema}.`,
    runKeys: `id text PRIMARY KEY,
      place bigint GENERATED ALWAYS AS IDENTITY UNIQUE`,
    timeType: 'timestamptz',
    now: 'now()',
    isAmong: (column, parameter) => `${column} = ANY (${parameter}::text[])`,
  };
}

/** The statements of a store whose tables are in one schema; `locked` is `state` until the end of the transaction. */
export function postgresStatements(schema: string): Readonly<Record<StatementName | 'locked', string>> {
  const shared = sharedStatements(dialectOf(schema));
  return { ...shared, locked: `${shared.state} FOR UPDATE`, ...appendStatements(schema), ...runStatements(schema) };
}

function appendStatements(schema: string): Readonly<Record<'append' | 'appendMarked' | 'reply', string>> {
  const [logs, entries] = [`${schema}.logs`, `${schema}.entries`];
  const [runs, questions] = [`${schema}.runs`, `${schema}.questions`];
  // The fence: the row of the log is updated by the writer of its epoch, at its end, or not at all.
  const append = `log AS (
      UPDATE ${logs} SET count = count + cardinality($4::text[]), written = now()
      WHERE conversation = $1 AND epoch = $2 AND count = $3 RETURNING conversation
    ), added AS (
      INSERT INTO ${entries} (conversation, position, entry)
      SELECT log.conversation, $3::integer + given.place - 1, given.entry
      FROM log, unnest($4::text[]) WITH ORDINALITY AS given (entry, place)
    )`;
  return {
    append: `WITH ${append} SELECT conversation FROM log`,
    // Records and questions change in the transaction of the entries.
    appendMarked: `WITH ${append}, ended AS (
        UPDATE ${runs} AS run SET status = given.status, problem = given.problem, expires = NULL, changed = $10
        FROM log, unnest($5::text[], $6::text[], $7::text[]) AS given (id, status, problem)
        WHERE run.id = given.id AND run.conversation = log.conversation AND run.status IN ${OPEN_STATES}
      ), asking AS (
        SELECT run.id, run.tenant, log.conversation FROM log JOIN ${runs} AS run USING (conversation)
        WHERE run.status IN ('running', 'waiting') ORDER BY run.place LIMIT 1
      ), parked AS (
        UPDATE ${runs} AS run SET status = 'waiting', changed = $10 FROM asking
        WHERE run.id = asking.id AND run.status = 'running' AND cardinality($8::text[]) > 0
      ), asked AS (
        INSERT INTO ${questions} (conversation, call, run, tenant, entry, asked)
        SELECT asking.conversation, given.call, asking.id, asking.tenant, given.entry, $10
        FROM asking, unnest($8::text[], $11::text[]) AS given (entry, call)
        ON CONFLICT (conversation, call) DO UPDATE SET run = excluded.run, tenant = excluded.tenant,
          entry = excluded.entry, asked = excluded.asked
      ), closed AS (
        DELETE FROM ${questions} AS question USING log
        WHERE question.conversation = log.conversation AND (question.call = ANY ($9::text[]) OR '*' = ANY ($9::text[]))
      )
      SELECT conversation FROM log`,
    reply: `WITH ${append}, closed AS (
        DELETE FROM ${questions} AS question USING log
        WHERE question.conversation = log.conversation AND question.call = $5
      ), queued AS (
        UPDATE ${runs} AS run SET status = 'queued', expires = NULL, changed = $7 FROM log
        WHERE run.id = $6 AND run.conversation = log.conversation AND run.status = 'waiting'
      )
      SELECT conversation FROM log`,
  };
}

function runStatements(schema: string): Readonly<Record<'create' | 'prune', string>> {
  const [logs, runs] = [`${schema}.logs`, `${schema}.runs`];
  return {
    // Locked by conversation, so that a run which is seen later also has a later place.
    create: `INSERT INTO ${runs} (id, conversation, tenant, input, messages, trace, status, created, changed)
      SELECT $1, $2, $3, $4, $5, $6, 'queued', $7, $7
      FROM (SELECT pg_advisory_xact_lock(hashtextextended($2, 0)) OFFSET 0) AS locked
      ON CONFLICT (id) DO NOTHING RETURNING id`,
    prune: `WITH pruned AS (
        DELETE FROM ${runs} WHERE status NOT IN ${OPEN_STATES} AND changed < $1 RETURNING id, conversation
      ), unused AS (
        DELETE FROM ${logs} AS log USING pruned WHERE log.conversation = pruned.conversation AND NOT EXISTS (
          SELECT FROM ${runs} AS run WHERE run.conversation = log.conversation
            AND NOT EXISTS (SELECT FROM pruned AS gone WHERE gone.id = run.id)
        )
      )
      SELECT id FROM pruned`,
  };
}

/**
 * Returns the SQL that brings the tables of a schema to the newest version: one statement, and so one transaction, in which processes
 * that start at once wait for each other. It runs each step once.
 *
 * @param schema a plain name, which needs no quotes
 */
export function postgresMigration(schema: string): string {
  const steps = tableSteps(dialectOf(schema)).map((step, index) => {
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
