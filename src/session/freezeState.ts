import { className } from '../common/classes.js';
import { SessionError } from '../error/infrastructureErrors.js';
import { hasPrivateState } from './privateState.js';

/** Known to be frozen all the way down, and to hold nothing that can be changed all the same. */
const sound = new WeakSet();

/** Records of what happened: they hold what tools were given and gave, which is not ours to freeze or to refuse. */
const observed = new WeakSet();

/** Has a telemetry event stay as it is wherever it is kept. */
export function skipFreezing(event: object): void {
  observed.add(event);
}

/**
 * Freezes what enters a slice, all the way down.
 *
 * @param place the slice or event, for the message
 * @param mustRollBack refuses what freezing does not stop from changing; log slices may hold it
 * @throws SessionError E801
 */
export function freezeState<T>(value: T, place: string, mustRollBack: boolean): T {
  const visited = new Set<object>();
  // A list of what is still to be done, because recursion would overflow the stack on deep state.
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
  // Only now: a value whose inside was refused must not count as sound the next time.
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
