import { availableParallelism } from 'node:os';
import { allowManyListeners } from 'toolwright/internal';
import { FairQueue } from '../FairQueue.js';
import { CheckThread } from './CheckThread.js';
import type { CheckMessage, CheckTask } from './checkTasks.js';

/** A task for the pool. */
export interface PoolTask {
  readonly task: CheckTask;
  /** Time limit of the task in milliseconds; the wait for a thread does not count. */
  readonly limitMs: number;
  /** Tasks of one owner share a queue; owners take turns. */
  readonly owner: object;
  /** Aborted when the caller gives up waiting. */
  readonly signal: AbortSignal | undefined;
}

/** The outcome of a task: an answer, time or memory exceeded, or aborted by its caller. */
export type PoolAnswer =
  | { readonly kind: 'answered'; readonly message: CheckMessage; readonly tookMs: number }
  | { readonly kind: 'exceeded' }
  | { readonly kind: 'aborted' };

/** The members of a thread that the pool uses. */
type Thread = Pick<CheckThread, 'prepare' | 'warmUp' | 'ask' | 'replace'>;

interface Waiting {
  readonly given: PoolTask;
  readonly resolve: (answer: PoolAnswer) => void;
  readonly reject: (error: Error) => void;
}

const [FEWEST, MOST] = [2, 4];

/**
 * Checks programs in threads, which start on demand; `warmUp` starts the first one early. Owners of waiting programs take turns, and
 * no owner holds all threads, even if each of its programs uses up its time: one thread is left for the others. A program that costs
 * a thread keeps its place until the replacement has started.
 */
export class CheckPool {
  readonly #most: number;
  readonly #make: () => Thread;
  /** The most recently used thread comes last. */
  readonly #idle: Thread[] = [];
  readonly #queue = new FairQueue<Waiting>();
  /** The number of threads that an owner holds. */
  readonly #held = new Map<object, number>();
  #started = 0;

  /** @param most maximum number of threads, at least 2 */
  constructor(
    most = Math.min(Math.max(availableParallelism(), FEWEST), MOST),
    make: () => Thread = () => new CheckThread(),
  ) {
    this.#most = most;
    this.#make = make;
  }

  /** @throws ProgramError E663 if a required library is missing; E664 if a thread does not start */
  ask(given: PoolTask): Promise<PoolAnswer> {
    const { owner, signal } = given;
    if (signal?.aborted === true) return Promise.resolve({ kind: 'aborted' });
    return new Promise<PoolAnswer>((resolve, reject) => {
      const waiting: Waiting = {
        given,
        resolve: (answer) => {
          signal?.removeEventListener('abort', giveUp);
          resolve(answer);
        },
        reject,
      };
      const giveUp = (): void => {
        this.#queue.remove(owner, waiting);
        waiting.resolve({ kind: 'aborted' });
      };
      if (signal !== undefined) allowManyListeners(signal).addEventListener('abort', giveUp, { once: true });
      this.#queue.add(owner, waiting);
      this.#startWaiting();
    });
  }

  /** Starts the first thread, if there is none yet, and loads the compiler in it. */
  warmUp(): void {
    if (this.#started > 0) return;
    const thread = this.#add();
    thread.warmUp();
    this.#idle.push(thread);
  }

  /** Starts as many waiting tasks as threads are available. */
  #startWaiting(): void {
    while (this.#idle.length > 0 || this.#started < this.#most) {
      const next = this.#queue.take((owner) => (this.#held.get(owner) ?? 0) < this.#most - 1);
      if (next === undefined) return;
      void this.#run(this.#idle.pop() ?? this.#add(), next.owner, next.task);
    }
  }

  #add(): Thread {
    this.#started++;
    return this.#make();
  }

  async #run(thread: Thread, owner: object, { given, resolve, reject }: Waiting): Promise<void> {
    this.#held.set(owner, (this.#held.get(owner) ?? 0) + 1);
    try {
      await thread.prepare(given.task.task);
      const began = performance.now();
      const message = await thread.ask(given.task, given.limitMs);
      if (message === undefined) {
        resolve({ kind: 'exceeded' });
        // The owner keeps its place until then: otherwise others would wait for the start of the thread that it has cost.
        await thread.replace();
      } else resolve({ kind: 'answered', message, tookMs: performance.now() - began });
    } catch (error) {
      reject(error as Error);
    }
    const held = (this.#held.get(owner) ?? 1) - 1;
    if (held > 0) this.#held.set(owner, held);
    else this.#held.delete(owner);
    this.#idle.push(thread);
    this.#startWaiting();
  }
}
