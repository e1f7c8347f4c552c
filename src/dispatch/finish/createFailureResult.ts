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
import type { MaskedError } from '../redact/ErrorMask.js';
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

/**
 * How far a call had come when the error was thrown: before any step, while policies and approver were asked, or in its
 * transaction.
 */
export type FailurePhase = 'start' | 'admission' | 'handler';

interface Row {
  readonly when: (thrown: unknown, phase: FailurePhase) => boolean;
  readonly becomes: (thrown: never, call: IncomingCall, phase: FailurePhase) => AttemptResult;
}

/**
 * The failure table (docs/contract.md, 7): decides which errors escape the dispatcher, and which text the model reads for the
 * others. The first matching row applies; the last one matches everything. Every error of a call passes this table, and no other
 * code decides which errors escape.
 */
const table: readonly Row[] = [
  {
    when: (thrown) => thrown instanceof VisibilityExpansionRequired,
    becomes: (error: VisibilityExpansionRequired) => createEscaping('expanded', error),
  },
  {
    when: (thrown, phase) => phase === 'admission' && thrown instanceof ApprovalPendingError,
    becomes: (error: ApprovalPendingError) => createEscaping('denied', error, true),
  },
  {
    when: (thrown) => isInstance(thrown, ApprovalMissing),
    becomes: (missing: ApprovalMissing, call, phase) =>
      phase === 'handler' ? suspendCall(call, missing) : createEscaping('denied', missing, true),
  },
  {
    when: (thrown) => thrown instanceof PromptEvaluationError,
    becomes: (error: PromptEvaluationError) => createEscaping('failed', error),
  },
  {
    when: (thrown) => thrown instanceof DeadlineExceededError,
    becomes: (cause: DeadlineExceededError, call, phase) =>
      createEscaping('timed_out', createDeadlineError(call, phase, cause), phase === 'start'),
  },
  {
    when: (thrown) => isInstance(thrown, Cancelled),
    becomes: ({ reason }: Cancelled, _call, phase) => createEscaping('failed', reason, phase === 'start'),
  },
  {
    when: (thrown) => isInstance(thrown, TimedOut),
    becomes: (timedOut: TimedOut, call) => ({
      kind: 'timed_out',
      result: ToolResult.error(describeTimeout(call.call.name, timedOut.milliseconds, getToolEffect(call))),
      error: timedOut.error,
    }),
  },
  {
    when: (thrown) => thrown instanceof ToolRefusal && !(thrown instanceof CommitRefusal),
    becomes: createRefusalResult,
  },
  {
    when: (thrown) => thrown instanceof CommitRefusal,
    becomes: (error: CommitRefusal, call) => {
      const masked = call.services.errorMask.of(error);
      return masked === undefined ? createRefusalResult(error) : createUnexpectedResult(error, call, masked);
    },
  },
  {
    when: (thrown) => thrown instanceof ToolValidationError,
    becomes: (error: ToolValidationError, incoming) => {
      const { call } = incoming;
      const { message, issues } = error;
      const reason = [message, ...issues.map((issue) => `${issue.path}: ${issue.message}`)].join('; ');
      return {
        ...createFailed(
          describeRejection(call.name, [{ kind: 'constraint', path: '', message }, ...issues], getToolEffect(incoming)),
          error,
        ),
        reason,
      };
    },
  },
  {
    when: isToolFault,
    becomes: (error: ToolwrightError, call) => {
      const masked = call.services.errorMask.of(error);
      const text = describeBrokenTool(call.call.name, error.code, getToolEffect(call), masked);
      return { ...createFailed(text, error), ...describeReason(error, call, masked) };
    },
  },
  {
    when: () => true,
    becomes: (error: unknown, call) => createUnexpectedResult(error, call, call.services.errorMask.of(error)),
  },
];

function createRefusalResult(error: ToolRefusal): AttemptResult {
  const { message, value } = error;
  return { kind: 'failed', result: ToolResult.error(message, { value }), error, reason: message };
}

/** @param masked replaces the error's message; undefined if the model may read the message */
function createUnexpectedResult(error: unknown, call: IncomingCall, masked: MaskedError | undefined): AttemptResult {
  const text = describeThrown(call.call.name, error, getToolEffect(call), masked);
  return { kind: 'failed', result: ToolResult.error(text), error, ...describeReason(error, call, masked) };
}

/** Returns the reason that a program reads, and the id under which the log has the error. */
function describeReason(
  error: unknown,
  { call }: IncomingCall,
  masked: MaskedError | undefined,
): Pick<AttemptResult, 'reason' | 'errorId'> {
  if (masked === undefined) return { reason: messageOf(error) };
  return { reason: describeMasked(call.name, masked), errorId: masked.id };
}

function getToolEffect({ tool }: IncomingCall): SideEffect {
  return getEffect(tool?.hints ?? {});
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

/** Converts an error into the result of its call, by the failure table. */
export function createFailureResult(thrown: unknown, call: IncomingCall, phase: FailurePhase): AttemptResult {
  for (const { when, becomes } of table) if (when(thrown, phase)) return becomes(thrown as never, call, phase);
  return createEscaping('failed', thrown);
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
