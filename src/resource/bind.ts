import type { AbstractConstructor, Awaitable } from '../common/types.js';
import type { ResourceBinding, ResourceScope } from '../interface/ResourceBinding.js';
import { assertBindable } from './bindingFaults.js';
import { closeResource } from './closeResource.js';

/** Where a resource comes from: a value that exists, or a function that provides it. */
export type BindOptions<T> = BoundValue<T> | BoundProvider<T> | BoundPrototype<T>;

/** A value that exists. It is the host's: without `close`, it stays open. */
export interface BoundValue<T> {
  readonly value: T;
  /** Called when the application is closed. */
  readonly close?: ((resource: T) => Awaitable<void>) | undefined;
}

/** A function that provides an instance, at once or as a promise, for the application or for each call. */
export interface BoundProvider<T> {
  readonly provide: (scope: ResourceScope) => Awaitable<T>;
  /** `singleton` when left out. */
  readonly scope?: 'singleton' | 'toolCall' | undefined;
  /** Provides it before anybody asks: while the application is created, or before the handler of each call runs. */
  readonly eager?: boolean | undefined;
  /** Ends an instance; when left out, its `[Symbol.asyncDispose]`, `[Symbol.dispose]` or `close` does. */
  readonly close?: ((resource: T) => Awaitable<void>) | undefined;
}

/** A function that provides another instance each time; whoever asked for it closes it. */
export interface BoundPrototype<T> {
  readonly provide: (scope: ResourceScope) => Awaitable<T>;
  readonly scope: 'prototype';
  readonly eager?: undefined;
  readonly close?: undefined;
}

/**
 * Binds a class to the resource that stands for it (docs/contract.md, 15). A transactional or snapshotable singleton joins the
 * transaction of every call that uses it.
 *
 * @throws ResourceError E912 for what the types do not allow
 * @example
 * bind(OrderStore, { value: store }),
 * bind(OrderRepository, { scope: 'toolCall', provide: (scope) => new OrderRepository(scope.get(OrderStore)) }),
 * bind(Database, { eager: true, provide: () => Database.connect(url), close: (database) => database.end() }),
 */
export function bind<T>(type: AbstractConstructor<T>, options: BindOptions<NoInfer<T>>): ResourceBinding<T> {
  assertBindable(type, options);
  if ('value' in options) {
    const { value, close } = options;
    return Object.freeze({ type, scope: 'singleton', provide: () => value, ...(close === undefined ? {} : { close }) });
  }
  const { provide, scope = 'singleton' } = options;
  if (options.scope === 'prototype') return Object.freeze({ type, scope, provide });
  const { eager = false, close = closeResource } = options;
  return Object.freeze({ type, scope, eager, provide, close });
}
