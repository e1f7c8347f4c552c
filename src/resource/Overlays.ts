import { mapAwaitable, waitAtMost } from '../common/promises.js';
import { className, ignoreRejection, isThenable } from '../common/classes.js';
import { describeValue, messageOf } from '../common/text.js';
import type { AbstractConstructor, Awaitable } from '../common/types.js';
import { ResourceError } from '../error/infrastructureErrors.js';
import { ReadOnlyViolationError, ToolRefusal, TransactionClosedError } from '../error/toolErrors.js';
import type { OutcomeRecord } from '../interface/OutcomeRecord.js';
import type { StateChange, Transactional } from '../interface/Transactional.js';
import { isTransactional } from './canJoinCalls.js';
import type { Provided } from './provideResource.js';

/** The reason why a commit did not succeed. `half`: some changes may have been kept. */
export type CommitFailure = { readonly kind: 'conflicted' } | { readonly kind: 'half'; readonly error: unknown };

export interface ResourceChanges {
  /** Name of the resource's class. */
  readonly name: string;
  /** Undefined if the resource cannot list its changes. */
  readonly changes: readonly StateChange[] | undefined;
}

type Resource = Transactional<unknown> & object;

interface Joined {
  /** The resource. For a nested call, the overlay of its parent call. */
  readonly base: Resource;
  readonly provided: Awaitable<Provided>;
  /** Undefined until the resource has begun. */
  overlay: Provided | undefined;
  /**
   * `committed` after the overlay was passed to `commit`, which then releases it; `dropped` after its call has ended
   * without a commit.
   */
  state: 'open' | 'committed' | 'dropped';
}

interface OverlaysOptions {
  readonly readOnly: boolean;
  readonly record: OutcomeRecord | undefined;
  readonly parent: Overlays | undefined;
  /** @throws TransactionClosedError after the call has ended */
  readonly assertOpen: (type: AbstractConstructor<unknown>) => void;
}

/**
 * The overlays of the transactional resources of one call, which are committed or dropped together
 * (docs/contract.md, 7).
 */
export class Overlays {
  readonly #options: OverlaysOptions;
  readonly #joined = new Map<Resource, Joined>();

  constructor(options: OverlaysOptions) {
    this.#options = options;
  }

  get bases(): readonly object[] {
    return [...this.#joined.values()].map(({ base }) => base);
  }

  /**
   * Returns the call's overlay of the resource. Nested calls share the overlay of a resource that does not support
   * nested overlays.
   *
   * @throws TransactionClosedError; ResourceError E913, synchronously or as a rejection
   */
  join(resource: Resource): Awaitable<Provided> {
    const known = this.#joined.get(resource);
    if (known !== undefined) return known.provided;
    const { parent, assertOpen } = this.#options;
    assertOpen(resource.constructor as AbstractConstructor<unknown>);
    if (parent === undefined) return this.#begin(resource, resource);
    return mapAwaitable(parent.join(resource), (outer) => {
      const { resource: base } = outer;
      if (!isTransactional(base)) return outer;
      return this.#joined.get(resource)?.provided ?? this.#begin(resource, base);
    });
  }

  /** Runs work in the async contexts of the overlays. */
  enter<T>(work: () => T): T {
    const entered = this.#open.reduceRight<() => T>(
      (inner, { base, overlay }) =>
        () =>
          base.aroundHandler === undefined ? inner() : base.aroundHandler(overlay?.resource, inner),
      work,
    );
    return entered();
  }

  /** @throws ResourceError E915 if a resource answers something other than true or false */
  conflicts(): boolean {
    return this.#open.some(({ base, overlay }) => askResource(base, 'conflicts', overlay?.resource));
  }

  /** @throws ReadOnlyViolationError if an overlay holds writes, ResourceError E915 */
  refuseChanges(): void {
    for (const { base, overlay } of this.#open)
      if (askResource(base, 'changed', overlay?.resource))
        throw new ReadOnlyViolationError(`resource ${className(base.constructor)}`);
  }

  /**
   * Lists the changes of each overlay. A resource without `changed` and `changes` may have changed in any way.
   *
   * @throws ResourceError E915
   */
  changes(): readonly ResourceChanges[] {
    return this.#open.flatMap(({ base, overlay }) => {
      const given = overlay?.resource;
      if (base.changed !== undefined && !askResource(base, 'changed', given)) return [];
      const changes = base.changes === undefined ? undefined : listChanges(base, given);
      return changes?.length === 0 ? [] : [{ name: className(base.constructor), changes }];
    });
  }

  /**
   * Commits every overlay to its resource. All were checked for conflicts before. Overlays that took time to begin come
   * first: they may still fail, and then nothing else has been kept.
   *
   * @returns undefined if all were committed
   * @throws the error that the first commit throws, and the refusal with which it rejects
   */
  commit(): Awaitable<CommitFailure | undefined> {
    const isSlow = ({ provided }: Joined): number => (isThenable(provided) ? 0 : 1);
    return commitAll(
      this.#open.sort((one, other) => isSlow(one) - isSlow(other)),
      0,
    );
  }

  /**
   * Rolls back everything that was not committed, the latest first.
   *
   * @returns the first failure; undefined, not a promise, if there is nothing to do
   */
  finish(): Promise<ResourceError | undefined> | undefined {
    const open = [...this.#joined.values()].filter(({ state }) => state === 'open');
    // A commit that was given up may still be waiting for the previous one.
    for (const joined of open) joined.state = 'dropped';
    const left = open.filter(({ base, overlay }) => overlay === undefined || base.rollback !== undefined);
    return left.length === 0 ? undefined : rollBack(left.reverse());
  }

  get #open(): Joined[] {
    return [...this.#joined.values()].filter(({ overlay, state }) => overlay !== undefined && state === 'open');
  }

  #begin(resource: Resource, base: Resource): Awaitable<Provided> {
    let begun: unknown;
    try {
      const { readOnly, record } = this.#options;
      begun = base.begin({ readOnly, ...(record === undefined ? {} : { record }) });
    } catch (cause) {
      throw createNotBegunError(base, cause);
    }
    if (!isThenable(begun)) {
      const provided = { resource: begun };
      this.#joined.set(resource, { base, provided, overlay: provided, state: 'open' });
      return provided;
    }
    const provided = Promise.resolve(begun).then(
      (overlay): Provided => (joined.overlay = { resource: overlay }),
      (cause: unknown) => {
        this.#joined.delete(resource);
        throw createNotBegunError(base, cause);
      },
    );
    const joined: Joined = { base, provided, overlay: undefined, state: 'open' };
    this.#joined.set(resource, joined);
    return provided;
  }
}

function commitAll([next, ...rest]: readonly Joined[], taken: number): Awaitable<CommitFailure | undefined> {
  if (next === undefined) return undefined;
  if (next.state === 'dropped') return { kind: 'half', error: createGivenUpError(next.base) };
  const ended = (given: unknown): Awaitable<CommitFailure | undefined> => {
    if (given !== 'conflicted') return commitAll(rest, taken + 1);
    return taken === 0 ? { kind: 'conflicted' } : { kind: 'half', error: createChangedError(next.base) };
  };
  let committing: unknown;
  try {
    const { base, overlay } = next;
    // The previous commits may have taken time.
    if (taken > 0 && askResource(base, 'conflicts', overlay?.resource))
      return { kind: 'half', error: createChangedError(base) };
    next.state = 'committed';
    committing = base.commit(overlay?.resource);
  } catch (error) {
    if (taken === 0) throw error;
    return { kind: 'half', error };
  }
  if (!isThenable(committing)) return ended(committing);
  return Promise.resolve(committing).then(ended, (error: unknown) => {
    if (taken === 0 && error instanceof ToolRefusal) throw error;
    return { kind: 'half', error };
  });
}

async function rollBack(left: readonly Joined[]): Promise<ResourceError | undefined> {
  let first: ResourceError | undefined;
  for (const joined of left) {
    const { base } = joined;
    const rolling = rollBackOne(joined);
    const isLate = await waitAtMost(rolling).then(
      (ended) => (ended ? undefined : createNotRolledBackError(base, 'it had not ended after 5 seconds')),
      (cause: unknown) => createNotRolledBackError(base, messageOf(cause), cause),
    );
    first ??= isLate;
  }
  return first;
}

/** Waits for a resource that is still beginning, and closes what it opened. */
async function rollBackOne({ base, provided }: Joined): Promise<void> {
  const begun = await Promise.resolve(provided).catch(() => undefined);
  if (begun !== undefined) await base.rollback?.(begun.resource);
}

function askResource(base: Resource, question: 'conflicts' | 'changed', overlay: unknown): boolean {
  const place = className(base.constructor);
  let given: unknown;
  try {
    given = base[question]?.(overlay);
  } catch (cause) {
    throw new ResourceError(`${question} threw: ${messageOf(cause)}`, { code: 'E915', place, cause });
  }
  if (given === true) return true;
  if (given === false || given === undefined) return false;
  ignoreRejection(given);
  throw new ResourceError(`${question} returned ${describeValue(given)}, expected true or false synchronously`, {
    code: 'E915',
    place,
  });
}

function listChanges(base: Resource, overlay: unknown): readonly StateChange[] {
  const place = className(base.constructor);
  let given: unknown;
  try {
    given = base.changes?.(overlay);
  } catch (cause) {
    throw new ResourceError(`changes threw: ${messageOf(cause)}`, { code: 'E915', place, cause });
  }
  if (Array.isArray(given)) return given as readonly StateChange[];
  ignoreRejection(given);
  throw new ResourceError(`changes returned ${describeValue(given)}, expected a list synchronously`, {
    code: 'E915',
    place,
  });
}

function createNotBegunError(base: Resource, cause: unknown): Error {
  // It says more than that begin failed.
  if (cause instanceof ResourceError || cause instanceof TransactionClosedError) return cause;
  const place = className(base.constructor);
  return new ResourceError(`begin failed: ${messageOf(cause)}`, { code: 'E913', place, cause });
}

function createChangedError(base: Resource): ResourceError {
  const place = className(base.constructor);
  return new ResourceError('it was changed from outside while another resource was committed', { code: 'E914', place });
}

function createGivenUpError(base: Resource): ResourceError {
  const place = className(base.constructor);
  return new ResourceError('its call was given up while another resource was committed', { code: 'E914', place });
}

function createNotRolledBackError(base: Resource, why: string, cause?: unknown): ResourceError {
  return new ResourceError(`rolling it back failed: ${why}`, {
    code: 'E911',
    place: className(base.constructor),
    cause,
  });
}
