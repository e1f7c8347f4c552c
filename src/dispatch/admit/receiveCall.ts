import { aText, fieldsOf, listOf, oneOf } from '../../common/dataForm.js';
import { MAX_ISSUES } from '../../common/limits.js';
import type { ParamIssue } from '../../error/toolErrors.js';
import { copyArguments } from '../../schema/parse/copyArguments.js';
import type { ToolCall } from '../../value/ToolCall.js';

const NO_REFUSALS: readonly never[] = Object.freeze([]);

/** A call with arguments as text, or as plain data that only it refers to. */
export interface Received {
  readonly call: ToolCall;
  /** The issues for which the arguments were already refused; a text of them then replaces the arguments in the call. Empty otherwise. */
  readonly refusals: readonly ParamIssue[];
  /** True if the arguments are so large that other work should have turns while they are read. */
  readonly isLarge: boolean;
}

/** Arguments above these sizes take milliseconds to copy and parse: the values of an object, the characters of a text. */
const LARGE = { values: 2_000, chars: 50_000 };

/**
 * Receives a call. Copies arguments that are an object, which may throw when read, refer to itself or be nested to any depth, so
 * that all later steps handle only plain data. Leaves arguments as text unchanged.
 */
export function receiveCall(call: ToolCall): Received {
  const { arguments: given } = call;
  if (given === null) return { call, refusals: NO_REFUSALS, isLarge: false };
  if (typeof given === 'string') return { call, refusals: readIssues(given), isLarge: given.length > LARGE.chars };
  const copied = copyArguments(given);
  const isLarge = copied.values > LARGE.values;
  if (copied.ok) return { call: { ...call, arguments: writeListAsText(copied.value) }, refusals: NO_REFUSALS, isLarge };
  return { call: { ...call, arguments: writeIssues(copied.issues) }, refusals: copied.issues, isLarge };
}

/** Begins the text that replaces refused arguments. */
const REFUSED = 'Refused arguments: ';
const issuesForm = listOf(
  fieldsOf({ kind: oneOf('missing', 'type', 'constraint', 'extra'), path: aText, message: aText }),
);

/** Writes issues as JSON text. It replaces the arguments in the log, from which the same call is received again. */
function writeIssues(issues: readonly ParamIssue[]): string {
  return JSON.stringify(REFUSED + JSON.stringify(issues));
}

/** Reads the issues from a text of `writeIssues`; none from other arguments. */
function readIssues(text: string): readonly ParamIssue[] {
  if (!text.startsWith(`"${REFUSED}`)) return NO_REFUSALS;
  try {
    const issues: unknown = JSON.parse(String(JSON.parse(text)).slice(REFUSED.length));
    return issuesForm(issues) === undefined ? (issues as readonly ParamIssue[]).slice(0, MAX_ISSUES) : NO_REFUSALS;
  } catch {
    return NO_REFUSALS;
  }
}

/** Writes a list as text, which can be recorded and read again; parsing refuses it later. */
function writeListAsText(value: unknown): ToolCall['arguments'] {
  return Array.isArray(value) ? JSON.stringify(value) : (value as ToolCall['arguments']);
}
