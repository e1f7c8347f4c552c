/** A place at which two JSON values differ. */
export interface Difference {
  /** The keys that lead there; empty for the whole value. */
  readonly path: readonly string[];
  /** Undefined if the place is new. */
  readonly before: unknown;
  /** Undefined if the place is removed. */
  readonly after: unknown;
}

/** Lists the places at which two JSON values differ, in the order of their keys. Lists are compared position by position. */
export function listDifferences(before: unknown, after: unknown, path: readonly string[] = []): readonly Difference[] {
  if (isSame(before, after)) return [];
  if (!isBranch(before) || !isBranch(after) || Array.isArray(before) !== Array.isArray(after))
    return [{ path, before, after }];
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) =>
    listDifferences(old.get(key), now.get(key), [...path, key]),
  );
}

/** True for an object or a list. */
function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isSame(before: unknown, after: unknown): boolean {
  return before === after || (isBranch(before) && isBranch(after) && JSON.stringify(before) === JSON.stringify(after));
}
