import type { ToolCall } from '../../value/ToolCall.js';

/** The arguments of a call as the provider wants them back: text, malformed or not. */
export function argumentsText(given: ToolCall['arguments']): string {
  if (typeof given === 'string') return given.trim() === '' ? '{}' : given;
  return JSON.stringify(given ?? {});
}
