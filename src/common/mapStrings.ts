import { util } from './builtins.js';
import { isObject } from './guards.js';
import { MAX_REDACTED_LEVELS } from './limits.js';
import { defineProperty, emptyCopy } from './walkValue.js';

type Change<T extends string | number | bigint, R = T> = (value: T) => T | R;

/** Changes of values other than texts. */
interface OtherChanges {
  /** Changes the keys of objects. By default, they change like texts. */
  readonly key?: Change<string>;
  /** Returns the replacement of a number. Without it, numbers stay. */
  readonly number?: Change<number | bigint, string>;
}

/**
 * Applies `change` to every string in the value, at any depth: to keys, to the values of accessors, and to the JSON
 * that an object's `toJSON` returns. Returns the value itself if nothing changes. Copies keep their class, but not its
 * private state.
 */
export function mapStrings<T>(value: T, change: Change<string>, others: OtherChanges = {}): T {
  return new StringMapping(change, others).of(value, 0) as T;
}

/** A property of a value, and its replacement. */
interface Property {
  key: string | symbol;
  descriptor: PropertyDescriptor;
  /** True for the position of an item, which stays even if it looks like a secret. */
  readonly isPosition: boolean;
}

/** Marks a value that is being copied and that no cycle has referred to yet. */
const BEGUN = Object.freeze({});

class StringMapping {
  readonly #text: Change<string>;
  readonly #key: Change<string>;
  readonly #number: OtherChanges['number'];
  /** The copy of each value, which is incomplete while the value is being copied, or `BEGUN`. */
  readonly #known = new Map<object, object>();

  constructor(change: Change<string>, others: OtherChanges) {
    this.#text = change;
    this.#key = others.key ?? change;
    this.#number = others.number;
  }

  of(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'number' || typeof value === 'bigint') return this.#number?.(value) ?? value;
    if (!isObject(value)) return value;
    // No later reader could go that deep either.
    if (depth > MAX_REDACTED_LEVELS) return undefined;
    const known = this.#known.get(value);
    if (known === undefined) {
      this.#known.set(value, BEGUN);
      const copy = this.#copyOrReplace(value, depth + 1);
      this.#known.set(value, copy);
      return copy;
    }
    if (known !== BEGUN) return known;
    const begun = emptyCopy(value);
    this.#known.set(value, begun);
    return begun;
  }

  #copyOrReplace(value: object, depth: number): object {
    try {
      return this.#copy(value, depth);
    } catch {
      // A revoked proxy throws on any access, and an unreadable value might hold a secret.
      return Object.freeze({ unreadable: true });
    }
  }

  #copy(value: object, depth: number): object {
    if (value instanceof Map)
      return new Map([...value].map(([key, entry]) => [this.of(key, depth), this.of(entry, depth)]));
    if (value instanceof Set) return new Set([...value].map((entry) => this.of(entry, depth)));
    const items = itemsOf(value);
    const properties = items === undefined ? propertiesOf(value) : [];
    const changes =
      items === undefined ? this.#changeProperties(properties, value, depth) : this.#changeItems(items, depth);
    const known = this.#known.get(value);
    const begun = known === BEGUN ? undefined : known;
    if (!changes && begun === undefined) return this.#withOwnJson(value, value, depth);
    const copy = begun ?? emptyCopy(value);
    if (items === undefined) defineAll(copy, properties);
    else for (const item of items) (copy as unknown[]).push(item);
    if (Array.isArray(copy)) copy.length = (value as readonly unknown[]).length;
    return this.#withOwnJson(copy, value, depth);
  }

  /** Changes items in place. Returns true if one changed. */
  #changeItems(items: unknown[], depth: number): boolean {
    let changes = false;
    for (let index = 0; index < items.length; index++) {
      const before = items[index];
      const inner = this.of(before, depth);
      if (inner === before) continue;
      changes = true;
      items[index] = inner;
    }
    return changes;
  }

  /**
   * Changes the properties of a value in place. Returns true if one changed. An accessor with an unchanged value stays
   * an accessor.
   */
  #changeProperties(properties: readonly Property[], value: object, depth: number): boolean {
    let changes = false;
    for (const property of properties) {
      const { key, descriptor } = property;
      if (typeof key === 'string' && !property.isPosition) property.key = this.#key(key);
      const isAccessor = !('value' in descriptor);
      const before: unknown = isAccessor ? descriptor.get?.call(value) : descriptor.value;
      const inner = this.of(before, depth);
      changes ||= inner !== before || property.key !== key;
      if (!isAccessor) descriptor.value = inner;
      else if (inner !== before)
        property.descriptor = {
          value: inner,
          writable: true,
          enumerable: descriptor.enumerable ?? false,
          configurable: true,
        };
    }
    return changes;
  }

  /** Gives a copy a `toJSON` that hides secrets in the JSON of the object's own `toJSON`. */
  #withOwnJson(copy: object, value: object, depth: number): object {
    const { toJSON } = copy as { readonly toJSON?: () => unknown };
    if (typeof toJSON !== 'function' || value instanceof Date) return copy;
    const written = jsonOf(toJSON, copy) ?? jsonOf(toJSON, value);
    const shown = this.of(written, depth);
    if (shown === written) return copy;
    return Object.defineProperty(copy === value ? emptyCopy(value) : copy, 'toJSON', { value: () => shown });
  }
}

/** The length from which listing the keys of a list takes longer than everything else. */
const LONG_LIST = 1_000;

/**
 * Returns the items of a long list that has no other properties, and undefined for all other values. Listing the keys
 * of a list of 100,000 items takes some 100 ms, listing its values 5 ms.
 */
function itemsOf(value: object): unknown[] | undefined {
  if (!Array.isArray(value) || value.length < LONG_LIST) return undefined;
  const items: unknown[] = Object.values(value);
  // A hole, or a property beside the items, shifts the values after it.
  if (items.length !== value.length || Object.getOwnPropertySymbols(value).length > 0) return undefined;
  return items.every((item, index) => Object.is(item, value[index])) ? items : undefined;
}

function propertiesOf(value: object): Property[] {
  const isList = Array.isArray(value);
  const properties: Property[] = [];
  for (const key of Reflect.ownKeys(value)) {
    // The length follows from the items.
    if (isList && key === 'length') continue;
    const descriptor = Reflect.getOwnPropertyDescriptor(value, key);
    if (descriptor === undefined) continue;
    properties.push({ key, descriptor, isPosition: isList && typeof key === 'string' && /^\d+$/.test(key) });
  }
  // Newer engines keep the stack behind an accessor of the error itself, which does not work on a copy.
  const stack = util().types.isNativeError(value) ? properties.find(({ key }) => key === 'stack') : undefined;
  if (stack?.descriptor.get !== undefined)
    stack.descriptor = { value: (value as Error).stack, writable: true, enumerable: false, configurable: true };
  return properties;
}

/** Defines the properties of a copy. If keys have become equal, the last one stays. */
function defineAll(copy: object, properties: readonly Property[]): void {
  const keys = new Set(properties.map(({ key }) => key));
  const last =
    keys.size === properties.length ? properties : new Map(properties.map((each) => [each.key, each])).values();
  for (const { key, descriptor } of last) defineProperty(copy, key, descriptor);
}

function jsonOf(toJSON: () => unknown, value: object): unknown {
  try {
    return toJSON.call(value);
  } catch {
    // A copy lacks the private state that the accessor may need.
    return undefined;
  }
}
