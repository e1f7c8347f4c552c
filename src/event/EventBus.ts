import type { AbstractConstructor, Awaitable } from '../common/types.js';

/** Receives events of one class. */
export type Subscriber<E> = (event: E) => Awaitable<void>;

/** What became of one publication. */
export interface DispatchResult {
  /** What subscribers threw at once; rejections of asynchronous ones are reported by `flush()`. */
  readonly errors: readonly unknown[];
}

/** The bus that events are published on: delivers at once and in order, and never rolls back (runtime contract, 9). */
export interface EventBus {
  /** Calls `subscriber` for every event of exactly that class; the returned function ends it. */
  subscribe<E>(type: AbstractConstructor<E>, subscriber: Subscriber<E>): () => void;
  /** True when an event of the class would reach somebody: spares making it otherwise. */
  reaches(type: AbstractConstructor<unknown>): boolean;
  publish(event: object): DispatchResult;
  /** Waits for asynchronous subscribers and gives what they rejected with since the last call. */
  flush(): Promise<DispatchResult>;
}

const NO_ERRORS: DispatchResult = Object.freeze({ errors: Object.freeze([]) });

/** The bus of an application unless another is given; isolates what subscribers throw. */
export class InProcessEventBus implements EventBus {
  readonly #subscribers = new Map<AbstractConstructor<unknown>, Set<Subscriber<never>>>();
  readonly #pending = new Set<Promise<void>>();
  readonly #lateErrors: unknown[] = [];

  subscribe<E>(type: AbstractConstructor<E>, subscriber: Subscriber<E>): () => void {
    const known = this.#subscribers.get(type) ?? new Set();
    this.#subscribers.set(type, known);
    known.add(subscriber);
    return () => {
      known.delete(subscriber);
    };
  }

  reaches(type: AbstractConstructor<unknown>): boolean {
    return (this.#subscribers.get(type)?.size ?? 0) > 0;
  }

  publish(event: object): DispatchResult {
    const subscribers = this.#subscribers.get(event.constructor as AbstractConstructor<unknown>);
    if (subscribers === undefined || subscribers.size === 0) return NO_ERRORS;
    const errors: unknown[] = [];
    for (const subscriber of [...subscribers] as unknown as readonly Subscriber<object>[]) {
      try {
        const delivered = subscriber(event);
        if (delivered instanceof Promise) this.#follow(delivered);
      } catch (error) {
        errors.push(error);
      }
    }
    return errors.length === 0 ? NO_ERRORS : { errors };
  }

  async flush(): Promise<DispatchResult> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
    return { errors: this.#lateErrors.splice(0) };
  }

  #follow(delivered: Promise<void>): void {
    const settled: Promise<void> = delivered
      .catch((error: unknown) => {
        this.#lateErrors.push(error);
      })
      .finally(() => this.#pending.delete(settled));
    this.#pending.add(settled);
  }
}
