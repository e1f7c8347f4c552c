import type { ProgramFault } from '../ExecutionResult.js';
import type { ProgramPlace } from '../faultAt.js';

/** A program that may run. */
export interface PreparedProgram {
  /** What an engine runs (`SandboxProgram.body`): without types, its last expression returned, on the lines of the source. */
  readonly body: string;
  /** The place in the source behind a place in the body. */
  locate(place: ProgramPlace): ProgramPlace;
}

/** What a check found: the program as it runs, or the fault for which nothing of it runs. */
export type ProgramCheck =
  { readonly ok: true; readonly program: PreparedProgram } | { readonly ok: false; readonly fault: ProgramFault };
