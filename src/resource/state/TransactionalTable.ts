import { className } from '../../common/classes.js';
import { oneOf } from '../../common/dataForm.js';
import type { AbstractConstructor } from '../../common/types.js';
import { requireOptions, type OptionForms } from '../../error/optionNames.js';
import { TransactionClosedError } from '../../error/toolErrors.js';
import type { StateChange, Transactional } from '../../interface/Transactional.js';
import { freezeState } from '../../session/state/freezeState.js';
import { tableAccess, type TableAccess } from '../../session/table/KeptTable.js';
import { SortedMap, type SortedKey } from '../SortedMap.js';
import { InsertionOrder } from './InsertionOrder.js';
import { ownFields, refusePrivateMembers } from './overlayFields.js';
import { stateRefusals } from './stateRefusals.js';
import { listRowsBetween, putRow } from './tableRows.js';
import { TableReads, type Aspect, type TableState } from './TableReads.js';

/** Options of a `TransactionalTable`. */
export interface TransactionalTableOptions {
  /** The order of iterations: by `key`, the default, or by `insertion`, as in a `Map`. */
  readonly order?: 'key' | 'insertion' | undefined;
}

const optionForms: OptionForms<TransactionalTableOptions> = { order: oneOf('key', 'insertion') };

/**
 * Records by key, with an overlay for each tool call. A call sees one state and its own writes, and conflicts if
 * another call has changed something that it read. Reads include that a key was missing, the number of records, and
 * iterations. Records are plain data, and are frozen when they enter. Beginning an overlay has constant cost; the cost
 * of a commit depends on its writes.
 *
 * Bind it as a resource of the application, or list it among the `slices` of a session, which then keeps its records.
 *
 * An overlay has the class of its table, including the methods of a subclass, and a copy of its fields. No constructor
 * runs for it.
 *
 * @example
 * class Orders extends TransactionalTable<string, Order> {
 *   cancel(id: string): void {
 *     const order = this.get(id);
 *     if (order !== undefined) this.set(id, { ...order, status: 'cancelled' });
 *   }
 * }
 * bind(Orders, { value: new Orders([['#W1', { id: '#W1', status: 'pending' }]]) });
 */
export class TransactionalTable<K extends SortedKey, V>
  implements Transactional<TransactionalTable<K, V>>, Iterable<readonly [key: K, record: V]>
{
  readonly #type: AbstractConstructor;
  #state: TableState<K, V> = { rows: SortedMap.empty, size: 0 };
  /** The base of an overlay. `#origin` is the state of the base when the overlay began. */
  #base: TransactionalTable<K, V> | undefined;
  #origin = this.#state;
  /** The writes of an overlay; undefined for a deletion. */
  #written: Map<K, V | undefined> | undefined;
  #reads: TableReads<K> | undefined;
  #closed = false;

  /**
   * @param entries keys, which are texts or numbers, and records, which are deeply frozen
   * @throws ResourceError E916 for an invalid key or record, or a subclass with `#private` members; SessionError E801
   * for a record that cannot be frozen; PromptError E413 for an unknown option
   */
  constructor(entries: Iterable<readonly [key: K, record: V]> = [], options: TransactionalTableOptions = {}) {
    this.#type = new.target;
    requireOptions('TransactionalTable', options, optionForms);
    if (options.order === 'insertion') this.#state = this.#origin = { ...this.#state, order: new InsertionOrder() };
    refusePrivateMembers(this.#type, TransactionalTable);
    for (const [key, record] of entries) this.#apply(this.#requireKey(key), this.#freezeRecord(key, record));
  }

  /** The number of records. */
  get size(): number {
    this.#assertOpen();
    this.#observeWhole('size');
    return this.#state.size;
  }

  /**
   * Returns true if there is a record.
   *
   * @throws ResourceError E916 for an invalid key
   */
  has(key: K): boolean {
    return this.#read(this.#requireKey(key), 'presence') !== undefined;
  }

  /**
   * Returns the record, deeply frozen, or undefined.
   *
   * @throws ResourceError E916 for an invalid key
   */
  get(key: K): V | undefined {
    return this.#read(this.#requireKey(key), 'record');
  }

  /**
   * Adds or replaces a record, and freezes it deeply. Two calls that write the same key conflict, even if they do not
   * read it.
   *
   * @throws ResourceError E916 for an invalid key or record; SessionError E801 for a record that cannot be frozen
   */
  set(key: K, record: V): this {
    this.#write(this.#requireKey(key), this.#freezeRecord(key, record));
    return this;
  }

  /** Removes a record. Returns false if there was none. */
  delete(key: K): boolean {
    return this.#write(this.#requireKey(key), undefined) !== undefined;
  }

  /** Removes all records. */
  clear(): void {
    for (const [key] of this.#readAll()) this.#write(key, undefined);
  }

  /**
   * Returns the current keys in order: numbers, then texts by code units; or by insertion, if the table keeps that
   * order. Like every iteration, this reads the whole table.
   */
  keys(): IterableIterator<K> {
    return mapIterable(this.#readAll(), ([key]) => key);
  }

  /** Returns the current records, in the order of their keys. */
  values(): IterableIterator<V> {
    return mapIterable(this.#readAll(), ([, record]) => record);
  }

  /** Returns the current keys and records, in the order of the keys. */
  entries(): IterableIterator<readonly [key: K, record: V]> {
    return mapIterable(this.#readAll(), (entry) => entry);
  }

  [Symbol.iterator](): IterableIterator<readonly [key: K, record: V]> {
    return this.entries();
  }

  /** Returns the entries. Without this method, JSON would show an empty table. */
  toJSON(): readonly (readonly [key: K, record: V])[] {
    return [...this];
  }

  /**
   * Begins an overlay.
   *
   * @throws ResourceError E916 for a field that overlays cannot share: a function, or another resource with overlays
   */
  begin(): this {
    this.#assertOpen();
    // Runs only the constructor of this class, for an object of the subclass.
    const overlay = Reflect.construct(TransactionalTable, [], this.#type) as this;
    overlay.#base = this;
    overlay.#state = overlay.#origin = this.#state;
    // Frozen, because a field that is set on an overlay would be lost.
    return Object.freeze(Object.defineProperties(overlay, ownFields(this, this.#type)));
  }

  /**
   * Applies the writes of an overlay.
   *
   * @throws TransactionClosedError if the overlay was committed already, ResourceError E916 if it belongs to another
   * table
   */
  commit(overlay: TransactionalTable<K, V>): void {
    this.#assertOwn(overlay);
    overlay.#assertOpen();
    for (const [key, record] of overlay.#written ?? []) {
      // The record was deleted and added again, so it is the last one now.
      if (overlay.#state.order?.placeOf(key) !== overlay.#origin.order?.placeOf(key)) this.#apply(key, undefined);
      this.#apply(key, record);
    }
    overlay.#closed = true;
  }

  conflicts(overlay: TransactionalTable<K, V>): boolean {
    this.#assertOwn(overlay);
    return overlay.#reads?.differ(overlay.#origin, this.#state) ?? false;
  }

  changed(overlay: TransactionalTable<K, V>): boolean {
    return overlay.#written !== undefined;
  }

  /** Lists the records that the overlay would change, by their keys. */
  changes(overlay: TransactionalTable<K, V>): readonly StateChange[] {
    return [...(overlay.#written ?? [])].flatMap(([key, after]) => {
      const before = overlay.#origin.rows.get(key);
      return before === after ? [] : [{ what: String(key), before, after }];
    });
  }

  /**
   * Gives the session that keeps the table access to the records.
   *
   * @internal
   */
  [tableAccess](): TableAccess {
    return {
      state: this.#state,
      put: (state) => {
        this.#state = state as TableState<K, V>;
      },
      rowsSince: (older = this.#createEmptyState()) => listRowsBetween(older as TableState<K, V>, this.#state),
      write: (rows, isWhole) => {
        if (isWhole) this.#state = this.#createEmptyState();
        for (const [key, record] of rows) this.#state = putRow(this.#state, key as K, record as V | undefined);
      },
    };
  }

  /** Creates a state without records, in the order of this table. */
  #createEmptyState(): TableState<K, V> {
    const order = this.#state.order === undefined ? undefined : new InsertionOrder<K>();
    return { rows: SortedMap.empty, size: 0, order };
  }

  #read(key: K, aspect: Aspect): V | undefined {
    const record = this.#state.rows.get(key);
    this.#observe(key, aspect, record);
    return record;
  }

  /** Writes a record, and returns the previous one. */
  #write(key: K, record: V | undefined): V | undefined {
    const before = this.#read(key, 'record');
    if (before !== record) this.#apply(key, record);
    return before;
  }

  #apply(key: K, record: V | undefined): void {
    const { rows } = this.#state;
    this.#state = putRow(this.#state, key, record);
    if (this.#base === undefined) return;
    const written = (this.#written ??= new Map<K, V | undefined>());
    // Added records are ordered by their commit.
    if (rows.get(key) === undefined) written.delete(key);
    written.set(key, record);
  }

  #readAll(): Iterable<readonly [key: K, record: V]> {
    this.#assertOpen();
    this.#observeWhole('records');
    const { rows, order } = this.#state;
    return order === undefined ? rows : mapIterable(order, (key) => [key, rows.get(key) as V]);
  }

  /** Records a read, here and in all bases: reads of a dropped savepoint count for its parent call. */
  #observe(key: K, aspect: Aspect, seen: V | undefined, state = this.#state): void {
    if (this.#base === undefined) return;
    const before = state === this.#origin ? seen : this.#origin.rows.get(key);
    // The call reads its own write, and a write is recorded as a read.
    if (seen !== before) return;
    if ((this.#reads ??= new TableReads()).note(key, aspect)) this.#base.#observe(key, aspect, before, this.#origin);
  }

  #observeWhole(aspect: 'size' | 'records'): void {
    if (this.#base === undefined) return;
    (this.#reads ??= new TableReads()).noteWhole(aspect);
    this.#base.#observeWhole(aspect);
  }

  /** Checks a key, because code without types may pass anything, and checks that the table may still be used. */
  #requireKey(key: K): K {
    this.#assertOpen();
    if (typeof key !== 'string' && (typeof key !== 'number' || Number.isNaN(key)))
      throw stateRefusals.key(this.#type, key);
    return key;
  }

  #freezeRecord(key: K, record: V): V {
    if (record === undefined) throw stateRefusals.noRecord(this.#type, key);
    return freezeState(record, `${className(this.#type)}[${JSON.stringify(key)}]`, true);
  }

  #assertOwn(overlay: TransactionalTable<K, V>): void {
    this.#assertOpen();
    if (overlay.#base !== this) throw stateRefusals.foreignOverlay(this.#type);
  }

  #assertOpen(): void {
    if (this.#closed) throw new TransactionClosedError(className(this.#type));
    if (this.#base !== undefined) this.#base.#assertOpen();
  }
}

function* mapIterable<T, R>(items: Iterable<T>, change: (item: T) => R): Generator<R> {
  for (const item of items) yield change(item);
}
