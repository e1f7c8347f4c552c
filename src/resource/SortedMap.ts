/** A key. Numbers come before texts. */
export type SortedKey = string | number;

/** A node of the tree. All keys in `left` are smaller, all keys in `right` are greater. */
interface Branch<V, K> {
  readonly key: K;
  readonly value: V;
  readonly left: Branch<V, K> | undefined;
  readonly right: Branch<V, K> | undefined;
  readonly height: number;
}

/**
 * An immutable map from texts or numbers to values, sorted by key. A change returns a new map that shares all but a few
 * nodes with the old one (an AVL tree), so that directories and tables of any width are cheap to keep, compare and
 * change.
 */
export class SortedMap<V, K extends SortedKey = string> implements Iterable<readonly [K, V]> {
  static readonly empty: SortedMap<never, never> = new SortedMap<never, never>(undefined);

  readonly #root: Branch<V, K> | undefined;

  private constructor(root: Branch<V, K> | undefined) {
    this.#root = root;
  }

  get isEmpty(): boolean {
    return this.#root === undefined;
  }

  get(key: K): V | undefined {
    let branch = this.#root;
    while (branch !== undefined && branch.key !== key) branch = isBefore(key, branch.key) ? branch.left : branch.right;
    return branch?.value;
  }

  with(key: K, value: V): SortedMap<V, K> {
    return new SortedMap(insertEntry(this.#root, key, value));
  }

  /** Returns a map without the key, or this map if it does not have the key. */
  without(key: K): SortedMap<V, K> {
    const root = removeEntry(this.#root, key);
    return root === this.#root ? this : new SortedMap(root);
  }

  /** Yields the keys at which the other map has another value or none, in order. Skips the parts that both share. */
  *differences(other: SortedMap<V, K>): Generator<K> {
    const here = new Walk(this.#root);
    const there = new Walk(other.#root);
    for (;;) {
      skipShared(here, there);
      const [a, b] = [here.entry, there.entry];
      if (a === undefined && b === undefined) return;
      const isHere = a !== undefined && (b === undefined || !isBefore(b.key, a.key));
      const isThere = b !== undefined && (a === undefined || !isBefore(a.key, b.key));
      if (isHere) here.pop();
      if (isThere) there.pop();
      if (isHere && isThere && a.value === b.value) continue;
      yield (isHere ? a : (b as Branch<V, K>)).key;
    }
  }

  *[Symbol.iterator](): Generator<readonly [K, V]> {
    const above: Branch<V, K>[] = [];
    let branch = this.#root;
    for (;;) {
      for (; branch !== undefined; branch = branch.left) above.push(branch);
      const next = above.pop();
      if (next === undefined) return;
      yield [next.key, next.value];
      branch = next.right;
    }
  }
}

/** The rest of a tree in order: whole subtrees that were not entered yet, and single entries. */
class Walk<V, K> {
  readonly #rest: { readonly branch: Branch<V, K>; readonly isEntry: boolean }[] = [];

  constructor(root: Branch<V, K> | undefined) {
    this.#push(root, false);
  }

  /** The next subtree; undefined if an entry or nothing is next. */
  get subtree(): Branch<V, K> | undefined {
    const next = this.#rest.at(-1);
    return next?.isEntry === false ? next.branch : undefined;
  }

  /** The next entry; undefined if a subtree or nothing is next. */
  get entry(): Branch<V, K> | undefined {
    const next = this.#rest.at(-1);
    return next?.isEntry === true ? next.branch : undefined;
  }

  pop(): void {
    this.#rest.pop();
  }

  /** Replaces the next subtree by its parts. */
  open(branch: Branch<V, K>): void {
    this.pop();
    this.#push(branch.right, false);
    this.#push(branch, true);
    this.#push(branch.left, false);
  }

  #push(branch: Branch<V, K> | undefined, isEntry: boolean): void {
    if (branch !== undefined) this.#rest.push({ branch, isEntry });
  }
}

/** Advances until both walks have an entry or are at their end, and skips the subtrees that both share there. */
function skipShared<V, K>(here: Walk<V, K>, there: Walk<V, K>): void {
  for (;;) {
    const [a, b] = [here.subtree, there.subtree];
    if (a !== undefined && a === b) {
      here.pop();
      there.pop();
    } else if (a !== undefined && getHeight(a) >= getHeight(b)) here.open(a);
    else if (b !== undefined) there.open(b);
    else return;
  }
}

function isBefore(key: SortedKey, other: SortedKey): boolean {
  return typeof key === typeof other ? key < other : typeof key === 'number';
}

function getHeight(branch: Branch<unknown, unknown> | undefined): number {
  return branch === undefined ? 0 : branch.height;
}

function createBranch<V, K extends SortedKey>(
  { key, value }: Pick<Branch<V, K>, 'key' | 'value'>,
  left: Branch<V, K> | undefined,
  right: Branch<V, K> | undefined,
): Branch<V, K> {
  return { key, value, left, right, height: 1 + Math.max(getHeight(left), getHeight(right)) };
}

/** Creates a branch like `createBranch`, from sides that differ in height by two at most. */
function balanceBranch<V, K extends SortedKey>(
  entry: Pick<Branch<V, K>, 'key' | 'value'>,
  left: Branch<V, K> | undefined,
  right: Branch<V, K> | undefined,
): Branch<V, K> {
  if (left !== undefined && getHeight(left) > getHeight(right) + 1) {
    const inner = left.right;
    if (inner === undefined || getHeight(left.left) >= inner.height)
      return createBranch(left, left.left, createBranch(entry, inner, right));
    return createBranch(inner, createBranch(left, left.left, inner.left), createBranch(entry, inner.right, right));
  }
  if (right !== undefined && getHeight(right) > getHeight(left) + 1) {
    const inner = right.left;
    if (inner === undefined || getHeight(right.right) >= inner.height)
      return createBranch(right, createBranch(entry, left, inner), right.right);
    return createBranch(inner, createBranch(entry, left, inner.left), createBranch(right, inner.right, right.right));
  }
  return createBranch(entry, left, right);
}

function insertEntry<V, K extends SortedKey>(branch: Branch<V, K> | undefined, key: K, value: V): Branch<V, K> {
  if (branch === undefined) return createBranch({ key, value }, undefined, undefined);
  if (key === branch.key) return { ...branch, value };
  return isBefore(key, branch.key)
    ? balanceBranch(branch, insertEntry(branch.left, key, value), branch.right)
    : balanceBranch(branch, branch.left, insertEntry(branch.right, key, value));
}

function removeEntry<V, K extends SortedKey>(branch: Branch<V, K> | undefined, key: K): Branch<V, K> | undefined {
  if (branch === undefined) return undefined;
  if (isBefore(key, branch.key)) {
    const left = removeEntry(branch.left, key);
    return left === branch.left ? branch : balanceBranch(branch, left, branch.right);
  }
  if (isBefore(branch.key, key)) {
    const right = removeEntry(branch.right, key);
    return right === branch.right ? branch : balanceBranch(branch, branch.left, right);
  }
  if (branch.left === undefined || branch.right === undefined) return branch.left ?? branch.right;
  const next = findSmallest(branch.right);
  return balanceBranch(next, branch.left, removeEntry(branch.right, next.key));
}

function findSmallest<V, K extends SortedKey>(branch: Branch<V, K>): Branch<V, K> {
  let first = branch;
  while (first.left !== undefined) first = first.left;
  return first;
}
