import { isRecord } from '../common/guards.js';
import { readArguments, type ToolCall } from '../value/ToolCall.js';
import type { AnswerErrors } from './createAnswerErrors.js';

/** The parts of a tool call as a provider sent them, unchecked. */
export interface ProviderToolCall {
  readonly id: unknown;
  readonly name: unknown;
  readonly arguments: unknown;
  /** The whole call, for errors. */
  readonly came: unknown;
}

/**
 * Reads the calls of one answer. A call without an id gets a free one. The dispatcher checks arguments and tells the
 * model if they are wrong.
 *
 * @throws PromptEvaluationError E702 for a call that names no tool
 */
export function readCalls(calls: readonly ProviderToolCall[], refuse: AnswerErrors): readonly ToolCall[] {
  const taken = new Set(calls.map(({ id }) => id));
  return calls.map(({ id, name, arguments: given, came }, index) => {
    if (typeof name !== 'string' || name.trim() === '') {
      throw refuse(`answered a tool call ${String(index)} without the name of a tool`, came);
    }
    return {
      id: typeof id === 'string' && id !== '' ? id : createFreeId(index, taken),
      name,
      arguments: readArguments(given),
    };
  });
}

/** Returns `call_<index>`, or a variant if another call has that id: otherwise the two would be mistaken for one. */
function createFreeId(index: number, taken: ReadonlySet<unknown>): string {
  let id = `call_${String(index)}`;
  while (taken.has(id)) id += '_';
  return id;
}

/**
 * Returns the arguments of a call as an object, for providers that do not accept text. Any other value is wrapped in an
 * object.
 */
export function readCallInput(given: ToolCall['arguments']): object {
  if (typeof given !== 'string') return given ?? {};
  if (given.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(given);
    return isRecord(parsed) ? parsed : { arguments: parsed };
  } catch {
    return { arguments: given };
  }
}
