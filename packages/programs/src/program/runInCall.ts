import { type RenderedPrompt, type ToolContext, ToolResult } from 'toolwright';
import { ApprovalMissing, HandlerContext, type ContextInternals, ProgramError } from 'toolwright/internal';
import type { ProgramSettings } from '../ProgramSettings.js';
import type { ProgramTools } from '../ProgramTools.js';
import type { ProgramContext } from './ProgramContext.js';
import type { ProgramEnd } from './ProgramEnd.js';
import { ProgramResult } from './ProgramResult.js';
import { PROGRAM_TOOL } from './createProgramTool.js';
import { runProgram } from './runProgram.js';

/** The context that the program adds to the call in which it runs. */
export interface ProgramSetup
  extends
    Pick<ProgramContext, 'tools' | 'settings'>,
    Partial<Pick<ProgramContext, 'attempt' | 'approver' | 'emit' | 'recorded'>> {}

/**
 * Runs a program within a call of `execute_program`; the program's calls are savepoints of that call.
 *
 * @throws ProgramError E673 outside a call of a dispatcher
 */
export async function runInCall(code: string, context: ToolContext, program: ProgramSetup): Promise<ProgramEnd> {
  const { services, run, nested } = insideOf(context);
  return runProgram(code, {
    services,
    run,
    dispatch: nested,
    id: context.call.id,
    isAtomic: true,
    attempt: 1,
    approver: undefined,
    emit: undefined,
    recorded: undefined,
    ...program,
    signal: context.signal,
  });
}

/** The tools and settings of programs that a model sends. */
export interface ProgramAnswering {
  readonly tools: (rendered: RenderedPrompt) => ProgramTools;
  readonly settings: ProgramSettings;
}

/** Runs a program that a model sent, and returns its result as the result of the call. */
export async function answerProgram(
  code: string,
  context: ToolContext,
  { tools, settings }: ProgramAnswering,
): Promise<ToolResult> {
  const { run, services } = insideOf(context);
  const end = await runInCall(code, context, { tools: tools(run.rendered), settings });
  const { stop } = end;
  // Such errors concern the whole run, so its dispatcher handles them.
  if (stop?.kind === 'left') throw stop.error;
  if (stop?.kind === 'paused' && stop.isComing) throw new ApprovalMissing(true, services.clock.now());
  const result = new ProgramResult(end, [], settings.limits.maxOutputBytes);
  const { success } = result;
  // A program that did not complete is a failed result, so that its call is rolled back.
  return new ToolResult({ message: result.toModelText(), value: result, success, excludeValueFromContext: true });
}

function insideOf(context: ToolContext): ContextInternals {
  const inside = HandlerContext.inside(context);
  if (inside !== undefined) return inside;
  throw new ProgramError('the context is not that of a call', { code: 'E673', place: PROGRAM_TOOL });
}
