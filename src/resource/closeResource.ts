import type { Awaitable } from '../common/types.js';

type Closer = (this: unknown) => Awaitable<void>;

/** Closes a resource by the first of these methods that it has: `[Symbol.asyncDispose]`, `[Symbol.dispose]`, `close`. */
export function closeResource(resource: unknown): Awaitable<void> {
  if (resource === null || (typeof resource !== 'object' && typeof resource !== 'function')) return undefined;
  const known = resource as Readonly<Record<PropertyKey, unknown>>;
  const closer = [known[Symbol.asyncDispose], known[Symbol.dispose], known['close']].find(
    (member) => typeof member === 'function',
  ) as Closer | undefined;
  return closer?.call(resource);
}
