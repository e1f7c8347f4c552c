import { className } from '../common/classes.js';
import type { AbstractConstructor } from '../common/types.js';
import { ReadOnlyViolationError, TransactionClosedError } from '../error/toolErrors.js';
import type { ResourceBinding, ResourceScope } from '../interface/ResourceBinding.js';
import type { Transactional } from '../interface/Transactional.js';
import { isTransactional, provide, type ResourcePath, type ResourceRegistry } from './ResourceRegistry.js';

interface Joined {
  readonly resource: Transactional<unknown>;
  readonly overlay: unknown;
}

/** A commit that failed after another had been taken in: what happened is not known. */
export interface HalfCommitted {
  readonly error: unknown;
}

/**
 * The resources of one tool call: its own instances, and overlays of the transactional ones, which join when first used.
 * Over another call's resources it is a savepoint (runtime contract, 7 and 15).
 */
export class CallResources implements ResourceScope {
  readonly #registry: ResourceRegistry;
  readonly #parent: CallResources | undefined;
  #instances: Map<AbstractConstructor<unknown>, unknown> | undefined;
  #joined: Joined[] | undefined;
  #closed = false;

  constructor(registry: ResourceRegistry, parent?: CallResources) {
    this.#registry = registry;
    this.#parent = parent;
  }

  get<T>(type: AbstractConstructor<T>): T {
    return this.#resolve(type, []) as T;
  }

  has(type: AbstractConstructor<unknown>): boolean {
    return this.#registry.has(type);
  }

  /** True when something that the call used has changed outside meanwhile. */
  conflicts(): boolean {
    return this.#joined?.some(({ resource, overlay }) => resource.conflicts?.(overlay) === true) ?? false;
  }

  /**
   * For a read-only tool: its overlays are dropped, and one that says that it was changed is a fault.
   *
   * @throws ReadOnlyViolationError
   */
  refuseChanges(): void {
    for (const { resource, overlay } of this.#joined ?? []) {
      if (resource.changed?.(overlay) === true)
        throw new ReadOnlyViolationError(`resource ${className(resource.constructor)}`);
    }
  }

  /** Takes every overlay into its resource; all were asked for conflicts before. */
  commit(): HalfCommitted | undefined {
    let taken = 0;
    for (const { resource, overlay } of this.#joined ?? []) {
      try {
        resource.commit(overlay);
        taken++;
      } catch (error) {
        if (taken === 0) throw error;
        return { error };
      }
    }
    return undefined;
  }

  /** Ends it: every later use throws. Without a commit before, this is the rollback. */
  close(): void {
    this.#closed = true;
  }

  #resolve(type: AbstractConstructor<unknown>, path: ResourcePath): unknown {
    if (this.#closed) throw new TransactionClosedError(`resource ${className(type)}`);
    if (this.#instances?.has(type) === true) return this.#instances.get(type);
    const made = this.#make(this.#registry.binding(type), path);
    (this.#instances ??= new Map()).set(type, made);
    return made;
  }

  #make(binding: ResourceBinding, path: ResourcePath): unknown {
    if (binding.scope === 'toolCall') {
      return provide(binding, path, (next) => ({ get: (type) => this.#resolve(type, next) as never }));
    }
    const resource =
      this.#parent === undefined ? this.#registry.singleton(binding, []) : this.#parent.#resolve(binding.type, path);
    if (!isTransactional(resource)) return resource;
    const overlay = resource.begin();
    (this.#joined ??= []).push({ resource, overlay });
    return overlay;
  }
}
