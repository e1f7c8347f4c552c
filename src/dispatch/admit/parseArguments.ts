import { readMonotonicMs } from '../../common/builtins.js';
import { TimeSlice } from '../../common/TimeSlice.js';
import { MAX_DEDUCTED_MS } from '../../common/limits.js';
import { messageOf, ensureWellFormedJson } from '../../common/text.js';
import type { ParamIssue } from '../../error/toolErrors.js';
import type { ClassShape } from '../../metadata/ClassShape.js';
import type { ToolMetadata } from '../../metadata/ToolMetadata.js';
import { tooSlow } from '../../schema/pattern/checkInTime.js';
import { copyArguments } from '../../schema/parse/copyArguments.js';
import { findTextIssue } from '../../schema/limits.js';
import { holdsSecrets } from '../../schema/write/secrets.js';
import { RejectedToolParams, type ToolCall, type RepairMode, type ToolCaller } from '../../value/ToolCall.js';
import { repairArguments, type RepairedArguments } from './repairArguments.js';
import { hasRepeatedKey, readJson } from '../../schema/repair/readAlmostJson.js';

export interface ParsedArguments {
  readonly ok: true;
  readonly params: unknown;
  /** True if an object in their JSON has a key twice; only set for calls that are judged. */
  readonly repeatsKeys?: boolean;
}

/** The params for the handler, or the issues of the arguments; `raw` is then the value that the event shows. */
export type ArgumentsOutcome = (
  ParsedArguments | { readonly ok: false; readonly raw: RejectedToolParams; readonly issues: readonly ParamIssue[] }
) & {
  /** Set for repaired arguments, and for refused ones that could have been repaired. */
  readonly repaired?: RepairedArguments;
};

/** How to read arguments: a program's are never converted, and only a model's are repaired. */
export interface ArgumentsReading {
  readonly caller?: ToolCaller | undefined;
  readonly repair?: RepairMode | undefined;
  /** True if policies or an approver judge the call. */
  readonly isJudged?: boolean | undefined;
}

/**
 * Parses the model's arguments into params; undefined and `null` count as `{}` (docs/contract.md, 7.2). Tries to repair refused
 * arguments if repairs are on.
 */
export function parseArguments(
  tool: ToolMetadata,
  given: ToolCall['arguments'],
  reading: ArgumentsReading,
): ArgumentsOutcome {
  const { repair = 'off' } = reading;
  const began = readMonotonicMs();
  const outcome = parseAsGiven(tool, given, reading);
  if (!mayBeRepaired(outcome, repair)) return outcome;
  // Refusal and repair block the process together, so they share one time limit.
  return repairRefused(tool, given, repair, outcome, Math.min(readMonotonicMs() - began, MAX_DEDUCTED_MS));
}

/** Works like `parseArguments`, but lets other work run before parsing and before repairing. */
export async function parseLargeArguments(
  tool: ToolMetadata,
  given: ToolCall['arguments'],
  reading: ArgumentsReading,
): Promise<ArgumentsOutcome> {
  const { repair = 'off' } = reading;
  const slice = new TimeSlice();
  await slice.next();
  const outcome = parseAsGiven(tool, given, reading);
  if (!mayBeRepaired(outcome, repair)) return outcome;
  await slice.next();
  return repairRefused(tool, given, repair, outcome, 0);
}

export type RefusedArguments = Extract<ArgumentsOutcome, { readonly ok: false }>;

function mayBeRepaired(outcome: ArgumentsOutcome, repair: RepairMode): outcome is RefusedArguments {
  return !outcome.ok && repair !== 'off' && !outcome.issues.includes(tooSlow);
}

function repairRefused(
  tool: ToolMetadata,
  given: ToolCall['arguments'],
  repair: RepairMode,
  outcome: RefusedArguments,
  spentMs: number,
): ArgumentsOutcome {
  const repaired = repairArguments(tool, given, spentMs);
  if (repaired === undefined) return outcome;
  return repair === 'on' ? { ok: true, params: repaired.params, repaired } : { ...outcome, repaired };
}

function parseAsGiven(
  tool: ToolMetadata,
  given: ToolCall['arguments'],
  { caller, isJudged = false }: ArgumentsReading,
): ArgumentsOutcome {
  // Copied each time: a handler may change its params, and a retry reads the arguments again.
  const read = typeof given === 'string' ? readText(given) : copyArguments(given ?? {});
  if (!read.ok) return { ok: false, raw: new RejectedToolParams(given), issues: hideQuotedValues(tool, read.issues) };
  // First: the code of a schema may change the value.
  const repeatsKeys = isJudged && typeof given === 'string' && hasRepeatedKey(given, read.value);
  const parsed = caller === 'program' ? tool.parseExactly(read.value) : tool.parse(read.value);
  return parsed.ok
    ? { ok: true, params: parsed.value, repeatsKeys }
    : { ok: false, raw: new RejectedToolParams(read.value), issues: addHints(read.value, parsed.issues) };
}

type ReadOutcome =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly issues: readonly ParamIssue[] };

function readText(text: string): ReadOutcome {
  const tooMuch = findTextIssue(text);
  if (tooMuch !== undefined) return { ok: false, issues: [tooMuch] };
  if (text.trim() === '') return { ok: true, value: {} };
  try {
    return { ok: true, value: (JSON.parse(ensureWellFormedJson(text)) as unknown) ?? {} };
  } catch (error) {
    const message = `expected JSON; it is malformed: ${messageOf(error).slice(0, 200)}`;
    return { ok: false, issues: [{ kind: 'type', path: '', message }] };
  }
}

/**
 * Removes quoted text and keys from issues: the engine quotes the text that it cannot parse, and either may be part of a secret.
 */
function hideQuotedValues({ params }: ToolMetadata, issues: readonly ParamIssue[]): readonly ParamIssue[] {
  if (params === null || !holdsSecrets(params)) return issues;
  return issues.map((issue) => hideQuotedValue(params, issue));
}

function hideQuotedValue(params: ClassShape, issue: ParamIssue): ParamIssue {
  const [first = ''] = /^[\w$-]*/.exec(issue.path) ?? [];
  const path = params.byWireName.has(first) ? first : '';
  return { ...issue, path, message: issue.message.replace(/, (?:\.\.\.)?"[^]*$/, '') };
}

/** Creates the outcome for arguments that were refused when the call was received. */
export function createRefusedArguments(
  tool: ToolMetadata,
  call: ToolCall,
  issues: readonly ParamIssue[],
): ArgumentsOutcome {
  return { ok: false, raw: createRejectedParams(call), issues: hideQuotedValues(tool, issues) };
}

/** Returns the arguments as an event shows them: the parsed value, or the text if it does not parse. */
export function readArguments(given: ToolCall['arguments']): unknown {
  if (typeof given !== 'string') return given;
  const read = readText(given);
  return read.ok ? read.value : given;
}

/** Returns the arguments for the event of a call to an unknown tool. */
export function createRejectedParams(call: ToolCall): RejectedToolParams {
  return new RejectedToolParams(readArguments(call.arguments));
}

/** Adds a hint for a model that encoded its arguments twice. */
function addHints(value: unknown, issues: readonly ParamIssue[]): readonly ParamIssue[] {
  if (typeof value !== 'string') return issues;
  return issues.map((issue) => ({
    ...issue,
    message: `${issue.message}. The arguments were a JSON string; send the object itself.`,
  }));
}

/**
 * Returns the call with its arguments parsed and written again if their JSON repeats a key: a policy or an approver would
 * otherwise see two values, and only the last one counts. Returns any other call unchanged.
 */
export function dropRepeatedKeys(call: ToolCall): ToolCall {
  const { arguments: given } = call;
  if (typeof given !== 'string' || readJson(given) !== undefined) return call;
  try {
    return { ...call, arguments: JSON.stringify(JSON.parse(given)) };
  } catch {
    return call;
  }
}
