import type { ErrorCode } from 'toolwright';
import type { SqlDialect } from './SqlDialect.js';

/** The version of the tables that this release reads and writes. */
export const TABLES_VERSION = 5;

/** The code of a run that was closed because it waited for a reply when its store was upgraded. */
const CODE: ErrorCode = 'E748';
const UPGRADED = `${CODE}: it waited for a reply when its store was upgraded to version 3; runs.retry runs it again`;

/**
 * Writes the SQL of each version of the tables, which upgrades the version before it, the first version first.
 * Columns of unlimited length come last in their table, because SQLite reads through them to reach a later column.
 */
export function writeTableSteps(dialect: SqlDialect): readonly string[] {
  const { prefix, runKeysBefore3, timeType, now } = dialect;
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
      ${runKeysBefore3},
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
    addTenants(dialect),
    addSessions(dialect),
    addInboxAndChats(dialect),
  ];
}

/** Version 3: every key begins with the tenant, an empty text for none; questions have their own ids, and rows have checksums. */
function addTenants(dialect: SqlDialect): string {
  const { prefix } = dialect;
  return `
    DROP INDEX ${prefix}runs_open;
    DROP INDEX ${prefix}runs_status;
    DROP INDEX ${prefix}runs_tenant;
    DROP TABLE ${prefix}questions;
    ALTER TABLE ${prefix}logs RENAME TO old_logs;
    ALTER TABLE ${prefix}entries RENAME TO old_entries;
    ALTER TABLE ${prefix}runs RENAME TO old_runs;
    ${createTables(dialect)}
    ${moveRows(dialect)}
    DROP TABLE ${prefix}old_entries;
    DROP TABLE ${prefix}old_logs;
    DROP TABLE ${prefix}old_runs;`;
}

/**
 * Version 4: sessions that several conversations share. The parent of each change is the one before it. So the key refuses a writer with
 * an old version, and the foreign key refuses a gap.
 */
function addSessions({ prefix, onDeleteOfChain }: SqlDialect): string {
  return `
    CREATE TABLE ${prefix}session_changes (
      tenant text NOT NULL,
      name text NOT NULL,
      version integer NOT NULL,
      previous integer,
      conversation text NOT NULL,
      epoch bigint NOT NULL,
      sum text NOT NULL,
      delta text NOT NULL,
      PRIMARY KEY (tenant, name, version),
      UNIQUE (tenant, name, previous),
      FOREIGN KEY (tenant, name, previous) REFERENCES ${prefix}session_changes (tenant, name, version) ${onDeleteOfChain}
    );`;
}

/**
 * Version 5: messages that wait for the run of a conversation, and the records of chats. `waiting` counts the messages of a log, so that
 * each append sees them in the row that it changes anyway.
 */
function addInboxAndChats({ prefix, runKeys, inKeyOrder }: SqlDialect): string {
  return `
    ALTER TABLE ${prefix}logs ADD COLUMN waiting integer NOT NULL DEFAULT 0;
    CREATE TABLE ${prefix}inbox (
      ${runKeys},
      tenant text NOT NULL,
      conversation text NOT NULL,
      run text NOT NULL,
      sum text NOT NULL,
      message text NOT NULL,
      UNIQUE (tenant, conversation, id),
      FOREIGN KEY (tenant, conversation) REFERENCES ${prefix}logs ON DELETE CASCADE
    );
    CREATE TABLE ${prefix}chats (
      tenant text NOT NULL,
      owner text NOT NULL,
      id text NOT NULL,
      created bigint NOT NULL,
      changed bigint NOT NULL,
      sum text NOT NULL,
      branches text NOT NULL,
      title text,
      PRIMARY KEY (tenant, owner, id)
    ) ${inKeyOrder};
    CREATE INDEX chats_changed ON ${prefix}chats (tenant, owner, changed);`;
}

function createTables({ prefix, runKeys, timeType, now }: SqlDialect): string {
  return `
    CREATE TABLE ${prefix}logs (
      tenant text NOT NULL,
      conversation text NOT NULL,
      epoch bigint NOT NULL,
      writer text NOT NULL,
      count integer NOT NULL DEFAULT 0,
      began ${timeType} NOT NULL DEFAULT ${now},
      written ${timeType} NOT NULL DEFAULT ${now},
      PRIMARY KEY (tenant, conversation)
    );
    CREATE TABLE ${prefix}entries (
      tenant text NOT NULL,
      conversation text NOT NULL,
      position integer NOT NULL,
      sum text NOT NULL,
      entry text NOT NULL,
      PRIMARY KEY (tenant, conversation, position),
      FOREIGN KEY (tenant, conversation) REFERENCES ${prefix}logs ON DELETE CASCADE
    );
    CREATE TABLE ${prefix}runs (
      ${runKeys},
      tenant text NOT NULL,
      conversation text NOT NULL,
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
      sum text NOT NULL,
      input text NOT NULL,
      messages text NOT NULL,
      UNIQUE (tenant, id)
    );
    CREATE INDEX runs_conversation ON ${prefix}runs (tenant, conversation, place);
    CREATE INDEX runs_open ON ${prefix}runs (tenant, conversation, place)
      WHERE status IN ('queued', 'running', 'waiting', 'paused');
    CREATE INDEX runs_status ON ${prefix}runs (status, place);
    CREATE INDEX runs_tenant ON ${prefix}runs (tenant, place);
    CREATE TABLE ${prefix}questions (
      id text PRIMARY KEY,
      tenant text NOT NULL,
      conversation text NOT NULL,
      run text NOT NULL,
      asked bigint NOT NULL,
      sum text NOT NULL,
      entry text NOT NULL,
      FOREIGN KEY (tenant, conversation) REFERENCES ${prefix}logs ON DELETE CASCADE
    );
    CREATE INDEX questions_conversation ON ${prefix}questions (tenant, conversation);
    CREATE INDEX questions_asked ON ${prefix}questions (asked);`;
}

/**
 * Moves the rows of version 2, without checksums. A waiting run has a question without an id, so it is closed, in an encrypted store
 * without the reason.
 */
function moveRows({ prefix, keepIdentity, restoreIdentity }: SqlDialect): string {
  const runColumns = `place, id, conversation, trace, status, owner, takeovers, progress, fingerprint, problem, expires, created,
      changed, input, messages`;
  return `
    INSERT INTO ${prefix}logs (tenant, conversation, epoch, writer, count, began, written)
      SELECT coalesce((SELECT min(run.tenant) FROM ${prefix}old_runs AS run WHERE run.conversation = log.conversation), ''),
        conversation, epoch, writer, count, began, written FROM ${prefix}old_logs AS log;
    INSERT INTO ${prefix}entries (tenant, conversation, position, sum, entry)
      SELECT log.tenant, log.conversation, old.position, '', old.entry
      FROM ${prefix}old_entries AS old JOIN ${prefix}logs AS log ON log.conversation = old.conversation;
    INSERT INTO ${prefix}runs (tenant, sum, ${runColumns}) ${keepIdentity}
      SELECT coalesce(tenant, ''), '', ${runColumns} FROM ${prefix}old_runs;
    ${restoreIdentity}
    UPDATE ${prefix}runs SET status = 'failed', problem = CASE WHEN input LIKE '_sealed:%' THEN NULL ELSE '${UPGRADED}' END
      WHERE status = 'waiting';`;
}
