import { SessionError } from '../error/infrastructureErrors.js';

/**
 * Freezes what enters state, all the way down, and refuses what freezing does not stop from changing.
 *
 * @param place the slice or event, for the message
 * @throws SessionError E801
 */
export function freezeState<T>(value: T, place: string): T {
  if (value === null || typeof value !== 'object') return value;
  const kind = changeable(value);
  if (kind !== undefined) {
    throw new SessionError(`a ${kind} can be changed although it is frozen, so it cannot be rolled back`, {
      code: 'E801',
      place,
    });
  }
  if (Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key of Reflect.ownKeys(value)) {
    const entry: unknown = Reflect.getOwnPropertyDescriptor(value, key)?.value;
    if (typeof entry === 'object' && entry !== null) freezeState(entry, place);
  }
  return value;
}

function changeable(value: object): string | undefined {
  if (value instanceof Map || value instanceof Set || value instanceof WeakMap || value instanceof WeakSet)
    return value.constructor.name;
  if (value instanceof Date || value instanceof Promise || ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    return value.constructor.name;
  return undefined;
}
