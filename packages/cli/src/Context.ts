import type { Interrupts } from './Interrupts.js';
import type { Terminal } from './terminal/Terminal.js';

/** What every command gets: the terminal, and where it was started. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** The folder in which the command was started. */
  readonly folder: string;
  readonly interrupts: Interrupts;
  /** Aborted when the person presses Ctrl-C. */
  readonly signal: AbortSignal;
  /** Sets the exit code: 1 for a result that is not good. */
  readonly fail: () => void;
  /** Gives standard output back to the process, for a protocol that guards it itself. */
  readonly releaseOutput: () => void;
}

/** Options of every command on an application. */
export interface AppOptions {
  readonly app?: string | undefined;
  readonly prompt?: string | undefined;
  readonly json?: boolean | undefined;
  /** `name=value` each: the metadata of the run. */
  readonly metadata?: readonly string[] | undefined;
}
