import { messageOf } from '../common/text.js';
import type { Logger } from '../interface/Logger.js';
import { CallResources, type PartialCommit } from '../resource/CallResources.js';
import { SessionTransaction } from '../session/SessionTransaction.js';
import type { SessionPort } from '../interface/SessionPort.js';
import type { OpenTransaction } from './OpenCall.js';
import type { CallRun, DispatchServices } from './CallRun.js';

/** What became of a commit. */
export type CommitOutcome =
  { readonly kind: 'committed' | 'conflicted' } | { readonly kind: 'half'; readonly error: unknown };

/** Session and resources of one call, taken in or dropped together (docs/contract.md, 7). */
export class CallTransaction implements OpenTransaction {
  readonly session: SessionTransaction;
  readonly resources: CallResources;
  readonly readOnly: boolean;
  readonly #services: DispatchServices;
  readonly #run: CallRun;
  readonly #parent: OpenTransaction | undefined;
  // Made when first needed, as policies are few.
  #notes: SessionTransaction | undefined;

  get view(): SessionPort {
    return this.session;
  }

  constructor(services: DispatchServices, run: CallRun, parent: OpenTransaction | undefined, readOnly: boolean) {
    const { clock, ids } = services;
    this.#services = services;
    this.#run = run;
    this.#parent = parent;
    this.readOnly = readOnly || parent?.readOnly === true;
    this.session = new SessionTransaction(parent?.session ?? run.session, { readOnly: this.readOnly, clock, ids });
    this.resources = new CallResources(run.rendered.resources, {
      parent: parent?.resources,
      readOnly: this.readOnly,
    });
  }

  /** Not the session of a read-only call: the promise to write nothing is its handler's. */
  get notes(): SessionTransaction {
    if (!this.readOnly) return this.session;
    const { session } = this.#run;
    const base = this.#parent?.notes ?? session.thawed ?? session;
    return (this.#notes ??= new SessionTransaction(base, { ...this.#services, readOnly: false }));
  }

  /** What a commit takes into the session. */
  get kept(): SessionTransaction {
    return this.#notes ?? this.session;
  }

  /** True when something that the call used was changed from outside. */
  conflicts(failed: boolean): boolean {
    return this.session.conflicts(failed) || this.resources.conflicts();
  }

  /** True when the call that this one is a savepoint of has ended. */
  get orphaned(): boolean {
    return this.session.orphaned;
  }

  /**
   * Takes everything in, or nothing; `half` when a resource failed after another had been taken in.
   *
   * @param beforehand runs when nothing stands in the way any more; when it throws, nothing is taken in
   * @throws ReadOnlyViolationError, what a reducer threw, or what `beforehand` or the first resource throws
   */
  commit(beforehand: () => void): CommitOutcome {
    this.session.assertSound();
    this.#notes?.assertSound();
    if (this.resources.conflicts() || !this.session.prepare() || this.#notes?.prepare() === false)
      return { kind: 'conflicted' };
    if (this.readOnly) this.resources.refuseChanges();
    beforehand();
    const half: PartialCommit | undefined = this.readOnly ? undefined : this.resources.commit();
    if (half !== undefined) return { kind: 'half', error: half.error };
    this.session.apply();
    this.#notes?.apply();
    return { kind: 'committed' };
  }

  /** Ends the call: its session, resources and context refuse every later use. Without a commit, the rollback. */
  close(): void {
    this.session.close();
    this.#notes?.close();
    this.resources.close();
  }

  /** The end of what only looks on: everything is dropped, and what was made for it is closed. */
  async drop(logger: Logger, beside: string): Promise<void> {
    this.close();
    const fault = await this.resources.finish(false, ({ name, error }) => {
      logger.error(`The resource ${name} failed to close beside ${beside}: ${messageOf(error)}`, { error });
    });
    if (fault !== undefined) logger.error(`A resource was not put back beside ${beside}: ${fault.message}`, { fault });
  }
}
