/** Port to the time. */
export interface Clock {
  /** Milliseconds since the epoch. May jump when the system clock is set. */
  now(): number;
  /** Milliseconds since an arbitrary moment. Never decreases. */
  monotonic(): number;
  /**
   * Waits for the given milliseconds, and rejects with the signal's reason if it aborts first. Uses the timers of the
   * system by default.
   */
  sleep?(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Estimates the tokens in a text. Returns a whole number from 0 up, the same for the same text. Called with whole
 * sections and with the schemas of tools.
 */
export type TokenEstimator = (text: string) => number;

/** Returns a new unique id. */
export type IdSource = () => string;

/** Port to the host's log. */
export interface Logger {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
