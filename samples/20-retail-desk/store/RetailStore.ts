import type { Transactional } from 'toolwright';
import { RecordTable } from './RecordTable.js';
import type { OrderRow, ProductRow, RetailData, TableName, UserRow } from './rows.js';

/**
 * The shop's data as a transactional resource. Toolwright calls begin() when a tool call first uses the store, and then either
 * commit() with that overlay, or nothing at all: an overlay that is dropped leaves no trace.
 */
export class RetailStore implements Transactional<RetailStore> {
  // Public, because a class whose constructor is private cannot be a key of bind().
  constructor(
    readonly orders: RecordTable<OrderRow>,
    readonly products: RecordTable<ProductRow>,
    readonly users: RecordTable<UserRow>,
  ) {}

  static of(data: RetailData): RetailStore {
    return new RetailStore(RecordTable.of(data.orders), RecordTable.of(data.products), RecordTable.of(data.users));
  }

  begin(): RetailStore {
    return new RetailStore(this.orders.begin(), this.products.begin(), this.users.begin());
  }

  commit(overlay: RetailStore): void {
    this.orders.commit(overlay.orders);
    this.products.commit(overlay.products);
    this.users.commit(overlay.users);
  }

  conflicts(overlay: RetailStore): boolean {
    return (
      this.orders.conflicts(overlay.orders) ||
      this.products.conflicts(overlay.products) ||
      this.users.conflicts(overlay.users)
    );
  }

  /** The rows written through this overlay, by table. */
  changes(): Readonly<Record<TableName, ReadonlyMap<string, object>>> {
    return { orders: this.orders.changes(), products: this.products.changes(), users: this.users.changes() };
  }

  /** Drops everything written through this overlay, so that one application can serve many independent runs. */
  reset(): void {
    this.orders.reset();
    this.products.reset();
    this.users.reset();
  }
}
