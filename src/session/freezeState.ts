import { className } from '../common/classes.js';
import { SessionError } from '../error/infrastructureErrors.js';

/** Known to be frozen all the way down, and to hold nothing that can be changed all the same. */
const sound = new WeakSet();

/**
 * Freezes what enters a slice, all the way down.
 *
 * @param place the slice or event, for the message
 * @param mustRollBack refuses what freezing does not stop from changing; log slices may hold it
 * @throws SessionError E801
 */
export function freezeState<T>(value: T, place: string, mustRollBack: boolean): T {
  const visited = new Set<object>();
  freeze(value, place, mustRollBack, visited);
  // Only now: a value whose inside was refused must not count as sound the next time.
  if (mustRollBack) for (const object of visited) sound.add(object);
  return value;
}

function freeze(value: unknown, place: string, mustRollBack: boolean, visited: Set<object>): void {
  if (typeof value !== 'object' || value === null || sound.has(value) || visited.has(value)) return;
  visited.add(value);
  const kind = changeable(value);
  if (kind !== undefined) {
    // A log is never rolled back, and typed arrays cannot even be frozen.
    if (!mustRollBack) return;
    throw new SessionError(`a ${kind} can be changed although it is frozen, so it cannot be rolled back`, {
      code: 'E801',
      place,
    });
  }
  Object.freeze(value);
  for (const key of Reflect.ownKeys(value)) {
    freeze(Reflect.getOwnPropertyDescriptor(value, key)?.value, place, mustRollBack, visited);
  }
}

const changeableTypes = [Map, Set, WeakMap, WeakSet, Date, Promise, ArrayBuffer] as const;

function changeable(value: object): string | undefined {
  if (ArrayBuffer.isView(value) || changeableTypes.some((type) => value instanceof type))
    return className(value.constructor);
  return hasPrivateState(value.constructor) ? `${className(value.constructor)} with #private state` : undefined;
}

const PRIVATE_FIELD = /(?:^|[{;}])\s*#[\w$]+\s*[=;]/m;
const privateState = new WeakMap<object, boolean>();

/** Private fields cannot be seen on an instance; a class's own text shows them. */
function hasPrivateState(type: unknown): boolean {
  if (typeof type !== 'function' || type === Object || type === Array) return false;
  const known = privateState.get(type);
  if (known !== undefined) return known;
  const base: unknown = Object.getPrototypeOf(type);
  const found = PRIVATE_FIELD.test(Function.prototype.toString.call(type)) || hasPrivateState(base);
  privateState.set(type, found);
  return found;
}
