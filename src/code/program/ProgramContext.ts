import type { CallRun, DispatchServices } from '../../dispatch/CallRun.js';
import type { NestedDispatch } from '../../dispatch/CallToolContext.js';
import type { Approver } from '../../interface/Approver.js';
import type { ProgramEvent } from '../ProgramEvent.js';
import type { ProgramSettings } from '../ProgramSettings.js';
import type { ProgramTools } from '../ProgramTools.js';
import type { RecordedResults } from './RecordedResults.js';

/** Everything that one attempt at a program needs. */
export interface ProgramContext {
  readonly tools: ProgramTools;
  readonly settings: ProgramSettings;
  readonly services: DispatchServices;
  readonly run: CallRun;
  /** Runs a tool call of the program, as a savepoint of the program or by itself. */
  readonly dispatch: NestedDispatch;
  /** The id of the program's own call, from which its calls' ids are made. */
  readonly id: string;
  /** True when the calls commit with the program, or not at all. */
  readonly isAtomic: boolean;
  /** 1 for the first. */
  readonly attempt: number;
  /** Ends the program from outside. */
  readonly signal: AbortSignal | undefined;
  /** In place of the toolkit's and the application's. */
  readonly approver: Approver | undefined;
  readonly tell: ((event: ProgramEvent) => void) | undefined;
  readonly recorded: RecordedResults | undefined;
}
