/** Port to time. */
export interface Clock {
  /** Milliseconds since the epoch; may jump when the system's clock is set. */
  now(): number;
  /** Milliseconds since an arbitrary moment; never goes back. */
  monotonic(): number;
  /**
   * Resolves after so many milliseconds, and rejects with the signal's reason when that aborts first. The machine's timers
   * serve when left out.
   */
  sleep?(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
