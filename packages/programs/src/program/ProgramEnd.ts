import type { ExecutionStatus, ProgramCall, ProgramFault } from '../ExecutionResult.js';
import type { ProgramOutcome } from 'toolwright/policies';
import type { Stop } from './ProgramBridge.js';

/** The result of one attempt at a program. */
export interface ProgramEnd extends ProgramOutcome {
  readonly status: ExecutionStatus;
  readonly output: string;
  readonly errorOutput: string;
  readonly returnValue: unknown;
  readonly calls: readonly ProgramCall[];
  readonly error: ProgramFault | null;
  /** Set if the host ended it. */
  readonly stop: Stop | undefined;
}

/** Creates a fault without a place in the program. */
export function createPlacelessFault(
  kind: ProgramFault['kind'],
  name: string,
  message: string,
  hint: string | null = null,
): ProgramFault {
  return { kind, name, message, line: null, column: null, snippet: null, hint };
}
