import type { Interceptor } from '../../interface/Interceptor.js';

/** The error of an injected failure. */
export class InjectedFailure extends Error {
  override readonly name = 'InjectedFailure';
}

/** Options of `failAfter`. */
export interface FailAfterOptions {
  /** The number of the call of the tool that fails, from 1; every call when left out. */
  readonly call?: number | undefined;
  /** Thrown instead of an `InjectedFailure`. */
  readonly error?: Error | undefined;
}

/**
 * Returns an interceptor that lets a handler finish and then fails its call: all its changes must be undone.
 *
 * @param tool name of the tool; `*` for every tool
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

/** Usual names of methods that change something. */
const WRITES =
  /^(?:write|put|set|add|append|save|insert|update|upsert|edit|remove|delete|clear|push|mkdir|move|rename)/;

/**
 * Wraps a transactional resource so that the n-th write in each transaction fails. The methods that write are found by their
 * names, or listed.
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
