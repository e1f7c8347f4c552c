import { TransactionClosedError, type ParamIssue } from '../../error/toolErrors.js';
import { report, ToolwrightError } from '../../error/ToolwrightError.js';
import type { RenderedTool } from '../../prompt/RenderedTool.js';
import type { PartsProblem } from '../../value/partsProblem.js';
import type { SectionCost } from '../../value/SectionCost.js';
import type { CallEffect, FailureKind, OutcomeKind } from '../../value/ToolOutcome.js';
import type { ToolChanges } from '../../value/ToolChanges.js';
import { ToolResult } from '../../value/ToolResult.js';
import { holdsSecrets } from '../../schema/write/secrets.js';
import type { CallRun } from '../CallRun.js';
import { effectOf } from '../../metadata/effectOf.js';
import type { MaskedError } from '../redact/ErrorMask.js';
import { MOST_NESTED } from '../admit/nestingLimit.js';
import {
  conflictText,
  deniedText,
  invalidResultText,
  issuesText,
  nestedTooDeeplyText,
  partialCommitText,
  rejectedText,
  thrownText,
  unknownToolText,
  wrongPartsText,
} from './messages.js';
import type { RepairedArguments } from '../admit/repairArguments.js';
import { repairableNote } from '../admit/repairTexts.js';

/** The result of one call before it is rendered, recorded and published. */
export interface CallResult {
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
  /** The tools of the sections that the call opened. */
  readonly tools?: ToolChanges;
  /** The id of an error whose message is masked. */
  readonly errorId?: string;
  /** What went wrong, without the advice that the model gets; the result's message when left out. */
  readonly reason?: string;
  /** True for an escaping error of a call that has not ended, or never began: no event is published. */
  readonly isSilent?: boolean;
}

/** A result that the model reads as a failure. */
export function failed(message: string, error?: unknown): CallResult {
  return { kind: 'failed', result: ToolResult.error(message), ...(error === undefined ? {} : { error }) };
}

/** An error that escapes the dispatcher; the run gets it instead of an outcome. */
export function escaping(kind: FailureKind, error: unknown, isSilent = false): CallResult {
  return { kind, result: null, error, ...(isSilent ? { isSilent } : {}) };
}

/** The rendering offers no tool of that name. */
export function unknownTool(name: string, { rendered, unavailable }: CallRun): CallResult {
  const text = unavailable?.(name) ?? unknownToolText(name, [...rendered.toolsByName.keys()]);
  return { kind: 'unknown', result: ToolResult.error(text) };
}

/** The arguments do not fit the tool; some are right but for what could be repaired. */
export function rejected(
  { name, metadata: { params } }: RenderedTool,
  issues: readonly ParamIssue[],
  repaired?: RepairedArguments,
): CallResult {
  const isSecret = params !== null && holdsSecrets(params);
  const note = repaired === undefined ? [] : [repairableNote(repaired.repairs, repaired.meant, isSecret)];
  const text = [rejectedText(name, issues), ...note].join('\n');
  return { kind: 'rejected', result: ToolResult.error(text), reason: issuesText(name, issues) };
}

/** A policy or an approver refuses the call. */
export function denied({ name }: { readonly name: string }, reason: string): CallResult {
  return { kind: 'denied', result: ToolResult.error(deniedText(name, reason)), reason };
}

/** The handler that made the call has ended meanwhile, so there is nothing left to commit into. */
export function orphaned({ name, hints }: RenderedTool): CallResult {
  const error = new TransactionClosedError(`call of ${name} from a handler`);
  return failed(thrownText(name, error, effectOf(hints)), error);
}

/** Something that the call had read was changed from outside. */
export function conflicted({ name, hints }: RenderedTool): CallResult {
  return { kind: 'conflicted', result: ToolResult.error(conflictText(name, effectOf(hints))) };
}

/** The handler returned a value that contradicts the declaration of the tool. */
export function invalidResult({ name, hints }: RenderedTool, issues: readonly ParamIssue[]): CallResult {
  return failed(invalidResultText(name, issues, effectOf(hints)));
}

/** The handler returned parts that cannot be sent to a model. */
export function wrongParts({ name, hints, metadata: { place } }: RenderedTool, problem: PartsProblem): CallResult {
  const details = { code: 'E608', place } as const;
  const error = new ToolwrightError(report(`${problem.path}: ${problem.problem}`, details), details);
  return failed(wrongPartsText(name, problem, effectOf(hints)), error);
}

/** The call stands within too many others, as when tools call each other without end. */
export function nestedTooDeeply({ name, metadata: { place } }: RenderedTool): CallResult {
  const details = { code: 'E609', place } as const;
  const problem = `more than ${String(MOST_NESTED)} calls stand within each other`;
  const error = new ToolwrightError(report(problem, details), details);
  return failed(nestedTooDeeplyText(name, MOST_NESTED), error);
}

/** The changes of the call may remain, in whole or in part. */
export const NOT_ROLLED_BACK = { effect: 'unknown', rolledBack: false } as const;

/** A resource failed to commit after another had. */
export function partlyCommitted({ name }: RenderedTool, error: unknown, masked?: MaskedError): CallResult {
  return { ...failed(partialCommitText(name, error, masked), error), ...NOT_ROLLED_BACK };
}
