import 'reflect-metadata';
import { OrderRepository } from '../../../samples/20-retail-desk/store/OrderRepository.js';
import { RetailStore } from '../../../samples/20-retail-desk/store/RetailStore.js';
import type { OrderRow, UserRow } from '../../../samples/20-retail-desk/store/rows.js';
import { shop } from './fixture.js';

const first = '#W0000001';
const second = '#W0000002';

function cancel(store: RetailStore, id: string): OrderRow {
  const order = new OrderRepository(store).get(id);
  return new OrderRepository(store).save({ ...order, status: 'cancelled' });
}

function statusOf(store: RetailStore, id: string): string | undefined {
  return store.orders.get(id)?.status;
}

describe('RetailStore', () => {
  test('an overlay keeps its writes to itself until it is committed', () => {
    const store = RetailStore.of(shop);
    const overlay = store.begin();
    cancel(overlay, first);
    expect(statusOf(overlay, first)).toBe('cancelled');
    expect(statusOf(store, first)).toBe('pending');
    store.commit(overlay);
    expect(statusOf(store, first)).toBe('cancelled');
  });

  test('an overlay that is dropped leaves every record the same object', () => {
    const store = RetailStore.of(shop);
    const before = [...store.orders, ...store.users, ...store.products];
    const overlay = store.begin();
    cancel(overlay, first);
    const after = [...store.orders, ...store.users, ...store.products];
    expect(after.every(([, row], index) => row === before[index]?.[1])).toBe(true);
  });

  test('overlays nest: a savepoint commits into its parent only', () => {
    const store = RetailStore.of(shop);
    const call = store.begin();
    cancel(call, first);
    const kept = call.begin();
    expect(statusOf(kept, first)).toBe('cancelled');
    cancel(kept, second);
    call.commit(kept);
    const dropped = call.begin();
    dropped.orders.set(second, { ...dropped.orders.get(second)!, status: 'processed' });
    expect(statusOf(call, second)).toBe('cancelled');
    expect(statusOf(store, second)).toBe('delivered');
    store.commit(call);
    expect(statusOf(store, second)).toBe('cancelled');
  });

  test('records are frozen deeply, also those that are written', () => {
    const store = RetailStore.of(shop);
    const overlay = store.begin();
    const order = overlay.orders.get(first)!;
    const item = { ...order.items[0]!, options: { size: 'M' } };
    overlay.orders.set(first, { ...order, items: [item] });
    store.commit(overlay);
    const row = store.orders.get(first)!;
    expect([row, row.items, row.items[0], row.items[0]?.options, row.payment_history[0]].every(Object.isFrozen)).toBe(
      true,
    );
  });

  test('beginning costs nothing that grows with the data', () => {
    const users = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`u${i}`, shop.users['ada_novak_1']!]));
    const store = RetailStore.of({ ...shop, users });
    const started = performance.now();
    for (let i = 0; i < 10_000; i += 1) store.begin();
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('conflicts', () => {
  const overlays = (): [RetailStore, RetailStore, RetailStore] => {
    const store = RetailStore.of(shop);
    return [store, store.begin(), store.begin()];
  };

  test('overlays that change different records do not conflict', () => {
    const [store, one, other] = overlays();
    cancel(one, first);
    cancel(other, second);
    store.commit(one);
    expect(store.conflicts(other)).toBe(false);
  });

  test('a record that was read has changed', () => {
    const [store, one, other] = overlays();
    statusOf(other, first);
    cancel(one, first);
    expect(store.conflicts(other)).toBe(false);
    store.commit(one);
    expect(store.conflicts(other)).toBe(true);
  });

  test('a record that was written blindly has changed', () => {
    const [store, one, other] = overlays();
    other.orders.set(first, { ...shop.orders[second]!, order_id: first });
    cancel(one, first);
    store.commit(one);
    expect(store.conflicts(other)).toBe(true);
  });

  test('a table that was searched has changed', () => {
    const [store, one, other] = overlays();
    const user = { ...(one.users.get('ada_novak_1') as UserRow), email: 'new@example.com' };
    one.users.set('ada_novak_1', user);
    for (const _ of other.users) break;
    expect(store.conflicts(other)).toBe(false);
    store.commit(one);
    expect(store.conflicts(other)).toBe(true);
  });

  test('reads of a dropped savepoint still count for its parent', () => {
    const [store, one, other] = overlays();
    statusOf(other.begin(), first);
    cancel(one, first);
    store.commit(one);
    expect(store.conflicts(other)).toBe(true);
  });

  test('reading twice returns one version, whatever happens meanwhile', () => {
    const [store, one, other] = overlays();
    expect(statusOf(other, first)).toBe('pending');
    cancel(one, first);
    store.commit(one);
    expect(statusOf(other, first)).toBe('pending');
  });
});

describe('reset', () => {
  test('reset forgets what was written and read', () => {
    const store = RetailStore.of(shop);
    const run = store.begin();
    const call = run.begin();
    cancel(call, first);
    run.commit(call);
    expect([...run.differences().orders.keys()]).toEqual([first]);
    run.reset();
    expect([...run.differences().orders.keys()]).toEqual([]);
    expect(statusOf(run, first)).toBe('pending');
  });

  test('reset does nothing to the store that owns the data', () => {
    const store = RetailStore.of(shop);
    store.reset();
    expect(statusOf(store, first)).toBe('pending');
    expect(store.differences().orders.size).toBe(0);
  });
});
