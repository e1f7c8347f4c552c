import type { ToolCall } from 'toolwright';

/** Returns the arguments of a call as text, malformed or not, as the provider requires in the conversation. */
export function writeArguments(given: ToolCall['arguments']): string {
  if (typeof given === 'string') return given.trim() === '' ? '{}' : given;
  return JSON.stringify(given ?? {});
}
