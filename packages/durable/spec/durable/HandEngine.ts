import type { CarryJob, EngineJob, RunEngine } from '@toolwright/durable';

/** An engine that does nothing by itself: the test says when a worker takes a run, and when another one does. */
export class HandEngine implements RunEngine {
  readonly jobs: EngineJob[] = [];
  #carry: CarryJob | undefined;

  enqueue(job: EngineJob): Promise<void> {
    this.jobs.push(job);
    return Promise.resolve();
  }

  work(carry: CarryJob): Promise<void> {
    this.#carry = carry;
    return Promise.resolve();
  }

  drain(): Promise<void> {
    return Promise.resolve();
  }

  /** Works on a conversation, as an engine has the worker do. */
  async carry(conversation: string, run = ''): Promise<'done' | 'again'> {
    if (this.#carry === undefined) throw new TypeError('runs.work() was not called.');
    return this.#carry({ tenant: null, conversation, run });
  }
}
