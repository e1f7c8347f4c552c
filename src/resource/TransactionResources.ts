import { mapAwaitable } from '../common/promises.js';
import { className } from '../common/classes.js';
import type { AbstractConstructor, Awaitable } from '../common/types.js';
import { ResourceBusyError, type ResourceError } from '../error/infrastructureErrors.js';
import { TransactionClosedError } from '../error/toolErrors.js';
import type { OutcomeRecord } from '../interface/OutcomeRecord.js';
import type { ToolView } from '../interface/PromptView.js';
import type { ResourceBinding, ResourceScope } from '../interface/ResourceBinding.js';
import type { Snapshotable } from '../interface/Transactional.js';
import { Creation } from './Creation.js';
import { createHandle } from './createHandle.js';
import { isSnapshotable, isTransactional } from './canJoinCalls.js';
import { Overlays, type CommitFailure, type ResourceChanges } from './Overlays.js';
import { provide, requirePresent, type Provided } from './provideResource.js';
import { ResourcePool, type CloseFault } from './ResourcePool.js';
import type { ResourceRegistry } from './ResourceRegistry.js';
import { Savepoint, type SavepointOwner } from './Savepoint.js';

/** The place of a call: the resources around it, and its record. */
interface ResourcesPlace {
  readonly parent: TransactionResources | undefined;
  readonly readOnly: boolean;
  readonly record: OutcomeRecord | undefined;
}

/** A resource that is changed in place, and the handle that the call gets. */
interface Held {
  readonly savepoint: Savepoint;
  readonly handle: Provided;
}

const NONE: readonly never[] = Object.freeze([]);

/**
 * The resources of one tool call: its own instances, overlays of transactional resources, and handles of resources that
 * are changed in place. They join when first used. Over the resources of another call, it is a savepoint
 * (docs/contract.md, 7 and 15).
 */
export class TransactionResources implements ResourceScope, SavepointOwner {
  readonly readOnly: boolean;
  readonly #registry: ResourceRegistry;
  readonly #parent: TransactionResources | undefined;
  readonly #record: OutcomeRecord | undefined;
  // Created on first use: most calls use no resources.
  #pool: ResourcePool | undefined;
  #overlays: Overlays | undefined;
  #held: Map<unknown, Held> | undefined;
  #refusal: Error | undefined;
  #closed = false;

  /**
   * @param options.parent the resources of the parent call, if this call is a savepoint
   * @param options.record where the outcome of the call will be recorded; a savepoint leaves that to its parent call
   */
  constructor(registry: ResourceRegistry, { parent, readOnly = false, record }: Partial<ResourcesPlace> = {}) {
    this.#registry = registry;
    this.#parent = parent;
    this.#record = record;
    this.readOnly = readOnly;
  }

  get<T>(type: AbstractConstructor<T>): T {
    return requirePresent(type, this.#obtain(type, undefined)) as T;
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

  /** Begins the resources of every call, and provides the eager ones. Returns undefined if there are none. */
  open(tool: Pick<ToolView, 'name' | 'hints'>): Promise<void> | undefined {
    const { eagerOfCalls, ofEveryCall, beginsWithCalls } = this.#registry;
    if (!beginsWithCalls) return undefined;
    return this.#open([...ofEveryCall.filter(({ everyCall }) => everyCall?.(tool) === true), ...eagerOfCalls]);
  }

  /** Runs a part of the call in the async contexts of its resources. */
  enter<T>(work: () => T): T {
    return this.#overlays === undefined ? work() : this.#overlays.enter(work);
  }

  /** Returns true if something that the call used has since been changed outside, or is being changed. */
  conflicts(): boolean {
    if (this.#refusal instanceof ResourceBusyError) return true;
    return this.#overlays?.conflicts() === true;
  }

  /**
   * Refuses the changes of a read-only tool. They are dropped anyway, but a detected change is a fault.
   *
   * @throws ReadOnlyViolationError
   */
  refuseChanges(): void {
    if (this.#refusal !== undefined) throw this.#refusal;
    this.#overlays?.refuseChanges();
  }

  /** Checks that every write was done. @throws ResourceError E918, also if the handler swallowed the error */
  assertSound(): void {
    for (const savepoint of this.#savepoints) savepoint.assertSound();
  }

  /** Waits for a limited time for operations that the handler did not await. Returns undefined if there are none. */
  waitForPending(): Promise<unknown> | undefined {
    const running = this.#savepoints.flatMap((savepoint) => savepoint.waitForPending() ?? []);
    return running.length === 0 ? undefined : Promise.all(running);
  }

  /** The objects that `commit` will change besides the session. */
  get bases(): readonly object[] {
    return this.#overlays?.bases ?? [];
  }

  /** Commits every overlay, like `Overlays.commit`. @throws the error that the first commit throws */
  commit(): Awaitable<CommitFailure | undefined> {
    return this.#overlays?.commit();
  }

  /**
   * Lists the changes that a commit would make. A resource without `changes` is listed if it may have changed.
   *
   * @throws ResourceError E915
   */
  changes(): readonly ResourceChanges[] {
    const written = this.#savepoints.filter(({ isWritten }) => isWritten);
    const inPlace = written.map(({ name }) => ({ name, changes: undefined }));
    return [...(this.#overlays?.changes() ?? []), ...inPlace];
  }

  /** Closes the resources of the call. Every later use throws. */
  close(): void {
    this.#closed = true;
    for (const savepoint of this.#savepoints) savepoint.close();
  }

  /**
   * Runs the asynchronous cleanup after `close`. Rolls back what was not committed, restores resources that were
   * changed in place unless the changes are kept, and closes the instances of the call. Returns undefined if there is
   * nothing to do.
   *
   * @param onFault called with each failure to close
   * @returns the first failure to roll back or to restore
   */
  finish(kept: boolean, onFault: (fault: CloseFault) => void): Promise<ResourceError | undefined> | undefined {
    const rollback = this.#overlays?.finish();
    if (rollback === undefined && this.#held === undefined && this.#pool === undefined) return undefined;
    return this.#finish(kept, rollback, onFault);
  }

  isEngagedBeside(savepoint: Savepoint): boolean {
    return this.#savepoints.some((other) => other !== savepoint && other.isEngaged);
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
    // Each runs in the contexts of those before it: a context is replaced as a whole.
    for (const { type } of eager) await this.enter(() => this.resolve(type));
  }

  async #finish(
    kept: boolean,
    rollback: Promise<ResourceError | undefined> | undefined,
    onFault: (fault: CloseFault) => void,
  ): Promise<ResourceError | undefined> {
    let first: ResourceError | undefined;
    for (const savepoint of [...this.#savepoints].reverse()) {
      const fault = await savepoint.finish(kept);
      first ??= fault;
    }
    first ??= await rollback;
    await this.#pool?.close(onFault);
    return first;
  }

  #obtain(type: AbstractConstructor<unknown>, asker: Creation | undefined): Awaitable<Provided> {
    this.#assertOpen(type);
    const { binding, home } = this.#registry.find(type);
    switch (binding.scope) {
      case 'prototype':
        return provide(new Creation(binding, asker), (needed, creation) => this.#obtain(needed, creation));
      case 'toolCall':
        return (this.#pool ??= new ResourcePool(createClosedError)).obtain(binding, asker, (needed, creation) =>
          this.#obtain(needed, creation),
        );
      case 'singleton':
        return mapAwaitable(home.singleton(binding, asker), (provided) => {
          this.#assertOpen(type);
          return this.#chooseView(provided);
        });
    }
  }

  /** Returns the overlay, the handle or the singleton itself, depending on the kind of the resource. */
  #chooseView(provided: Provided): Awaitable<Provided> {
    const { resource } = provided;
    if (isTransactional(resource)) return this.#joined.join(resource);
    return isSnapshotable(resource) ? this.#holdResource(resource).handle : provided;
  }

  get #savepoints(): readonly Savepoint[] {
    return this.#held === undefined ? NONE : Array.from(this.#held.values(), ({ savepoint }) => savepoint);
  }

  get #joined(): Overlays {
    const parent = this.#parent === undefined ? undefined : this.#parent.#joined;
    return (this.#overlays ??= new Overlays({
      readOnly: this.readOnly,
      record: this.#record,
      parent,
      assertOpen: (type) => this.#assertOpen(type),
    }));
  }

  #holdResource(resource: Snapshotable<unknown> & object): Held {
    const known = this.#held?.get(resource);
    if (known !== undefined) return known;
    const parent = this.#parent;
    const over = parent === undefined ? this.#registry.turnsOf(resource) : parent.#holdResource(resource).savepoint;
    const savepoint = new Savepoint(resource, this, over);
    const held = { savepoint, handle: { resource: createHandle(resource, savepoint) } };
    (this.#held ??= new Map()).set(resource, held);
    return held;
  }

  #assertOpen(type: AbstractConstructor<unknown>): void {
    if (this.#closed) throw createClosedError(type);
  }
}

function createClosedError(type: AbstractConstructor<unknown>): TransactionClosedError {
  return new TransactionClosedError(`resource ${className(type)}`);
}
