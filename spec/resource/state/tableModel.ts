import fc from 'fast-check';
import type { TransactionalTable } from 'toolwright/resources';

type Key = 'a' | 'b' | 'c' | 1;
export interface Row {
  readonly n: number;
}
export type Table = TransactionalTable<Key, Row>;

/** One step of a handler; `n` is used by writes. */
interface Op {
  readonly op: 'get' | 'has' | 'size' | 'list' | 'find' | 'set' | 'delete' | 'clear' | 'raise';
  readonly key: Key;
  readonly n: number;
}

/** A step of one of the transactions that are open; begin and end also nest. */
export type Move =
  | { readonly move: 'op'; readonly who: number; readonly op: Op }
  | { readonly move: 'begin' | 'commit' | 'drop'; readonly who: number };

const readings = ['get', 'has', 'size', 'list', 'find'] as const;
const writings = ['set', 'set', 'delete', 'clear', 'raise'] as const;

const op: fc.Arbitrary<Op> = fc.record({
  op: fc.constantFrom(...readings, ...readings, ...writings),
  key: fc.constantFrom<Key>('a', 'b', 'c', 1),
  n: fc.nat({ max: 3 }),
});

export const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ move: fc.constant('op' as const), who: fc.nat({ max: 30 }), op }) },
    {
      weight: 3,
      arbitrary: fc.record({
        move: fc.constantFrom('begin' as const, 'begin', 'commit', 'commit', 'drop'),
        who: fc.nat({ max: 30 }),
      }),
    },
  ),
  { minLength: 10, maxLength: 40, size: 'max' },
);

const compareKeys = (a: Key, b: Key): number =>
  typeof a === typeof b ? (a < b ? -1 : Number(a > b)) : typeof a === 'number' ? -1 : 1;

/** What the table is meant to be, with nothing shared. */
export class Model {
  constructor(
    readonly rows: ReadonlyMap<Key, Row>,
    readonly order: 'key' | 'insertion',
  ) {}

  copy(): Model {
    return new Model(new Map(this.rows), this.order);
  }

  entries(): readonly (readonly [Key, Row])[] {
    return this.order === 'key' ? [...this.rows].sort(([a], [b]) => compareKeys(a, b)) : [...this.rows];
  }

  get size(): number {
    return this.rows.size;
  }
}

/** Does a step, and says what was read. */
export function perform(on: Table | Model, { op, key, n }: Op): unknown {
  const rows = on instanceof Model ? (on.rows as Map<Key, Row>) : on;
  const entries = (): readonly (readonly [Key, Row])[] => (on instanceof Model ? on.entries() : [...on]);
  switch (op) {
    case 'get':
      return rows.get(key);
    case 'has':
      return rows.has(key);
    case 'size':
      return rows.size;
    case 'list':
      return entries();
    case 'find':
      return on instanceof Model ? on.entries().find(([, row]) => row.n === n)?.[0] : firstOf(on, n);
    case 'set':
      rows.set(key, { n });
      return undefined;
    case 'delete':
      return rows.delete(key);
    case 'clear':
      rows.clear();
      return undefined;
    case 'raise':
      rows.set(key, { n: (rows.get(key)?.n ?? 0) + 1 });
      return undefined;
  }
}

function firstOf(table: Table, n: number): Key | undefined {
  for (const [key, row] of table.entries()) if (row.n === n) return key;
  return undefined;
}

/** A transaction with what it did: its steps and what they read, and the savepoints within, where they took effect. */
export class Running {
  readonly steps: (readonly [Op, unknown] | { readonly inner: Running; readonly kept: boolean })[] = [];
  readonly children = new Set<Running>();

  constructor(
    readonly table: Table,
    readonly parent: Running | undefined,
    readonly base: Table,
    /** Where a dropped savepoint stands among the steps of its parent. */
    readonly begunAt = parent?.steps.length ?? 0,
  ) {}

  /** Does the same again on a model, one after the other, and returns the first step that read something else. */
  replay(on: Model): Op | undefined {
    const dropped = this.steps.flatMap((step) => ('inner' in step && !step.kept ? [step.inner] : []));
    for (let at = 0; at <= this.steps.length; at++) {
      for (const inner of dropped) {
        const wrong = inner.begunAt === at ? inner.replay(on.copy()) : undefined;
        if (wrong !== undefined) return wrong;
      }
      const step = this.steps[at];
      if (step === undefined) continue;
      const wrong = 'inner' in step ? (step.kept ? step.inner.replay(on) : undefined) : differing(step, on);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }
}

function differing([op, read]: readonly [Op, unknown], on: Model): Op | undefined {
  return JSON.stringify(perform(on, op)) === JSON.stringify(read) ? undefined : op;
}
