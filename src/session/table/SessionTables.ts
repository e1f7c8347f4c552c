import { className } from '../../common/classes.js';
import { getOrCreate } from '../../common/memoize.js';
import { SessionError } from '../../error/infrastructureErrors.js';
import { isTableClass, tableAccess, type KeptTable, type TableRow } from './KeptTable.js';
import type { RegisteredSlice } from '../slice/SliceRegistry.js';
import type { SliceKey } from '../slice/SliceStore.js';

interface MadeTable {
  readonly table: KeptTable;
  readonly initial: object;
}

/** The states of tables, by their classes, except tables that still have their initial state. */
export type TableStates = ReadonlyMap<SliceKey, object>;

/** The tables of a session. Creates each on first use, as its declaration says. */
export class SessionTables {
  readonly #declared: ReadonlyMap<SliceKey, RegisteredSlice>;
  readonly #made = new Map<SliceKey, MadeTable>();
  #seen: TableStates = new Map();
  #version = 0;

  constructor(declared: readonly RegisteredSlice[]) {
    this.#declared = new Map(declared.filter(({ type }) => isTableClass(type)).map((slice) => [slice.type, slice]));
  }

  /** @throws SessionError E808 for a class that is not a table of the session; E804 if it cannot be made */
  of(type: SliceKey): KeptTable {
    return this.#of(type).table;
  }

  /** All tables, including unused ones. */
  get all(): ReadonlyMap<SliceKey, KeptTable> {
    return new Map([...this.#declared.keys()].map((type) => [type, this.of(type)]));
  }

  /** The states of the tables that were written to. */
  get states(): TableStates {
    const states = new Map<SliceKey, object>();
    for (const [type, { table, initial }] of this.#made) {
      const { state } = table[tableAccess]();
      if (state !== initial) states.set(type, state);
    }
    return states;
  }

  initialOf(type: SliceKey): object {
    return this.#of(type).initial;
  }

  /** Grows with each change of a table, however it was made. */
  get version(): number {
    if (this.#made.size === 0) return this.#version;
    const { states } = this;
    const isSame =
      states.size === this.#seen.size && [...states].every(([type, state]) => this.#seen.get(type) === state);
    if (!isSame) this.#version++;
    this.#seen = states;
    return this.#version;
  }

  /** Sets the states of tables; tables without a given one return to their initial state. */
  put(states: TableStates): void {
    for (const type of states.keys()) this.of(type);
    for (const [type, { table, initial }] of this.#made) table[tableAccess]().put(states.get(type) ?? initial);
  }

  /** Writes rows into a table, replacing all rows if `isWhole`, otherwise only those with the same keys. */
  write(type: SliceKey, rows: readonly TableRow[], isWhole: boolean): void {
    this.of(type)[tableAccess]().write(rows, isWhole);
  }

  #of(type: SliceKey): MadeTable {
    return getOrCreate(this.#made, type, () => {
      const slice = this.#declared.get(type);
      if (slice === undefined) throw createNotKeptError(type);
      const table = createTable(slice);
      return { table, initial: table[tableAccess]().state };
    });
  }
}

function createTable({ type, initial }: RegisteredSlice): KeptTable {
  const table: unknown = initial === undefined ? new type() : initial();
  if (table instanceof type) return table as KeptTable;
  const problem = `initial did not return a table of the class`;
  throw new SessionError(problem, {
    code: 'E804',
    place: className(type),
    remedy: `List it as { type: ${className(type)}, initial: () => new ${className(type)}(…) }.`,
  });
}

function createNotKeptError(type: unknown): SessionError {
  const name = className(type);
  const isTable = typeof type === 'function' && isTableClass(type as SliceKey);
  const [problem, remedy] = isTable
    ? [
        'the session has no such table',
        `List the class: new Session({ slices: [${name}] }), or slices: [${name}] in the result of prepare.`,
      ]
    : [
        'the class does not extend TransactionalTable',
        'Pass the class of a table; session.slice(…) is for other state.',
      ];
  return new SessionError(problem, { code: 'E808', place: `session.table(${name})`, remedy });
}
