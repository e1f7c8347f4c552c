import type { AbstractConstructor } from '../common/types.js';
import type { ResourceBinding, ResourceLifetime, ResourceScope } from '../interface/ResourceBinding.js';

/** Where a resource comes from: a value that exists, or a function that provides it. */
export type BindOptions<T> =
  | { readonly value: T }
  | { readonly provide: (scope: ResourceScope) => T; readonly scope?: ResourceLifetime | undefined };

/**
 * Binds a class to the resource that stands for it (runtime contract, 15). A transactional resource joins the
 * transaction of every call that uses it.
 *
 * @example
 * bind(OrderStore, { value: store }),
 * bind(OrderRepository, { scope: 'toolCall', provide: (scope) => new OrderRepository(scope.get(OrderStore)) }),
 */
export function bind<T>(type: AbstractConstructor<T>, options: BindOptions<T>): ResourceBinding<T> {
  if ('value' in options) {
    const { value } = options;
    return Object.freeze({ type, scope: 'singleton', provide: () => value });
  }
  return Object.freeze({ type, scope: options.scope ?? 'singleton', provide: options.provide });
}
