import { getOrCreate } from '../common/memoize.js';
import type { FeedbackTrigger, FeedbackProvider } from '../interface/FeedbackProvider.js';

export interface ScheduleInput {
  /** The number of the call in the session, from 1. */
  readonly call: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: number;
  readonly hasFile: (path: string) => Promise<boolean>;
}

/** The state of the triggers of one feedback provider in one session (docs/contract.md, 10). */
export class FeedbackSchedule {
  #calls = 0;
  #askedAt: number;
  #fileSeen = false;

  /** @param startedAt the start of the run of the provider's first call, in milliseconds */
  constructor(startedAt: number) {
    this.#askedAt = startedAt;
  }

  /** Counts a call that begins, and returns its number. */
  count(): number {
    return ++this.#calls;
  }

  /** Returns true if any trigger is due now; the caller then asks the provider. */
  async isDue({ everyCalls, everySeconds, fileCreated }: FeedbackTrigger, input: ScheduleInput): Promise<boolean> {
    const { call, now, hasFile } = input;
    const byCalls = everyCalls !== undefined && call % everyCalls === 0;
    const byTime = everySeconds !== undefined && now - this.#askedAt >= everySeconds * 1_000;
    // Checked even if another trigger is due: a file must trigger only once.
    const byFile = fileCreated !== undefined && !this.#fileSeen && (await hasFile(fileCreated)) && !this.#fileSeen;
    if (byFile) this.#fileSeen = true;
    const isDue = byCalls || byTime || byFile;
    if (isDue) this.#askedAt = now;
    return isDue;
  }

  /** Restores that the provider gave feedback after a call of an earlier process; a new file may have been the trigger. */
  recall(now: number): void {
    this.#askedAt = now;
    this.#fileSeen = true;
  }
}

/** The schedules of an application: one for each provider instance in each session, kept as long as the session. */
export class FeedbackSchedules {
  readonly #bySession = new WeakMap<object, Map<FeedbackProvider, FeedbackSchedule>>();

  /** @param startedAt the start of a schedule that this call creates, in milliseconds */
  of(session: object, provider: FeedbackProvider, startedAt: number): FeedbackSchedule {
    const known = getOrCreate(this.#bySession, session, () => new Map<FeedbackProvider, FeedbackSchedule>());
    return getOrCreate(known, provider, () => new FeedbackSchedule(startedAt));
  }
}
