import { type Application, type ToolOutcome, ToolResult, ToolwrightError } from 'toolwright';
import { describeValue } from 'toolwright/internal/light';
import {
  Sequencer,
  type DispatchContext,
  getApplicationParts,
  mayRunTogether,
  type NestedDispatch,
  ProgramError,
  RenderedTool,
} from 'toolwright/internal';
import type { ExecuteOptions } from '../ExecuteOptions.js';
import type { ProgramSettings } from '../ProgramSettings.js';
import type { ProgramTools } from '../ProgramTools.js';
import { createPlacelessFault, type ProgramEnd } from './ProgramEnd.js';
import { ProgramResult } from './ProgramResult.js';
import { PROGRAM_TOOL, createProgramTool } from './createProgramTool.js';
import { RecordedResults } from './RecordedResults.js';
import { runInCall, type ProgramSetup } from './runInCall.js';
import { runProgram } from './runProgram.js';

/** The environment in which a toolkit runs programs. */
export interface ProgramHost {
  readonly app: Application;
  readonly tools: ProgramTools;
  readonly settings: ProgramSettings;
  readonly isAtomic: boolean;
}

/** Runs a program and, if it fails, the programs of the retry handler (docs/contract.md, 23). */
export async function execute(
  code: string,
  host: ProgramHost,
  run: DispatchContext,
  { approve, onEvent, resume, retry }: ExecuteOptions,
): Promise<ProgramResult> {
  const { tools, settings } = host;
  const before: ProgramEnd[] = [];
  for (let source = code; ;) {
    const program: ProgramSetup = {
      tools,
      settings,
      attempt: before.length + 1,
      approver: approve === undefined ? undefined : { approve },
      emit: onEvent,
      recorded: resume === undefined ? undefined : new RecordedResults(resume.toolCalls),
    };
    const end = await (host.isAtomic ? runAsOneCall : runCallByCall)(source, host, run, program);
    if (end.status !== 'failed' || end.error === null || before.length >= (retry?.max ?? 0)) {
      const result = new ProgramResult(end, before, settings.limits.maxOutputBytes);
      onEvent?.({ kind: 'done', result });
      return result;
    }
    before.push(end);
    source = programIn(await retry?.handler(source, end.error, end.calls));
  }
}

/**
 * Checks the program that a retry handler returned.
 *
 * @throws ProgramError E672 if it is not a string
 */
function programIn(given: unknown): string {
  if (typeof given === 'string') return given;
  const problem = `retry.handler must return the source of a program, and returned ${describeValue(given)}`;
  throw new ProgramError(problem, { code: 'E672', place: 'retry' });
}

/** Runs the program as one call of `execute_program` by the host: its calls commit together, or not at all. */
async function runAsOneCall(
  code: string,
  { app }: ProgramHost,
  run: DispatchContext,
  program: ProgramSetup,
): Promise<ProgramEnd> {
  const { dispatcher, services } = getApplicationParts(app);
  let running: Promise<ProgramEnd> | undefined;
  const metadata = createProgramTool(async (source, context) => {
    running = runInCall(source, context, program);
    // The host has the result already; serialising it as a value would cost more than the calls.
    const result = new ProgramResult(await running, [], program.settings.limits.maxOutputBytes);
    return new ToolResult({ message: result.toModelText(), success: result.success });
  });
  const call = { id: services.ids(), name: PROGRAM_TOOL, arguments: { code } };
  try {
    const outcome = await dispatcher.dispatch(call, run, { tool: new RenderedTool(metadata, {}) });
    return applyOutcome((await running) ?? NOTHING, outcome);
  } catch (thrown) {
    return endInterrupted((await running) ?? NOTHING, run, thrown);
  }
}

/** Runs each call of the program by itself: its changes remain, however the program ends. */
async function runCallByCall(
  code: string,
  { app }: ProgramHost,
  run: DispatchContext,
  program: ProgramSetup,
): Promise<ProgramEnd> {
  const { dispatcher, services } = getApplicationParts(app);
  const order = new Sequencer();
  let begun = 0;
  const dispatch: NestedDispatch = (call, ofProgram) => {
    const position = String(begun++);
    const tool = ofProgram?.tool;
    const here = { ...run, signal: ofProgram?.signal };
    return order.run(tool !== undefined && mayRunTogether(tool), () =>
      dispatcher.dispatch(call, here, { tool, caller: 'program', program: ofProgram?.programCaller, position }),
    );
  };
  const end = await runProgram(code, {
    services,
    run,
    dispatch,
    id: services.ids(),
    isAtomic: false,
    attempt: 1,
    approver: undefined,
    emit: undefined,
    recorded: undefined,
    ...program,
    signal: undefined,
  });
  return end.stop?.kind === 'left' ? endInterrupted(end, run, end.stop.error) : end;
}

const NOTHING: ProgramEnd = Object.freeze({
  status: 'failed',
  output: '',
  errorOutput: '',
  returnValue: undefined,
  calls: [],
  error: null,
  stop: undefined,
});

/** Replaces the dispatcher's text, which would name `execute_program`: hosts that run programs themselves never declared that tool. */
const CONFLICT =
  'What the program had read was changed by another request meanwhile. Its changes here were undone; what its tools did elsewhere was not.';

/** Applies the outcome of the transaction to the result of the program. */
function applyOutcome(end: ProgramEnd, outcome: ToolOutcome): ProgramEnd {
  if (outcome.kind === 'succeeded') return end;
  const { text, rolledBack = true, kind } = outcome;
  if (end.status === 'completed' || end === NOTHING) {
    const error =
      kind === 'conflicted'
        ? createPlacelessFault(kind, 'ConflictError', CONFLICT, 'Run the program again if it is still right.')
        : createPlacelessFault(kind === 'rejected' ? 'refused' : 'tool_error', 'TransactionError', text);
    const calls = rolledBack ? end.calls.map((call) => ({ ...call, rolledBack })) : end.calls;
    return { ...end, status: 'failed', returnValue: undefined, error, calls };
  }
  return !rolledBack && end.error !== null ? { ...end, error: { ...end.error, hint: text } } : end;
}

/**
 * Returns the result of a program that was interrupted because the caller aborted it or the deadline of the run passed.
 *
 * @throws any other error
 */
function endInterrupted(end: ProgramEnd, { signal }: DispatchContext, thrown: unknown): ProgramEnd {
  const calls = end.calls;
  if (signal?.aborted === true) {
    const error = createPlacelessFault('cancelled', 'Cancelled', 'The program was cancelled.');
    return { ...end, status: 'cancelled', returnValue: undefined, error, calls };
  }
  if (thrown instanceof ToolwrightError && thrown.code === 'E605') {
    const error = createPlacelessFault('timeout', 'DeadlineExceeded', thrown.message);
    return { ...end, status: 'timed_out', returnValue: undefined, error, calls };
  }
  throw thrown;
}
