import type { ToolCall } from '../value/ToolCall.js';
import { isFields } from './fields.js';

/** Returns the arguments of a call as an object, for providers that take no text; any other value is wrapped in an object. */
export function inputOf(given: ToolCall['arguments']): object {
  if (typeof given !== 'string') return given ?? {};
  if (given.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(given);
    return isFields(parsed) ? parsed : { arguments: parsed };
  } catch {
    return { arguments: given };
  }
}
