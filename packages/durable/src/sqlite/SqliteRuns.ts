import { resolve } from 'node:path';
import { describeValue } from 'toolwright/internal/light';
import { type OptionNames, requireOptionNames } from 'toolwright/internal';
import { DEFAULT_LOCK_TIMEOUT_MS } from '../limits.js';
import { createStoreError } from '../runs/sql/createStoreError.js';
import { SqlStore } from '../runs/sql/SqlStore.js';
import { TextCipher, type CipherOptions } from '../runs/sql/TextCipher.js';
import type { SqliteDriver } from './protocol.js';
import { SqliteDatabase } from './SqliteDatabase.js';

/** Options of `SqliteRuns`. */
export interface SqliteRunsOptions extends CipherOptions {
  /**
   * `full` (by default): runs, replies, answers before their calls, and ends survive a power loss. `normal`: they survive the end of the
   * process, but a power loss or a system crash may lose the last ones, so that finished calls run again.
   */
  readonly synchronous?: 'full' | 'normal' | undefined;
  /** `node:sqlite` or `libsql`; by default the first one that is available. */
  readonly driver?: SqliteDriver | undefined;
  /** The most milliseconds that a request waits for a lock of another process; 20,000 by default. */
  readonly lockTimeoutMs?: number | undefined;
}

const optionNames: OptionNames<SqliteRunsOptions> = {
  encrypt: 1,
  decrypt: 1,
  synchronous: 1,
  driver: 1,
  lockTimeoutMs: 1,
};

/**
 * A store of conversations and runs in one SQLite file, for any number of processes on one machine. It uses `node:sqlite` (Node 22.13
 * or newer) or the package `libsql`, in a separate thread. The file holds arguments and results unchanged, secrets included, unless
 * `encrypt` and `decrypt` are given.
 *
 * @example
 * const store = new SqliteRuns('./runs.db');
 * const conversation = await Conversation.open(store, 'c-17');
 */
export class SqliteRuns extends SqlStore {
  /** The absolute path of the file. */
  readonly path: string;
  /** Calls back within 100 ms after another process has written. Returns a function that stops this. */
  declare readonly watch: (onWrite: () => void) => () => void;
  readonly #database: SqliteDatabase;

  /**
   * @param path the file, on a disk of this machine. The first request creates it with its folder, readable only for its owner
   * @throws PromptEvaluationError E709 for an empty path, an invalid option, or one of `encrypt` and `decrypt` without the other;
   * PromptError E413
   */
  constructor(path: string, options: SqliteRunsOptions = {}) {
    requireOptionNames('SqliteRuns', options, optionNames);
    const { synchronous = 'full', driver, lockTimeoutMs = DEFAULT_LOCK_TIMEOUT_MS, ...cipher } = options;
    requirePath(path);
    requireOneOf('synchronous', synchronous, ['full', 'normal']);
    if (driver !== undefined) requireOneOf('driver', driver, ['node:sqlite', 'libsql']);
    requireMs(lockTimeoutMs);
    const absolute = resolve(path);
    const database = new SqliteDatabase({ path: absolute, synchronous, driver, lockTimeoutMs });
    super({ name: 'SqliteRuns', sql: database, cipher: new TextCipher('SqliteRuns', cipher) });
    this.path = absolute;
    this.#database = database;
  }

  /** Closes the file once all earlier requests are done, and ends the thread. Later requests fail with E709. */
  close(): Promise<void> {
    return this.#database.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function requirePath(path: unknown): void {
  if (typeof path === 'string' && path !== '' && path !== ':memory:') return;
  throw createOptionError(
    `expected the path of a file, got ${describeValue(path)}`,
    'path',
    'Pass a path such as ./runs.db.',
  );
}

function requireOneOf(option: string, value: unknown, known: readonly string[]): void {
  if (known.includes(value as string)) return;
  const remedy = `Use ${known.join(' or ')}, or leave the option out.`;
  throw createOptionError(`expected ${known.join(' or ')}, got ${describeValue(value)}`, `option ${option}`, remedy);
}

function requireMs(value: unknown): void {
  if (typeof value === 'number' && value >= 0) return;
  const remedy = 'Pass a number of milliseconds, or leave the option out.';
  throw createOptionError(
    `expected a number of milliseconds, got ${describeValue(value)}`,
    'option lockTimeoutMs',
    remedy,
  );
}

function createOptionError(problem: string, what: string, remedy: string): Error {
  return createStoreError(problem, { place: `SqliteRuns, ${what}`, remedy });
}
