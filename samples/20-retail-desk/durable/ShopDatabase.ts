// The shop's data outlives the process, as in a real shop: each commit is a line in a file, with the call that made it.
import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Interceptor } from 'toolwright/policies';
import { RetailStore } from '../store/RetailStore.js';
import type { RetailData, TableName } from '../store/rows.js';
import { die, type KillPoint } from './points.js';

interface Committed {
  readonly task: string;
  readonly call: string;
  /** The result of the call, as JSON. */
  readonly result: string;
  readonly changes: Readonly<Record<TableName, Readonly<Record<string, object>>>>;
}

/** The three tables, and the commits of one task so far, by any process. */
export class ShopDatabase extends RetailStore {
  readonly #path: string;
  readonly #task: string;
  #call: { readonly id: string; readonly result: string } | undefined;
  /** Undefined for a process that is not to be killed at a commit. */
  point: KillPoint | undefined;

  private constructor(tables: RetailStore, path: string, task: string) {
    super(tables.orders, tables.products, tables.users, tables);
    this.#path = path;
    this.#task = task;
  }

  /** Opens the data of a task: the untouched data with the commits of its calls. */
  static open(base: RetailStore, path: string, task: string): ShopDatabase {
    const store = new ShopDatabase(base, path, task);
    store.reset();
    for (const { changes } of store.committed()) store.#apply(changes);
    return store;
  }

  /** Records for every commit which call made it, and its result. */
  readonly interceptor: Interceptor = {
    aroundTool: async ({ call }, next) => {
      const { value } = await next();
      this.#call = { id: call.id, result: typeof value === 'string' ? value : JSON.stringify(value ?? null) };
    },
  };

  override commit(overlay: RetailStore): void {
    const { id, result } = this.#call ?? { id: '', result: '' };
    if (this.point?.when === 'before') die();
    const changes = Object.fromEntries(
      Object.entries(overlay.differences()).map(([table, rows]) => [table, Object.fromEntries(rows)]),
    );
    appendSafely(this.#path, `${JSON.stringify({ task: this.#task, call: id, result, changes })}\n`);
    if (this.point?.when === 'after') die();
    super.commit(overlay);
  }

  /** Returns the result of a committed call; undefined for any other call. */
  resultOf(call: string): string | undefined {
    return this.committed().find((line) => line.call === call)?.result;
  }

  committed(): readonly Committed[] {
    if (!existsSync(this.#path)) return [];
    const lines = readFileSync(this.#path, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Committed).filter(({ task }) => task === this.#task);
  }

  #apply(changes: Committed['changes']): void {
    const { orders, products, users } = changes as unknown as RetailData;
    for (const [id, row] of Object.entries(orders)) this.orders.set(id, row);
    for (const [id, row] of Object.entries(products)) this.products.set(id, row);
    for (const [id, row] of Object.entries(users)) this.users.set(id, row);
  }
}

/** Appends a text durably, as `COMMIT` does: it survives the end of the process and of the machine. */
function appendSafely(path: string, text: string): void {
  const file = openSync(path, 'a');
  try {
    writeSync(file, text);
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}
