import { ApprovalPendingError } from '../error/ApprovalPendingError.js';
import { TransactionClosedError, type ParamIssue } from '../error/toolErrors.js';
import type { RenderedTool } from '../prompt/RenderedTool.js';
import { ToolResult } from '../value/ToolResult.js';
import type { CallResult } from './finalise.js';
import { pendingCallOf } from './pendingCall.js';
import type { ApprovalMissing } from './ProgramCaller.js';
import type { GuardedCall } from './awaitAnswer.js';
import { conflictText, deniedText, issuesText, rejectedText, thrownText } from './messages.js';

/** The arguments do not fit the tool. */
export function rejected({ name }: RenderedTool, issues: readonly ParamIssue[]): CallResult {
  return { kind: 'rejected', result: ToolResult.error(rejectedText(name, issues)), reason: issuesText(name, issues) };
}

/** Somebody who was asked says no. */
export function denied({ name }: RenderedTool, reason: string): CallResult {
  return { kind: 'denied', result: ToolResult.error(deniedText(name, reason)), reason };
}

/** The handler that made the call has ended meanwhile, so there is nothing left to commit into. */
export function orphaned({ name }: RenderedTool): CallResult {
  const error = new TransactionClosedError(`call of ${name} from a handler`);
  return { kind: 'failed', result: ToolResult.error(thrownText(name, error)), error };
}

/** Something that the call had read was changed from outside. */
export function conflicted({ name }: RenderedTool): CallResult {
  return { kind: 'conflicted', result: ToolResult.error(conflictText(name)) };
}

/**
 * A call of the program that it ran waits for an approval: the program is taken back, and is continued as a whole. A call within
 * a program leaves that to the program.
 */
export function waiting(incoming: GuardedCall, missing: ApprovalMissing, askedAt: number): CallResult {
  if (incoming.place.program !== undefined) return { kind: 'denied', result: null, error: missing };
  const pending = pendingCallOf(incoming, askedAt);
  if (typeof pending !== 'string') return { kind: 'denied', result: null, error: new ApprovalPendingError(pending) };
  return denied(incoming.tool, `a call of the program needs an approval at once, because ${pending}`);
}
