import type { Conversation, RunDelta } from 'toolwright/conversations';
import type { RunListener } from 'toolwright/internal';
import type { RunRecord } from '../records/RunRecords.js';
import { makeScopedKey } from './owners.js';

/** One step of a turn in progress: an event, or pieces of one text. */
export interface LiveStep {
  /** The number of entries that the log had: the step comes after them. */
  readonly after: number;
  /** The event; for a text, with its first piece. */
  readonly delta: RunDelta;
  /** All pieces of the text so far; undefined for another event. */
  readonly texts: string[] | undefined;
}

/** The newest progress of a call. */
interface LiveProgress {
  readonly after: number;
  readonly delta: RunDelta;
  /** Counts the reports of the run in this process, from 1. */
  readonly number: number;
}

/**
 * The steps of a request or of the calls of its answer. Readers keep a place in it, so that none of them has a queue. It is replaced when the
 * next phase has its first step; only readers that have not finished it still hold it.
 */
export interface LivePhase {
  readonly turn: number;
  readonly about: 'answer' | 'calls';
  readonly steps: LiveStep[];
  /** The newest progress of each call, the last one reported at the end. */
  readonly progress: Map<string, LiveProgress>;
  /** True if another request replaces this one: the provider failed, or this process stopped before the answer was stored. */
  isVoid: boolean;
}

/** The turn in progress of one run of this process, and the readers that wait for its steps. */
export class LiveRun {
  #phase: LivePhase | undefined;
  #log: Conversation['log'] | undefined;
  #readers = 0;
  #reports = 0;
  readonly #waiting = new Set<() => void>();

  /** The phase in progress; undefined if this process does not work on the run or has nothing yet. */
  get phase(): LivePhase | undefined {
    return this.#phase;
  }

  /** True while this process works on the run. */
  get isActive(): boolean {
    return this.#log !== undefined;
  }

  /** True if the run has neither a worker here nor a reader. */
  get isUnused(): boolean {
    return this.#log === undefined && this.#readers === 0;
  }

  /** Adds a reader. From now on, outcomes are stored as they come, so that the reader finds them in the log. */
  join(): void {
    this.#readers++;
    this.#log?.flushAhead();
  }

  leave(): void {
    this.#readers--;
  }

  /** Calls `wake` once, at the next step. */
  wakeOnce(wake: () => void): void {
    this.#waiting.add(wake);
  }

  forget(wake: () => void): void {
    this.#waiting.delete(wake);
  }

  /** Begins to collect the steps of a run. Returns its listener, and a function that ends both. */
  begin({ log }: Conversation): { readonly listener: RunListener; readonly end: () => void } {
    this.#stop(log);
    this.#log = log;
    // An adapter that ignores its signal may still be writing when this process works on the run again.
    return {
      listener: {
        onDelta: (delta) => {
          if (this.#log === log) this.#add(delta, log);
        },
        onOutcome: () => {
          if (this.#log === log && this.#readers > 0) log.flushAhead();
        },
      },
      end: () => {
        if (this.#log === log) this.#stop(log);
      },
    };
  }

  /** @param log the log of the worker that stops, or of the next worker: opening it ended the appends of the one before */
  #stop(log: Conversation['log']): void {
    const phase = this.#phase;
    const first = phase?.steps[0];
    if (phase?.about === 'answer' && first !== undefined) phase.isVoid = !log.hasStored(first.after + 1);
    this.#phase = undefined;
    this.#log = undefined;
    this.#wake();
  }

  #add(delta: RunDelta, log: Conversation['log']): void {
    const isText = delta.kind === 'text' || delta.kind === 'reasoning' || delta.kind === 'tool_input';
    const about = isText || delta.kind === 'retry' ? 'answer' : 'calls';
    let phase = this.#phase;
    if (phase !== undefined && delta.kind === 'retry') phase.isVoid = true;
    if (phase?.turn !== delta.turn || phase.about !== about || phase.isVoid)
      this.#phase = phase = { turn: delta.turn, about, steps: [], progress: new Map(), isVoid: false };
    if (delta.kind === 'progress') {
      const number = ++this.#reports;
      phase.progress.delete(delta.call);
      phase.progress.set(delta.call, { after: log.entries.length, delta, number });
      if (this.#readers > 0) log.flushAhead();
      this.#wake();
      return;
    }
    const last = phase.steps.at(-1);
    if (isText && last?.texts !== undefined && isSameText(last.delta, delta)) last.texts.push(delta.text);
    else {
      phase.steps.push({ after: log.entries.length, delta, texts: isText ? [delta.text] : undefined });
      // Readers show the entries before the step first.
      if (this.#readers > 0) log.flushAhead();
    }
    this.#wake();
  }

  #wake(): void {
    if (this.#waiting.size === 0) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }
}

/** The turns in progress of this process, by their runs. */
export class LiveRuns {
  readonly #runs = new Map<string, LiveRun>();

  /** Does the work of a run, whose steps readers get meanwhile. */
  async carry<T>(
    key: Pick<RunRecord, 'tenant' | 'id'>,
    conversation: Conversation,
    work: (listener: RunListener) => Promise<T>,
  ): Promise<T> {
    const run = this.#find(key);
    const { listener, end } = run.begin(conversation);
    try {
      return await work(listener);
    } finally {
      end();
      this.#drop(key, run);
    }
  }

  /** Adds a reader to a run, which this process may work on now, later or never. Call `leave` at the end. */
  join(key: Pick<RunRecord, 'tenant' | 'id'>): LiveRun {
    const run = this.#find(key);
    run.join();
    return run;
  }

  leave(key: Pick<RunRecord, 'tenant' | 'id'>, run: LiveRun): void {
    run.leave();
    this.#drop(key, run);
  }

  #find({ tenant, id }: Pick<RunRecord, 'tenant' | 'id'>): LiveRun {
    const key = makeScopedKey(tenant, id);
    const run = this.#runs.get(key) ?? new LiveRun();
    this.#runs.set(key, run);
    return run;
  }

  #drop({ tenant, id }: Pick<RunRecord, 'tenant' | 'id'>, run: LiveRun): void {
    if (run.isUnused) this.#runs.delete(makeScopedKey(tenant, id));
  }
}

function isSameText(one: RunDelta, other: RunDelta): boolean {
  return one.kind === other.kind && (one.kind !== 'tool_input' || (other.kind === 'tool_input' && one.id === other.id));
}
