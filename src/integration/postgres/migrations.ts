/** The version of the tables that this code reads and writes. */
export const VERSION = 2;

/** What each version added to the one before. */
const steps: readonly ((schema: string) => string)[] = [
  (schema) => `
    CREATE TABLE IF NOT EXISTS ${schema}.logs (
      conversation text PRIMARY KEY,
      epoch bigint NOT NULL,
      writer text NOT NULL,
      count integer NOT NULL DEFAULT 0,
      began timestamptz NOT NULL DEFAULT now(),
      written timestamptz NOT NULL DEFAULT now()
    );
    CREATE TABLE IF NOT EXISTS ${schema}.entries (
      conversation text NOT NULL REFERENCES ${schema}.logs ON DELETE CASCADE,
      position integer NOT NULL,
      entry text NOT NULL,
      PRIMARY KEY (conversation, position)
    );`,
  (schema) => `
    CREATE TABLE ${schema}.runs (
      id text PRIMARY KEY,
      place bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
      conversation text NOT NULL,
      tenant text,
      input text NOT NULL,
      messages text NOT NULL,
      trace text,
      status text NOT NULL,
      owner text,
      takeovers integer NOT NULL DEFAULT 0,
      progress integer NOT NULL DEFAULT 0,
      fingerprint text,
      problem text,
      expires bigint,
      created bigint NOT NULL,
      changed bigint NOT NULL
    );
    CREATE INDEX runs_open ON ${schema}.runs (conversation, place)
      WHERE status IN ('queued', 'running', 'waiting', 'paused');
    CREATE INDEX runs_status ON ${schema}.runs (status, place);
    CREATE INDEX runs_tenant ON ${schema}.runs (tenant, place);
    CREATE TABLE ${schema}.questions (
      conversation text NOT NULL REFERENCES ${schema}.logs ON DELETE CASCADE,
      call text NOT NULL,
      run text NOT NULL,
      tenant text,
      entry text NOT NULL,
      asked bigint NOT NULL,
      PRIMARY KEY (conversation, call)
    );
    CREATE INDEX questions_asked ON ${schema}.questions (asked);`,
];

/**
 * The SQL that brings the tables of a schema to the newest version: one statement, and so one transaction, in which processes that
 * start at once wait for each other. Each step is done once.
 *
 * @param schema a plain name, which needs no quotes
 */
export function migrationOf(schema: string): string {
  const each = steps.map((step, index) => {
    const version = String(index + 1);
    return `IF NOT EXISTS (SELECT FROM ${schema}.migrations WHERE version = ${version}) THEN
      ${step(schema)}
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
    ${each.join('\n')}
  END $$`;
}
