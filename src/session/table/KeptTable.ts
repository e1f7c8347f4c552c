import { className } from '../../common/classes.js';
import { isObject } from '../../common/guards.js';
import type { AbstractConstructor } from '../../common/types.js';
import { SessionError } from '../../error/infrastructureErrors.js';
import type { StateTable } from '../../interface/SessionPort.js';
import type { StateChange } from '../../interface/Transactional.js';

/** The member through which a session accesses the records of a table; the same in every copy of the package. */
export const tableAccess: unique symbol = Symbol.for('toolwright/tableAccess') as never;

/** A key with its record, or only a key for a deleted record. */
export type TableRow = readonly [key: string | number, record?: unknown];

export interface TableAccess {
  /** All current records: immutable, and compared by identity. */
  readonly state: object;
  /** Restores an earlier state of this table, or of another table of its class. */
  put(state: object): void;
  /** Returns the rows that changed since an older state, in the order in which to write them; all records without an older state. */
  rowsSince(older: object | undefined): readonly TableRow[];
  /** Writes rows, replacing all rows if `isWhole`, otherwise only those with the same keys. */
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

/** Checks for `TransactionalTable` and its subclasses. */
export function isTableClass(type: AbstractConstructor<unknown>): boolean {
  const prototype: unknown = type.prototype;
  return isObject(prototype) && tableAccess in prototype;
}

export function createNotSliceError(type: AbstractConstructor<unknown>): SessionError {
  const name = className(type);
  return new SessionError('the class is a table, whose records have keys', {
    code: 'E808',
    place: `session.slice(${name})`,
    remedy: `Use session.table(${name}).`,
  });
}
