/** A node of the tree; all keys in `left` are smaller, all keys in `right` greater. */
interface Branch<V> {
  readonly key: string;
  readonly value: V;
  readonly left: Branch<V> | undefined;
  readonly right: Branch<V> | undefined;
  readonly height: number;
}

/**
 * An immutable map from texts to values, sorted by key: a change returns a new map that shares all but a few nodes with the
 * old one (an AVL tree). So directories of any width are cheap to keep, compare and change.
 */
export class SortedMap<V> implements Iterable<readonly [string, V]> {
  static readonly empty: SortedMap<never> = new SortedMap<never>(undefined);

  readonly #root: Branch<V> | undefined;

  private constructor(root: Branch<V> | undefined) {
    this.#root = root;
  }

  get isEmpty(): boolean {
    return this.#root === undefined;
  }

  get(key: string): V | undefined {
    let branch = this.#root;
    while (branch !== undefined && branch.key !== key) branch = key < branch.key ? branch.left : branch.right;
    return branch?.value;
  }

  with(key: string, value: V): SortedMap<V> {
    return new SortedMap(inserted(this.#root, key, value));
  }

  /** Returns a map without the key; this map itself if it does not have the key. */
  without(key: string): SortedMap<V> {
    const root = removed(this.#root, key);
    return root === this.#root ? this : new SortedMap(root);
  }

  *[Symbol.iterator](): Generator<readonly [string, V]> {
    const above: Branch<V>[] = [];
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

function heightOf(branch: Branch<unknown> | undefined): number {
  return branch === undefined ? 0 : branch.height;
}

function branchOf<V>(
  { key, value }: Pick<Branch<V>, 'key' | 'value'>,
  left: Branch<V> | undefined,
  right: Branch<V> | undefined,
): Branch<V> {
  return { key, value, left, right, height: 1 + Math.max(heightOf(left), heightOf(right)) };
}

/** Like `branchOf`, for sides that differ in height by two at most. */
function balanced<V>(
  entry: Pick<Branch<V>, 'key' | 'value'>,
  left: Branch<V> | undefined,
  right: Branch<V> | undefined,
): Branch<V> {
  if (left !== undefined && heightOf(left) > heightOf(right) + 1) {
    const inner = left.right;
    if (inner === undefined || heightOf(left.left) >= inner.height)
      return branchOf(left, left.left, branchOf(entry, inner, right));
    return branchOf(inner, branchOf(left, left.left, inner.left), branchOf(entry, inner.right, right));
  }
  if (right !== undefined && heightOf(right) > heightOf(left) + 1) {
    const inner = right.left;
    if (inner === undefined || heightOf(right.right) >= inner.height)
      return branchOf(right, branchOf(entry, left, inner), right.right);
    return branchOf(inner, branchOf(entry, left, inner.left), branchOf(right, inner.right, right.right));
  }
  return branchOf(entry, left, right);
}

function inserted<V>(branch: Branch<V> | undefined, key: string, value: V): Branch<V> {
  if (branch === undefined) return branchOf({ key, value }, undefined, undefined);
  if (key === branch.key) return { ...branch, value };
  return key < branch.key
    ? balanced(branch, inserted(branch.left, key, value), branch.right)
    : balanced(branch, branch.left, inserted(branch.right, key, value));
}

function removed<V>(branch: Branch<V> | undefined, key: string): Branch<V> | undefined {
  if (branch === undefined) return undefined;
  if (key < branch.key) {
    const left = removed(branch.left, key);
    return left === branch.left ? branch : balanced(branch, left, branch.right);
  }
  if (key > branch.key) {
    const right = removed(branch.right, key);
    return right === branch.right ? branch : balanced(branch, branch.left, right);
  }
  if (branch.left === undefined || branch.right === undefined) return branch.left ?? branch.right;
  const next = smallest(branch.right);
  return balanced(next, branch.left, removed(branch.right, next.key));
}

function smallest<V>(branch: Branch<V>): Branch<V> {
  let first = branch;
  while (first.left !== undefined) first = first.left;
  return first;
}
