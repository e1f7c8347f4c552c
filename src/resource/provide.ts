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

/** An instance in a box: a resource that happens to have a method `then` is no promise of one. */
export interface Provided {
  readonly resource: unknown;
}

/** The scope that a provider sees. */
export type ScopeFor = (creation: Creation) => ResourceScope;

/**
 * Runs the provider of a creation, for another one that waits for it.
 *
 * @throws CircularDependencyError, ProviderError, at once or as a rejection
 */
export function provide(creation: Creation, asker: Creation | undefined, scopeFor: ScopeFor): Awaitable<Provided> {
  const { binding } = creation;
  const ended = (): void => {
    creation.end();
    asker?.waitedFor(creation);
  };
  asker?.waitFor(creation);
  let given: unknown;
  try {
    given = binding.provide(scopeFor(creation));
  } catch (cause) {
    ended();
    throw failed(binding, cause);
  }
  if (!isThenable(given)) {
    ended();
    return { resource: given };
  }
  const provided = Promise.resolve(given).then(
    (resource): Provided => ({ resource }),
    (cause: unknown) => {
      throw failed(binding, cause);
    },
  );
  return provided.finally(ended);
}

/** The scope of a creation, which hears what its provider gets by it. */
export function scopeOf(
  creation: Creation,
  obtain: (type: AbstractConstructor<unknown>) => Awaitable<Provided>,
): ResourceScope {
  const given = ({ resource }: Provided): never => {
    creation.receive(resource);
    return resource as never;
  };
  return {
    get: (type) => given({ resource: present(type, obtain(type)) }),
    resolve: async (type) => given(await obtain(type)),
  };
}

/** An instance of its own for whoever asks. */
export function provideAnother(
  binding: ResourceBinding,
  asker: Creation | undefined,
  scopeFor: ScopeFor,
): Awaitable<Provided> {
  return provide(new Creation(binding, asker), asker, scopeFor);
}

/**
 * What `get` gives of it.
 *
 * @throws ProviderError when it is not there yet
 */
export function present(type: unknown, provided: Awaitable<Provided>): unknown {
  if (!(provided instanceof Promise)) return provided.resource;
  provided.catch(() => undefined);
  const name = className(type);
  throw new ProviderError(
    name,
    'its provider gave a promise, and the resource is not there yet',
    undefined,
    `Wait for it with await resources.resolve(${name}), or bind it with eager: true.`,
  );
}

function failed(binding: ResourceBinding, cause: unknown): ResourceError {
  // It is about a resource that this one needs: said already.
  if (ProviderError.is(cause) || CircularDependencyError.is(cause) || UnboundResourceError.is(cause)) return cause;
  return new ProviderError(className(binding.type), `the provider threw: ${messageOf(cause)}`, cause);
}
