import type { AbstractConstructor, Awaitable } from '../common/types.js';

/** Where a provider finds the resources that it needs, and a handler those that it uses. */
export interface ResourceScope {
  /**
   * The resource that stands for a class.
   *
   * @throws UnboundResourceError, CircularDependencyError, ProviderError: also when the provider takes time, and the
   * resource is not there yet
   */
  get<T>(type: AbstractConstructor<T>): T;
  /** The same, waiting for a provider that takes time. Rejects with what `get` throws. */
  resolve<T>(type: AbstractConstructor<T>): Promise<T>;
}

/**
 * How long an instance lives: `singleton` with the list that binds it (the application's, or a prompt's), `toolCall` for one
 * tool call, `prototype` for whoever asked for it; each gets another one, and nobody closes it.
 */
export type ResourceLifetime = 'singleton' | 'toolCall' | 'prototype';

/** One resource and where it comes from; made with `bind`. */
export interface ResourceBinding<T = unknown> {
  readonly type: AbstractConstructor<T>;
  readonly scope: ResourceLifetime;
  /** Provided before anybody asks for it. */
  readonly eager?: boolean | undefined;
  readonly provide: (scope: ResourceScope) => Awaitable<T>;
  /** Ends an instance; left out where it belongs to somebody else. */
  close?(resource: T): Awaitable<void>;
}
