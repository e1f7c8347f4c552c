import { className } from '../common/classes.js';
import { messageOf } from '../common/text.js';
import type { AbstractConstructor } from '../common/types.js';
import {
  CircularDependencyError,
  DuplicateBindingError,
  ProviderError,
  ResourceError,
  UnboundResourceError,
} from '../error/infrastructureErrors.js';
import type { ResourceBinding, ResourceScope } from '../interface/ResourceBinding.js';
import type { Transactional } from '../interface/Transactional.js';

/** The bindings of an application and the instances that live as long as it. */
export class ResourceRegistry implements ResourceScope {
  readonly #bindings = new Map<AbstractConstructor<unknown>, ResourceBinding>();
  readonly #singletons = new Map<AbstractConstructor<unknown>, unknown>();

  /** @throws DuplicateBindingError */
  constructor(bindings: readonly ResourceBinding[]) {
    for (const binding of bindings) {
      if (this.#bindings.has(binding.type)) throw new DuplicateBindingError(className(binding.type));
      this.#bindings.set(binding.type, binding);
    }
  }

  get<T>(type: AbstractConstructor<T>): T {
    return this.singleton(this.binding(type), []) as T;
  }

  has(type: AbstractConstructor<unknown>): boolean {
    return this.#bindings.has(type);
  }

  /** @throws UnboundResourceError */
  binding(type: AbstractConstructor<unknown>): ResourceBinding {
    const binding = this.#bindings.get(type);
    if (binding === undefined)
      throw new UnboundResourceError(className(type), [...this.#bindings.keys()].map(className));
    return binding;
  }

  /**
   * The application's one instance, made when first asked for.
   *
   * @param path the singletons that are being provided, and hold this one
   */
  singleton(binding: ResourceBinding, path: ResourcePath): unknown {
    const holder = path.at(-1);
    const name = className(binding.type);
    if (binding.scope === 'toolCall' && holder !== undefined) {
      throw captive(holder, `cannot hold ${name}, which lives for one call`);
    }
    const made = this.#singletons.has(binding.type) ? this.#singletons.get(binding.type) : this.#make(binding, path);
    if (holder !== undefined && isTransactional(made)) {
      throw captive(holder, `would write past the transactions of ${name}; bind it with scope: 'toolCall'`);
    }
    return made;
  }

  #make(binding: ResourceBinding, path: ResourcePath): unknown {
    const made = provide(binding, path, (next) => ({
      get: (type) => this.singleton(this.binding(type), next) as never,
    }));
    this.#singletons.set(binding.type, made);
    return made;
  }
}

function captive(holder: AbstractConstructor<unknown>, problem: string): ProviderError {
  return new ProviderError(className(holder), `it lives as long as the application and ${problem}`);
}

/** The resources that are being provided, outermost first. */
export type ResourcePath = readonly AbstractConstructor<unknown>[];

/**
 * Calls a provider with a scope that knows the way to it.
 *
 * @throws CircularDependencyError, ProviderError
 */
export function provide(
  binding: ResourceBinding,
  path: ResourcePath,
  scopeFor: (path: ResourcePath) => ResourceScope,
): unknown {
  const next = [...path, binding.type];
  if (path.includes(binding.type))
    throw new CircularDependencyError(next.slice(path.indexOf(binding.type)).map(className));
  let made: unknown;
  try {
    made = binding.provide(scopeFor(next));
  } catch (cause) {
    if (ResourceError.is(cause)) throw cause;
    throw new ProviderError(className(binding.type), `the provider threw: ${messageOf(cause)}`, cause);
  }
  if (made instanceof Promise) {
    made.catch(() => undefined);
    throw new ProviderError(className(binding.type), 'the provider gave a promise; a resource must be there at once');
  }
  return made;
}

/** True for a resource that brings overlays of its own. */
export function isTransactional(resource: unknown): resource is Transactional<unknown> {
  if (typeof resource !== 'object' || resource === null) return false;
  const { begin, commit } = resource as Partial<Transactional<unknown>>;
  return typeof begin === 'function' && typeof commit === 'function';
}
