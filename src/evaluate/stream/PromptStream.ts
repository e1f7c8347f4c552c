import { relayAbort } from '../../dispatch/attempt/LinkedSignal.js';
import { createPlacedError } from '../../error/ToolwrightError.js';
import type { PromptResponse, EmitStep, StreamEvent, StreamStep } from '../RunOptions.js';
import { HandoffQueue } from './HandoffQueue.js';

/** A run that waits after each event until it has been read. */
type StreamSource<T> = (emit: EmitStep, signal: AbortSignal) => Promise<PromptResponse<T>>;

/**
 * A run as a stream of its events, created by `app.stream`. It starts when the first event is requested, and continues only
 * while the next one is: nothing is read ahead, not even of the model's answer, and no tool is called before its `begun`
 * has been read and the next event is requested. Calls that run together are all announced before the first of them runs.
 * Deadlines and the time limit of a turn keep running while no event is requested.
 *
 * Leaving the loop (`break`, `return()`, `throw()`, `await using`) cancels the run: the request and the running tools are
 * aborted, those tools are rolled back, and nothing runs afterwards; earlier calls keep their effects. `return()` waits until
 * the run has ended. A stream can be read once.
 */
export class PromptStream<T = unknown> implements AsyncIterableIterator<StreamEvent<T>> {
  readonly #steps = new HandoffQueue<StreamStep>();
  readonly #stop = new AbortController();
  readonly #events: AsyncGenerator<StreamEvent<T>, void>;
  #hasReader = false;
  #isLeft = false;

  /** @param caller the caller's signal, which ends the run as well @internal */
  constructor(run: StreamSource<T>, caller: AbortSignal | undefined) {
    this.#events = this.#read(run, caller);
  }

  /** @throws the errors of `app.evaluate` */
  next(): Promise<IteratorResult<StreamEvent<T>, void>> {
    return this.#events.next();
  }

  /** Ends the run, and resolves when it has ended. */
  return(): Promise<IteratorResult<StreamEvent<T>, void>> {
    this.#leave();
    return this.#events.return();
  }

  /** Ends the run, and rejects with the error when it has ended. */
  throw(error: unknown): Promise<IteratorResult<StreamEvent<T>, void>> {
    this.#leave();
    return this.#events.throw(error);
  }

  /** @throws ToolwrightError E715 the second time, since a run happens once */
  [Symbol.asyncIterator](): this {
    if (this.#hasReader) throw createPlacedError('the stream of this run has a reader already', { code: 'E715' });
    this.#hasReader = true;
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async *#read(run: StreamSource<T>, caller: AbortSignal | undefined): AsyncGenerator<StreamEvent<T>, void> {
    const { signal } = this.#stop;
    signal.addEventListener('abort', () => {
      this.#steps.end(signal.reason);
    });
    const letGo = relayAbort(caller, this.#stop);
    const running = run((step) => this.#steps.enqueue(step), signal);
    const ended = running.then(
      () => undefined,
      () => undefined,
    );
    void ended.then(() => {
      letGo();
      this.#steps.end(createAbortError('The run has ended.'));
    });
    try {
      yield* this.#steps;
      if (!this.#isLeft) yield Object.freeze({ kind: 'done', response: await running });
    } finally {
      await ended;
    }
  }

  #leave(): void {
    this.#isLeft = true;
    this.#stop.abort(createAbortError('The stream of this run was left before its end.'));
  }
}

function createAbortError(problem: string): DOMException {
  return new DOMException(problem, 'AbortError');
}
