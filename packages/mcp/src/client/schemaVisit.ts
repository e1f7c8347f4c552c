/** The keys and items that a schema has evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
export interface Seen {
  keys: Set<string> | undefined;
  /** The number of evaluated items from the start of the list. */
  items: number;
  /** The indexes of items that `contains` matched. */
  contained: Set<number> | undefined;
}

/** A path in the value, as a linked list. It is formatted only for an issue. */
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
