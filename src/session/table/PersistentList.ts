import { MAX_BRANCH_LEVELS } from '../../common/limits.js';

/** Groups lists that extend each other. Holds no values, so it does not keep any alive. */
interface Branch {
  /** The length of the longest list on the branch: only that list can be extended on it. */
  tip: number;
  /** The branch that this one left, and the length at which it did; eventually forgotten. */
  from: { readonly branch: Branch; readonly length: number } | undefined;
  /** At least the number of branches that it can be traced back through. */
  readonly depth: number;
}

/**
 * An immutable list with appends in constant time, so that an overlay can share its base. Two lists are the same state if and
 * only if they are the same object.
 */
export class PersistentList<T> {
  static readonly empty = new PersistentList<never>(createRoot(0), 0, undefined, undefined, Object.freeze([]));

  readonly length: number;
  readonly #last: T | undefined;
  /** Identifies the values together with the length: lists of the same length on the same branch have the same values. */
  readonly #branch: Branch;
  #previous: PersistentList<T> | undefined;
  #values: readonly T[] | undefined;

  private constructor(
    branch: Branch,
    length: number,
    last: T | undefined,
    previous: PersistentList<T> | undefined,
    values?: readonly T[],
  ) {
    this.#branch = branch;
    this.length = length;
    this.#previous = previous;
    this.#last = last;
    this.#values = values;
  }

  /** Creates a new state, even if another one has equal values: returning to a value is a change as well. */
  static of<T>(values: readonly T[]): PersistentList<T> {
    const { length } = values;
    return new PersistentList(createRoot(length), length, values.at(-1), undefined, Object.freeze([...values]));
  }

  append(value: T): PersistentList<T> {
    const branch = extendBranch(this.#branch, this.length);
    return new PersistentList<T>(branch, this.length + 1, value, this);
  }

  appendAll(values: readonly T[]): PersistentList<T> {
    return values.reduce<PersistentList<T>>((list, value) => list.append(value), this);
  }

  /** Returns the same values as a new state, in constant time. */
  copyAsNew(): PersistentList<T> {
    return new PersistentList(this.#branch, this.length, this.#last, this.#previous, this.#values);
  }

  get last(): T | undefined {
    return this.#last;
  }

  /** All values, oldest first; frozen, and the same array each time. */
  get values(): readonly T[] {
    if (this.#values !== undefined) return this.#values;
    this.#values = Object.freeze(this.#readTail(this.length));
    // The array holds all values: without the chain, older states can be collected.
    this.#previous = undefined;
    return this.#values;
  }

  /**
   * Returns the values that were appended to an older state to get this one, oldest first, at a cost proportional to their
   * number; undefined unless this is known to extend it. Values that are equal by chance do not count.
   */
  listAppendedSince(older: PersistentList<T>): readonly T[] | undefined {
    let { length } = this;
    for (let branch = this.#branch; ; { branch, length } = branch.from) {
      if (branch === older.#branch && older.length <= length) return this.#readTail(this.length - older.length);
      if (branch.from === undefined) return undefined;
    }
  }

  /** Returns the last values, oldest first. */
  #readTail(count: number): T[] {
    if (this.#values !== undefined) return this.#values.slice(this.length - count);
    if (count === 0) return [];
    const newest: T[] = [this.#last as T];
    let list = this.#previous;
    while (list !== undefined && list.#values === undefined && newest.length < count) {
      newest.push(list.#last as T);
      list = list.#previous;
    }
    const missing = count - newest.length;
    const older = missing === 0 ? [] : (list?.values.slice(-missing) ?? []);
    return [...older, ...newest.reverse()];
  }
}

function createRoot(length: number): Branch {
  return { tip: length, from: undefined, depth: 0 };
}

/** Returns the branch for a list that is one longer: the same branch, unless another list was already extended there. */
function extendBranch(branch: Branch, length: number): Branch {
  if (branch.tip === length) {
    branch.tip = length + 1;
    return branch;
  }
  // A branch that far from its root forgets its origin, so that not all branches are kept forever.
  if (branch.depth >= MAX_BRANCH_LEVELS) branch.from = undefined;
  return { tip: length + 1, from: { branch, length }, depth: branch.from === undefined ? 1 : branch.depth + 1 };
}
