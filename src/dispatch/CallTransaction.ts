import { messageOf } from '../common/text.js';
import type { Logger } from '../interface/Logger.js';
import { CallResources, type PartialCommit } from '../resource/CallResources.js';
import { SessionTransaction } from '../session/SessionTransaction.js';
import type { SessionPort } from '../interface/SessionPort.js';
import type { OpenTransaction } from './OpenCall.js';
import type { CallRun, DispatchServices } from './CallRun.js';

/** The outcome of a commit; `half` if a resource failed after another had been committed. */
export type CommitOutcome =
  { readonly kind: 'committed' | 'conflicted' } | { readonly kind: 'half'; readonly error: unknown };

/** Session and resources of one call, committed or dropped together (docs/contract.md, 7). */
export class CallTransaction implements OpenTransaction {
  readonly session: SessionTransaction;
  readonly resources: CallResources;
  readonly readOnly: boolean;
  readonly #services: DispatchServices;
  readonly #run: CallRun;
  readonly #parent: OpenTransaction | undefined;
  // Made on first use: few tools have policies.
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

  /** Apart from the session of a read-only call: only its handler promises to write nothing. */
  get notes(): SessionTransaction {
    if (!this.readOnly) return this.session;
    const { session } = this.#run;
    const base = this.#parent?.notes ?? session.thawed ?? session;
    return (this.#notes ??= new SessionTransaction(base, { ...this.#services, readOnly: false }));
  }

  /** True if something that the call used was changed from outside. */
  conflicts(failed: boolean): boolean {
    return this.session.conflicts(failed) || this.resources.conflicts();
  }

  /** True if the call that this one is a savepoint of has ended. */
  get orphaned(): boolean {
    return this.session.orphaned;
  }

  /**
   * Commits everything, or nothing; `half` if a resource fails after another has been committed.
   *
   * @throws ReadOnlyViolationError, what a reducer threw, or what the first resource throws
   */
  commit(): CommitOutcome {
    this.session.assertSound();
    this.#notes?.assertSound();
    if (this.resources.conflicts() || !this.session.prepare() || this.#notes?.prepare() === false)
      return { kind: 'conflicted' };
    if (this.readOnly) this.resources.refuseChanges();
    const half: PartialCommit | undefined = this.readOnly ? undefined : this.resources.commit();
    if (half !== undefined) return { kind: 'half', error: half.error };
    this.session.apply();
    this.#notes?.apply();
    return { kind: 'committed' };
  }

  /** Ends the call: its session and resources refuse every later use. Without a commit, this is the rollback. */
  close(): void {
    this.session.close();
    this.#notes?.close();
    this.resources.close();
  }

  /** Ends a read-only context: drops all changes, and closes what was opened for it. */
  async drop(logger: Logger, beside: string): Promise<void> {
    this.close();
    const fault = await this.resources.finish(false, ({ name, error }) => {
      logger.error(`The resource ${name} failed to close beside ${beside}: ${messageOf(error)}`, { error });
    });
    if (fault !== undefined) logger.error(`A resource was not put back beside ${beside}: ${fault.message}`, { fault });
  }
}
