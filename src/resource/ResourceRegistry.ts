import { mapAwaitable } from '../common/promises.js';
import { className } from '../common/classes.js';
import { getOrCreate } from '../common/memoize.js';
import type { AbstractConstructor, Awaitable } from '../common/types.js';
import {
  DuplicateBindingError,
  ProviderError,
  ResourceError,
  UnboundResourceError,
} from '../error/infrastructureErrors.js';
import type { ResourceBinding, ResourceScope } from '../interface/ResourceBinding.js';
import { assertBindings } from './checkBindings.js';
import { Creation } from './Creation.js';
import { canJoinCalls } from './canJoinCalls.js';
import { provide, requirePresent, type Provided } from './provideResource.js';
import { ResourcePool, type CloseFault } from './ResourcePool.js';
import { WriteTurns } from './Savepoint.js';

/** A list of bindings, which binds each class once. */
export interface BindingList {
  /** The owner of the list, for messages; the application by default. */
  readonly place?: string | undefined;
  readonly bindings: readonly ResourceBinding[];
}

/** A binding, and the layer that contains it and holds its singleton. */
export interface Found {
  readonly binding: ResourceBinding;
  readonly home: ResourceRegistry;
}

/**
 * A layer of bindings: those of the application, of a prompt over it, and of `withResources` over that. The bindings of
 * a layer replace the bindings of layers below for lookups from it. A singleton lives in the layer that binds it and does
 * not see the layers over it. Instances with a shorter lifetime see the bindings that their requester sees.
 */
export class ResourceRegistry implements ResourceScope {
  readonly #below: ResourceRegistry | undefined;
  readonly #own: readonly ResourceBinding[];
  readonly #found: ReadonlyMap<AbstractConstructor<unknown>, Found>;
  readonly #pool = new ResourcePool(createRegistryClosedError);
  /** The layers over this one that have created instances, the latest last. */
  readonly #over = new Set<ResourceRegistry>();
  readonly #turns: WeakMap<object, WriteTurns>;
  #opening: Promise<void> | undefined;
  #isOpen: boolean;
  #closing: Promise<readonly CloseFault[]> | undefined;

  /** The bindings that are provided before the handler of each call runs. */
  readonly eagerOfCalls: readonly ResourceBinding[];
  /** The bindings that calls begin to use before their handler runs. */
  readonly ofEveryCall: readonly ResourceBinding[];

  /**
   * @param lists bindings of a later list replace earlier ones
   * @throws DuplicateBindingError, ResourceError E912
   */
  constructor(lists: readonly BindingList[], below?: ResourceRegistry) {
    this.#below = below;
    this.#own = mergeBindings(lists);
    const found = new Map(below === undefined ? [] : below.#found);
    for (const binding of this.#own) found.set(binding.type, { binding, home: this });
    this.#found = found;
    this.#turns = below === undefined ? new WeakMap<object, WriteTurns>() : below.#turns;
    this.#isOpen = !this.#own.some(isEagerSingleton);
    const seen = [...found.values()].map(({ binding }) => binding);
    this.eagerOfCalls = seen.filter(({ scope, eager }) => scope === 'toolCall' && eager === true);
    this.ofEveryCall = seen.filter(({ everyCall }) => everyCall !== undefined);
  }

  /** True if calls may have resources to begin before their handler runs. */
  get beginsWithCalls(): boolean {
    return this.eagerOfCalls.length > 0 || this.ofEveryCall.length > 0;
  }

  /** The bindings that are visible from this layer, one for each class. */
  get bindings(): readonly ResourceBinding[] {
    return [...this.#found.values()].map(({ binding }) => binding);
  }

  /** @throws DuplicateBindingError */
  over(lists: readonly BindingList[]): ResourceRegistry {
    return new ResourceRegistry(lists, this);
  }

  get<T>(type: AbstractConstructor<T>): T {
    return requirePresent(type, this.#obtain(type, undefined)) as T;
  }

  async resolve<T>(type: AbstractConstructor<T>): Promise<T> {
    return (await this.#obtain(type, undefined)).resource as T;
  }

  has(type: AbstractConstructor<unknown>): boolean {
    return this.#found.has(type);
  }

  /** @throws UnboundResourceError */
  find(type: AbstractConstructor<unknown>): Found {
    const found = this.#found.get(type);
    if (found === undefined) throw new UnboundResourceError(className(type), [...this.#found.keys()].map(className));
    return found;
  }

  /** Provides the eager singletons of this layer in order. Returns undefined if there is nothing to wait for. */
  open(): Promise<void> | undefined {
    if (this.#isOpen) return undefined;
    return (this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    }));
  }

  /**
   * Closes the instances of this layer after the layers over it, and returns the failures. Later calls return the same
   * promise. Later requests for resources are refused.
   */
  close(): Promise<readonly CloseFault[]> {
    return (this.#closing ??= this.#close());
  }

  /** @param asker the creation whose provider requests it @throws CircularDependencyError, ProviderError, ResourceError E909 */
  singleton(binding: ResourceBinding, asker: Creation | undefined): Awaitable<Provided> {
    this.#refuseClosed(binding.type);
    this.#register();
    return this.#pool.obtain(binding, asker, this.#obtain);
  }

  /** Returns the write turns of a resource that is changed in place. All layers of one application share them. */
  turnsOf(resource: object): WriteTurns {
    return getOrCreate(this.#turns, resource, () => new WriteTurns());
  }

  readonly #obtain = (type: AbstractConstructor<unknown>, asker: Creation | undefined): Awaitable<Provided> => {
    this.#refuseClosed(type);
    const { binding, home } = this.find(type);
    const holder = asker?.holder?.binding;
    const isHeld = holder?.scope === 'singleton';
    switch (binding.scope) {
      case 'prototype':
        return provide(new Creation(binding, asker), this.#obtain);
      case 'toolCall':
        if (isHeld) throw createCaptiveError(holder, `cannot hold ${className(type)}, which lives for one call`);
        // Outside calls, one instance is shared while this layer lives.
        this.#register();
        return this.#pool.obtain(binding, asker, this.#obtain);
      case 'singleton':
        return mapAwaitable(home.singleton(binding, asker), (provided) => {
          if (!isHeld || !canJoinCalls(provided.resource)) return provided;
          throw createCaptiveError(
            holder,
            `would write outside the transactions of ${className(type)}; bind it with scope: 'toolCall'`,
          );
        });
    }
  };

  async #open(): Promise<void> {
    for (const { type } of this.#own.filter(isEagerSingleton)) await this.resolve(type);
    this.#isOpen = true;
  }

  async #close(): Promise<readonly CloseFault[]> {
    const faults: CloseFault[] = [];
    for (const layer of [...this.#over].reverse()) faults.push(...(await layer.close()));
    await this.#pool.waitForCreations();
    await this.#pool.close((fault) => faults.push(fault));
    if (this.#below !== undefined) this.#below.#over.delete(this);
    return faults;
  }

  #register(): void {
    const below = this.#below;
    if (below === undefined || below.#over.has(this)) return;
    below.#register();
    below.#over.add(this);
  }

  #refuseClosed(type: AbstractConstructor<unknown>): void {
    if (this.#closing !== undefined) throw createRegistryClosedError(type);
    if (this.#below !== undefined) this.#below.#refuseClosed(type);
  }
}

function mergeBindings(lists: readonly BindingList[]): readonly ResourceBinding[] {
  const all = new Map<AbstractConstructor<unknown>, ResourceBinding>();
  for (const { bindings, place } of lists) {
    assertBindings(bindings, place);
    const types = new Set<unknown>();
    for (const binding of bindings) {
      if (types.has(binding.type)) throw new DuplicateBindingError(className(binding.type), place);
      types.add(binding.type);
      all.set(binding.type, binding);
    }
  }
  return [...all.values()];
}

function isEagerSingleton({ scope, eager }: ResourceBinding): boolean {
  return scope === 'singleton' && eager === true;
}

function createCaptiveError(holder: ResourceBinding, problem: string): ProviderError {
  return new ProviderError(className(holder.type), `it lives as long as the application and ${problem}`);
}

function createRegistryClosedError(type: AbstractConstructor<unknown>): ResourceError {
  return new ResourceError('the application or prompt that held it has been closed', {
    code: 'E909',
    place: className(type),
  });
}
