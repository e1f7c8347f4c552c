import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { host } from 'toolwright/internal/light';
import type { SqliteDriver, SqliteStep, SqliteValue, ThreadProblem, ThreadSetup } from './protocol.js';

/** The `application_id` of Toolwright's files: "TwRn" in ASCII. */
const APPLICATION_ID = 0x54_77_52_6e;
const [BUSY, LOCKED] = [5, 6];
const PRIMARY_CODE = 0xff;

/** A prepared statement, as both drivers have it. */
interface Statement {
  all(...values: readonly SqliteValue[]): readonly unknown[];
}

/** A database, as both drivers have it. */
interface Driver {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** An error that the thread explains better than the driver. */
export class ConnectionError extends Error {
  readonly problem: ThreadProblem;

  constructor(problem: ThreadProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** A statement, and the number of a script's first parameters that it takes. */
interface Prepared {
  readonly statement: Statement;
  readonly parameters: number;
}

/** A connection to the file of a store. Every method is synchronous and never waits for a lock. */
export class Connection {
  readonly #driver: Driver;
  /** The inode of the file. */
  readonly #file: number;
  readonly #prepared = new Map<string, Prepared>();
  readonly #synchronous: ThreadSetup['synchronous'];
  /** True while commits wait for the disk. */
  #isSyncing = true;
  #dataVersion: unknown;

  private constructor(driver: Driver, file: number, synchronous: ThreadSetup['synchronous']) {
    this.#driver = driver;
    this.#file = file;
    this.#synchronous = synchronous;
  }

  /** Opens the file. Creates it, its folder and its tables if needed. @throws ConnectionError, or an error of the driver or system */
  static open(Database: DriverClass, { path, synchronous, tableSteps }: ThreadSetup): Connection {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = createFile(path);
    const connection = new Connection(new Database(path, { timeout: 0 }), file, synchronous);
    try {
      for (const pragma of ['busy_timeout = 0', 'foreign_keys = ON', `synchronous = ${synchronous}`])
        connection.#readPragma(pragma);
      // Deleted texts are overwritten, because they may be confidential.
      connection.#readPragma('secure_delete = ON');
      if (connection.#readVersion(tableSteps) < tableSteps.length) connection.#migrate(tableSteps);
      connection.#useWriteAheadLog();
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  run({ sql }: SqliteStep, values: readonly SqliteValue[]): readonly unknown[] {
    let prepared = this.#prepared.get(sql);
    if (prepared === undefined) {
      prepared = { statement: this.#driver.prepare(sql), parameters: countParameters(sql) };
      this.#prepared.set(sql, prepared);
    }
    return prepared.statement.all(...values.slice(0, prepared.parameters));
  }

  /** @param syncs false if the commit need not wait for the disk. The next one that waits syncs the whole log, and so this one, too */
  begin(syncs = true): void {
    if (syncs !== this.#isSyncing) this.#readPragma(`synchronous = ${syncs ? this.#synchronous : 'normal'}`);
    this.#isSyncing = syncs;
    this.#driver.exec('BEGIN IMMEDIATE');
  }

  commit(): void {
    this.#driver.exec('COMMIT');
  }

  rollback(): void {
    try {
      this.#driver.exec('ROLLBACK');
    } catch {
      // SQLite has already rolled back, for example because the disk is full.
    }
  }

  /** Checks whether the file of this connection is still at the path. */
  isAt(path: string): boolean {
    return statSync(path, { throwIfNoEntry: false })?.ino === this.#file;
  }

  /**
   * Moves the content of the write-ahead log into the file and empties the log.
   *
   * @returns false while another connection reads the log or writes
   */
  emptyLog(): boolean {
    try {
      const [row] = this.#readPragma('wal_checkpoint(TRUNCATE)') as readonly { readonly busy: number }[];
      return row?.busy === 0;
    } catch (error) {
      if (isLocked(error)) return false;
      throw error;
    }
  }

  /** Checks whether another connection has changed the file since the last call. */
  hasChanged(): boolean {
    const [row] = this.#readPragma('data_version') as readonly { readonly data_version: number }[];
    const before = this.#dataVersion;
    this.#dataVersion = row?.data_version;
    return before !== undefined && before !== this.#dataVersion;
  }

  /**
   * Abandons a file that is no longer at the path. Closing it would delete the write-ahead log at the path, which may belong to its
   * replacement.
   */
  leave(path: string): void {
    if (!existsSync(`${path}-wal`)) this.close();
  }

  close(): void {
    this.#prepared.clear();
    this.#driver.close();
  }

  #migrate(steps: readonly string[]): void {
    this.begin();
    try {
      // Another process may have created the tables meanwhile.
      for (const step of steps.slice(this.#readVersion(steps))) this.#driver.exec(step);
      this.#driver.exec(`PRAGMA application_id = ${String(APPLICATION_ID)}`);
      this.#driver.exec(`PRAGMA user_version = ${String(steps.length)}`);
      this.commit();
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  /** Reads the version of the tables; 0 for a new file. @throws ConnectionError for a newer version or a foreign file */
  #readVersion(steps: readonly string[]): number {
    const version = this.#readNumber('user_version');
    const owner = this.#readNumber('application_id');
    if (owner !== APPLICATION_ID && (owner !== 0 || version !== 0 || this.#hasTables())) {
      const message = 'the file is an SQLite database of another program';
      throw new ConnectionError({ kind: 'foreign', message });
    }
    if (version <= steps.length) return version;
    const known = `and this Toolwright knows ${String(steps.length)}`;
    throw new ConnectionError({ kind: 'newer', message: `its tables are of version ${String(version)}, ${known}` });
  }

  #useWriteAheadLog(): void {
    const [row] = this.#readPragma('journal_mode = WAL') as readonly { readonly journal_mode?: string }[];
    if (row?.journal_mode === 'wal') return;
    const message = `SQLite cannot keep a write-ahead log there, only ${String(row?.journal_mode)}: is it a network drive?`;
    throw new ConnectionError({ kind: 'failed', message });
  }

  #hasTables(): boolean {
    return this.#driver.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').all().length > 0;
  }

  #readNumber(pragma: string): number {
    const [row] = this.#readPragma(pragma) as readonly Readonly<Record<string, number>>[];
    return row?.[pragma] ?? 0;
  }

  #readPragma(pragma: string): readonly unknown[] {
    return this.#driver.prepare(`PRAGMA ${pragma}`).all();
  }
}

/**
 * Creates the file if it does not exist, readable only for its owner; the files beside it get the same mode. An existing file is not
 * opened here, because closing it would drop the locks of every other connection of this process. Returns the inode.
 */
function createFile(path: string): number {
  try {
    closeSync(openSync(path, 'ax', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const stats = statSync(path);
  if (stats.isFile()) return stats.ino;
  throw new ConnectionError({ kind: 'failed', message: 'expected a file at the path, and found a folder or a device' });
}

/** Checks for the error of a statement that met a lock of another connection. */
export function isLocked(error: unknown): boolean {
  const { errcode, rawCode } = error as { readonly errcode?: number; readonly rawCode?: number };
  const code = (errcode ?? rawCode ?? 0) & PRIMARY_CODE;
  return code === BUSY || code === LOCKED;
}

/** Returns the number of the last parameter of a statement. */
function countParameters(sql: string): number {
  return Math.max(0, ...[...sql.matchAll(/\?(\d+)/g)].map(([, digits]) => Number(digits)));
}

export type DriverClass = new (path: string, options: { readonly timeout: number }) => Driver;

/** Loads `node:sqlite` if Node has it, otherwise `libsql`. @throws ConnectionError of the kind `driver` */
export async function loadDriver(wanted: SqliteDriver | undefined): Promise<DriverClass> {
  const driver =
    (wanted === 'libsql' ? undefined : loadBuiltin()) ?? (wanted === 'node:sqlite' ? undefined : await loadLibsql());
  if (driver !== undefined) return driver;
  const here = `Node ${host.versions.node}`;
  const problem = {
    'node:sqlite': `${here} has no node:sqlite`,
    libsql: 'the package libsql is not installed',
    any: `${here} has no node:sqlite, and the package libsql is not installed`,
  }[wanted ?? 'any'];
  throw new ConnectionError({ kind: 'driver', message: problem });
}

function loadBuiltin(): DriverClass | undefined {
  // Node 22 and 23 print a warning when the module is loaded. It is suppressed, because the user did not choose the module.
  const emitWarning = host.emitWarning.bind(host);
  host.emitWarning = () => undefined;
  try {
    return (host.getBuiltinModule('node:sqlite') as { readonly DatabaseSync: DriverClass } | undefined)?.DatabaseSync;
  } finally {
    host.emitWarning = emitWarning;
  }
}

async function loadLibsql(): Promise<DriverClass | undefined> {
  try {
    return (await import('libsql')).default as unknown as DriverClass;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
