import { after } from '../common/after.js';
import { className } from '../common/classes.js';
import type { AbstractConstructor, Awaitable } from '../common/types.js';
import type { ResourceError } from '../error/infrastructureErrors.js';
import { ReadOnlyViolationError, TransactionClosedError } from '../error/toolErrors.js';
import type { ResourceBinding, ResourceScope } from '../interface/ResourceBinding.js';
import type { Snapshotable } from '../interface/Snapshotable.js';
import type { Transactional } from '../interface/Transactional.js';
import type { Creation } from './Creation.js';
import { handleOf } from './handleOf.js';
import { isSnapshotable, isTransactional } from './joinsCalls.js';
import { present, provideAnother, scopeOf, type Provided } from './provide.js';
import { ResourcePool, type CloseFault } from './ResourcePool.js';
import type { ResourceRegistry } from './ResourceRegistry.js';
import { Savepoint, type SavepointCall } from './Savepoint.js';

interface Joined {
  readonly resource: Transactional<unknown>;
  readonly overlay: unknown;
}

/** A resource that is changed in place, and the handle that the call gets. */
interface Held {
  readonly savepoint: Savepoint;
  readonly handle: Provided;
}

/** The failure of a commit after another one had succeeded: the effect is unknown. */
export interface PartialCommit {
  readonly error: unknown;
}

/** Options of the resources of a call. */
export interface CallResourcesOptions {
  /** The resources of the call that this one is a savepoint of. */
  readonly parent?: CallResources | undefined;
  readonly readOnly?: boolean | undefined;
}

/**
 * The resources of one tool call: its own instances, overlays of the transactional ones and handles of those that are changed
 * in place, which join when first used. Over another call's resources it is a savepoint (docs/contract.md, 7 and 15).
 */
export class CallResources implements ResourceScope, SavepointCall {
  readonly readOnly: boolean;
  readonly #registry: ResourceRegistry;
  readonly #parent: CallResources | undefined;
  // Created on first use: most calls use no resources.
  #pool: ResourcePool | undefined;
  #joined: Map<unknown, Joined> | undefined;
  #held: Map<unknown, Held> | undefined;
  #refusal: Error | undefined;
  #closed = false;

  constructor(registry: ResourceRegistry, { parent, readOnly = false }: CallResourcesOptions = {}) {
    this.#registry = registry;
    this.#parent = parent;
    this.readOnly = readOnly;
  }

  get<T>(type: AbstractConstructor<T>): T {
    return present(type, this.#obtain(type, undefined)) as T;
  }

  resolve<T>(type: AbstractConstructor<T>): Promise<T> {
    const resolved = this.#resolve(type);
    // A handler may not await it, and an unhandled rejection would end the process.
    resolved.catch(() => undefined);
    return resolved as Promise<T>;
  }

  has(type: AbstractConstructor<unknown>): boolean {
    return this.#registry.has(type);
  }

  /** Provides the eager resources of the call; undefined if there is nothing to wait for. */
  open(): Promise<void> | undefined {
    const { eagerOfCalls } = this.#registry;
    return eagerOfCalls.length === 0 ? undefined : this.#open(eagerOfCalls);
  }

  /** True if something that the call used has since been changed outside, or is being changed. */
  conflicts(): boolean {
    if (this.#refusal !== undefined && !ReadOnlyViolationError.is(this.#refusal)) return true;
    for (const { resource, overlay } of this.#joined?.values() ?? [])
      if (resource.conflicts?.(overlay) === true) return true;
    return false;
  }

  /**
   * Refuses the changes of a read-only tool: they are dropped, and a detected one is a fault.
   *
   * @throws ReadOnlyViolationError
   */
  refuseChanges(): void {
    if (this.#refusal !== undefined) throw this.#refusal;
    for (const { resource, overlay } of this.#joined?.values() ?? []) {
      if (resource.changed?.(overlay) === true)
        throw new ReadOnlyViolationError(`resource ${className(resource.constructor)}`);
    }
  }

  /** Commits every overlay to its resource; all were checked for conflicts before. */
  commit(): PartialCommit | undefined {
    let taken = 0;
    for (const { resource, overlay } of this.#joined?.values() ?? []) {
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

  /** Closes the resources of the call: every later use throws. Without a prior commit, overlays are thereby rolled back. */
  close(): void {
    this.#closed = true;
    for (const { savepoint } of this.#held?.values() ?? []) savepoint.close();
  }

  /**
   * Runs the asynchronous cleanup, after `close`: restores resources that were changed in place, unless the changes are kept,
   * and closes the instances of the call. Undefined if there is nothing to do.
   *
   * @param onFault is called with each failure to close
   * @returns the first failure to restore
   */
  finish(kept: boolean, onFault: (fault: CloseFault) => void): Promise<ResourceError | undefined> | undefined {
    if (this.#held === undefined && this.#pool === undefined) return undefined;
    return this.#finish(kept, onFault);
  }

  isEngagedBeside(savepoint: Savepoint): boolean {
    const others = [...(this.#held?.values() ?? [])].filter((held) => held.savepoint !== savepoint);
    return others.some((held) => held.savepoint.isEngaged);
  }

  note(refusal: Error): void {
    this.#refusal ??= refusal;
  }

  async #resolve(type: AbstractConstructor<unknown>): Promise<unknown> {
    const { resource } = await this.#obtain(type, undefined);
    this.#assertOpen(type);
    return resource;
  }

  async #open(eager: readonly ResourceBinding[]): Promise<void> {
    for (const { type } of eager) await this.resolve(type);
  }

  async #finish(kept: boolean, onFault: (fault: CloseFault) => void): Promise<ResourceError | undefined> {
    let first: ResourceError | undefined;
    for (const { savepoint } of [...(this.#held?.values() ?? [])].reverse()) {
      const fault = await savepoint.finish(kept);
      first ??= fault;
    }
    await this.#pool?.close(onFault);
    return first;
  }

  #obtain(type: AbstractConstructor<unknown>, asker: Creation | undefined): Awaitable<Provided> {
    this.#assertOpen(type);
    const { binding, home } = this.#registry.find(type);
    switch (binding.scope) {
      case 'prototype':
        return provideAnother(binding, asker, (creation) => this.#scopeFor(creation));
      case 'toolCall':
        return (this.#pool ??= new ResourcePool(closedError)).obtain(binding, asker, (creation) =>
          this.#scopeFor(creation),
        );
      case 'singleton':
        return after(home.singleton(binding, asker), (provided) => {
          this.#assertOpen(type);
          return this.#seen(provided);
        });
    }
  }

  #scopeFor(creation: Creation): ResourceScope {
    return scopeOf(creation, (type) => this.#obtain(type, creation));
  }

  /** The overlay, the handle or the singleton itself, whichever the call gets. */
  #seen(provided: Provided): Provided {
    const { resource } = provided;
    if (isTransactional(resource)) return { resource: this.#overlayOf(resource) };
    return isSnapshotable(resource) ? this.#heldOf(resource).handle : provided;
  }

  #overlayOf(resource: Transactional<unknown>): unknown {
    const known = this.#joined?.get(resource);
    if (known !== undefined) return known.overlay;
    this.#assertOpen(resource.constructor as AbstractConstructor<unknown>);
    const base = this.#parent === undefined ? resource : this.#parent.#overlayOf(resource);
    // An overlay that does not support overlays of its own is shared with nested calls.
    if (!isTransactional(base)) return base;
    const overlay = base.begin();
    (this.#joined ??= new Map()).set(resource, { resource: base, overlay });
    return overlay;
  }

  #heldOf(resource: Snapshotable<unknown> & object): Held {
    const known = this.#held?.get(resource);
    if (known !== undefined) return known;
    const parent = this.#parent;
    const over = parent === undefined ? this.#registry.turnsOf(resource) : parent.#heldOf(resource).savepoint;
    const savepoint = new Savepoint(resource, this, over);
    const held = { savepoint, handle: { resource: handleOf(resource, savepoint) } };
    (this.#held ??= new Map()).set(resource, held);
    return held;
  }

  #assertOpen(type: AbstractConstructor<unknown>): void {
    if (this.#closed) throw closedError(type);
  }
}

function closedError(type: AbstractConstructor<unknown>): TransactionClosedError {
  return new TransactionClosedError(`resource ${className(type)}`);
}
