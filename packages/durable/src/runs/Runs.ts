import type { JsonValue, PromptResponse } from 'toolwright';
import type { HistoryEntry, QuestionReply, RunDelta, ShownEntry } from 'toolwright/conversations';
import { keyText } from 'toolwright/internal/light';
import { getApplicationParts, requireId, requireOptions, requireTenant, requireValue } from 'toolwright/internal';
import type { ChatRecords } from '../records/ChatRecords.js';
import type {
  OpenQuestion,
  QuestionFilter,
  RunFilter,
  RunRecord,
  RunRecords,
  RunsOverview,
  WithinChange,
} from '../records/RunRecords.js';
import { ABORTED_CALLS_MS, DISPOSE_DRAIN_MS } from '../limits.js';
import { cancelRun, type EndedStatus } from './cancelRun.js';
import { checkOverview } from './CheckedRecords.js';
import { copyConversation } from './copyConversation.js';
import { DurableRun, recordOf } from './DurableRun.js';
import { enqueueOpen, changeAndEnqueue, toEnqueuedJob } from './changeAndEnqueue.js';
import { readHealth, type DurableHealth, type DurableServices } from './readHealth.js';
import * as forms from './optionForms.js';
import { previewQuestion, type PreviewOptions, type QuestionPreview } from './previewQuestion.js';
import { copyEdit, replyToRun } from './replyToRun.js';
import { retryRun } from './retryRun.js';
import { createNotEditableError, createWrongStateError } from './runErrors.js';
import type { EventOptions, RetryRunOptions, StartOptions, SteerOptions } from './RunsOptions.js';
import { startRun } from './startRun.js';
import { steerRun } from './steerRun.js';

/**
 * Durable runs. A run that this process has begun continues in another one if this one ends. Created by `openRuns`.
 *
 * @example
 * const run = await runs.start({ id: requestId, conversation: 'c-17', messages: [{ role: 'user', content: 'Ship it' }] });
 * const response = await run.result();
 */
export class Runs<I extends JsonValue = JsonValue> {
  readonly #parts: DurableServices;

  /** @internal */
  constructor(parts: DurableServices) {
    this.#parts = parts;
  }

  /** The tenant of these runs; null for runs without a tenant. */
  get tenant(): string | null {
    return this.#parts.store.tenant;
  }

  /**
   * Returns the runs of a tenant. Runs and conversations of other tenants do not exist there, whatever their ids are.
   *
   * @param tenant the owner of the data, not the acting person, who is `runMetadata.principal`
   * @throws PromptEvaluationError E709 for anything but an id or null
   * @example
   * const runs = allRuns.forTenant(request.user.tenant);
   */
  forTenant(tenant: string | null): Runs<I> {
    requireTenant('runs.forTenant', tenant);
    return new Runs({ ...this.#parts, store: this.#parts.store.forTenant(tenant) });
  }

  /** The runs of all tenants, for operators. */
  get acrossTenants(): RunsOverview {
    return checkOverview(this.#parts.store.acrossTenants, 'runs.acrossTenants');
  }

  /** The chats of the tenant's users: which conversations belong to whom, with their titles. */
  get chats(): ChatRecords {
    return this.#parts.store.chats;
  }

  /**
   * Starts a run. It is safely in the store when the promise resolves. The id of an existing run returns that run.
   *
   * @throws PromptEvaluationError E709 for ids that are not texts, E739 for the id of a run of another conversation; PromptError E412,
   * E413, also for an `input` that is not JSON
   */
  async start(options: StartOptions<I>): Promise<DurableRun> {
    return new DurableRun(await startRun(this.#parts, options), this.#parts);
  }

  /** Returns a started run by its id. @throws PromptEvaluationError E709 for anything but an id, E738 */
  async run(id: string): Promise<DurableRun> {
    return new DurableRun(await recordOf(this.#records, id, 'runs.run'), this.#parts);
  }

  /** Reads the record of a run. @throws PromptEvaluationError E709 for anything but an id, E738 */
  get(id: string): Promise<RunRecord> {
    return recordOf(this.#records, id, 'runs.get');
  }

  /**
   * Waits for the response of a run, in any process.
   *
   * @throws PromptEvaluationError E709, E738, E740 if it ends without one, or the reason of the signal; PromptError E413
   */
  async result(id: string, options: { readonly signal?: AbortSignal | undefined } = {}): Promise<PromptResponse> {
    requireOptions('runs.result', options, forms.resultForms);
    return new DurableRun(await recordOf(this.#records, id, 'runs.result'), this.#parts).result(options);
  }

  /**
   * Reads the events of a run from its log, in any process, during the run and after its end, any number of times. A run continues when
   * its readers leave.
   *
   * @param options.after the `seq` of the last event that the client has received
   * @throws PromptEvaluationError E709, E738, or the reason of the signal; PromptError E413
   */
  events(id: string, options: EventOptions = {}): AsyncGenerator<ShownEntry, void> {
    const { events, store } = this.#parts;
    const record = (): Promise<RunRecord> => recordOf(store.records, id, 'runs.events');
    return events.entries({ store, record, options }, 'runs.events');
  }

  /**
   * Reads the events of a run for a chat: its entries, and between them the pieces of the turn in progress while this process works on the
   * run. In other processes, only entries come. The stream ends after the `end` of the run, or after the questions that it waits for; call
   * it again with `after` once they have a reply. The run never waits for its readers.
   *
   * @param options.after the `seq` of the last entry that the client has received; the pieces after it come again
   * @throws PromptEvaluationError E709, E738, or the reason of the signal; PromptError E413
   * @example
   * for await (const event of runs.stream('r-1', { after: lastSeq, signal: request.signal })) send(event);
   */
  stream(id: string, options: EventOptions = {}): AsyncGenerator<ShownEntry | RunDelta, void> {
    const { events, store } = this.#parts;
    const record = (): Promise<RunRecord> => recordOf(store.records, id, 'runs.stream');
    return events.pieces({ store, record, options }, 'runs.stream');
  }

  /**
   * Reads the conversation of a run from its first message, in any process: the events of all its runs, and the messages that began them.
   *
   * @throws PromptEvaluationError E709, E738; errors of `prepare`, unchanged
   */
  async history(id: string): Promise<readonly HistoryEntry[]> {
    const run = await recordOf(this.#records, id, 'runs.history');
    return this.#parts.events.history(this.#parts.store, run);
  }

  /**
   * Deletes a conversation with its runs and questions.
   *
   * @throws PromptEvaluationError E709, and E746 if one of its runs has not ended
   */
  async deleteConversation(conversation: string): Promise<void> {
    requireId('runs.deleteConversation', 'conversation', conversation);
    await this.#parts.store.delete(conversation);
  }

  /** Lists runs in the order in which they were started. @throws PromptError E413 for an invalid filter */
  async list(filter: RunFilter = {}): Promise<readonly RunRecord[]> {
    requireOptions('runs.list', filter, forms.runFilterForms);
    return this.#records.list(filter);
  }

  /** Lists the questions that wait for a reply. @throws PromptError E413 for an invalid filter */
  async questions(filter: QuestionFilter = {}): Promise<readonly OpenQuestion[]> {
    requireOptions('runs.questions', filter, forms.questionFilterForms);
    return this.#records.questions(filter);
  }

  /**
   * Shows the call of a question: its arguments without secrets, and the changes that it would make. Nothing is stored.
   *
   * @param question the id of the question
   * @throws PromptEvaluationError E709, E738, E743 if the question is not open any more, E735 for arguments that the tool refuses, or
   * of a question that takes none; PromptError E413; errors of `prepare` and of rendering, unchanged
   */
  async preview(id: string, question: string, options: PreviewOptions = {}): Promise<QuestionPreview> {
    requireOptions('runs.preview', options, forms.previewForms);
    const { rehearses, arguments: given } = options;
    const edited = given === undefined ? undefined : copyEdit('runs.preview', given);
    const run = await recordOf(this.#records, id, 'runs.preview');
    requireId('runs.preview', 'question', question);
    const open = (await this.questions({ run: id })).find((each) => each.id === question);
    if (open === undefined) throw createWrongStateError(id, `the question ${keyText(question)} waits no longer`);
    if (edited !== undefined && open.about !== 'approval') throw createNotEditableError(id, open);
    return previewQuestion(this.#parts, run, open, { rehearses, arguments: edited });
  }

  /**
   * Answers a question, in any process. Its run then continues. The first reply counts.
   *
   * @param question the id of the question
   * @returns `late` if the question was answered before, or its run has ended or has waited for longer than `expireMs`
   * @throws PromptEvaluationError E738, E709 for a question that was never asked, E735 for a reply of the wrong kind, or with arguments
   * that the tool refuses
   */
  async reply(id: string, question: string, reply: QuestionReply): Promise<'taken' | 'late'> {
    return replyToRun(this.#parts, id, question, reply);
  }

  /**
   * Writes to the model while a run goes on, in any process. The run sends the message with its next request: after the calls of a turn,
   * or after an answer, which then is not the last one. If the run ends in another way, or has no request left, the next run of its
   * conversation begins with the message.
   *
   * @param text the message of a person
   * @param options.id names the message: a message that comes twice, from a client that repeats its request, is taken once
   * @returns `late` if the run has ended, or the message has come before
   * @throws PromptEvaluationError E738, E709; PromptError E412 for anything but a text, E413
   * @example
   * await runs.steer('r-1', 'Only the blue one, please.', { id: messageId });
   */
  async steer(id: string, text: string, options: SteerOptions = {}): Promise<'taken' | 'late'> {
    requireOptions('runs.steer', options, forms.steerForms);
    const { id: message = getApplicationParts(this.#parts.app).services.ids() } = options;
    return steerRun(this.#parts, id, { id: message, text });
  }

  /**
   * Cancels a run in any process. It keeps the text of the answer that was being streamed, and the next run of its conversation begins. A
   * worker in another process has five seconds to end the run, and is locked out then. The log decides: a run that has already ended does
   * not change.
   *
   * @param reason at most 100,000 characters
   * @returns the status with which the run ended: `cancelled`, or an earlier one
   * @throws PromptEvaluationError E738, E709; PromptError E413 for anything but a reason
   */
  async cancel(id: string, reason: string): Promise<EndedStatus> {
    requireId('runs.cancel', 'run', id);
    requireValue('runs.cancel', 'reason', reason, forms.aReason);
    return cancelRun(this.#parts, () => this.get(id), reason);
  }

  /**
   * Pauses a run before its next request or call. `resume` continues it.
   *
   * @throws PromptEvaluationError E709, E738, E743 if it has ended
   */
  async pause(id: string): Promise<void> {
    requireId('runs.pause', 'run', id);
    const open = { status: ['queued', 'running', 'waiting', 'paused'] as const };
    const paused = await this.#records.change(id, open, { status: 'paused', expiresAt: null });
    if (paused === undefined) throw createWrongStateError(id, `it has ended (${(await this.get(id)).status})`);
    this.#parts.active.get(paused)?.conversation.release();
    this.#parts.changes.notify(paused);
  }

  /** Continues a paused run. @throws PromptEvaluationError E709, E738, E743 if it is not paused */
  async resume(id: string): Promise<void> {
    const run = await recordOf(this.#records, id, 'runs.resume');
    // The worker may still be in the call during which the run was paused.
    await this.#parts.active.get(run)?.ended;
    const resumed = { status: 'queued', owner: null, problem: null } as const;
    const resume = (within?: WithinChange) => this.#records.change(id, { status: ['paused'] }, resumed, within);
    const changed = await changeAndEnqueue(this.#parts.engine, toEnqueuedJob(run), resume);
    if (changed === undefined) throw createWrongStateError(id, `it is not paused (${(await this.get(id)).status})`);
  }

  /**
   * Runs an ended run again in a copy of its conversation, from its beginning or from one of its entries. Effects outside stay.
   *
   * @returns the new run, in a new conversation
   * @throws PromptEvaluationError E709, E738, E739, E743 if the run has not ended or does not have the entry; PromptError E413
   */
  async retry(id: string, options: RetryRunOptions = {}): Promise<DurableRun> {
    return this.run(await retryRun(this.#parts, id, options));
  }

  /**
   * Copies a conversation, or its part before a run, into a new one.
   *
   * @param options.conversation the id of the copy, which must be unused; a new one when left out
   * @returns the id of the copy, for `runs.start`
   * @throws PromptEvaluationError E709, E738, E743 for a conversation that exists; PromptError E413
   */
  async fork(id: string, options: { readonly conversation?: string | undefined } = {}): Promise<string> {
    requireOptions('runs.fork', options, forms.forkForms);
    const { conversation = getApplicationParts(this.#parts.app).services.ids() } = options;
    requireId('runs.fork', 'conversation', conversation);
    const run = await recordOf(this.#records, id, 'runs.fork');
    const copy = { from: run, to: { id, conversation }, last: undefined, repeats: false };
    await copyConversation(this.#parts.store, copy);
    return conversation;
  }

  /** Takes runs in this process until `drain`. Later calls do nothing. */
  async work(): Promise<void> {
    const { life } = this.#parts;
    if (life.isWorking) return;
    life.isWorking = true;
    await this.#parts.engine.work(this.#parts.carrier.carry);
  }

  /**
   * Stops working: takes no more runs, and stops running ones before their next request or call. Calls that still run after `ms`
   * milliseconds are aborted. All runs stay open for another worker.
   *
   * @throws PromptError E413 for anything but a number of milliseconds
   */
  async drain(ms: number): Promise<void> {
    requireValue('runs.drain', 'ms', ms, forms.aDuration);
    const { life } = this.#parts;
    life.draining ??= this.#drain(ms);
    return life.draining;
  }

  async #drain(ms: number): Promise<void> {
    const { carrier, engine, active, life } = this.#parts;
    carrier.drain();
    const timer = setTimeout(() => active.abort(`the worker had ${String(ms)} ms to drain`), ms);
    try {
      await engine.drain(ms + ABORTED_CALLS_MS);
    } finally {
      clearTimeout(timer);
      life.isWorking = false;
    }
  }

  /** Checks store and engine. Never rejects. */
  health(): Promise<DurableHealth> {
    return readHealth(this.#parts);
  }

  /**
   * Enqueues all open runs again, after a queue was lost, or for a queue that does not take part in transactions. Harmless for runs that
   * are already enqueued.
   *
   * @returns the number of runs
   */
  recover(): Promise<number> {
    return enqueueOpen(this.#parts.engine, this.acrossTenants);
  }

  /**
   * Deletes the tenant's runs that ended before a time, and conversations without other runs. Returns the number of deleted runs.
   *
   * @throws PromptError E413 for anything but a valid date
   */
  async prune(before: Date): Promise<number> {
    requireValue('runs.prune', 'before', before, forms.aDate);
    return this.#records.prune(before);
  }

  /** Drains for at most ten seconds. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.drain(DISPOSE_DRAIN_MS);
  }

  get #records(): RunRecords {
    return this.#parts.store.records;
  }
}
