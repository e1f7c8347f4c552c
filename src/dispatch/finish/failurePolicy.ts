import { isInstance } from '../../common/classes.js';
import { messageOf } from '../../common/text.js';
import { ApprovalPendingError } from '../../error/ApprovalPendingError.js';
import { CommitRefusal } from '../../error/CommitRefusal.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import { ToolwrightError } from '../../error/ToolwrightError.js';
import { DeadlineExceededError, ToolRefusal, ToolValidationError } from '../../error/toolErrors.js';
import { VisibilityExpansionRequired } from '../../error/VisibilityExpansionRequired.js';
import type { CallEffect } from '../../value/ToolOutcome.js';
import { ToolResult } from '../../value/ToolResult.js';
import { effectOf } from '../../metadata/effectOf.js';
import type { MaskedError } from '../redact/ErrorMask.js';
import type { IncomingCall } from '../admit/IncomingCall.js';
import { brokenText, maskedText, rejectedText, thrownText, timedOutText } from './messages.js';
import { escaping, failed, type CallResult } from './outcomes.js';
import { suspended } from '../admit/pendingCall.js';
import { ApprovalMissing } from '../attempt/ProgramCaller.js';
import { Cancelled, TimedOut } from '../../limit/raceLimits.js';

/** How far a call had come when the error was thrown: before anything ran, while it was guarded, or in its transaction. */
export type CallPhase = 'start' | 'admission' | 'handler';

interface Row {
  readonly when: (thrown: unknown, phase: CallPhase) => boolean;
  readonly becomes: (thrown: never, call: IncomingCall, phase: CallPhase) => CallResult;
}

/**
 * The failure table (docs/contract.md, 7): which errors escape the dispatcher, and what the model reads otherwise. The first
 * row that fits counts; the last one fits everything. Every error of a call comes here, and nothing else decides what escapes.
 */
const table: readonly Row[] = [
  {
    when: VisibilityExpansionRequired.is,
    becomes: (error: VisibilityExpansionRequired) => escaping('expanded', error),
  },
  {
    when: (thrown, phase) => phase === 'admission' && ApprovalPendingError.is(thrown),
    becomes: (error: ApprovalPendingError) => escaping('denied', error, true),
  },
  {
    when: (thrown) => isInstance(thrown, ApprovalMissing),
    becomes: (missing: ApprovalMissing, call, phase) =>
      phase === 'handler' ? suspended(call, missing) : escaping('denied', missing, true),
  },
  {
    when: PromptEvaluationError.is,
    becomes: (error: PromptEvaluationError) => escaping('failed', error),
  },
  {
    when: DeadlineExceededError.is,
    becomes: (cause: DeadlineExceededError, call, phase) =>
      escaping('timed_out', deadlinePassed(call, phase, cause), phase === 'start'),
  },
  {
    when: (thrown) => isInstance(thrown, Cancelled),
    becomes: ({ reason }: Cancelled, _call, phase) => escaping('failed', reason, phase === 'start'),
  },
  {
    when: (thrown) => isInstance(thrown, TimedOut),
    becomes: (timedOut: TimedOut, call) => ({
      kind: 'timed_out',
      result: ToolResult.error(timedOutText(call.call.name, timedOut.milliseconds, leftBy(call))),
      error: timedOut.error,
    }),
  },
  {
    when: (thrown) => ToolRefusal.is(thrown) && !CommitRefusal.is(thrown),
    becomes: answerRefusal,
  },
  {
    when: CommitRefusal.is,
    becomes: (error: CommitRefusal, call) => {
      const masked = call.errorMask.of(error);
      return masked === undefined ? answerRefusal(error) : answerUnexpected(error, call, masked);
    },
  },
  {
    when: ToolValidationError.is,
    becomes: (error: ToolValidationError, incoming) => {
      const { call } = incoming;
      const { message, issues } = error;
      const reason = [message, ...issues.map((issue) => `${issue.path}: ${issue.message}`)].join('; ');
      return {
        ...failed(
          rejectedText(call.name, [{ kind: 'constraint', path: '', message }, ...issues], leftBy(incoming)),
          error,
        ),
        reason,
      };
    },
  },
  {
    when: isFaultOfTool,
    becomes: (error: ToolwrightError, call) => {
      const masked = call.errorMask.of(error);
      const text = brokenText(call.call.name, error.code, leftBy(call), masked);
      return { ...failed(text, error), ...reasonOf(error, call, masked) };
    },
  },
  {
    when: () => true,
    becomes: (error: unknown, call) => answerUnexpected(error, call, call.errorMask.of(error)),
  },
];

function answerRefusal(error: ToolRefusal): CallResult {
  const { message, value } = error;
  return { kind: 'failed', result: ToolResult.error(message, { value }), error, reason: message };
}

/** @param masked what replaces the message of the error; undefined if the model may read it */
function answerUnexpected(error: unknown, call: IncomingCall, masked: MaskedError | undefined): CallResult {
  const text = thrownText(call.call.name, error, leftBy(call), masked);
  return { kind: 'failed', result: ToolResult.error(text), error, ...reasonOf(error, call, masked) };
}

/** Returns what a program reads, and the id by which the log finds the error. */
function reasonOf(
  error: unknown,
  { call }: IncomingCall,
  masked: MaskedError | undefined,
): Pick<CallResult, 'reason' | 'errorId'> {
  if (masked === undefined) return { reason: messageOf(error) };
  return { reason: maskedText(call.name, masked), errorId: masked.id };
}

function leftBy({ tool }: IncomingCall): CallEffect {
  return effectOf(tool?.hints ?? {});
}

/**
 * Mistakes of developers: a method that is not there, sessions, resources. The others of E9xx depend on the call or on the moment:
 * a file that does not exist, no connection.
 */
const FAULTS_OF_TOOLS = /^E(114|80\d|90[12369]|910|912|915|95\d)$/;

/** True for a mistake of the developer about the tool, sessions or resources: the model can do nothing about it. */
export function isFaultOfTool(thrown: unknown): thrown is ToolwrightError {
  return ToolwrightError.is(thrown) && FAULTS_OF_TOOLS.test(thrown.code);
}

/** Looks up in the table what an error makes of its call. */
export function resultOf(thrown: unknown, call: IncomingCall, phase: CallPhase): CallResult {
  for (const { when, becomes } of table) if (when(thrown, phase)) return becomes(thrown as never, call, phase);
  return escaping('failed', thrown);
}

function deadlinePassed({ call, tool }: IncomingCall, phase: CallPhase, cause: unknown): PromptEvaluationError {
  const when = phase === 'handler' ? `while ${call.name} was running` : `before ${call.name} could run`;
  return new PromptEvaluationError(`The deadline passed ${when}.`, {
    phase: 'tool',
    code: 'E605',
    place: tool?.metadata.place,
    cause,
  });
}
