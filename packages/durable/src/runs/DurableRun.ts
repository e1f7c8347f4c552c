import type { PromptResponse } from 'toolwright';
import type { RunDelta, ShownEntry } from 'toolwright/conversations';
import { requireId, requireOptions } from 'toolwright/internal';
import type { RunRecord, RunRecords } from '../records/RunRecords.js';
import { ENDED } from './runStates.js';
import type { DurableServices } from './readHealth.js';
import { resultForms } from './optionForms.js';
import type { EventOptions } from './RunsOptions.js';
import { createNoRunError, createNotAnsweredError } from './runErrors.js';
import type { ReadSession } from './PromptEvaluator.js';

/** A run that was started in this or another process. */
export class DurableRun {
  readonly id: string;
  readonly conversation: string;
  readonly #key: Pick<RunRecord, 'tenant' | 'id' | 'conversation'>;
  readonly #parts: DurableServices;

  /** @internal */
  constructor({ id, conversation }: Pick<RunRecord, 'id' | 'conversation'>, parts: DurableServices) {
    this.id = id;
    this.conversation = conversation;
    this.#key = { tenant: parts.store.tenant, id, conversation };
    this.#parts = parts;
  }

  /** Reads the record of the run. @throws PromptEvaluationError E738 once it was pruned */
  record(): Promise<RunRecord> {
    return recordOf(this.#parts.store.records, this.id, 'run.record');
  }

  /**
   * Waits for the response of the run.
   *
   * @throws PromptEvaluationError E738, E740 if it ends without one, or the reason of the signal; PromptError E413
   */
  async result(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<PromptResponse> {
    requireOptions('run.result', options, resultForms);
    const { signal } = options;
    const { changes, responses, store, work } = this.#parts;
    const watch = changes.watch(this.#key, false, signal);
    const expected = responses.expect(this.#key);
    try {
      for (;;) {
        const record = await this.record();
        const response = expected.response();
        if (response !== undefined) return response;
        if (record.status === 'answered')
          return await work.evaluateRecorded(record, await store.entries(this.conversation));
        if (ENDED.has(record.status)) throw createNotAnsweredError(record);
        await watch.next();
        // The response of a run of this process is in memory.
        const here = expected.response();
        if (here !== undefined) return here;
      }
    } finally {
      expected.stop();
      watch.stop();
    }
  }

  /**
   * Reads the session of the conversation from its log, in any process. It is a copy; the worker continues with its own.
   *
   * @returns the session, and its `version`: the place of its last change in the log, which is the `seq` of that event, or the version of
   * a shared session; 0 without any change
   * @throws PromptEvaluationError E738, E709; SessionError E806 for state without a class in `prepare`; errors of `prepare`, unchanged
   */
  async session(): Promise<ReadSession> {
    const { store, work } = this.#parts;
    const record = await this.record();
    const ready = await work.prepare(record);
    const entries = await store.entries(this.conversation);
    return work.session(record, ready, entries);
  }

  /**
   * Reads the events of the run, from its first entry or after a place.
   *
   * @throws PromptError E413; PromptEvaluationError E738, or the reason of the signal
   */
  events(options: EventOptions = {}): AsyncGenerator<ShownEntry, void> {
    const { events, store } = this.#parts;
    return events.entries({ store, record: () => this.record(), options }, 'run.events');
  }

  /**
   * Reads the events of the run for a chat, like `runs.stream`: its entries, and the pieces of the turn in progress while this process works
   * on it. Ends when the run ends or waits for people.
   *
   * @throws PromptError E413; PromptEvaluationError E738, or the reason of the signal
   */
  stream(options: EventOptions = {}): AsyncGenerator<ShownEntry | RunDelta, void> {
    const { events, store } = this.#parts;
    return events.pieces({ store, record: () => this.record(), options }, 'run.stream');
  }
}

/**
 * Reads the record of a run.
 *
 * @param place the called method, such as `runs.get`
 * @throws PromptEvaluationError E709 for anything but an id, E738
 */
export async function recordOf(records: RunRecords, id: string, place: string): Promise<RunRecord> {
  requireId(place, 'run', id);
  const run = await records.get(id);
  if (run === undefined) throw createNoRunError(id);
  return run;
}
