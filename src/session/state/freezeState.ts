import { events, util } from '../../common/builtins.js';
import { className } from '../../common/classes.js';
import { isObject } from '../../common/guards.js';
import { keyText } from '../../common/text.js';
import { SessionError } from '../../error/infrastructureErrors.js';
import { hasPrivateState } from './stateValues.js';

/** The prototype of all built-in iterators. */
const ITERATOR = Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object;

/** Objects known to be deeply frozen, with nothing in them that can still be changed. */
const sound = new WeakSet();

/** Telemetry events: they hold arguments and results of tools, which must be neither frozen nor refused. */
const observed = new WeakSet();

export function skipFreezing(event: object): void {
  observed.add(event);
}

/**
 * Deeply freezes a value that enters a slice. Freezes nothing if the value is refused.
 *
 * @param mustRollBack refuses values that can be changed although they are frozen; log slices may hold them
 * @throws SessionError E801 with the path of the refused value
 */
export function freezeState<T>(value: T, place: string, mustRollBack: boolean): T {
  const visited = new Set<object>();
  // A work list, because recursion would overflow the stack on deep state.
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (!isReference(next) || isSettled(next) || visited.has(next)) continue;
    const kind = describeChangeable(next);
    if (kind === undefined) {
      visited.add(next);
      for (const key of Reflect.ownKeys(next)) {
        const property = Reflect.getOwnPropertyDescriptor(next, key);
        const isAccessor = property !== undefined && !('value' in property);
        if (mustRollBack && isAccessor && !util().types.isNativeError(next))
          throw createFreezeError('a getter or setter', `${place}${findPathTo(value, next)}${formatStep(next, key)}`);
        pending.push(property?.value);
      }
      // A log is never rolled back, and typed arrays cannot even be frozen.
    } else if (mustRollBack) {
      throw createFreezeError(kind, `${place}${findPathTo(value, next)}`);
    }
  }
  for (const object of visited) {
    Object.freeze(object);
    if (mustRollBack) sound.add(object);
  }
  return value;
}

function createFreezeError(kind: string, place: string): SessionError {
  const problem = `${kind} can be changed although it is frozen, so it cannot be rolled back`;
  return new SessionError(problem, { code: 'E801', place });
}

function isReference(value: unknown): value is object {
  return isObject(value) || typeof value === 'function';
}

function isSettled(value: object): boolean {
  return sound.has(value) || observed.has(value);
}

/** Names the kind of a value that can be changed even when it is frozen; returns undefined for any other. */
function describeChangeable(value: object): string | undefined {
  if (typeof value === 'function') return 'a function';
  const { types } = util();
  // First, since any other check may run the proxy's code.
  if (types.isProxy(value)) return 'a Proxy';
  // Before the shortcut: built-in iterators have no class of their own.
  if (ITERATOR.isPrototypeOf(value)) return 'an iterator';
  const type: unknown = (Object.getPrototypeOf(value) as { readonly constructor?: unknown } | null)?.constructor;
  if (type === Object || type === Array) return undefined;
  if (hasHiddenState(value)) return `a ${className(type)}`;
  return hasPrivateState(type) ? `a ${className(type)} with #private state` : undefined;
}

function hasHiddenState(value: object): boolean {
  const { types } = util();
  return (
    types.isMap(value) ||
    types.isSet(value) ||
    types.isDate(value) ||
    types.isPromise(value) ||
    types.isAnyArrayBuffer(value) ||
    ArrayBuffer.isView(value) ||
    types.isWeakMap(value) ||
    types.isWeakSet(value) ||
    types.isGeneratorObject(value) ||
    // Deno has no such values, and lacks the function.
    (types as Partial<typeof types>).isExternal?.(value) === true ||
    value instanceof WeakRef ||
    value instanceof EventTarget ||
    value instanceof events().EventEmitter
  );
}

/** Finds the shortest path from a value to something in it, as in `.items[0].at`. */
function findPathTo(root: unknown, target: object): string {
  const paths = new Map<unknown, string>([[root, '']]);
  for (const [value, path] of paths) {
    if (value === target) return path;
    if (!isReference(value) || describeChangeable(value) !== undefined) continue;
    for (const key of Reflect.ownKeys(value)) {
      const inner: unknown = Reflect.getOwnPropertyDescriptor(value, key)?.value;
      if (isReference(inner) && !paths.has(inner)) paths.set(inner, `${path}${formatStep(value, key)}`);
    }
  }
  return '';
}

function formatStep(owner: object, key: string | symbol): string {
  if (typeof key === 'symbol') return `[${String(key)}]`;
  return Array.isArray(owner) ? `[${key}]` : `.${keyText(key)}`;
}
