import { hashOf } from '../comparison/canonicalJson.js';
import type { RetailStore } from '../store/RetailStore.js';
import { tableNames, type TableName } from '../store/rows.js';

interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** One changed record, and its changed fields. */
export interface RecordChange {
  readonly table: TableName;
  readonly id: string;
  readonly fields: readonly FieldChange[];
}

type Rows = ReadonlyMap<string, object>;

/** Observes the store between two calls: rows never change in place, so keeping them is a snapshot. */
export class StoreWatch {
  private rows: Readonly<Record<TableName, Rows>>;

  constructor(private readonly store: RetailStore) {
    this.rows = this.read();
  }

  /** Returns one hash over every record of the store. */
  digest(): string {
    return hashOf(
      Object.fromEntries(tableNames.map((table) => [table, Object.fromEntries(this.store[table].entries())])),
    );
  }

  /** Returns the changes since the last call of this method. */
  changes(): readonly RecordChange[] {
    const before = this.rows;
    this.rows = this.read();
    return tableNames.flatMap((table) =>
      [...this.rows[table]].flatMap(([id, row]) => {
        const old = before[table].get(id);
        return row === old ? [] : [{ table, id, fields: fieldChanges(old ?? {}, row) }];
      }),
    );
  }

  private read(): Readonly<Record<TableName, Rows>> {
    const { orders, products, users } = this.store;
    return { orders: new Map(orders), products: new Map(products), users: new Map(users) };
  }
}

function fieldChanges(old: object, row: object): readonly FieldChange[] {
  const before = new Map<string, unknown>(Object.entries(old));
  return Object.entries(row)
    .map(([field, after]: [string, unknown]) => ({ field, before: before.get(field), after }))
    .filter((change) => hashOf(change.before) !== hashOf(change.after));
}
