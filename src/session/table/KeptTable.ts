import { className } from '../../common/classes.js';
import { isObject } from '../../common/guards.js';
import type { AbstractConstructor } from '../../common/types.js';
import { SessionError } from '../../error/infrastructureErrors.js';
import type { StateTable } from '../../interface/SessionPort.js';
import type { StateChange } from '../../interface/Transactional.js';

/** The member by which a session reaches the records of a table; the same in every copy of the package. */
export const tableAccess: unique symbol = Symbol.for('toolwright/tableAccess') as never;

/** A key with its record, or a key alone for a record that is gone. */
export type TableRow = readonly [key: string | number, record?: unknown];

/** The records of a table, as the session needs them. */
export interface TableAccess {
  /** All records as they are now: immutable, and compared by identity. */
  readonly state: object;
  /** Puts back what was the state of this table, or of another one of its class. */
  put(state: object): void;
  /** What has changed since an older state, in the order in which it is to be written; all records without one. */
  rowsSince(older: object | undefined): readonly TableRow[];
  /** Writes rows, over what is there or in place of it. */
  write(rows: readonly TableRow[], isWhole: boolean): void;
}

/** A table that is kept in a session, or the overlay of one. */
export interface KeptTable extends StateTable {
  begin(): KeptTable;
  commit(overlay: KeptTable): void;
  conflicts(overlay: KeptTable): boolean;
  changed(overlay: KeptTable): boolean;
  changes(overlay: KeptTable): readonly StateChange[];
  [tableAccess](): TableAccess;
}

/** True for `TransactionalTable` and its subclasses. */
export function isTableClass(type: AbstractConstructor<unknown>): boolean {
  const prototype: unknown = type.prototype;
  return isObject(prototype) && tableAccess in prototype;
}

/** The error of a table that is used as a slice of values. */
export function isNoSlice(type: AbstractConstructor<unknown>): SessionError {
  const name = className(type);
  return new SessionError('the class is a table, whose records have keys', {
    code: 'E808',
    place: `session.slice(${name})`,
    remedy: `Use session.table(${name}).`,
  });
}
