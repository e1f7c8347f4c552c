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
type Question = 'conflicts' | 'changed' | 'changes';

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
      const changes = listChanges(base, given);
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
    return commitFrom(this.#open.sort((one, other) => isSlow(one) - isSlow(other)));
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

const CHANGED = 'it was changed from outside while another resource was committed';

/** Commits from an index on. `before` is the answer of the last commit. No closures: every call would create them. */
function commitFrom(all: readonly Joined[], index = 0, before?: unknown): Awaitable<CommitFailure | undefined> {
  if (before === 'conflicted')
    return index === 1 ? { kind: 'conflicted' } : createHalf(all[index - 1]?.base as Resource, CHANGED);
  const next = all[index];
  if (next === undefined) return undefined;
  const { base, overlay, state } = next;
  if (state === 'dropped') return createHalf(base, 'its call was given up while another resource was committed');
  let committing: unknown;
  try {
    // The previous commits may have taken time.
    if (index > 0 && askResource(base, 'conflicts', overlay?.resource)) return createHalf(base, CHANGED);
    next.state = 'committed';
    committing = base.commit(overlay?.resource);
  } catch (error) {
    if (index === 0) throw error;
    return { kind: 'half', error };
  }
  return (isThenable(committing) ? waitForCommit : commitFrom)(all, index + 1, committing);
}

function waitForCommit(all: readonly Joined[], next: number, slow: unknown): Awaitable<CommitFailure | undefined> {
  return Promise.resolve(slow).then(
    (given) => commitFrom(all, next, given),
    (error: unknown) => {
      if (next === 1 && error instanceof ToolRefusal) throw error;
      return { kind: 'half', error };
    },
  );
}

function createHalf(base: Resource, problem: string): CommitFailure {
  return { kind: 'half', error: createFault(base, 'E914', problem) };
}

async function rollBack(left: readonly Joined[]): Promise<ResourceError | undefined> {
  let first: ResourceError | undefined;
  for (const joined of left) {
    try {
      if (await waitAtMost(rollBackOne(joined))) continue;
      first ??= createFault(joined.base, 'E911', 'rolling it back failed: it had not ended after 5 seconds');
    } catch (cause) {
      first ??= createFault(joined.base, 'E911', `rolling it back failed: ${messageOf(cause)}`, cause);
    }
  }
  return first;
}

/** Waits for a resource that is still beginning, and closes what it opened. */
async function rollBackOne({ base, provided }: Joined): Promise<void> {
  const begun = await Promise.resolve(provided).catch(() => undefined);
  if (begun !== undefined) await base.rollback?.(begun.resource);
}

/** @throws ResourceError E915 */
function askResource(base: Resource, question: 'conflicts' | 'changed', overlay: unknown): boolean {
  const given = callResource(base, question, overlay);
  if (given === undefined || typeof given === 'boolean') return given === true;
  throw createAnswerFault(base, question, given, 'true or false');
}

/** Undefined if the resource cannot list its changes. @throws ResourceError E915 */
function listChanges(base: Resource, overlay: unknown): readonly StateChange[] | undefined {
  if (base.changes === undefined) return undefined;
  const given = callResource(base, 'changes', overlay);
  if (Array.isArray(given)) return given as readonly StateChange[];
  throw createAnswerFault(base, 'changes', given, 'a list');
}

function callResource(base: Resource, question: Question, overlay: unknown): unknown {
  try {
    return base[question]?.(overlay);
  } catch (cause) {
    throw createFault(base, 'E915', `${question} threw: ${messageOf(cause)}`, cause);
  }
}

function createAnswerFault(base: Resource, question: Question, given: unknown, expected: string): ResourceError {
  ignoreRejection(given);
  return createFault(base, 'E915', `${question} returned ${describeValue(given)}, expected ${expected} synchronously`);
}

function createNotBegunError(base: Resource, cause: unknown): Error {
  // It says more than that begin failed.
  if (cause instanceof ResourceError || cause instanceof TransactionClosedError) return cause;
  return createFault(base, 'E913', `begin failed: ${messageOf(cause)}`, cause);
}

function createFault(
  base: Resource,
  code: 'E911' | 'E913' | 'E914' | 'E915',
  problem: string,
  cause?: unknown,
): ResourceError {
  return new ResourceError(problem, { code, place: className(base.constructor), cause });
}
