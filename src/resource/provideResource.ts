import { className, isThenable } from '../common/classes.js';
import { messageOf } from '../common/text.js';
import type { AbstractConstructor, Awaitable } from '../common/types.js';
import {
  CircularDependencyError,
  ProviderError,
  UnboundResourceError,
  type ResourceError,
} from '../error/infrastructureErrors.js';
import type { ResourceBinding, ResourceScope } from '../interface/ResourceBinding.js';
import { Creation } from './Creation.js';

/** A wrapped instance, so that a resource with a method `then` is not taken for a promise. */
export interface Provided {
  readonly resource: unknown;
}

export type ScopeFor = (creation: Creation) => ResourceScope;

/**
 * Runs the provider of a creation for another creation that waits for it.
 *
 * @throws CircularDependencyError, ProviderError, synchronously or as a rejection
 */
export function provide(creation: Creation, asker: Creation | undefined, scopeFor: ScopeFor): Awaitable<Provided> {
  const { binding } = creation;
  const ended = (): void => {
    creation.end();
    asker?.stopWaiting(creation);
  };
  asker?.waitFor(creation);
  let given: unknown;
  try {
    given = binding.provide(scopeFor(creation));
  } catch (cause) {
    ended();
    throw wrapProviderError(binding, cause);
  }
  if (!isThenable(given)) {
    ended();
    return { resource: given };
  }
  const provided = Promise.resolve(given).then(
    (resource): Provided => ({ resource }),
    (cause: unknown) => {
      throw wrapProviderError(binding, cause);
    },
  );
  return provided.finally(ended);
}

/** Creates the scope of a creation, which records the resources that its provider gets from it. */
export function createScope(
  creation: Creation,
  obtain: (type: AbstractConstructor<unknown>) => Awaitable<Provided>,
): ResourceScope {
  const given = ({ resource }: Provided): never => {
    creation.receive(resource);
    return resource as never;
  };
  return {
    get: (type) => given({ resource: requirePresent(type, obtain(type)) }),
    resolve: async (type) => given(await obtain(type)),
  };
}

export function provideNew(
  binding: ResourceBinding,
  asker: Creation | undefined,
  scopeFor: ScopeFor,
): Awaitable<Provided> {
  return provide(new Creation(binding, asker), asker, scopeFor);
}

/** @throws ProviderError if it is not available yet */
export function requirePresent(type: unknown, provided: Awaitable<Provided>): unknown {
  if (!(provided instanceof Promise)) return provided.resource;
  provided.catch(() => undefined);
  const name = className(type);
  throw new ProviderError(
    name,
    'its provider or its begin returned a promise, and the resource is not available yet',
    undefined,
    `Wait for it with await resources.resolve(${name}). If the provider returned the promise, eager: true also helps.`,
  );
}

function wrapProviderError(binding: ResourceBinding, cause: unknown): ResourceError {
  // The error describes a resource that this one needs.
  if (
    cause instanceof ProviderError ||
    cause instanceof CircularDependencyError ||
    cause instanceof UnboundResourceError
  )
    return cause;
  return new ProviderError(className(binding.type), `the provider threw: ${messageOf(cause)}`, cause);
}
