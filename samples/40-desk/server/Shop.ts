// The shop's data outlives the process, as in a real shop: each commit is a line of a file, with the key of the call that made it.
import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { RetailStore } from '../../20-retail-desk/store/RetailStore.js';
import type { RetailData, TableName } from '../../20-retail-desk/store/rows.js';

/** What a call has done. */
interface Commit {
  /** The idempotency key of the call. */
  readonly key: string;
  readonly result: unknown;
  readonly changes: Readonly<Record<TableName, Readonly<Record<string, object>>>>;
}

export class Shop extends RetailStore {
  readonly #path: string;
  readonly #results = new Map<string, { readonly result: unknown }>();
  readonly #calls = new WeakMap<RetailStore, Pick<Commit, 'key' | 'result'>>();

  /** @param path the file of the commits so far; need not exist */
  constructor(data: RetailData, path: string) {
    const { orders, products, users } = RetailStore.of(data);
    super(orders, products, users);
    this.#path = path;
    if (!existsSync(path)) return;
    // A process that was killed may have left half a line, which is no commit.
    for (const line of readFileSync(path, 'utf8').split('\n').slice(0, -1)) this.#apply(JSON.parse(line) as Commit);
  }

  /** Returns what a call has committed, in this process or an earlier one. */
  committedBy(key: string): { readonly result: unknown } | undefined {
    return this.#results.get(key);
  }

  /** Notes which call works on an overlay, and its result, for the time when it is committed. */
  note(overlay: RetailStore, call: Pick<Commit, 'key' | 'result'>): void {
    this.#calls.set(overlay, call);
  }

  override commit(overlay: RetailStore): void {
    const call = this.#calls.get(overlay);
    if (call !== undefined && this.changed(overlay)) {
      const changes = Object.fromEntries(
        Object.entries(overlay.differences()).map(([table, rows]) => [table, Object.fromEntries(rows)]),
      );
      appendSafely(this.#path, `${JSON.stringify({ ...call, changes })}\n`);
      this.#results.set(call.key, call);
    }
    super.commit(overlay);
  }

  #apply({ key, result, changes }: Commit): void {
    this.#results.set(key, { result });
    const { orders, products, users } = changes as unknown as RetailData;
    for (const [id, row] of Object.entries(orders)) this.orders.set(id, row);
    for (const [id, row] of Object.entries(products)) this.products.set(id, row);
    for (const [id, row] of Object.entries(users)) this.users.set(id, row);
  }
}

/** Appends a text durably: it survives the end of the process and of the machine. */
function appendSafely(path: string, text: string): void {
  const file = openSync(path, 'a', 0o600);
  try {
    writeSync(file, text);
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}
