import type { Awaitable } from 'toolwright/types';
import { MAX_USED_STATES } from '../../limits.js';

/**
 * Notes which answers of clients were used, so that none is used twice. Use one store for all processes of a server.
 *
 * @example
 * const store: McpStateStore = {
 *   use: async (id, until) => {
 *     const text = 'INSERT INTO used_answers VALUES ($1, to_timestamp($2 / 1000.0)) ON CONFLICT DO NOTHING';
 *     return (await pool.query(text, [id, until])).rowCount === 1;
 *   },
 * };
 */
export interface McpStateStore {
  /**
   * Notes an id as used. Returns true for the first use only, also when several processes call at the same time.
   *
   * @param until the milliseconds since the epoch after which the id may be forgotten
   */
  use(id: string, until: number): Awaitable<boolean>;
}

/** Notes used answers in the memory of this process. */
export class MemoryStateStore implements McpStateStore {
  readonly #used = new Map<string, number>();
  readonly #now: () => number;

  /** @param now returns the milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Refuses further ids while it is full, because forgetting one would let it be used twice. */
  use(id: string, until: number): boolean {
    if (this.#used.size >= MAX_USED_STATES) this.#dropExpired();
    if (this.#used.has(id) || this.#used.size >= MAX_USED_STATES) return false;
    this.#used.set(id, until);
    return true;
  }

  #dropExpired(): void {
    const now = this.#now();
    for (const [id, until] of this.#used) if (until < now) this.#used.delete(id);
  }
}
