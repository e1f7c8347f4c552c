// What a store and its thread send each other.

/** A value that SQLite keeps. */
export type SqliteValue = string | number | null;

/** A parameter of a script: a value, a list, or rows of a list. The thread turns lists into JSON, which takes some time for long texts. */
export type ScriptValue = SqliteValue | readonly (string | null | readonly (string | null)[])[];

/** One statement of a script. Parameters are `?1`, `?2` and so on; those of a list are JSON. */
export interface SqliteStep {
  readonly sql: string;
  /** True if its rows are the result of the script. When there are none, the script ends. */
  readonly returns?: boolean | undefined;
}

/** Steps in one transaction, with the same parameters. A script that only reads has a single step. */
export interface SqliteScript {
  readonly steps: readonly SqliteStep[];
  readonly isRead: boolean;
  /** True if it deletes texts that must not stay in the write-ahead log. */
  readonly deletes?: boolean | undefined;
}

export type SqliteDriver = 'node:sqlite' | 'libsql';

/** What the thread of a store begins with. */
export interface ThreadSetup {
  /** The path of the database file. */
  readonly path: string;
  /** The driver to load; the first one that is there when undefined. */
  readonly driver: SqliteDriver | undefined;
  readonly synchronous: 'full' | 'normal';
  /** The longest time that a request waits for a lock of another process. */
  readonly lockTimeoutMs: number;
  readonly scripts: Readonly<Record<string, SqliteScript>>;
  /** The SQL of each version of the tables, the first version first. */
  readonly tableSteps: readonly string[];
}

/** Asks the thread to run a script. */
export interface ScriptRequest {
  readonly kind: 'run';
  readonly id: number;
  readonly script: string;
  readonly values: readonly ScriptValue[];
}

export type ToThread =
  | ScriptRequest
  /** Begins or ends the look for changes that other processes make. */
  | { readonly kind: 'watch'; readonly isOn: boolean }
  | { readonly kind: 'close' };

/**
 * Why a request failed. `driver`: no SQLite can be loaded. `newer`: the tables are of a newer version. `foreign`: the file belongs to
 * another program. `locked`: another process kept its lock for too long. `failed`: anything else that SQLite or the system said.
 */
export interface ThreadProblem {
  readonly kind: 'driver' | 'newer' | 'foreign' | 'locked' | 'failed';
  readonly message: string;
}

/** The end of one request. */
export interface ScriptAnswer {
  readonly id: number;
  readonly rows?: readonly unknown[] | undefined;
  readonly problem?: ThreadProblem | undefined;
}

export type FromThread =
  | { readonly kind: 'answers'; readonly answers: readonly ScriptAnswer[] }
  /** Another process has changed the file. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'closed' };
