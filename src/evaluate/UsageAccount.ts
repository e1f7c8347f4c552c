import { memoize } from '../common/memoize.js';
import { attachProgress, type ProgressAtError } from '../error/ProgressAtError.js';
import type { Message } from '../value/Message.js';
import type { CountedRequest } from '../limit/computeCost.js';
import { sumUsage, type Usage } from '../value/Usage.js';

const NOTHING: readonly Message[] = Object.freeze([]);

/** Counts the requests of a run, for the error that ends it (docs/contract.md, 16). */
export class UsageAccount {
  readonly #session: { readonly version: number };
  /** By their turns. */
  readonly #answers: CountedRequest[] = [];
  /** Answers that another model had to replace. */
  readonly #dropped: CountedRequest[] = [];
  /** True once an event was published about its end. */
  isPublished = false;
  // Private: V8 keeps a function in a public field beyond its run, as in decision 60.
  #listMessages = (): readonly Message[] => NOTHING;
  #redact: ((messages: readonly Message[]) => readonly Message[]) | undefined;

  constructor(session: { readonly version: number }) {
    this.#session = session;
  }

  /** Each request that was answered; those whose answers were dropped come first. */
  get counted(): readonly CountedRequest[] {
    return this.#dropped.length === 0 ? this.#answers : [...this.#dropped, ...this.#answers];
  }

  get requests(): readonly (Usage | undefined)[] {
    return this.counted.map(({ usage }) => usage);
  }

  /** @param redact makes the transcript of messages, without secrets */
  begin(redact: (messages: readonly Message[]) => readonly Message[]): void {
    this.#redact = redact;
  }

  /** @param listMessages lists the messages so far, although more may have come when it is called */
  mark(listMessages: () => readonly Message[]): void {
    this.#listMessages = listMessages;
  }

  /** Returns a function that makes the transcript of the run so far, without secrets. */
  lazyTranscript(): () => readonly Message[] {
    const [listMessages, redact] = [this.#listMessages, this.#redact];
    return () => (redact === undefined ? listMessages() : redact(listMessages()));
  }

  /** Counts an answer, once, whether or not it can be used. @param turn 1 for the first request */
  countAnswer(turn: number, request: CountedRequest): void {
    this.#answers[turn - 1] = request;
  }

  /** Counts an answer that another model has replaced in an earlier process. */
  countDropped(request: CountedRequest): void {
    this.#dropped.push(request);
  }

  /** Keeps the count of an answer that another model replaces, which is counted under the same turn; undefined if there is none. */
  dropAnswer(turn: number): CountedRequest | undefined {
    const [answer] = this.#answers.splice(turn - 1);
    if (answer !== undefined) this.#dropped.push(answer);
    return answer;
  }

  /** The account as it is now; later changes of the session do not affect it. */
  get progress(): ProgressAtError {
    const transcript = memoize(this.lazyTranscript());
    const { version: sessionVersion } = this.#session;
    const usage = sumUsage(this.requests);
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
      attachProgress(error, this.progress);
      throw error;
    }
  }
}
