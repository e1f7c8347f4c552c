// The messages between a store and its thread.

/** A value that SQLite can store. */
export type SqliteValue = string | number | null;

/** A parameter of a script: a value, a list, or rows. The thread converts lists to JSON, which takes some time for long texts. */
export type ScriptValue = SqliteValue | readonly (string | null | readonly (string | null)[])[];

/** One statement of a script. Parameters are `?1`, `?2` and so on; lists are passed as JSON. */
export interface SqliteStep {
  readonly sql: string;
  /** True if its rows are the result of the script. Without rows, the script ends. */
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

/** The setup of a store's thread. */
export interface ThreadSetup {
  /** The path of the database file. */
  readonly path: string;
  /** The driver to load; the first available one when undefined. */
  readonly driver: SqliteDriver | undefined;
  readonly synchronous: 'full' | 'normal';
  /** The most milliseconds that a request waits for a lock of another process. */
  readonly lockTimeoutMs: number;
  readonly scripts: Readonly<Record<string, SqliteScript>>;
  /** The SQL of each version of the tables, the first version first. */
  readonly tableSteps: readonly string[];
}

/** Asks the thread to run a script. */
export interface ScriptRequest {
  readonly id: number;
  readonly script: string;
  readonly values: readonly ScriptValue[];
  /** True to answer before the write is on the disk. The next write that waits for the disk covers it. */
  readonly defersSync?: boolean | undefined;
}

export type ToThread =
  | { readonly kind: 'run'; readonly requests: readonly ScriptRequest[] }
  /** Starts or stops checking for changes of other processes. */
  | { readonly kind: 'watch'; readonly isOn: boolean }
  | { readonly kind: 'close' };

/**
 * The reason why a request failed. `driver`: SQLite cannot be loaded. `newer`: the tables have a newer version. `foreign`: the file
 * belongs to another program. `locked`: another process held its lock for too long. `failed`: any other error of SQLite or the system.
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
