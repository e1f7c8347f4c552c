import type { HistoryEntry, RunDelta, RunEntry, RunStore, ShownEntry } from 'toolwright/conversations';
import { EntryView, type Redaction, requireOptions } from 'toolwright/internal';
import type { RunRecord } from '../records/RunRecords.js';
import { eventForms } from './optionForms.js';
import { ENDED } from './runStates.js';
import type { Changes } from './Changes.js';
import type { EventOptions } from './RunsOptions.js';
import type { LiveRuns } from './LiveRuns.js';
import { PieceReader } from './PieceReader.js';
import type { PromptEvaluator } from './PromptEvaluator.js';

/** The run whose events are read. */
interface EventSource {
  readonly store: RunStore;
  /** Reads the record of the run. */
  readonly record: () => Promise<RunRecord>;
  readonly options: EventOptions;
}

/** Reads the events of runs from their logs, and the pieces of turns in progress. */
export class EventStreams {
  readonly #work: PromptEvaluator;
  readonly #redaction: Redaction;
  readonly #changes: Changes;
  readonly #live: LiveRuns;

  constructor(work: PromptEvaluator, redaction: Redaction, changes: Changes, live: LiveRuns) {
    this.#work = work;
    this.#redaction = redaction;
    this.#changes = changes;
    this.#live = live;
  }

  /** Reads the conversation of a run from its first entry. */
  async history(store: RunStore, record: RunRecord): Promise<readonly HistoryEntry[]> {
    const toolsByName = await this.#work.tools(await this.#work.prepare(record));
    const view = new EntryView(this.#redaction, { toolsByName }, true);
    const entries = await store.entries(record.conversation);
    return entries.flatMap((entry, index) => view.showInHistory(entry, index + 1) ?? []);
  }

  /**
   * Yields the entries of a run.
   *
   * @param place the called method
   * @throws PromptError E413
   */
  async *entries(source: EventSource, place: string): AsyncGenerator<ShownEntry, void> {
    requireOptions(place, source.options, eventForms);
    // Without a reader of pieces, all events are entries.
    yield* this.#read(source, await source.record(), undefined) as AsyncGenerator<ShownEntry, void>;
  }

  /**
   * Yields the entries of a run and the pieces of the turn in progress, until the run ends or waits for people.
   *
   * @param place the called method
   * @throws PromptError E413
   */
  async *pieces(source: EventSource, place: string): AsyncGenerator<ShownEntry | RunDelta, void> {
    requireOptions(place, source.options, eventForms);
    const begun = await source.record();
    const live = this.#live.join(begun);
    try {
      yield* this.#read(source, begun, new PieceReader(live));
    } finally {
      this.#live.leave(begun, live);
    }
  }

  async *#read(
    { store, record, options }: EventSource,
    begun: RunRecord,
    pieces: PieceReader | undefined,
  ): AsyncGenerator<ShownEntry | RunDelta, void> {
    const { after = 0, signal } = options;
    const { id, conversation } = begun;
    // Tools declare which arguments are secret.
    const toolsByName = await this.#work.tools(await this.#work.prepare(begun));
    const view = new EntryView(this.#redaction, { toolsByName }, pieces !== undefined);
    let seq = 0;
    let isInRun = false;
    const watch = this.#changes.watch(begun, true, signal);
    try {
      for (;;) {
        const isIdle = !(pieces?.isActive ?? false);
        // The record is read before the entries, so that entries written in between are read the next time.
        const { status, problem } = await record();
        for (const entry of await store.entries(conversation, seq)) {
          if (pieces !== undefined && isInRun && seq >= after) yield* pieces.read(seq);
          seq++;
          if (entry.kind === 'run') isInRun = entry.run === id;
          if (!isInRun) continue;
          const retry = pieces?.note(entry);
          if (retry !== undefined) yield retry;
          const event = view.show(entry, seq);
          if (event !== undefined && seq > after) yield event;
          if (event?.kind === 'end') return;
        }
        if (isIdle && pieces?.hasQuestions === true) return;
        if (ENDED.has(status)) {
          // The run never began, or its end could not be written.
          const how = status as RunEntry<'end'>['how'];
          const end = { kind: 'end', run: id, how, messages: [], ...(problem === null ? {} : { problem }) } as const;
          const event = view.show(end, undefined);
          if (event !== undefined) yield event;
          return;
        }
        if (pieces === undefined) await watch.next();
        else
          do {
            if (isInRun && seq >= after) yield* pieces.read(seq);
          } while (!(await pieces.wait(watch)));
      }
    } finally {
      pieces?.stop(watch);
      watch.stop();
    }
  }
}
