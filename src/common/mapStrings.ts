import { util } from './builtins.js';

const DEEPEST = 200;

type Change<T extends string | number | bigint, R = T> = (value: T) => T | R;

/** What is changed besides texts. */
interface OtherChanges {
  /** Changes the keys of objects; as texts are by default. */
  readonly key?: Change<string>;
  /** Returns what replaces a number; without it, numbers stay. */
  readonly number?: Change<number | bigint, string>;
}

/**
 * Applies `change` to every string in the value, at any depth: to keys, to what accessors give, and to the JSON that an object
 * writes of itself. Returns the value itself if nothing changes. Copies keep their class, but not its private state.
 */
export function mapStrings<T>(value: T, change: Change<string>, others: OtherChanges = {}): T {
  return new StringMapping(change, others).of(value, 0) as T;
}

class StringMapping {
  readonly #change: Change<string>;
  readonly #others: OtherChanges;
  readonly #done = new Map<object, object>();
  /** Values being copied: the incomplete copy if a cycle has referred to it, undefined if none has. */
  readonly #begun = new Map<object, object | undefined>();

  constructor(change: Change<string>, others: OtherChanges) {
    this.#change = change;
    this.#others = others;
  }

  of(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#change(value);
    if (typeof value === 'number' || typeof value === 'bigint') return this.#others.number?.(value) ?? value;
    if (typeof value !== 'object' || value === null) return value;
    // No later reader could descend that deep either.
    if (depth > DEEPEST) return undefined;
    const done = this.#done.get(value);
    if (done !== undefined) return done;
    if (this.#begun.has(value)) {
      const begun = this.#begun.get(value) ?? emptyCopy(value);
      this.#begun.set(value, begun);
      return begun;
    }
    this.#begun.set(value, undefined);
    const copy = this.#readable(value, depth + 1);
    this.#done.set(value, copy);
    return copy;
  }

  #readable(value: object, depth: number): object {
    try {
      return this.#copy(value, depth);
    } catch {
      // A revoked proxy throws on any access, and what cannot be read cannot be shown to hold nothing secret.
      return Object.freeze({ unreadable: true });
    }
  }

  #copy(value: object, depth: number): object {
    if (value instanceof Map)
      return new Map([...value].map(([key, entry]) => [this.of(key, depth), this.of(entry, depth)]));
    if (value instanceof Set) return new Set([...value].map((entry) => this.of(entry, depth)));
    const descriptors = Object.getOwnPropertyDescriptors(value) as Record<PropertyKey, PropertyDescriptor>;
    // Newer engines keep the stack behind an accessor of the error itself, which does not work on a copy.
    if (util().types.isNativeError(value) && descriptors['stack']?.get !== undefined)
      descriptors['stack'] = { value: value.stack, writable: true, enumerable: false, configurable: true };
    const changed = this.#entries(value, descriptors, depth);
    const begun = this.#begun.get(value);
    const copy =
      changed !== undefined || begun !== undefined
        ? Object.defineProperties(begun ?? emptyCopy(value), changed ?? descriptors)
        : value;
    return this.#withOwnJson(copy, value, depth);
  }

  /** The changed properties; undefined if none changes. An accessor whose value does not change stays one. */
  #entries(
    value: object,
    descriptors: Readonly<Record<PropertyKey, PropertyDescriptor>>,
    depth: number,
  ): PropertyDescriptorMap | undefined {
    const entries = Object.create(null) as Record<PropertyKey, PropertyDescriptor>;
    const { key: changeKey = this.#change } = this.#others;
    let changes = false;
    for (const key of Reflect.ownKeys(descriptors)) {
      const descriptor = descriptors[key];
      if (descriptor === undefined) continue;
      const before: unknown = 'value' in descriptor ? descriptor.value : descriptor.get?.call(value);
      const inner = this.of(before, depth);
      const name = typeof key === 'string' ? changeKey(key) : key;
      changes ||= inner !== before || name !== key;
      const isChangedAccessor = !('value' in descriptor) && inner !== before;
      entries[name] =
        'value' in descriptor
          ? { ...descriptor, value: inner }
          : isChangedAccessor
            ? { value: inner, writable: true, enumerable: descriptor.enumerable ?? false, configurable: true }
            : descriptor;
    }
    return changes ? entries : undefined;
  }

  /** Gives a copy a `toJSON` that hides what the object's own one would write. */
  #withOwnJson(copy: object, value: object, depth: number): object {
    const { toJSON } = copy as { readonly toJSON?: () => unknown };
    if (typeof toJSON !== 'function' || value instanceof Date) return copy;
    const written = jsonOf(toJSON, copy) ?? jsonOf(toJSON, value);
    const shown = this.of(written, depth);
    if (shown === written) return copy;
    return Object.defineProperty(copy === value ? emptyCopy(value) : copy, 'toJSON', { value: () => shown });
  }
}

function jsonOf(toJSON: () => unknown, value: object): unknown {
  try {
    return toJSON.call(value);
  } catch {
    // A copy lacks the private state that it may need.
    return undefined;
  }
}

function emptyCopy(value: object): object {
  return Array.isArray(value) ? [] : (Object.create(Object.getPrototypeOf(value) as object | null) as object);
}
