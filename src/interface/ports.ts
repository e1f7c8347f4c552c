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

/**
 * Port to an estimate of the tokens in a text: returns a whole number from 0 up, the same for the same text. Called with whole
 * sections and with the schemas of tools.
 */
export type TokenEstimator = (text: string) => number;

/** Port to fresh ids: unique strings. */
export type IdSource = () => string;

/** Port to the host's log. */
export interface Logger {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
