import { isThenable } from '../common/classes.js';
import { getOrCreate } from '../common/memoize.js';
import { MAX_LATE_ERRORS } from '../common/limits.js';
import type { AbstractConstructor, Awaitable } from '../common/types.js';

/** Receives events of one class. */
export type Subscriber<E> = (event: E) => Awaitable<void>;

/** The result of one publication. */
export interface DispatchResult {
  /** Errors that subscribers threw synchronously. `flush()` returns the rejections of asynchronous ones. */
  readonly errors: readonly unknown[];
}

/** The bus that publishes events. It delivers synchronously and in order, and never rolls back (docs/contract.md, 9). */
export interface EventBus {
  /** Calls `subscriber` for every event of exactly this class. The returned function unsubscribes. */
  subscribe<E>(type: AbstractConstructor<E>, subscriber: Subscriber<E>): () => void;
  /** Returns true if the class has a subscriber. If not, the event need not be created. */
  reaches(type: AbstractConstructor<unknown>): boolean;
  publish(event: object): DispatchResult;
  /** Waits for asynchronous subscribers and returns their rejections since the last call. */
  flush(): Promise<DispatchResult>;
}

interface Subscription {
  readonly receive: Subscriber<object>;
}

const NO_ERRORS: DispatchResult = Object.freeze({ errors: Object.freeze([]) });

/** The default bus of an application. Isolates the errors of subscribers. */
export class InProcessEventBus implements EventBus {
  readonly #subscriptions = new Map<AbstractConstructor<unknown>, Set<Subscription>>();
  readonly #pending = new Set<Promise<unknown>>();
  readonly #lateErrors: unknown[] = [];
  readonly #onLateError: ((error: unknown) => void) | undefined;

  /** @param onLateError called with each rejection of an asynchronous subscriber as it happens */
  constructor(onLateError?: (error: unknown) => void) {
    this.#onLateError = onLateError;
  }

  subscribe<E>(type: AbstractConstructor<E>, subscriber: Subscriber<E>): () => void {
    const known = getOrCreate(this.#subscriptions, type, () => new Set<Subscription>());
    // A separate object, because one function may subscribe twice.
    const subscription: Subscription = { receive: subscriber as Subscriber<object> };
    known.add(subscription);
    return () => {
      known.delete(subscription);
    };
  }

  reaches(type: AbstractConstructor<unknown>): boolean {
    return (this.#subscriptions.get(type)?.size ?? 0) > 0;
  }

  publish(event: object): DispatchResult {
    const subscriptions = this.#subscriptions.get(event.constructor as AbstractConstructor<unknown>);
    if (subscriptions === undefined || subscriptions.size === 0) return NO_ERRORS;
    const errors: unknown[] = [];
    for (const { receive } of [...subscriptions]) {
      try {
        const delivered: unknown = receive(event);
        if (isThenable(delivered)) this.#follow(Promise.resolve(delivered));
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

  #follow(delivered: Promise<unknown>): void {
    const settled: Promise<unknown> = delivered
      .catch((error: unknown) => {
        this.#onLateError?.(error);
        // Bounded, for hosts that never flush.
        if (this.#lateErrors.length < MAX_LATE_ERRORS) this.#lateErrors.push(error);
      })
      .finally(() => this.#pending.delete(settled));
    this.#pending.add(settled);
  }
}
