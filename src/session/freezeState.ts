import { className } from '../common/classes.js';
import { SessionError } from '../error/infrastructureErrors.js';
import { hasPrivateState } from './privateState.js';

/** Objects known to be deeply frozen, and to contain nothing that can be changed nevertheless. */
const sound = new WeakSet();

/** Telemetry events: they hold arguments and results of tools, which must be neither frozen nor refused. */
const observed = new WeakSet();

/** Exempts a telemetry event from freezing. */
export function skipFreezing(event: object): void {
  observed.add(event);
}

/**
 * Freezes a value that enters a slice, deeply.
 *
 * @param place the slice or event, for the message
 * @param mustRollBack refuses objects that can be changed although they are frozen; log slices may hold them
 * @throws SessionError E801
 */
export function freezeState<T>(value: T, place: string, mustRollBack: boolean): T {
  const visited = new Set<object>();
  // A work list, because recursion would overflow the stack on deep state.
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null || isSettled(next) || visited.has(next)) continue;
    visited.add(next);
    const kind = changeable(next);
    if (kind === undefined) {
      Object.freeze(next);
      for (const key of Reflect.ownKeys(next)) pending.push(Reflect.getOwnPropertyDescriptor(next, key)?.value);
      // A log is never rolled back, and typed arrays cannot even be frozen.
    } else if (mustRollBack) {
      throw new SessionError(`a ${kind} can be changed although it is frozen, so it cannot be rolled back`, {
        code: 'E801',
        place,
      });
    }
  }
  // Only now: a value with refused contents must not count as sound the next time.
  if (mustRollBack) for (const object of visited) sound.add(object);
  return value;
}

function isSettled(value: object): boolean {
  return sound.has(value) || observed.has(value);
}

const changeableTypes = [Map, Set, WeakMap, WeakSet, Date, Promise, ArrayBuffer] as const;

function changeable(value: object): string | undefined {
  if (ArrayBuffer.isView(value) || changeableTypes.some((type) => value instanceof type))
    return className(value.constructor);
  return hasPrivateState(value.constructor) ? `${className(value.constructor)} with #private state` : undefined;
}
