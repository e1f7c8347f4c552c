/** Port to the time. */
export interface Clock {
  /** Milliseconds since the epoch; may jump when the system's clock is set. */
  now(): number;
  /** Milliseconds since an arbitrary moment; never goes back. */
  monotonic(): number;
  /**
   * Resolves after the given milliseconds, and rejects with the signal's reason if it aborts first. The system's timers are
   * used by default.
   */
  sleep?(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
