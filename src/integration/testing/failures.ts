import type { Interceptor } from '../../interface/Interceptor.js';

/** What an injected failure throws. */
export class InjectedFailure extends Error {
  override readonly name = 'InjectedFailure';
}

/** When and how to fail. */
export interface FailAfterOptions {
  /** Which call of the tool fails, from 1; every one when left out. */
  readonly call?: number | undefined;
  /** Thrown instead of an `InjectedFailure`. */
  readonly error?: Error | undefined;
}

/**
 * An interceptor that lets a handler run to its end and then fails its call: whatever it did must be undone.
 *
 * @param tool name of the tool; every tool when it is `*`
 * @example
 * const app = await createApplication({ prompts: [Desk], interceptors: [failAfter('cancel_order')] });
 */
export function failAfter(tool: string, { call, error }: FailAfterOptions = {}): Interceptor {
  let calls = 0;
  return {
    async aroundTool({ tool: called }, next) {
      await next();
      if (tool !== '*' && called.name !== tool) return;
      calls++;
      if (call === undefined || call === calls)
        throw error ?? new InjectedFailure(`injected after ${called.name}, call ${String(calls)}`);
    },
  };
}

/** Methods that change something, by the names that such methods usually have. */
const WRITES =
  /^(?:write|put|set|add|append|save|insert|update|upsert|edit|remove|delete|clear|push|mkdir|move|rename)/;

/**
 * A transactional resource of which the n-th write in each transaction fails. Which methods write is told by their names,
 * or by a list.
 *
 * @param n from 1
 * @param methods the names of the methods that write
 * @example
 * bind(OrderStore, { value: failAtWrite(store, 2) })
 */
export function failAtWrite<T extends object>(resource: T, n: number, methods?: readonly (keyof T & string)[]): T {
  const originals = new WeakMap<object, object>();
  const isWrite = (name: string): boolean =>
    methods === undefined ? WRITES.test(name) : methods.includes(name as never);
  const unwrapped = (value: unknown): unknown =>
    typeof value === 'object' && value !== null ? (originals.get(value) ?? value) : value;
  const wrap = (target: object): object => {
    let writes = 0;
    const proxy = new Proxy(target, {
      get: (_target, name) => {
        // The original as receiver: private fields belong to it.
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...args: readonly unknown[]): unknown => {
          if (typeof name === 'string' && isWrite(name) && ++writes === n)
            throw new InjectedFailure(`injected at write ${String(n)}: ${name}`);
          const given: unknown = Reflect.apply(member, target, args.map(unwrapped));
          return name === 'begin' && typeof given === 'object' && given !== null ? wrap(given) : given;
        };
      },
    });
    originals.set(proxy, target);
    return proxy;
  };
  return wrap(resource) as T;
}
