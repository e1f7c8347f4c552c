import type { ResourceError } from '../../error/infrastructureErrors.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import { MAX_NESTED_CALLS } from '../../common/limits.js';
import { TransactionClosedError, type ParamIssue } from '../../error/toolErrors.js';
import { formatMessage, ToolwrightError } from '../../error/ToolwrightError.js';
import type { RenderedTool } from '../../prompt/RenderedTool.js';
import type { PartsProblem } from '../../value/findPartsProblem.js';
import type { SectionCost } from '../../value/SectionCost.js';
import type { CallEffect, FailureKind, OutcomeKind } from '../../value/ToolOutcome.js';
import type { ToolChanges } from '../../value/Message.js';
import { ToolResult } from '../../value/ToolResult.js';
import { holdsSecrets } from '../../schema/write/secrets.js';
import type { CallRun, Placement } from '../CallRun.js';
import { getEffect } from '../../value/ToolHints.js';
import type { MaskedError } from '../redact/ErrorMask.js';
import {
  describeConflict,
  describeDenial,
  describeInvalidResult,
  describeIssues,
  describeNestingLimit,
  describeNotRestored,
  describePartialCommit,
  describeRejection,
  describeThrown,
  describeUnknownTool,
  describeWrongParts,
} from './outcomeTexts.js';
import type { RepairedArguments } from '../admit/repairArguments.js';
import { suggestRepairs } from '../admit/repairTexts.js';

/** The result of one call before it is rendered, recorded and published. */
export interface AttemptResult {
  readonly kind: OutcomeKind;
  /** Null when the error escapes the dispatcher. */
  readonly result: ToolResult | null;
  readonly error?: unknown;
  readonly effect?: CallEffect;
  /** False if its changes to session and resources may remain. */
  readonly rolledBack?: false;
  /** True if an approver let the call run. */
  readonly approved?: true;
  /** The estimated tokens of the sections that the call asked for. */
  readonly costs?: readonly SectionCost[];
  /** How its result is not of the declared type, if the tool only warns of that. */
  readonly resultIssues?: readonly ParamIssue[];
  /** The paths of the sections that the call opened, and their tools. */
  readonly opened?: readonly string[];
  readonly tools?: ToolChanges;
  /** The id of an error whose message is masked. */
  readonly errorId?: string;
  /** What went wrong, without the advice that the model gets; the result's message when left out. */
  readonly reason?: string;
  /** True for an escaping error of a call that has not ended, or never began: no event is published. */
  readonly isSilent?: boolean;
}

/** A result that the model reads as a failure. */
export function createFailed(message: string, error?: unknown): AttemptResult {
  return { kind: 'failed', result: ToolResult.error(message), ...(error === undefined ? {} : { error }) };
}

/** An error that escapes the dispatcher; the run gets it instead of an outcome. */
export function createEscaping(kind: FailureKind, error: unknown, isSilent = false): AttemptResult {
  return { kind, result: null, error, ...(isSilent ? { isSilent } : {}) };
}

/** The rendering offers no tool of that name. */
export function unknownTool(name: string, { rendered, unavailable }: CallRun): AttemptResult {
  const text = unavailable?.(name) ?? describeUnknownTool(name, [...rendered.toolsByName.keys()]);
  return { kind: 'unknown', result: ToolResult.error(text) };
}

/** The arguments do not fit the tool; some are right but for what could be repaired. */
export function createRejected(
  { name, metadata: { params } }: RenderedTool,
  issues: readonly ParamIssue[],
  repaired?: RepairedArguments,
): AttemptResult {
  const isSecret = params !== null && holdsSecrets(params);
  const note = repaired === undefined ? [] : [suggestRepairs(repaired.repairs, repaired.meant, isSecret)];
  const text = [describeRejection(name, issues), ...note].join('\n');
  return { kind: 'rejected', result: ToolResult.error(text), reason: describeIssues(name, issues) };
}

/** A policy or an approver refuses the call. */
export function createDenied({ name }: { readonly name: string }, reason: string): AttemptResult {
  return { kind: 'denied', result: ToolResult.error(describeDenial(name, reason)), reason };
}

/** The handler that made the call has ended meanwhile, so there is nothing left to commit into. */
export function createOrphaned({ name, hints }: RenderedTool): AttemptResult {
  const error = new TransactionClosedError(`call of ${name} from a handler`);
  return createFailed(describeThrown(name, error, getEffect(hints)), error);
}

/** Something that the call had read was changed from outside. */
export function createConflicted({ name, hints }: RenderedTool): AttemptResult {
  return { kind: 'conflicted', result: ToolResult.error(describeConflict(name, getEffect(hints))) };
}

/** The handler returned a value that contradicts the declaration of the tool. */
export function invalidResult({ name, hints }: RenderedTool, issues: readonly ParamIssue[]): AttemptResult {
  return createFailed(describeInvalidResult(name, issues, getEffect(hints)));
}

/** The handler returned parts that cannot be sent to a model. */
export function wrongParts({ name, hints, metadata: { place } }: RenderedTool, problem: PartsProblem): AttemptResult {
  const details = { code: 'E608', place } as const;
  const error = new ToolwrightError(formatMessage(`${problem.path}: ${problem.problem}`, details), details);
  return createFailed(describeWrongParts(name, problem, getEffect(hints)), error);
}

/** The call stands within too many others, as when tools call each other without end. */
export function createNestedTooDeeply({ name, metadata: { place } }: RenderedTool): AttemptResult {
  const details = { code: 'E609', place } as const;
  const problem = `more than ${String(MAX_NESTED_CALLS)} calls stand within each other`;
  const error = new ToolwrightError(formatMessage(problem, details), details);
  return createFailed(describeNestingLimit(name, MAX_NESTED_CALLS), error);
}

/** The changes of the call may remain, in whole or in part. */
export const NOT_ROLLED_BACK = { effect: 'unknown', rolledBack: false } as const;

/** A resource failed to commit after another had. */
export function partlyCommitted({ name }: RenderedTool, error: unknown, masked?: MaskedError): AttemptResult {
  return { ...createFailed(describePartialCommit(name, error, masked), error), ...NOT_ROLLED_BACK };
}

/**
 * The result of a call whose changes could not be undone. The run goes on, and the model reads it. An error that ends the run, such
 * as its deadline, still ends it: event, error and log agree that the state is not known (docs/contract.md, 7.20).
 *
 * @param masked what replaces the message of the error; undefined if the model may read it
 */
export function notRestored(
  { name, metadata: { place } }: RenderedTool,
  callResult: AttemptResult,
  fault: ResourceError,
  masked: MaskedError | undefined,
): AttemptResult {
  const { result, error: cause = fault, isSilent = false, approved } = callResult;
  const kept = approved === undefined ? NOT_ROLLED_BACK : { ...NOT_ROLLED_BACK, approved };
  const kind = callResult.kind === 'timed_out' ? 'timed_out' : 'failed';
  const text = describeNotRestored(name, cause, masked);
  const endsRun = result === null && callResult.kind !== 'expanded' && !isSilent;
  if (!endsRun) return { ...createFailed(text, fault), kind, ...kept };
  const error = new PromptEvaluationError(`${text} ${fault.message}`, { phase: 'tool', code: 'E911', place, cause });
  return { ...createEscaping(kind, error), ...kept };
}

/** True for a call that stands within too many others. */
export function isTooDeep({ position = '0' }: Placement): boolean {
  return position.length > MAX_NESTED_CALLS && position.split('.').length > MAX_NESTED_CALLS;
}
