import { isInstance } from '../../common/classes.js';
import { messageOf } from '../../common/text.js';
import { ApprovalPendingError } from '../../error/ApprovalPendingError.js';
import { CommitRefusal, DeadlineExceededError, ToolRefusal, ToolValidationError } from '../../error/toolErrors.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import { ToolwrightError } from '../../error/ToolwrightError.js';
import { VisibilityExpansionRequired } from '../../error/VisibilityExpansionRequired.js';
import type { SideEffect } from '../../value/ToolOutcome.js';
import { ToolResult } from '../../value/ToolResult.js';
import { getEffect } from '../../value/ToolHints.js';
import type { IncomingCall } from '../admit/IncomingCall.js';
import {
  describeBrokenTool,
  describeMasked,
  describeRejection,
  describeThrown,
  describeTimeout,
} from './outcomeTexts.js';
import { createEscaping, createFailed, type AttemptResult } from './outcomes.js';
import { suspendCall } from '../admit/pendingCall.js';
import { ApprovalMissing } from '../attempt/ProgramScope.js';
import { Cancelled, TimedOut } from '../../limit/raceLimits.js';

/** How far a call had come: before any step, while policies and approver were asked, or in its transaction. */
export type FailurePhase = 'start' | 'admission' | 'handler';

/**
 * Converts an error into the result of its call (docs/contract.md, 7): decides which errors escape the dispatcher, and which text
 * the model reads for the others. The first match applies. Every error of a call comes here, and no other code decides which
 * errors escape.
 */
export function createFailureResult(thrown: unknown, call: IncomingCall, phase: FailurePhase): AttemptResult {
  const { name } = call.call;
  const effect = getEffect(call.tool?.hints ?? {});
  if (thrown instanceof VisibilityExpansionRequired) return createEscaping('expanded', thrown);
  if (phase === 'admission' && thrown instanceof ApprovalPendingError) return createEscaping('denied', thrown, true);
  if (isInstance(thrown, ApprovalMissing))
    return phase === 'handler' ? suspendCall(call, thrown) : createEscaping('denied', thrown, true);
  if (thrown instanceof PromptEvaluationError) return createEscaping('failed', thrown);
  if (thrown instanceof DeadlineExceededError)
    return createEscaping('timed_out', createDeadlineError(call, phase, thrown), phase === 'start');
  if (isInstance(thrown, Cancelled)) return createEscaping('failed', thrown.reason, phase === 'start');
  if (isInstance(thrown, TimedOut)) {
    const text = describeTimeout(name, thrown.milliseconds, effect);
    return { kind: 'timed_out', result: ToolResult.error(text), error: thrown.error };
  }
  if (thrown instanceof ToolRefusal && !(thrown instanceof CommitRefusal)) return createRefusalResult(thrown);
  if (thrown instanceof ToolValidationError) return createValidationResult(name, thrown, effect);
  const masked = call.services.errorMask.of(thrown);
  if (thrown instanceof CommitRefusal && masked === undefined) return createRefusalResult(thrown);
  const text = isToolFault(thrown)
    ? describeBrokenTool(name, thrown.code, effect, masked)
    : describeThrown(name, thrown, effect, masked);
  const result = ToolResult.error(text);
  const reason = masked === undefined ? messageOf(thrown) : describeMasked(name, masked);
  return { kind: 'failed', result, error: thrown, reason, ...(masked === undefined ? {} : { errorId: masked.id }) };
}

function createRefusalResult(error: ToolRefusal): AttemptResult {
  const { message, value } = error;
  return { kind: 'failed', result: ToolResult.error(message, { value }), error, reason: message };
}

function createValidationResult(name: string, error: ToolValidationError, effect: SideEffect): AttemptResult {
  const { message, issues } = error;
  const text = describeRejection(name, [{ kind: 'constraint', path: '', message }, ...issues], effect);
  const reason = [message, ...issues.map((issue) => `${issue.path}: ${issue.message}`)].join('; ');
  return { ...createFailed(text, error), reason };
}

/**
 * Codes of developer mistakes: a missing method, sessions, resources. The other E9xx codes depend on the call or the moment: a
 * missing file, a lost connection.
 */
const FAULTS_OF_TOOLS = /^E(114|80\d|90[12369]|910|912|915|95\d)$/;

/** Checks for a developer's mistake about the tool, sessions or resources, which the model cannot correct. */
export function isToolFault(thrown: unknown): thrown is ToolwrightError {
  return thrown instanceof ToolwrightError && FAULTS_OF_TOOLS.test(thrown.code);
}

function createDeadlineError({ call, tool }: IncomingCall, phase: FailurePhase, cause: unknown): PromptEvaluationError {
  const when = phase === 'handler' ? `while ${call.name} was running` : `before ${call.name} could run`;
  return new PromptEvaluationError(`The deadline passed ${when}.`, {
    phase: 'tool',
    code: 'E605',
    place: tool?.metadata.place,
    cause,
  });
}
