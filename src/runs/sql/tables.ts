import type { SqlDialect } from './SqlDialect.js';

/** The version of the tables that this release reads and writes. */
export const TABLES_VERSION = 2;

/**
 * Returns the SQL that each version of the tables added to the one before, the first version first.
 * Columns of unlimited length are the last ones of their table: SQLite reads through them to reach a later column.
 */
export function tableSteps({ prefix, runKeys, timeType, now }: SqlDialect): readonly string[] {
  return [
    `
    CREATE TABLE IF NOT EXISTS ${prefix}logs (
      conversation text PRIMARY KEY,
      epoch bigint NOT NULL,
      writer text NOT NULL,
      count integer NOT NULL DEFAULT 0,
      began ${timeType} NOT NULL DEFAULT ${now},
      written ${timeType} NOT NULL DEFAULT ${now}
    );
    CREATE TABLE IF NOT EXISTS ${prefix}entries (
      conversation text NOT NULL REFERENCES ${prefix}logs ON DELETE CASCADE,
      position integer NOT NULL,
      entry text NOT NULL,
      PRIMARY KEY (conversation, position)
    );`,
    `
    CREATE TABLE ${prefix}runs (
      ${runKeys},
      conversation text NOT NULL,
      tenant text,
      trace text,
      status text NOT NULL,
      owner text,
      takeovers integer NOT NULL DEFAULT 0,
      progress integer NOT NULL DEFAULT 0,
      fingerprint text,
      problem text,
      expires bigint,
      created bigint NOT NULL,
      changed bigint NOT NULL,
      input text NOT NULL,
      messages text NOT NULL
    );
    CREATE INDEX runs_open ON ${prefix}runs (conversation, place)
      WHERE status IN ('queued', 'running', 'waiting', 'paused');
    CREATE INDEX runs_status ON ${prefix}runs (status, place);
    CREATE INDEX runs_tenant ON ${prefix}runs (tenant, place);
    CREATE TABLE ${prefix}questions (
      conversation text NOT NULL REFERENCES ${prefix}logs ON DELETE CASCADE,
      call text NOT NULL,
      run text NOT NULL,
      tenant text,
      entry text NOT NULL,
      asked bigint NOT NULL,
      PRIMARY KEY (conversation, call)
    );
    CREATE INDEX questions_asked ON ${prefix}questions (asked);`,
  ];
}
