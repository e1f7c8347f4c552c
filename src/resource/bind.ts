import type { AbstractConstructor, Awaitable } from '../common/types.js';
import type { OptionNames } from '../error/optionNames.js';
import type { ResourceBinding, ResourceScope } from '../interface/ResourceBinding.js';
import { assertBindable } from './checkBindings.js';

/** The source of a resource: an existing value, or a function that provides it. */
export type BindOptions<T> = BoundValue<T> | BoundProvider<T> | BoundPrototype<T>;

/** An existing value, owned by the host. Without `close`, it stays open. */
export interface BoundValue<T> {
  readonly value: T;
  /** Called when the application is closed. */
  readonly close?: ((resource: T) => Awaitable<void>) | undefined;
}

/** A function that provides an instance, synchronously or as a promise, for the application or for each call. */
export interface BoundProvider<T> {
  readonly provide: (scope: ResourceScope) => Awaitable<T>;
  /** `singleton` by default. */
  readonly scope?: 'singleton' | 'toolCall' | undefined;
  /** Provides it in advance: when the application is created, or before the handler of each call. */
  readonly eager?: boolean | undefined;
  /** Closes an instance. By default, calls its `[Symbol.asyncDispose]`, `[Symbol.dispose]` or `close`. */
  readonly close?: ((resource: T) => Awaitable<void>) | undefined;
}

/** A function that provides a new instance each time. The code that requested the instance closes it. */
export interface BoundPrototype<T> {
  readonly provide: (scope: ResourceScope) => Awaitable<T>;
  readonly scope: 'prototype';
  readonly eager?: undefined;
  readonly close?: undefined;
}

const optionNames: OptionNames<BoundValue<unknown> & BoundProvider<unknown>> = {
  value: 1,
  provide: 1,
  scope: 1,
  eager: 1,
  close: 1,
};

/**
 * Binds a class to a resource (docs/contract.md, 15). A transactional or snapshotable singleton joins the transaction
 * of every call that uses it.
 *
 * @throws ResourceError E912 for arguments that the types do not allow; PromptError E413 for an unknown option
 * @example
 * bind(OrderStore, { value: store }),
 * bind(OrderRepository, { scope: 'toolCall', provide: (scope) => new OrderRepository(scope.get(OrderStore)) }),
 * bind(Database, { eager: true, provide: () => Database.connect(url), close: (database) => database.end() }),
 */
export function bind<T>(type: AbstractConstructor<T>, options: BindOptions<NoInfer<T>>): ResourceBinding<T> {
  assertBindable(type, options, optionNames);
  if ('value' in options) {
    const { value, close } = options;
    return Object.freeze({ type, scope: 'singleton', provide: () => value, ...(close === undefined ? {} : { close }) });
  }
  const { provide, scope = 'singleton' } = options;
  if (options.scope === 'prototype') return Object.freeze({ type, scope, provide });
  const { eager = false, close = closeResource } = options;
  return Object.freeze({ type, scope, eager, provide, close });
}

type Closer = (this: unknown) => Awaitable<void>;

/**
 * Closes a resource with the first of these methods that it has: `[Symbol.asyncDispose]`, `[Symbol.dispose]`, `close`.
 */
export function closeResource(resource: unknown): Awaitable<void> {
  if (resource === null || (typeof resource !== 'object' && typeof resource !== 'function')) return undefined;
  const known = resource as Readonly<Record<PropertyKey, unknown>>;
  const closer = [known[Symbol.asyncDispose], known[Symbol.dispose], known['close']].find(
    (member) => typeof member === 'function',
  ) as Closer | undefined;
  return closer?.call(resource);
}
