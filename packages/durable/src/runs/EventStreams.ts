import type { HistoryEntry, RunEntry, RunStore, ShownEntry } from 'toolwright/conversations';
import { EntryView, type Redaction, requireOptions, type RunRecord } from 'toolwright/internal';
import { eventForms } from './optionForms.js';
import { ENDED } from './runStates.js';
import type { Changes } from './Changes.js';
import type { EventOptions } from './RunsOptions.js';
import type { PromptEvaluator } from './PromptEvaluator.js';

/** Reads the events of runs from their logs. */
export class EventStreams {
  readonly #work: PromptEvaluator;
  readonly #redaction: Redaction;
  readonly #changes: Changes;

  constructor(work: PromptEvaluator, redaction: Redaction, changes: Changes) {
    this.#work = work;
    this.#redaction = redaction;
    this.#changes = changes;
  }

  /** Reads the conversation of a run from its first entry. */
  async history(store: RunStore, record: RunRecord): Promise<readonly HistoryEntry[]> {
    const toolsByName = await this.#work.tools(await this.#work.prepare(record));
    const view = new EntryView(this.#redaction, { toolsByName });
    const entries = await store.entries(record.conversation);
    return entries.flatMap((entry, index) => view.showInHistory(entry, index + 1) ?? []);
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
  ): AsyncGenerator<ShownEntry, void> {
    requireOptions(place, options, eventForms);
    const { after = 0, signal } = options;
    const begun = await record();
    const { id, conversation } = begun;
    // Tools declare which arguments are secret.
    const toolsByName = await this.#work.tools(await this.#work.prepare(begun));
    const view = new EntryView(this.#redaction, { toolsByName });
    let seq = 0;
    let isInRun = false;
    const watch = this.#changes.watch(begun, true, signal);
    try {
      for (;;) {
        // The record is read before the entries, so that entries written in between are read the next time.
        const { status, problem } = await record();
        for (const entry of await store.entries(conversation, seq)) {
          seq++;
          if (entry.kind === 'run') isInRun = entry.run === id;
          const event = isInRun ? view.show(entry, seq) : undefined;
          if (event !== undefined && seq > after) yield event;
          if (event?.kind === 'end') return;
        }
        if (ENDED.has(status)) {
          // The run never began, or its end could not be written.
          const how = status as RunEntry<'end'>['how'];
          const end = { kind: 'end', run: id, how, messages: [], ...(problem === null ? {} : { problem }) } as const;
          const event = view.show(end, undefined);
          if (event !== undefined) yield event;
          return;
        }
        await watch.next();
      }
    } finally {
      watch.stop();
    }
  }
}
