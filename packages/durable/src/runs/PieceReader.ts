import type { RunDelta, RunEntry } from 'toolwright/conversations';
import { listOpenQuestions } from 'toolwright/internal';
import type { Watch } from './Changes.js';
import type { LivePhase, LiveRun, LiveStep } from './LiveRuns.js';

/** One reader's place in the turn in progress of a run. It pulls the pieces that belong between the entries of the log. */
export class PieceReader {
  readonly #live: LiveRun;
  #phase: LivePhase | undefined;
  #step = 0;
  /** The number of pieces of this step that were read. */
  #offset = 0;
  /** The number of the last report of progress that was read. */
  #report = 0;
  /** The turn of which pieces were read, and whose answer has not come. */
  #begunTurn: number | undefined;
  /** True if another request replaces the one of these pieces. */
  #isVoid = false;
  /** The turn of the last answer in the log. */
  #answeredTurn = 0;
  /** The calls of that turn that have ended. */
  readonly #endedCalls = new Set<string>();
  /** The questions of the run, and the entries that may close them. */
  #questions: RunEntry[] = [];

  constructor(live: LiveRun) {
    this.#live = live;
  }

  /** True while this process works on the run. */
  get isActive(): boolean {
    return this.#live.isActive;
  }

  /** True if the log ends with questions that have no reply. */
  get hasQuestions(): boolean {
    return listOpenQuestions(this.#questions).length > 0;
  }

  /** Notes the next entry of the run in the log. Returns a `retry` that comes before it; undefined if there is none. */
  note(entry: RunEntry): RunDelta | undefined {
    switch (entry.kind) {
      case 'run':
      case 'end':
        this.#questions = [];
        return undefined;
      case 'question':
      case 'reply':
        this.#questions.push(entry);
        return undefined;
      case 'outcome':
        this.#endedCalls.add(entry.call);
        if (this.#questions.length > 0) this.#questions.push(entry);
        return undefined;
      case 'answer': {
        this.#answeredTurn = entry.turn;
        this.#endedCalls.clear();
        const retry = this.#takeRetry();
        this.#begunTurn = undefined;
        return retry;
      }
      default:
        return undefined;
    }
  }

  /** Yields the pieces that come after the first `seq` entries of the log and before the next one, as far as they are there. */
  *read(seq: number): Generator<RunDelta, void> {
    for (let step = this.#findStep(seq); step !== undefined; step = this.#findStep(seq)) {
      const delta = this.#take(step);
      if (!this.#isCurrent(delta)) continue;
      if (delta.kind === 'retry') this.#isVoid = false;
      const retry = this.#takeRetry();
      if (retry !== undefined) yield retry;
      if (step.texts !== undefined) this.#begunTurn = delta.turn;
      yield delta;
    }
    for (const { after, delta, number } of this.#phase?.progress.values() ?? []) {
      if (number <= this.#report || after > seq) continue;
      this.#report = number;
      if (this.#isCurrent(delta)) yield delta;
    }
  }

  /** Resolves once there may be more to read; true if the store may have changed. @throws the reason of the signal */
  async wait(watch: Watch): Promise<boolean> {
    const { isActive } = this.#live;
    this.#live.wakeOnce(watch.interrupt);
    return (await watch.next()) || isActive !== this.#live.isActive;
  }

  stop(watch: Watch): void {
    this.#live.forget(watch.interrupt);
  }

  /** Returns the step that is read next; undefined if there is none yet, or if entries of the log come before it. */
  #findStep(seq: number): LiveStep | undefined {
    for (;;) {
      if (this.#phase?.isVoid === true) {
        this.#isVoid = this.#begunTurn !== undefined;
        this.#phase = undefined;
      }
      const step = this.#phase?.steps[this.#step];
      if (step !== undefined && this.#offset < (step.texts?.length ?? 1)) return step.after > seq ? undefined : step;
      if (this.#phase !== undefined && this.#step + 1 < this.#phase.steps.length) this.#step++;
      else if (this.#live.phase === undefined || this.#live.phase === this.#phase) return undefined;
      else {
        this.#phase = this.#live.phase;
        this.#step = 0;
      }
      this.#offset = 0;
    }
  }

  /** Returns a step without the pieces that were read before. */
  #take({ delta, texts }: LiveStep): RunDelta {
    const offset = this.#offset;
    this.#offset = texts?.length ?? 1;
    if (texts === undefined || (offset === 0 && texts.length === 1)) return delta;
    return { ...delta, text: texts.slice(offset).join('') } as RunDelta;
  }

  /** False for the pieces of an answer that is in the log, and for a call that has ended. */
  #isCurrent(delta: RunDelta): boolean {
    if (delta.kind !== 'begun' && delta.kind !== 'progress') return delta.turn > this.#answeredTurn;
    return delta.turn === this.#answeredTurn && !this.#endedCalls.has(delta.call);
  }

  /** Returns the event that voids the pieces of a request that was replaced; undefined if there are none. */
  #takeRetry(): RunDelta | undefined {
    if (!this.#isVoid || this.#begunTurn === undefined) return undefined;
    this.#isVoid = false;
    const problem = 'another request replaces the one of these pieces';
    return { kind: 'retry', turn: this.#begunTurn, waitMs: 0, problem };
  }
}
