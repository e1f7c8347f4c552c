import type { AbstractConstructor } from '../common/types.js';

/** Where a provider finds the resources that it needs, and a handler those that it uses. */
export interface ResourceScope {
  /** @throws UnboundResourceError, CircularDependencyError, ProviderError */
  get<T>(type: AbstractConstructor<T>): T;
}

/** How long an instance lives: with the application, or for one tool call. */
export type ResourceLifetime = 'singleton' | 'toolCall';

/** One resource and where it comes from; made with `bind`. */
export interface ResourceBinding<T = unknown> {
  readonly type: AbstractConstructor<T>;
  readonly scope: ResourceLifetime;
  readonly provide: (scope: ResourceScope) => T;
}
