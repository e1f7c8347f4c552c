import type { ToolCall } from 'toolwright';

/** Writes the arguments of a call as text, since the provider requires text in the conversation; malformed ones stay unchanged. */
export function writeArguments(given: ToolCall['arguments']): string {
  if (typeof given === 'string') return given.trim() === '' ? '{}' : given;
  return JSON.stringify(given ?? {});
}
