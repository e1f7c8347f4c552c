import { requireOptionNames, type OptionNames } from '../error/optionNames.js';
import { className } from '../common/classes.js';
import { isObject } from '../common/guards.js';
import { getOrCreate } from '../common/memoize.js';
import { joinBounded } from '../common/text.js';
import { createPlacedError, type ToolwrightError } from '../error/ToolwrightError.js';
import type { Transactional } from '../interface/Transactional.js';
import { InjectedFailure } from './failAfter.js';
import { isNested, methodAt, methodPaths } from './methodPaths.js';

/** Options of `failAtWrite`. */
export interface FailAtWriteOptions {
  /**
   * The methods that write, such as `cancel`, or `orders.set` for a nested part. By default, they are found by their
   * names.
   */
  readonly methods?: readonly string[] | undefined;
  /**
   * How to treat a transaction that changes something in fewer than n writes. `refused`, the default: the call fails,
   * because the test would prove nothing. `kept`: for a test that tries many calls, some with fewer writes.
   */
  readonly fewerWrites?: 'refused' | 'kept' | undefined;
}

const optionNames: OptionNames<FailAtWriteOptions> = { methods: 1, fewerWrites: 1 };

/** Usual names of methods that change something. */
const WRITES =
  /^(?:write|put|set|add|append|save|insert|update|upsert|edit|remove|delete|clear|push|mkdir|move|rename)/;

/** The writes of one transaction, including its savepoints. */
interface Count {
  writes: number;
}

/**
 * Wraps a transactional resource so that the n-th write in each transaction fails, including writes in savepoints and
 * nested tables. The methods that write are found by their names, or listed. A transaction that changes something and
 * commits before its n-th write fails as well, with an error that says so.
 *
 * @param n from 1
 * @throws ToolwrightError E737 if nothing could fail, because no method writes or a listed one does not exist;
 * PromptError E413 for an unknown option
 * @example
 * bind(OrderStore, { value: failAtWrite(store, 2) })
 */
export function failAtWrite<T extends object>(resource: T, n: number, options: FailAtWriteOptions = {}): T {
  requireOptionNames('failAtWrite', options, optionNames);
  const { methods, fewerWrites = 'refused' } = options;
  checkArguments(resource, n, methods);
  const originals = new WeakMap<object, object>();
  const isWrite = (path: string): boolean =>
    methods === undefined ? WRITES.test(path.slice(path.lastIndexOf('.') + 1)) : methods.includes(path);
  const unwrapped = (value: unknown): unknown => (isObject(value) ? (originals.get(value) ?? value) : value);
  const counts = new WeakMap<object, Count>();

  const wrap = (target: object, path: string, count: Count): object => {
    const nested = new Map<unknown, object>();
    const called = (name: string, member: (...args: never[]) => unknown, args: readonly unknown[]): unknown => {
      if (isWrite(path + name) && ++count.writes === n)
        throw new InjectedFailure(`injected at write ${String(n)}: ${path}${name}`);
      const given = args.map(unwrapped);
      if (name === 'commit' && path === '' && target === resource && fewerWrites === 'refused' && !isWrite('commit'))
        refuseFewer(target, given[0], counts, n);
      const result: unknown = Reflect.apply(member, target, given);
      if (name !== 'begin' || !isObject(result)) return result;
      // A savepoint is a part of its transaction.
      const own = target === resource ? { writes: 0 } : count;
      counts.set(result, own);
      return wrap(result, path, own);
    };
    const proxy = new Proxy(target, {
      get: (_target, name) => {
        // The original as receiver: private fields belong to it.
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member === 'function')
          return (...args: readonly unknown[]): unknown =>
            called(String(name), member as (...args: never[]) => unknown, args);
        if (!isNested(member, `${path}${String(name)}`, methods)) return member;
        return getOrCreate(nested, member, () => wrap(member, `${path}${String(name)}.`, count));
      },
    });
    originals.set(proxy, target);
    return proxy;
  };
  return wrap(resource, '', { writes: 0 }) as T;
}

/** @throws ToolwrightError E737 */
function checkArguments(resource: object, n: number, methods: readonly string[] | undefined): void {
  if (!Number.isInteger(n) || n < 1)
    throw createNothingFailedError(resource, `write ${String(n)} does not exist: the first one is 1`);
  const { begin, commit } = resource as { readonly [K in keyof Transactional<object>]?: unknown };
  if (typeof begin !== 'function' || typeof commit !== 'function')
    throw createNothingFailedError(resource, 'it has no transactions (begin and commit). Use failAfter(tool) instead');
  const paths = methodPaths(resource);
  const missing = methods?.find((path) => methodAt(resource, path) === undefined);
  if (missing !== undefined)
    throw createNothingFailedError(resource, `it has no method "${missing}". It has: ${joinBounded(paths)}`);
  if (methods === undefined && !paths.some((path) => WRITES.test(path.slice(path.lastIndexOf('.') + 1))))
    throw createNothingFailedError(
      resource,
      `no method has the name of a write. Name the methods in methods, of: ${joinBounded(paths)}`,
    );
}

/** @throws ToolwrightError E737 for an overlay with changes but too few writes */
function refuseFewer(resource: object, overlay: unknown, counts: WeakMap<object, Count>, n: number): void {
  const writes = isObject(overlay) ? (counts.get(overlay)?.writes ?? 0) : 0;
  const { changed } = resource as Partial<Transactional<unknown>>;
  if (writes >= n || (writes === 0 && changed?.call(resource, overlay) !== true)) return;
  throw createNothingFailedError(
    resource,
    writes === 0
      ? 'a transaction changed something, but none of the methods that it called is known to write. Name them in methods'
      : `a transaction ended after ${String(writes)} of ${String(n)} writes. Ask for an earlier one, or pass { fewerWrites: 'kept' }`,
  );
}

function createNothingFailedError(resource: object, problem: string): ToolwrightError {
  const place = `failAtWrite of ${className(resource.constructor)}`;
  return createPlacedError(`it made nothing fail: ${problem}`, { code: 'E737', place });
}
