import { isInstance } from '../../common/classes.js';
import { messageOf } from '../../common/text.js';
import { ApprovalPendingError } from '../../error/ApprovalPendingError.js';
import { CommitRefusal, DeadlineExceededError, ToolRefusal, ToolValidationError } from '../../error/toolErrors.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import { ToolwrightError } from '../../error/ToolwrightError.js';
import { VisibilityExpansionRequired } from '../../error/VisibilityExpansionRequired.js';
import type { CallEffect } from '../../value/ToolOutcome.js';
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

/** How far a call had come when the error was thrown: before anything ran, while it was guarded, or in its transaction. */
export type FailurePhase = 'start' | 'admission' | 'handler';

interface Row {
  readonly when: (thrown: unknown, phase: FailurePhase) => boolean;
  readonly becomes: (thrown: never, call: IncomingCall, phase: FailurePhase) => AttemptResult;
}

/**
 * The failure table (docs/contract.md, 7): which errors escape the dispatcher, and what the model reads otherwise. The first
 * row that fits counts; the last one fits everything. Every error of a call comes here, and nothing else decides what escapes.
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
      createEscaping('timed_out', isDeadlinePassed(call, phase, cause), phase === 'start'),
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
    becomes: answerRefusal,
  },
  {
    when: (thrown) => thrown instanceof CommitRefusal,
    becomes: (error: CommitRefusal, call) => {
      const masked = call.errorMask.of(error);
      return masked === undefined ? answerRefusal(error) : answerUnexpected(error, call, masked);
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
      const masked = call.errorMask.of(error);
      const text = describeBrokenTool(call.call.name, error.code, getToolEffect(call), masked);
      return { ...createFailed(text, error), ...reasonOf(error, call, masked) };
    },
  },
  {
    when: () => true,
    becomes: (error: unknown, call) => answerUnexpected(error, call, call.errorMask.of(error)),
  },
];

function answerRefusal(error: ToolRefusal): AttemptResult {
  const { message, value } = error;
  return { kind: 'failed', result: ToolResult.error(message, { value }), error, reason: message };
}

/** @param masked what replaces the message of the error; undefined if the model may read it */
function answerUnexpected(error: unknown, call: IncomingCall, masked: MaskedError | undefined): AttemptResult {
  const text = describeThrown(call.call.name, error, getToolEffect(call), masked);
  return { kind: 'failed', result: ToolResult.error(text), error, ...reasonOf(error, call, masked) };
}

/** Returns what a program reads, and the id by which the log finds the error. */
function reasonOf(
  error: unknown,
  { call }: IncomingCall,
  masked: MaskedError | undefined,
): Pick<AttemptResult, 'reason' | 'errorId'> {
  if (masked === undefined) return { reason: messageOf(error) };
  return { reason: describeMasked(call.name, masked), errorId: masked.id };
}

function getToolEffect({ tool }: IncomingCall): CallEffect {
  return getEffect(tool?.hints ?? {});
}

/**
 * Mistakes of developers: a method that is not there, sessions, resources. The others of E9xx depend on the call or on the moment:
 * a file that does not exist, no connection.
 */
const FAULTS_OF_TOOLS = /^E(114|80\d|90[12369]|910|912|915|95\d)$/;

/** True for a mistake of the developer about the tool, sessions or resources: the model can do nothing about it. */
export function isToolFault(thrown: unknown): thrown is ToolwrightError {
  return thrown instanceof ToolwrightError && FAULTS_OF_TOOLS.test(thrown.code);
}

/** Looks up in the table what an error makes of its call. */
export function createFailureResult(thrown: unknown, call: IncomingCall, phase: FailurePhase): AttemptResult {
  for (const { when, becomes } of table) if (when(thrown, phase)) return becomes(thrown as never, call, phase);
  return createEscaping('failed', thrown);
}

function isDeadlinePassed({ call, tool }: IncomingCall, phase: FailurePhase, cause: unknown): PromptEvaluationError {
  const when = phase === 'handler' ? `while ${call.name} was running` : `before ${call.name} could run`;
  return new PromptEvaluationError(`The deadline passed ${when}.`, {
    phase: 'tool',
    code: 'E605',
    place: tool?.metadata.place,
    cause,
  });
}
