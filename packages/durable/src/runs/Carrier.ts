import {
  type Application,
  ApprovalPendingError,
  type Clock,
  type Logger,
  type PromptResponse,
  ToolwrightError,
} from 'toolwright';
import { Conversation, type RunEntry, type RunStore } from 'toolwright/conversations';
import { messageOf } from 'toolwright/internal/light';
import { listOpenQuestions, type Redaction } from 'toolwright/internal';
import type { DurableStore, RunRecord, RunRecords, RunStatus, WithinChange } from '../records/RunRecords.js';
import { DEFAULT_TAKEOVERS } from '../limits.js';
import type { CarryJob, RunEngine } from './RunEngine.js';
import type { ActiveRun, ActiveRuns } from './ActiveRuns.js';
import { closeRun, endOf, endRun } from './closeRun.js';
import type { Changes } from './Changes.js';
import { changeAndEnqueue, toEnqueuedJob } from './changeAndEnqueue.js';
import { createGivenUpError, createOtherVersionError } from './runErrors.js';
import { isOver } from './runStates.js';
import type { RunsOptions, VersionPolicy } from './RunsOptions.js';
import type { PromptEvaluator } from './PromptEvaluator.js';
import { WatchedStore } from './WatchedStore.js';

/** Kinds of entries that count as progress of a run. */
const PROGRESS: ReadonlySet<string> = new Set(['answer', 'outcome']);

/** The services of a carrier. */
export interface CarrierServices {
  readonly app: Application;
  /** The store, for any tenant. */
  readonly store: DurableStore;
  readonly changes: Changes;
  readonly engine: RunEngine;
  readonly work: PromptEvaluator;
  readonly active: ActiveRuns;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redaction: Redaction;
  /** The name of this worker. */
  readonly owner: string;
  readonly settings: Pick<RunsOptions, 'onVersion' | 'expireMs' | 'maxTakeovers'>;
  /** Called at the end of each run of this process, with its response if it has one. */
  onEnd(run: RunRecord, response: PromptResponse | undefined): void;
}

/** The next step after checking the first run of a conversation: check again, stop for now, or hand over to another worker. */
type Next = 'checkAgain' | 'stop' | 'handOver';

/** Works on the runs of a conversation in order. An engine names only the conversation. */
export class Carrier {
  readonly #services: CarrierServices;
  #isDraining = false;

  constructor(services: CarrierServices) {
    this.#services = services;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Refuses new runs from now on, and stops running ones before their next step. */
  drain(): void {
    this.#isDraining = true;
    this.#services.active.release();
  }

  /** Works on the runs of a conversation. @throws the error of the infrastructure, unchanged */
  readonly carry: CarryJob = async ({ tenant, conversation }, isWorkedOn) => {
    const { records } = this.#services.store.forTenant(tenant);
    for (;;) {
      if (this.#isDraining) return 'again';
      const head = await records.head(conversation);
      if (head === undefined) return 'done';
      // Its worker goes on with the conversation.
      if (head.status === 'running' && isWorkedOn?.(head.owner) === true) return 'done';
      const next = await this.#checkRun(head);
      if (next !== 'checkAgain') return next === 'handOver' ? 'again' : 'done';
    }
  };

  async #checkRun(head: RunRecord): Promise<Next> {
    const { clock } = this.#services;
    const { store, records } = this.#storeOf(head);
    if (head.status === 'paused') return 'stop';
    if (head.status !== 'waiting') return this.#take(head);
    // The log decides, because the record may not show a new reply yet.
    if (listOpenQuestions(await store.entries(head.conversation)).length > 0)
      return isOver(head, clock.now()) ? this.#giveUp(head) : 'stop';
    await records.change(head.id, { status: ['waiting'] }, { status: 'queued', expiresAt: null });
    return 'checkAgain';
  }

  /** Ends a run that got no reply in time, unless a reply arrives before the end is in the log. */
  async #giveUp(head: RunRecord): Promise<Next> {
    const { store } = this.#storeOf(head);
    const problem = 'no reply came in time';
    const conversation = await Conversation.open(store, head.conversation);
    if (listOpenQuestions(conversation.log.entries).length === 0) return 'checkAgain';
    try {
      await endRun(conversation, this.#services.clock, head.id, 'failed', problem);
    } catch (error) {
      // The store refuses the end if a reply arrived that this process has not read.
      if (codeOf(error) === 'E709' && listOpenQuestions(await store.entries(head.conversation)).length === 0)
        return 'checkAgain';
      throw error;
    }
    await this.#end(head, ['waiting'], { how: 'failed', problem });
    return 'checkAgain';
  }

  async #take(head: RunRecord): Promise<Next> {
    const { active, settings } = this.#services;
    const claimed = await this.#claim(head);
    if (claimed === undefined) return this.#findNext(head);
    const conversation = await this.#openLog(claimed);
    const past = endOf(conversation.log.entries, head.id);
    if (past !== undefined) {
      await this.#end(head, ['running'], past);
      return 'checkAgain';
    }
    const run = head.status === 'running' ? await this.#countTakeover(claimed, conversation) : claimed;
    if (run === undefined) return 'checkAgain';
    const { takeovers } = run;
    const { maxTakeovers = DEFAULT_TAKEOVERS } = settings;
    if (takeovers > maxTakeovers) return this.#fail(run, createGivenUpError(run.id, takeovers));
    return active.track(run, conversation, (here) => {
      // A drain that began meanwhile has missed this run.
      if (this.#isDraining) conversation.release();
      return this.#run(here);
    });
  }

  /**
   * Makes this worker the owner of a run, before its log is opened: two workers that find a run at once would otherwise shut each other out.
   *
   * @returns undefined if another worker was first, or the run has been cancelled
   */
  #claim({ id, tenant, status, owner: before, fingerprint, takeovers }: RunRecord): Promise<RunRecord | undefined> {
    const { owner } = this.#services;
    const { records } = this.#services.store.forTenant(tenant);
    const counts = fingerprint === null ? { progress: 0, takeovers } : {};
    return records.change(
      id,
      { status: [status], owner: before },
      { status: 'running', owner, expiresAt: null, ...counts },
    );
  }

  /** Leaves a run that another worker has claimed to that worker, with the rest of its conversation. */
  async #findNext({ id, tenant }: RunRecord): Promise<Next> {
    const now = await this.#services.store.forTenant(tenant).records.get(id);
    return now?.status === 'running' ? 'stop' : 'checkAgain';
  }

  /** Opens the log of a claimed run. An earlier worker that is still alive can then no longer write. */
  async #openLog(run: RunRecord): Promise<Conversation> {
    const { store, records } = this.#storeOf(run);
    try {
      return await Conversation.open(store, run.conversation);
    } catch (error) {
      const mine = { status: ['running'], owner: run.owner } as const;
      await records.change(run.id, mine, { status: 'queued', owner: null }).catch(() => undefined);
      throw error;
    }
  }

  /** Counts the takeovers of a run since its last progress. */
  #countTakeover(run: RunRecord, { state: { open } }: Conversation): Promise<RunRecord | undefined> {
    const recorded = open?.began.run === run.id ? open.entries : [];
    const progress = recorded.filter(({ kind }) => PROGRESS.has(kind)).length;
    const takeovers = progress > run.progress ? 1 : run.takeovers + 1;
    const mine = { status: ['running'], owner: run.owner } as const;
    return this.#storeOf(run).records.change(run.id, mine, { progress, takeovers });
  }

  async #run(here: ActiveRun): Promise<Next> {
    const { record: run, conversation, abort } = here;
    const { work, owner } = this.#services;
    const { records } = this.#storeOf(run);
    const ready = await work.prepare(run);
    const fingerprint = await work.fingerprint(ready);
    const mine = { status: ['running'], owner } as const;
    const now =
      run.fingerprint === null ? await records.change(run.id, mine, { fingerprint }) : await records.get(run.id);
    // A worker that took long to open the log may have lost the run meanwhile.
    if (now?.status !== 'running' || now.owner !== owner) return 'checkAgain';
    if (now.fingerprint !== fingerprint) {
      const next = await this.#handleOtherVersion(run);
      if (next !== undefined) return next;
    }
    try {
      const response = await work.evaluate(run, ready, conversation, abort.signal);
      if (records.followLog === true) this.#services.onEnd(run, response);
      else await this.#end(run, ['running', 'answered'], { how: 'answered' }, response);
      return 'checkAgain';
    } catch (error) {
      return this.#handleStop(here, error);
    }
  }

  /** Pauses or fails a run whose prompt has changed. Returns undefined if the run continues. */
  async #handleOtherVersion(run: RunRecord): Promise<Next | undefined> {
    const { settings, owner, logger } = this.#services;
    const { records } = this.#storeOf(run);
    const policy: VersionPolicy = settings.onVersion ?? 'continue';
    if (policy === 'continue') return undefined;
    const error = createOtherVersionError(run.id);
    if (policy === 'fail') return this.#fail(run, error);
    logger.warn(`The run ${run.id} is paused: ${error.message}`);
    await records.change(run.id, { status: ['running'], owner }, { status: 'paused', problem: error.message });
    return 'stop';
  }

  /** Parks, fails or cancels a run that stopped without an answer. @throws the error of the infrastructure, unchanged */
  async #handleStop({ record: run, conversation, cancelled }: ActiveRun, error: unknown): Promise<Next> {
    const { owner, redaction } = this.#services;
    const { records } = this.#storeOf(run);
    const isMine = { status: ['running' as const], owner };
    if (error instanceof ApprovalPendingError || codeOf(error) === 'E731') return this.#park(run);
    const now = await records.get(run.id);
    if (now?.owner !== owner) return 'stop';
    if (now.status !== 'running') return now.status === 'paused' ? 'stop' : 'checkAgain';
    if (conversation.isReleased) {
      await records.change(run.id, isMine, { status: 'queued', owner: null });
      return this.#isDraining ? 'handOver' : 'checkAgain';
    }
    // Another conversation has changed the shared session. The run continues from its log, with the new state.
    if (codeOf(error) === 'E755') {
      await records.change(run.id, isMine, { status: 'queued', owner: null });
      return 'checkAgain';
    }
    // The log cannot be written, or the application is closing. The run itself is intact.
    if (codeOf(error) === 'E709' || codeOf(error) === 'E410') throw error;
    const how = cancelled === undefined ? 'failed' : 'cancelled';
    await this.#end(run, ['running'], { how, problem: cancelled ?? messageOf(redaction.redact(error)) });
    return 'checkAgain';
  }

  async #park(run: RunRecord): Promise<Next> {
    const { engine, clock, settings } = this.#services;
    const { records } = this.#storeOf(run);
    const { expireMs } = settings;
    const expiresAt = expireMs === undefined ? null : clock.now() + expireMs;
    const when = { status: ['running' as const, 'waiting' as const], owner: run.owner };
    const park = (within?: WithinChange) => records.change(run.id, when, { status: 'waiting', expiresAt }, within);
    if (expireMs === undefined) await park();
    else await changeAndEnqueue(engine, { ...toEnqueuedJob(run), delayMs: expireMs }, park);
    // A reply that arrived before the record was changed did not find a waiting run.
    return 'checkAgain';
  }

  async #fail(run: RunRecord, error: ToolwrightError): Promise<Next> {
    await closeRun(this.#storeOf(run).store, this.#services.clock, run, 'failed', error.message);
    await this.#end(run, ['running'], { how: 'failed', problem: error.message });
    return 'checkAgain';
  }

  /** Returns the records and the log of the run's tenant. */
  #storeOf({ tenant }: RunRecord): { readonly records: RunRecords; readonly store: RunStore } {
    const store = this.#services.store.forTenant(tenant);
    return { records: store.records, store: new WatchedStore(store, this.#services.changes) };
  }

  async #end(
    run: RunRecord,
    from: readonly RunStatus[],
    { how, problem }: Pick<RunEntry<'end'>, 'how' | 'problem'>,
    response?: PromptResponse,
  ): Promise<void> {
    const status = how === 'abandoned' ? 'cancelled' : how;
    const changes = { status, problem: problem ?? null, expiresAt: null };
    const ended = await this.#storeOf(run).records.change(run.id, { status: from }, changes);
    this.#services.onEnd(ended ?? run, response);
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof ToolwrightError ? error.code : undefined;
}
