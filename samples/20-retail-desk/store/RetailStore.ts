import type { StateChange, Transactional } from 'toolwright';
import { TransactionalTable } from 'toolwright/resources';
import type { OrderRow, ProductRow, RetailData, TableName, UserRow } from './rows.js';

type Table<Row> = TransactionalTable<string, Row>;

/**
 * The shop's data as one transactional resource of three tables. Toolwright calls begin() when a tool call first uses the store, and
 * then either commit() with that overlay, or nothing: an overlay that is dropped leaves no trace.
 */
export class RetailStore implements Transactional<RetailStore> {
  // Public, because a class with a private constructor cannot be a key of bind().
  constructor(
    public orders: Table<OrderRow>,
    public products: Table<ProductRow>,
    public users: Table<UserRow>,
    private readonly base?: RetailStore,
  ) {}

  static of({ orders, products, users }: RetailData): RetailStore {
    return new RetailStore(tableOf(orders), tableOf(products), tableOf(users));
  }

  begin(): RetailStore {
    return new RetailStore(this.orders.begin(), this.products.begin(), this.users.begin(), this);
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

  changed(overlay: RetailStore): boolean {
    return (
      this.orders.changed(overlay.orders) ||
      this.products.changed(overlay.products) ||
      this.users.changed(overlay.users)
    );
  }

  changes(overlay: RetailStore): readonly StateChange[] {
    return [
      ...this.orders.changes(overlay.orders),
      ...this.products.changes(overlay.products),
      ...this.users.changes(overlay.users),
    ];
  }

  /** Returns the rows that differ from the store below this overlay, by table. */
  differences(): Readonly<Record<TableName, ReadonlyMap<string, object>>> {
    const { base } = this;
    return {
      orders: changedRows(this.orders, base?.orders),
      products: changedRows(this.products, base?.products),
      users: changedRows(this.users, base?.users),
    };
  }

  /** Begins an overlay of the store anew, so that one application can serve many independent runs. */
  reset(): void {
    if (this.base === undefined) return;
    const { orders, products, users } = this.base;
    this.orders = orders.begin();
    this.products = products.begin();
    this.users = users.begin();
  }
}

function tableOf<Row>(rows: Readonly<Record<string, Row>>): Table<Row> {
  return new TransactionalTable(Object.entries(rows));
}

function changedRows<Row extends object>(table: Table<Row>, base: Table<Row> = table): ReadonlyMap<string, Row> {
  return new Map([...table].filter(([id, row]) => base.get(id) !== row));
}
