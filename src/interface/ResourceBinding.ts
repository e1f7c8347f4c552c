import type { AbstractConstructor, Awaitable } from '../common/types.js';
import type { ToolHints } from '../value/ToolHints.js';

/** Access to resources, for providers and handlers. */
export interface ResourceScope {
  /**
   * Returns the resource bound to a class.
   *
   * @throws UnboundResourceError, CircularDependencyError, ProviderError: also if the provider is asynchronous and the
   * resource is not available yet
   */
  get<T>(type: AbstractConstructor<T>): T;
  /** Returns the resource like `get`, but waits for an asynchronous provider. Rejects with the errors of `get`. */
  resolve<T>(type: AbstractConstructor<T>): Promise<T>;
}

/**
 * The lifetime of an instance. `singleton` lives as long as the list that binds it (of the application or of a prompt),
 * and `toolCall` as long as one tool call. With `prototype`, each request returns a new instance, which is never
 * closed.
 */
export type ResourceLifetime = 'singleton' | 'toolCall' | 'prototype';

/** Binds a resource to its provider. Created with `bind` or `callTransaction`. */
export interface ResourceBinding<T = unknown> {
  readonly type: AbstractConstructor<T>;
  readonly scope: ResourceLifetime;
  /** Provides the resource in advance, before it is requested. */
  readonly eager?: boolean | undefined;
  readonly provide: (scope: ResourceScope) => Awaitable<T>;
  /** Says whether calls of a tool begin to use the resource before their handler runs. If left out, they begin on request. */
  readonly everyCall?: ((tool: { readonly name: string; readonly hints: ToolHints }) => boolean) | undefined;
  /** Closes an instance. Left out if the binding does not own it. */
  close?(resource: T): Awaitable<void>;
}
