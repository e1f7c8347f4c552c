import type { Interrupts } from './Interrupts.js';
import type { Terminal } from './terminal/Terminal.js';

export interface CommandContext {
  readonly terminal: Terminal;
  /** The folder in which the command was started. */
  readonly folder: string;
  readonly interrupts: Interrupts;
  /** Aborted when the person presses Ctrl-C. */
  readonly signal: AbortSignal;
  /** Sets the exit code: 1, the default, for a bad result; 2 for input that could not be read. */
  readonly fail: (code?: 1 | 2) => void;
  /** Gives standard output back to the process, for a protocol that protects it itself. */
  readonly releaseOutput: () => void;
}

/** Options of every command that works on an application. */
export interface AppOptions {
  readonly app?: string | undefined;
  readonly prompt?: string | undefined;
  readonly json?: boolean | undefined;
  /** The metadata of the run, each entry as `name=value`. */
  readonly metadata?: readonly string[] | undefined;
}
