import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { builtFolder } from '../builtFolder.js';
import { PromptEvaluationError } from 'toolwright';
import { formatMessage, messageOf } from 'toolwright/internal/light';
import type { StatementOptions, SqlDatabase } from '../runs/sql/SqlDatabase.js';
import type { StatementName } from '../runs/sql/sharedStatements.js';
import { createStoreError } from '../runs/sql/createStoreError.js';
import type {
  FromThread,
  ScriptAnswer,
  ScriptRequest,
  ScriptValue,
  ThreadProblem,
  ThreadSetup,
  ToThread,
} from './protocol.js';
import { sqliteRows, sqliteScripts, sqliteTableSteps } from './sqliteScripts.js';

/** The settings of the thread, without statements and tables. */
export type DatabaseSettings = Omit<ThreadSetup, 'scripts' | 'tableSteps'>;

/** Read when the package is loaded: if tests replace timers, the next turn may never come. */
const inNextTurn = setImmediate;

/** A function that settles a request. */
type Settle = (answer: ScriptAnswer) => void;

/** The file of a store. A separate thread works on it. It starts with the first request and does not keep the process alive. */
export class SqliteDatabase implements SqlDatabase {
  readonly #setup: ThreadSetup;
  readonly #pending = new Map<number, Settle>();
  /** Requests that are not posted yet. Those of one turn of the event loop share a message, because each message costs more than its requests. */
  #unposted: ScriptRequest[] = [];
  readonly #watchers = new Set<() => void>();
  #worker: Worker | undefined;
  #last = 0;
  #closed: Promise<void> | undefined;

  constructor(settings: DatabaseSettings) {
    this.#setup = { ...settings, scripts: sqliteScripts, tableSteps: sqliteTableSteps };
  }

  async run<Row>(
    statement: StatementName,
    values: readonly unknown[],
    { within, defersSync }: StatementOptions = {},
  ): Promise<readonly Row[]> {
    if (this.#closed !== undefined) throw this.#createError('the store was closed', 'Open another one.');
    const { rows = [], problem } = await this.#sendRequest(statement, toScriptValues(statement, values), defersSync);
    if (problem !== undefined) throw this.#explain(statement, problem);
    if (rows.length > 0) await within?.(undefined);
    // Copies the rows to a list of this realm, because the message may come from another one.
    return [...(rows as readonly Row[])];
  }

  /** Calls back soon after another process has changed the file. Returns a function that stops this. */
  watch(onChange: () => void): () => void {
    // Each call gets a separate watcher, even with the same function.
    const watcher = (): void => onChange();
    this.#watchers.add(watcher);
    if (this.#watchers.size === 1) this.#switchWatch(true);
    return () => {
      if (this.#watchers.delete(watcher) && this.#watchers.size === 0) this.#switchWatch(false);
    };
  }

  /** Resolves once all earlier requests are answered and the file is closed. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.ref();
    this.#post();
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage({ kind: 'close' } satisfies ToThread);
    await ended;
  }

  #switchWatch(isOn: boolean): void {
    if (this.#closed !== undefined) return;
    if (this.#worker !== undefined) this.#worker.postMessage({ kind: 'watch', isOn } satisfies ToThread);
    // A new thread is told about its watchers when it starts.
    else if (isOn) this.#worker = this.#start();
  }

  #sendRequest(
    script: StatementName,
    values: readonly ScriptValue[],
    defersSync: boolean | undefined,
  ): Promise<ScriptAnswer> {
    const id = ++this.#last;
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      this.#worker ??= this.#start();
      this.#worker.ref();
      this.#unposted.push({ id, script, values, defersSync });
      if (this.#unposted.length === 1) inNextTurn(() => this.#post());
    });
  }

  #post(): void {
    if (this.#unposted.length === 0) return;
    this.#worker?.postMessage({ kind: 'run', requests: this.#unposted } satisfies ToThread);
    this.#unposted = [];
  }

  #start(): Worker {
    const worker = new Worker(join(builtFolder, 'workers/sqlite/worker.mjs'), {
      workerData: this.#setup,
      execArgv: [],
      stdin: false,
    });
    worker.on('message', (message: FromThread) => this.#receive(message));
    let reason = 'its thread ended';
    worker.on('error', (error) => (reason = `its thread ended: ${messageOf(error)}`));
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#unposted = [];
      const problem = { kind: 'failed', message: reason } as const;
      for (const [id, settle] of this.#pending) settle({ id, problem });
      this.#pending.clear();
    });
    if (this.#watchers.size > 0) worker.postMessage({ kind: 'watch', isOn: true } satisfies ToThread);
    // `unref` comes after the listeners, because adding a message listener would keep the process alive.
    worker.unref();
    return worker;
  }

  #receive(message: FromThread): void {
    if (message.kind === 'changed') for (const watcher of [...this.#watchers]) watcher();
    if (message.kind !== 'answers') return;
    for (const answer of message.answers) {
      this.#pending.get(answer.id)?.(answer);
      this.#pending.delete(answer.id);
    }
    if (this.#pending.size === 0 && this.#closed === undefined) this.#worker?.unref();
  }

  #explain(statement: StatementName, { kind, message }: ThreadProblem): Error {
    switch (kind) {
      case 'driver':
        return createNoDriverError(message);
      case 'newer':
        return this.#createError(
          message,
          'Use the version of Toolwright that wrote them, or a newer one, or another file.',
        );
      case 'foreign':
        return this.#createError(message, 'Give SqliteRuns a path of its own; nothing was written to this file.');
      case 'locked':
        return this.#createError(
          message,
          'End the process that holds the lock: one that was stopped in the middle of a write, or a shell with an open transaction.',
        );
      case 'failed':
        return this.#createError(
          `the statement ${statement} failed: ${message}`,
          'Correct what the message names, and try again: an append that is repeated is in the log once.',
        );
    }
  }

  #createError(problem: string, remedy: string): Error {
    return createStoreError(problem, { place: this.#setup.path, remedy });
  }
}

function createNoDriverError(problem: string): Error {
  const remedy = 'Use Node 22.13 or newer, which has node:sqlite, or run npm install libsql.';
  const details = { phase: 'tool', code: 'E745', place: 'SqliteRuns', remedy } as const;
  return new PromptEvaluationError(formatMessage(`no SQLite: ${problem}`, details), details);
}

/** Converts the parameters of a statement. Lists named by `sqliteRows` become rows. */
function toScriptValues(statement: StatementName, values: readonly unknown[]): readonly ScriptValue[] {
  const given = values.map(toScriptValue);
  for (const [first = 0, ...others] of sqliteRows[statement] ?? []) {
    const columns = [first, ...others].map((parameter) => given[parameter - 1] as readonly (string | null)[]);
    given[first - 1] = (columns[0] ?? []).map((_item, row) => columns.map((column) => column[row] ?? null));
    for (const parameter of others) given[parameter - 1] = null;
  }
  return given;
}

/** Converts a parameter of a statement to a form that SQLite can store. */
function toScriptValue(value: unknown): ScriptValue {
  if (typeof value === 'boolean') return Number(value);
  return value instanceof Date ? value.getTime() : (value as ScriptValue);
}
