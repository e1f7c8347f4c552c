import { util } from './builtins.js';

const DEEPEST = 200;

/**
 * Applies `change` to every string in the value, at any depth; returns the value itself if nothing changes. Copies keep their
 * class, but not its private state.
 */
export function mapStrings<T>(value: T, change: (text: string) => string): T {
  return new StringMapping(change).of(value, 0) as T;
}

class StringMapping {
  readonly #change: (text: string) => string;
  readonly #done = new Map<object, object>();
  /** Values being copied: the incomplete copy if a cycle has referred to it, undefined if none has. */
  readonly #begun = new Map<object, object | undefined>();

  constructor(change: (text: string) => string) {
    this.#change = change;
  }

  of(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#change(value);
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
    let changes = false;
    for (const key of Reflect.ownKeys(descriptors)) {
      const descriptor = descriptors[key];
      if (descriptor === undefined || !('value' in descriptor)) continue;
      const inner = this.of(descriptor.value, depth);
      changes ||= inner !== descriptor.value;
      descriptor.value = inner;
    }
    const begun = this.#begun.get(value);
    return changes || begun !== undefined ? Object.defineProperties(begun ?? emptyCopy(value), descriptors) : value;
  }
}

function emptyCopy(value: object): object {
  return Array.isArray(value) ? [] : (Object.create(Object.getPrototypeOf(value) as object | null) as object);
}
