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
import { type Creation } from './Creation.js';

/** A wrapped instance, so that a resource with a method `then` is not taken for a promise. */
export interface Provided {
  readonly resource: unknown;
}

/** Obtains a resource for the creation whose provider requests it. */
export type Obtain = (type: AbstractConstructor<unknown>, asker: Creation) => Awaitable<Provided>;

/** Runs the provider of a creation. @throws CircularDependencyError, ProviderError, synchronously or as a rejection */
export function provide(creation: Creation, obtain: Obtain): Awaitable<Provided> {
  const { binding } = creation;
  creation.begin();
  let given: unknown;
  try {
    given = binding.provide(createScope(creation, obtain));
  } catch (cause) {
    creation.end();
    throw wrapProviderError(binding, cause);
  }
  if (!isThenable(given)) {
    creation.end();
    return { resource: given };
  }
  const provided = Promise.resolve(given).then(
    (resource): Provided => ({ resource }),
    (cause: unknown) => {
      throw wrapProviderError(binding, cause);
    },
  );
  return provided.finally(() => {
    creation.end();
  });
}

/** Creates the scope of a creation, which records the resources that its provider gets from it. */
function createScope(creation: Creation, obtain: Obtain): ResourceScope {
  const given = ({ resource }: Provided): never => {
    creation.received.add(resource);
    return resource as never;
  };
  return {
    get: (type) => given({ resource: requirePresent(type, obtain(type, creation)) }),
    resolve: async (type) => given(await obtain(type, creation)),
  };
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
