import { memoize } from '../common/memoize.js';
import { endRun, type EndedRun } from '../error/EndedRun.js';
import type { Message } from '../value/Message.js';
import { sumUsage, type Usage } from '../value/Usage.js';

const NOTHING: readonly Message[] = Object.freeze([]);

/** What a run has come to, for the error that ends it (docs/contract.md, 16). */
export class UsageAccount {
  readonly #session: { readonly version: number };
  readonly #requests: (Usage | undefined)[] = [];
  /** True when an event has told of its end. */
  isPublished = false;
  #transcript: () => readonly Message[] = () => NOTHING;

  constructor(session: { readonly version: number }) {
    this.#session = session;
  }

  /** The usage of each request that was answered, in their order. */
  get requests(): readonly (Usage | undefined)[] {
    return this.#requests;
  }

  /** @param transcript makes the redacted transcript of the run as it is then */
  begin(transcript: () => readonly Message[]): void {
    this.#transcript = transcript;
  }

  /**
   * Counts an answer, once, whether or not it can be used.
   *
   * @param turn 1 for the first request
   */
  countAnswer(turn: number, usage: Usage | undefined): void {
    this.#requests[turn - 1] = usage;
  }

  /** The account as it is now; later changes of the session do not affect it. */
  get ended(): EndedRun {
    const transcript = memoize(this.#transcript);
    const { version: sessionVersion } = this.#session;
    const usage = sumUsage(this.#requests);
    return {
      get transcript() {
        return transcript();
      },
      usage,
      sessionVersion,
    };
  }

  /** Does the work of the run; an error that ends it gets the account. */
  async runCounted<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      endRun(error, this.ended);
      throw error;
    }
  }
}
