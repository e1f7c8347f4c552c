import { mapAwaitable } from '../common/promises.js';
import { ignoreRejection } from '../common/classes.js';
import { getOrCreate } from '../common/memoize.js';
import type { Snapshotable } from '../interface/Transactional.js';
import type { Savepoint } from './Savepoint.js';

/**
 * Creates the handle that a handler gets instead of a resource that is changed in place. All operations run on the
 * resource itself through the savepoint of the call, and are refused after the call has ended.
 */
export function createHandle(resource: Snapshotable<unknown> & object, savepoint: Savepoint): object {
  const reads = new Set<PropertyKey>(resource.reads);
  const methods = new Map<PropertyKey, unknown>();
  const createMethod =
    (key: PropertyKey) =>
    (...args: unknown[]): unknown => {
      const run = (): unknown => (resource as Record<PropertyKey, (...args: unknown[]) => unknown>)[key]?.(...args);
      return handedOut(reads.has(key) ? savepoint.read(run) : savepoint.write(run));
    };
  const handedOut = (result: unknown): unknown => {
    const given = mapAwaitable(result, (value: unknown) => (value === resource ? handle : value));
    // A handler may not await it.
    ignoreRejection(given);
    return given;
  };
  // Not a proxy of the resource itself: for a frozen one, it would have to return the original methods.
  const handle: object = new Proxy(Object.create(Object.getPrototypeOf(resource) as object | null) as object, {
    get: (_stand, key) => {
      const value: unknown = Reflect.get(resource, key);
      const isOwn = key !== 'constructor' && value !== Reflect.get(Object.prototype, key);
      if (typeof value === 'function') return isOwn ? getOrCreate(methods, key, createMethod) : value;
      // Missing members may be read at any time: promises read `then` of every value that they are resolved with.
      if (value !== undefined) savepoint.assertOpen();
      return value;
    },
    set: (_stand, key, value) => savepoint.writeNow(() => Reflect.set(resource, key, value)),
    deleteProperty: (_stand, key) => savepoint.writeNow(() => Reflect.deleteProperty(resource, key)),
    defineProperty: (_stand, key, descriptor) =>
      savepoint.writeNow(() => Reflect.defineProperty(resource, key, descriptor)),
    has: (_stand, key) => Reflect.has(resource, key),
    ownKeys: () => Reflect.ownKeys(resource),
    getOwnPropertyDescriptor: (_stand, key) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(resource, key);
      return descriptor && { ...descriptor, configurable: true };
    },
  });
  return handle;
}
