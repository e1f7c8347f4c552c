import type { FeedbackTrigger } from '../interface/FeedbackProvider.js';

/** The moment after a call. */
export interface ScheduleInput {
  /** Which call of the session it was, from 1. */
  readonly call: number;
  /** Milliseconds by a clock that never goes back. */
  readonly now: number;
  readonly hasFile: (path: string) => Promise<boolean>;
}

/** How far the triggers of one feedback provider have come in one session (docs/contract.md, 10). */
export class FeedbackSchedule {
  #calls = 0;
  #askedAt: number;
  #fileSeen = false;

  /** @param startedAt when the run began in which the provider's first call is, in milliseconds */
  constructor(startedAt: number) {
    this.#askedAt = startedAt;
  }

  /** A call begins; gives its number. */
  count(): number {
    return ++this.#calls;
  }

  /** True when any trigger asks for the provider now; the caller then asks it. */
  async isDue({ everyCalls, everySeconds, fileCreated }: FeedbackTrigger, input: ScheduleInput): Promise<boolean> {
    const { call, now, hasFile } = input;
    const byCalls = everyCalls !== undefined && call % everyCalls === 0;
    const byTime = everySeconds !== undefined && now - this.#askedAt >= everySeconds * 1_000;
    // Looked at even when another trigger is due: a file that was met must not be met again.
    const byFile = fileCreated !== undefined && !this.#fileSeen && (await hasFile(fileCreated)) && !this.#fileSeen;
    if (byFile) this.#fileSeen = true;
    const isDue = byCalls || byTime || byFile;
    if (isDue) this.#askedAt = now;
    return isDue;
  }

  /** The provider spoke after a call of an earlier process: a file that it waited for may have been why. */
  recall(now: number): void {
    this.#askedAt = now;
    this.#fileSeen = true;
  }
}
