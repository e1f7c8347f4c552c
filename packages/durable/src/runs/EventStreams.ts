import type { RunStore } from 'toolwright/conversations';
import { type Redaction, requireOptions, type RunRecord } from 'toolwright/internal';
import { eventForms } from './optionForms.js';
import { ENDED } from './runStates.js';
import type { Changes } from './Changes.js';
import { EventReader } from './EventReader.js';
import type { EventOptions } from './RunsOptions.js';
import type { RunStreamEvent } from './RunStreamEvent.js';
import type { PromptRunner } from './PromptRunner.js';

/** Reads the events of runs from their logs. */
export class EventStreams {
  readonly #work: PromptRunner;
  readonly #redaction: Redaction;
  readonly #changes: Changes;

  constructor(work: PromptRunner, redaction: Redaction, changes: Changes) {
    this.#work = work;
    this.#redaction = redaction;
    this.#changes = changes;
  }

  /**
   * Yields the events of a run.
   *
   * @param record reads the record of the run
   * @param place the called method
   * @throws PromptError E413
   */
  async *of(
    store: RunStore,
    record: () => Promise<RunRecord>,
    options: EventOptions,
    place: string,
  ): AsyncGenerator<RunStreamEvent, void> {
    requireOptions(place, options, eventForms);
    const { after = 0, signal } = options;
    const begun = await record();
    const { id, conversation } = begun;
    // Tools declare which arguments are secret.
    const tools = await this.#work.tools(await this.#work.prepare(begun));
    const reader = new EventReader(id, this.#redaction, tools);
    const watch = this.#changes.watch(begun, true, signal);
    try {
      for (;;) {
        // The record is read before the entries, so that entries written in between are read the next time.
        const { status, problem } = await record();
        for (const entry of await store.entries(conversation, reader.seq)) {
          const event = reader.next(entry);
          if (event === undefined || (event.seq !== undefined && event.seq <= after)) {
            if (event?.kind === 'ended') return;
            continue;
          }
          yield event;
          if (event.kind === 'ended') return;
        }
        if (ENDED.has(status)) {
          // The run never began, or its end could not be written.
          const ended = status as 'answered' | 'failed' | 'cancelled';
          yield { kind: 'ended', seq: undefined, status: ended, problem: this.#redaction.redact(problem) };
          return;
        }
        await watch.next();
      }
    } finally {
      watch.stop();
    }
  }
}
