import { isObject } from '../common/guards.js';
import { trackPromise } from '../common/promises.js';

/**
 * Returns a client that refuses all use after its call has ended: a handler that still runs would write into the next
 * transaction on the same connection. Methods run on the client itself, because a proxy does not have its private
 * fields.
 *
 * @param assertOpen throws after the call has ended
 * @param running holds the promises of methods while they are pending
 */
export function guardClient<C>(client: C, assertOpen: () => void, running: Set<Promise<unknown>>): C {
  if (typeof client !== 'function' && !isObject(client)) return client;
  const call = (method: (...args: unknown[]) => unknown, self: unknown, args: unknown[]): unknown => {
    assertOpen();
    const result = Reflect.apply(method, self === guarded ? client : self, args);
    // Only a plain promise has begun already: queries of some libraries begin when their `then` is called.
    if (isObject(result) && Object.getPrototypeOf(result) === Promise.prototype)
      trackPromise(result as Promise<unknown>, running);
    return result;
  };
  const guarded: C & object = new Proxy(client, {
    apply: (method, self, args) => call(method as never, self, args),
    get(_client, key) {
      const value: unknown = Reflect.get(client, key, client);
      if (typeof value !== 'function' || key === 'constructor' || isFixed(client, key)) return value;
      return new Proxy(value, { apply: (method, self, args) => call(method as never, self, args) });
    },
    set: (_client, key, value) => Reflect.set(client, key, value, client),
  });
  return guarded;
}

/** Returns true for a property for which a proxy has to return the value itself. */
function isFixed(client: object, key: PropertyKey): boolean {
  const own = Object.getOwnPropertyDescriptor(client, key);
  return own?.configurable === false && own.writable !== true;
}
