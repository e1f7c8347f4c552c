/** Port to time. */
export interface Clock {
  /** Milliseconds since the epoch; may jump when the system's clock is set. */
  now(): number;
  /** Milliseconds since an arbitrary moment; never goes back. */
  monotonic(): number;
}
