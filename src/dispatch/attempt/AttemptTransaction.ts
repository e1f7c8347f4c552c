import { isThenable } from '../../common/classes.js';
import { messageOf } from '../../common/text.js';
import type { Awaitable } from '../../common/types.js';
import { ResourceError } from '../../error/infrastructureErrors.js';
import { TransactionClosedError } from '../../error/toolErrors.js';
import type { Logger } from '../../interface/ports.js';
import type { OutcomeRecord } from '../../interface/OutcomeRecord.js';
import { raceLimits } from '../../limit/raceLimits.js';
import { TransactionResources } from '../../resource/TransactionResources.js';
import { lockForCommit, runningCommit } from '../../resource/commitLocks.js';
import type { CommitFailure } from '../../resource/Overlays.js';
import { SessionTransaction, type TransactionBase } from '../../session/SessionTransaction.js';
import type { SliceRules } from '../../session/slice/SliceRules.js';
import type { DispatchContext, DispatchServices, RehearsalRecord } from '../DispatchContext.js';
import type { RenderedTool } from '../../prompt/RenderedTool.js';
import type { CloseFault } from '../../resource/ResourcePool.js';
import type { OpenTransaction } from './OpenCall.js';

export type CommitOutcome = { readonly kind: 'committed' } | CommitFailure;

const COMMITTED: CommitOutcome = Object.freeze({ kind: 'committed' });
const CONFLICTED: CommitOutcome = Object.freeze({ kind: 'conflicted' });

interface TransactionPlace {
  /** The transaction of the calling handler's call; this one is then a savepoint of it. */
  readonly parent: OpenTransaction | undefined;
  readonly readOnly: boolean;
  /** The base; the session of the parent, or of the run, when left out. */
  readonly session?: TransactionBase | undefined;
  readonly record?: OutcomeRecord | undefined;
  /** Updates the session before the commit; undefined if no other process changes it. */
  readonly refresh?: (() => Promise<void>) | undefined;
}

/** The session and resources of one call, which are committed or dropped together (docs/contract.md, 7). */
export class AttemptTransaction implements OpenTransaction<SessionTransaction> {
  readonly readOnly: boolean;
  readonly #services: DispatchServices;
  readonly #run: DispatchContext;
  readonly #parent: OpenTransaction | undefined;
  readonly #base: TransactionBase;
  #unlock: (() => void) | undefined;
  /** Undefined once it was called. */
  #refresh: (() => Promise<void>) | undefined;
  readonly #record: OutcomeRecord | undefined;
  #isClosed = false;
  /** True once the handler has returned: the session and the resources then refuse every use. */
  #isSealed = false;
  #hasWaited = false;
  // Created on first use: most calls use neither session nor resources, and few tools have policies.
  #session: SessionTransaction | undefined;
  #resources: TransactionResources | undefined;
  #notes: SessionTransaction | undefined;

  constructor(
    services: DispatchServices,
    run: DispatchContext,
    { parent, readOnly, session, record, refresh }: TransactionPlace,
  ) {
    this.#services = services;
    this.#run = run;
    this.#parent = parent;
    this.#refresh = refresh;
    this.readOnly = readOnly || parent?.readOnly === true;
    this.#base = parent?.session ?? session ?? run.session;
    this.#record = record;
  }

  get rules(): SliceRules {
    return this.#base.rules;
  }

  get session(): SessionTransaction {
    if (this.#session === undefined) {
      this.#session = this.#beginSession(this.#base, this.readOnly);
      if (this.#isSealed) this.#session.seal();
    }
    return this.#session;
  }

  #beginSession(base: TransactionBase, readOnly: boolean): SessionTransaction {
    const { clock, ids } = this.#services;
    return new SessionTransaction(base, { readOnly, clock, ids });
  }

  get resources(): TransactionResources {
    if (this.#resources === undefined) {
      this.#resources = new TransactionResources(this.#run.rendered.resources, {
        parent: this.#parent?.resources,
        readOnly: this.readOnly,
        record: this.readOnly ? undefined : this.#record,
      });
      if (this.#isSealed) this.#resources.close();
    }
    return this.#resources;
  }

  /** Begins the resources of every call, and provides the eager ones. Returns undefined if there are none. */
  open(tool: RenderedTool): Promise<void> | undefined {
    return this.#run.rendered.resources.beginsWithCalls ? this.resources.open(tool) : undefined;
  }

  enter<T>(work: () => T): T {
    return this.#resources === undefined ? work() : this.#resources.enter(work);
  }

  /**
   * The state that policies write. Separate from the session for a read-only call: only its handler promised to write nothing.
   */
  get notes(): SessionTransaction {
    if (!this.readOnly) return this.session;
    return (this.#notes ??= this.#beginSession(this.#notesBase, false));
  }

  get #notesBase(): TransactionBase {
    const { session } = this.#run;
    return this.#parent?.notes ?? session.thawed ?? session;
  }

  /** True if its changes are dropped even if the call succeeds. */
  get isDropped(): boolean {
    return this.readOnly || this.#rehearsal !== undefined;
  }

  /**
   * False if the commit can change nothing, because neither the handler nor a policy that looked at the result used the session or a
   * resource, and nothing is refreshed before.
   */
  get isUsed(): boolean {
    return (
      this.#session !== undefined ||
      this.#notes !== undefined ||
      this.#resources !== undefined ||
      this.#refresh !== undefined
    );
  }

  /** Checks whether anything that the call used was changed from outside. */
  conflicts(failed: boolean): boolean {
    return this.#session?.conflicts(failed) === true || this.#resources?.conflicts() === true;
  }

  /** True if the call that this one is a savepoint of has ended. */
  get orphaned(): boolean {
    return this.#base.closed;
  }

  /**
   * Commits everything or nothing. Returns `half` if a resource may have been committed, or one was committed before another
   * failed. Operations that the handler did not await get five seconds first. If a resource takes time, the session and all
   * resources stay locked against other commits from the check for conflicts to the end.
   *
   * @throws ReadOnlyViolationError, the error of a reducer or of the first resource; Cancelled and DeadlineExceededError while it
   * waits for another commit
   */
  commit(): Awaitable<CommitOutcome> {
    const settling = this.#hasWaited ? undefined : this.#resources?.waitForPending();
    if (settling !== undefined) {
      this.#hasWaited = true;
      return this.#commitAfter(settling);
    }
    if (this.#isClosed) throw new TransactionClosedError('session of a tool call');
    const refresh = this.#refresh;
    if (refresh !== undefined) {
      this.#refresh = undefined;
      return this.#commitAfter(raceLimits(refresh(), this.#run));
    }
    const parties: object[] = [this.#base];
    if (this.#notes !== undefined) parties.push(this.#notesBase);
    if (this.#resources !== undefined) parties.push(...this.#resources.bases);
    const other = runningCommit(parties);
    return other === undefined ? this.#commit(parties) : this.#commitAfter(raceLimits(other, this.#run));
  }

  #commitAfter(waiting: Promise<unknown>): Promise<CommitOutcome> {
    this.#seal();
    return waiting.then(() => this.commit());
  }

  #commit(parties: readonly object[]): Awaitable<CommitOutcome> {
    this.#session?.assertSound();
    this.#notes?.assertSound();
    this.#resources?.assertSound();
    if (this.#resources?.conflicts() === true || this.#session?.prepare() === false || this.#notes?.prepare() === false)
      return CONFLICTED;
    if (this.readOnly) this.#resources?.refuseChanges();
    if (this.#rehearsal !== undefined) return this.#recordRehearsal(this.#rehearsal);
    const committing = this.readOnly ? undefined : this.#resources?.commit();
    if (!isThenable(committing)) return committing ?? this.#apply();
    return this.#applyAfter(Promise.resolve(committing), parties);
  }

  #applyAfter(committing: Promise<CommitFailure | undefined>, parties: readonly object[]): Promise<CommitOutcome> {
    this.#seal();
    this.#unlock = lockForCommit(parties);
    return committing.then((failure) => failure ?? this.#applyLate());
  }

  /** Undefined for calls that a rehearsed handler makes: they commit into the handler's transaction, which is dropped. */
  get #rehearsal(): RehearsalRecord | undefined {
    return this.#parent === undefined ? this.#run.rehearsal : undefined;
  }

  #recordRehearsal(record: RehearsalRecord): CommitOutcome {
    record.slices = [...this.session.changes].map(([key, { values }]) => ({
      key,
      before: this.#base.current(key).values,
      after: values,
    }));
    record.tables = this.session.changedTables;
    record.resources = this.resources.changes();
    return COMMITTED;
  }

  #apply(): CommitOutcome {
    this.#session?.apply();
    this.#notes?.apply();
    return COMMITTED;
  }

  /** Applies the session after the resources were committed; only writes outside of calls can have changed it meanwhile. */
  #applyLate(): CommitOutcome {
    const session = this.#session;
    if (this.#isClosed || (session?.isWritten === true && !session.prepare()))
      return { kind: 'half', error: createSessionMovedError() };
    return this.#apply();
  }

  /** Refuses every later use of the call's session and resources, because its handler has returned. */
  #seal(): void {
    this.#isSealed = true;
    this.#session?.seal();
    this.#notes?.seal();
    this.#resources?.close();
  }

  /** Ends the call: its session and resources refuse every later use. Without a commit, this rolls back. */
  close(): void {
    this.#isClosed = true;
    this.#isSealed = true;
    this.#unlock?.();
    this.#session?.close();
    this.#notes?.close();
    this.#resources?.close();
  }

  /** Runs the cleanup of the resources after `close`, like `TransactionResources.finish`. */
  finish(isKept: boolean, onFault: (fault: CloseFault) => void): Promise<ResourceError | undefined> | undefined {
    return this.#resources?.finish(isKept, onFault);
  }

  /**
   * Ends a read-only context: drops all changes and closes the resources that it opened. Returns undefined if there are none.
   */
  drop(logger: Logger, beside: string): Promise<void> | undefined {
    this.close();
    return this.#resources === undefined ? undefined : this.#dropResources(logger, beside);
  }

  async #dropResources(logger: Logger, beside: string): Promise<void> {
    const fault = await this.finish(false, ({ name, error }) => {
      logger.error(`The resource ${name} failed to close beside ${beside}: ${messageOf(error)}`, { error });
    });
    if (fault !== undefined) logger.error(`A resource was not put back beside ${beside}: ${fault.message}`, { fault });
  }
}

function createSessionMovedError(): ResourceError {
  return new ResourceError('its state was changed from outside of calls while a resource was committed', {
    code: 'E914',
    place: 'session',
  });
}
