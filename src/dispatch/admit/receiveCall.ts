import type { ParamIssue } from '../../error/toolErrors.js';
import { copyArguments } from '../../schema/parse/copyArguments.js';
import type { ToolCall } from '../../value/ToolCall.js';

const NO_REFUSALS: readonly never[] = Object.freeze([]);

/** A call whose arguments are text or plain data of its own. */
export interface Received {
  readonly call: ToolCall;
  /** The issues for which the arguments were refused already; the call then has a text that says so in their place. Empty if they were not. */
  readonly refusals: readonly ParamIssue[];
  /** True if the arguments are so large that other work should have turns while they are read. */
  readonly isLarge: boolean;
}

/** Arguments as an object with more values, or as a text with more characters, take milliseconds to copy and to parse. */
const LARGE = { values: 2_000, chars: 50_000 };

/**
 * Receives a call: copies arguments that are an object, which may throw when it is read, refer to itself or be of any depth, so
 * that everything after this has to do with plain data alone. Arguments as text are left as they are.
 */
export function receiveCall(call: ToolCall): Received {
  const { arguments: given } = call;
  if (given === null) return { call, refusals: NO_REFUSALS, isLarge: false };
  if (typeof given === 'string') return { call, refusals: NO_REFUSALS, isLarge: given.length > LARGE.chars };
  const copied = copyArguments(given);
  const isLarge = copied.values > LARGE.values;
  if (copied.ok) return { call: { ...call, arguments: keepAsGiven(copied.value) }, refusals: NO_REFUSALS, isLarge };
  return { call: { ...call, arguments: JSON.stringify(copied.issues[0]?.message) }, refusals: copied.issues, isLarge };
}

/** A list is refused later on; as text it can be recorded, and read again. */
function keepAsGiven(value: unknown): ToolCall['arguments'] {
  return Array.isArray(value) ? JSON.stringify(value) : (value as ToolCall['arguments']);
}
