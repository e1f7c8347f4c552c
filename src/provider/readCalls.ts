import type { ToolCall } from '../value/ToolCall.js';
import { isFields } from './fields.js';
import type { Unusable } from './unusable.js';

/** A tool call as a provider sent it: its parts found, and none of them looked at. */
export interface SentCall {
  readonly id: unknown;
  readonly name: unknown;
  readonly arguments: unknown;
  /** The whole of it, for errors. */
  readonly came: unknown;
}

/**
 * Reads the calls of one answer. One without an id gets a free one; what its arguments are worth is for the dispatcher to
 * tell the model.
 *
 * @throws PromptEvaluationError E702 for a call that names no tool
 */
export function readCalls(calls: readonly SentCall[], refuse: Unusable): readonly ToolCall[] {
  const taken = new Set(calls.map(({ id }) => id));
  return calls.map(({ id, name, arguments: given, came }, index) => {
    if (typeof name !== 'string' || name.trim() === '') {
      throw refuse(`answered a tool call ${String(index)} without the name of a tool`, came);
    }
    return {
      id: typeof id === 'string' && id !== '' ? id : freeId(index, taken),
      name,
      arguments: readArguments(given),
    };
  });
}

/** `call_<index>`, unless the model gave that very id to another call, which would then be taken for the same one. */
function freeId(index: number, taken: ReadonlySet<unknown>): string {
  let id = `call_${String(index)}`;
  while (taken.has(id)) id += '_';
  return id;
}

/** Text as it came, malformed or not. */
function readArguments(given: unknown): ToolCall['arguments'] {
  if (given === null || given === undefined) return null;
  if (typeof given === 'string' || isFields(given)) return given;
  return JSON.stringify(given);
}
