import type { DurableStore, RunRecord } from '../records/RunRecords.js';
import { makeScopedKey } from './owners.js';

/** Names a conversation among the conversations of all tenants. */
export type ConversationKey = Pick<RunRecord, 'tenant' | 'conversation'>;

/**
 * Wakes readers that wait for changes of a conversation: at once after a change of this process, soon after a change of another process
 * if the store notices it, and at least after each poll interval.
 */
export class Changes {
  readonly #pollMs: number;
  readonly #watchStore: DurableStore['watch'];
  readonly #waiting = new Map<string, Set<Watch>>();
  #unwatch: (() => void) | undefined;

  /**
   * @param pollMs the milliseconds after which another process may have changed something
   * @param watchStore the store's method `watch`
   */
  constructor(pollMs: number, watchStore?: DurableStore['watch']) {
    this.#pollMs = pollMs;
    this.#watchStore = watchStore;
  }

  /** Wakes all readers, because a run of the conversation has changed. */
  notify({ tenant, conversation }: ConversationKey): void {
    for (const { wake } of this.#waiting.get(makeScopedKey(tenant, conversation)) ?? []) wake();
  }

  /** Wakes only readers of entries, because entries were appended. */
  notifyAppended({ tenant, conversation }: ConversationKey): void {
    for (const { wake, readsEntries } of this.#waiting.get(makeScopedKey(tenant, conversation)) ?? [])
      if (readsEntries) wake();
  }

  /**
   * Starts a watch. Changes between this call and `next` are not missed. Call `stop` at the end.
   *
   * @param readsEntries true to wake after each append as well
   */
  watch({ tenant, conversation }: ConversationKey, readsEntries: boolean, signal?: AbortSignal): Watch {
    const key = makeScopedKey(tenant, conversation);
    const waiting = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiting);
    const watch = new Watch(this.#pollMs, readsEntries, signal, () => {
      waiting.delete(watch);
      if (waiting.size === 0) this.#waiting.delete(key);
      if (this.#waiting.size > 0) return;
      this.#unwatch?.();
      this.#unwatch = undefined;
    });
    waiting.add(watch);
    this.#unwatch ??= this.#watchStore?.(() => {
      for (const watches of this.#waiting.values()) for (const { wake } of watches) wake();
    });
    return watch;
  }
}

/** Waits for changes of one conversation. */
export class Watch {
  readonly readsEntries: boolean;
  readonly #pollMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #onStop: () => void;
  #hasChanged = false;
  #resolve: (hasChanged: boolean) => void = () => undefined;

  constructor(pollMs: number, readsEntries: boolean, signal: AbortSignal | undefined, onStop: () => void) {
    this.#pollMs = pollMs;
    this.readsEntries = readsEntries;
    this.#signal = signal;
    this.#onStop = onStop;
    signal?.addEventListener('abort', this.wake);
  }

  readonly wake = (): void => {
    this.#hasChanged = true;
    this.#resolve(true);
  };

  /** Ends the wait of `next` for another reason than a change. */
  readonly interrupt = (): void => {
    this.#resolve(false);
  };

  /** Resolves with true once something may have changed, or with false once `interrupt` was called. @throws the reason of the signal */
  async next(): Promise<boolean> {
    this.#signal?.throwIfAborted();
    const hasChanged =
      this.#hasChanged ||
      (await new Promise<boolean>((resolve) => {
        const timer = setTimeout(resolve, this.#pollMs, true);
        this.#resolve = (isChange) => {
          clearTimeout(timer);
          resolve(isChange);
        };
      }));
    if (hasChanged) this.#hasChanged = false;
    this.#signal?.throwIfAborted();
    return hasChanged;
  }

  stop(): void {
    this.#signal?.removeEventListener('abort', this.wake);
    this.#onStop();
  }
}
