import type { ProgramFault } from '../ExecutionResult.js';
import type { ProgramPlace } from '../faultAt.js';

/** A program that may run. */
export interface PreparedProgram {
  /** The `SandboxProgram.body`: without types, its last expression returned, with the lines of the source. */
  readonly body: string;
  /** Maps a place in the body to the source. */
  locate(place: ProgramPlace): ProgramPlace;
}

/** The result of a check: the prepared program and the time that its check took, or the fault for which it does not run. */
export type ProgramCheck =
  | { readonly ok: true; readonly program: PreparedProgram; readonly tookMs: number }
  | { readonly ok: false; readonly fault: ProgramFault };
