import type { Clock } from 'toolwright';
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

/** A used id. It may be forgotten once the clock that made it has passed `until`. */
interface UsedState {
  readonly until: number;
  readonly clock: Pick<Clock, 'now'>;
}

// Stored under a registered symbol, because two copies of the package (ESM and CJS) in one process must refuse each other's ids.
const USED = Symbol.for('toolwright/mcp/usedStates/1');
const holder = globalThis as unknown as Record<symbol, Map<string, UsedState> | undefined>;
const used = (holder[USED] ??= new Map<string, UsedState>());

/** Notes used answers in the memory of this process, for all its servers: ids are random, so two servers never share one. */
export class MemoryStateStore implements McpStateStore {
  readonly #clock: Pick<Clock, 'now'>;

  /** @param clock the clock of the times that `use` gets */
  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Refuses further ids while it is full, because forgetting one would let it be used twice. */
  use(id: string, until: number): boolean {
    if (used.size >= MAX_USED_STATES) dropExpired();
    if (used.has(id) || used.size >= MAX_USED_STATES) return false;
    used.set(id, { until, clock: this.#clock });
    return true;
  }
}

function dropExpired(): void {
  for (const [id, { until, clock }] of used) if (until < clock.now()) used.delete(id);
}
