import type { Approver } from 'toolwright/policies';
import type { DispatchContext, DispatchServices, NestedDispatch } from 'toolwright/internal';
import type { ProgramEvent } from '../ExecutionResult.js';
import type { ProgramSettings } from '../ProgramSettings.js';
import type { ProgramTools } from '../ProgramTools.js';
import type { RecordedResults } from './RecordedResults.js';

/** The context of one attempt at a program. */
export interface ProgramContext {
  readonly tools: ProgramTools;
  readonly settings: ProgramSettings;
  readonly services: DispatchServices;
  readonly run: DispatchContext;
  /** Runs a tool call of the program, as a savepoint of the program or by itself. */
  readonly dispatch: NestedDispatch;
  /** The id of the program's own call, from which the ids of its calls derive. */
  readonly id: string;
  /** True if the calls commit with the program, or not at all. */
  readonly isAtomic: boolean;
  /** From 1. */
  readonly attempt: number;
  /** Cancels the program. */
  readonly signal: AbortSignal | undefined;
  /** Replaces the approvers of the toolkit and the application. */
  readonly approver: Approver | undefined;
  readonly emit: ((event: ProgramEvent) => void) | undefined;
  readonly recorded: RecordedResults | undefined;
}
