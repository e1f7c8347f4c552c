/** What a schema has looked at, for `unevaluated…`. */
export interface Seen {
  keys: Set<string> | undefined;
  /** The items at the beginning. */
  items: number;
  /** The items that `contains` found. */
  contained: Set<number> | undefined;
}

/** A place in the value; written out only for an issue. */
interface Place {
  readonly above: Place | undefined;
  readonly key: string;
}

export interface Visit {
  readonly place: Place | undefined;
  readonly seen: Seen;
  readonly depth: number;
}

export const createSeen = (): Seen => ({ keys: undefined, items: 0, contained: undefined });

export function descend({ place, depth }: Visit, seen: Seen): Visit {
  return { place, seen, depth: depth + 1 };
}

export function descendTo({ place, depth }: Visit, key: string): Visit {
  return { place: { above: place, key }, seen: createSeen(), depth: depth + 1 };
}

export function pathOf(place: Place | undefined): readonly string[] {
  const path: string[] = [];
  for (let each = place; each !== undefined; each = each.above) path.push(each.key);
  return path.reverse();
}
