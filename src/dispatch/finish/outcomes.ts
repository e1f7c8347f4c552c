import type { ResourceError } from '../../error/infrastructureErrors.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import { MAX_NESTED_CALLS } from '../../common/limits.js';
import { TransactionClosedError, type ParamIssue } from '../../error/toolErrors.js';
import { createPlacedError } from '../../error/ToolwrightError.js';
import type { RenderedTool } from '../../prompt/RenderedTool.js';
import type { PartsProblem } from '../../value/findPartsProblem.js';
import type { SectionCost } from '../../value/SectionCost.js';
import type { SideEffect, FailureKind, OutcomeKind } from '../../value/ToolOutcome.js';
import type { ToolChanges } from '../../value/Message.js';
import { ToolResult } from '../../value/ToolResult.js';
import { holdsSecrets } from '../../schema/write/secrets.js';
import type { DispatchContext, Placement, StandingDenial } from '../DispatchContext.js';
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
  /** The JSON of the result's value, if it was written before the commit because the commit could not change it. */
  readonly json?: string | undefined;
  readonly error?: unknown;
  readonly effect?: SideEffect;
  /** False if its changes to session and resources may remain. */
  readonly rolledBack?: false;
  readonly approved?: true;
  /** The estimated tokens of the sections that the call asked for. */
  readonly costs?: readonly SectionCost[];
  /** Issues of a result that does not match its declared type, if the tool only warns about them. */
  readonly resultIssues?: readonly ParamIssue[];
  /** The paths of the sections that the call opened, and their tools. */
  readonly opened?: readonly string[];
  readonly tools?: ToolChanges;
  /** The id of an error whose message is masked. */
  readonly errorId?: string;
  /** The cause of the failure, without the advice for the model; the result's message when left out. */
  readonly reason?: string;
  /** True for an escaping error of a call that has not ended, or never began: no event is published. */
  readonly isSilent?: boolean;
}

/** Creates a result that the model reads as a failure. */
export function createFailed(message: string, error?: unknown, kind: FailureKind = 'failed'): AttemptResult {
  return { kind, result: ToolResult.error(message), ...(error === undefined ? {} : { error }) };
}

/** Creates the result for an error that escapes the dispatcher; the run gets it instead of an outcome. */
export function createEscaping(kind: FailureKind, error: unknown, isSilent = false): AttemptResult {
  return { kind, result: null, error, ...(isSilent ? { isSilent } : {}) };
}

export function createUnknownTool(name: string, { rendered, unavailable }: DispatchContext): AttemptResult {
  const text = unavailable?.(name) ?? describeUnknownTool(name, [...rendered.toolsByName.keys()]);
  return { kind: 'unknown', result: ToolResult.error(text) };
}

/** Includes the repairs that would correct the arguments, if they are known. */
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

/** @param until when the denial ends, if it was the answer to an earlier call */
export function createDenied(
  { name }: { readonly name: string },
  reason: string,
  until?: StandingDenial['until'],
): AttemptResult {
  return { kind: 'denied', result: ToolResult.error(describeDenial(name, reason, until)), reason };
}

/** Creates the result of a call that was made by a handler which has ended, so that there is nothing to commit into. */
export function createOrphaned({ name, hints }: RenderedTool): AttemptResult {
  const error = new TransactionClosedError(`call of ${name} from a handler`);
  return createFailed(describeThrown(name, error, getEffect(hints)), error);
}

/** Creates the result of a call that read state which was changed from outside. */
export function createConflicted({ name, hints }: RenderedTool): AttemptResult {
  return { kind: 'conflicted', result: ToolResult.error(describeConflict(name, getEffect(hints))) };
}

export function createInvalidResult({ name, hints }: RenderedTool, issues: readonly ParamIssue[]): AttemptResult {
  return createFailed(describeInvalidResult(name, issues, getEffect(hints)));
}

export function createWrongParts(
  { name, hints, metadata: { place } }: RenderedTool,
  problem: PartsProblem,
): AttemptResult {
  const error = createPlacedError(`${problem.path}: ${problem.problem}`, { code: 'E608', place });
  return createFailed(describeWrongParts(name, problem, getEffect(hints)), error);
}

export function createNestedTooDeeply({ name, metadata: { place } }: RenderedTool): AttemptResult {
  const problem = `more than ${String(MAX_NESTED_CALLS)} calls stand within each other`;
  const error = createPlacedError(problem, { code: 'E609', place });
  return createFailed(describeNestingLimit(name, MAX_NESTED_CALLS), error);
}

/** The call's changes may remain, in whole or in part. */
const NOT_ROLLED_BACK = { effect: 'unknown', rolledBack: false } as const;

/** Creates the result for a resource that failed to commit after another was committed. */
export function createPartlyCommitted({ name }: RenderedTool, error: unknown, masked?: MaskedError): AttemptResult {
  return { ...createFailed(describePartialCommit(name, error, masked), error), ...NOT_ROLLED_BACK };
}

/**
 * Creates the result of a call that could not undo its changes. The run continues, and the model reads the result. An error that
 * ends the run, such as its deadline, still ends it and reports this: event, error and log agree that the state is unknown
 * (docs/contract.md, 7.20).
 *
 * @param masked replaces the error's message; undefined if the model may read the message
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

export function isTooDeep({ position = '0' }: Placement): boolean {
  return position.length > MAX_NESTED_CALLS && position.split('.').length > MAX_NESTED_CALLS;
}
