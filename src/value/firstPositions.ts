import type { ToolCall } from './ToolCall.js';

/**
 * Returns, for each call of an answer, the position of the first one that is the same: a provider may send a call twice. Two calls that
 * only share an id are two.
 */
export function firstPositions(calls: readonly ToolCall[]): readonly number[] {
  if (new Set(calls.map(({ id }) => id)).size === calls.length) return calls.map((_call, position) => position);
  const first = new Map<string, number>();
  return calls.map(({ id, name, arguments: args }, position) => {
    const identity = JSON.stringify([id, name, args]);
    const at = first.get(identity) ?? position;
    first.set(identity, at);
    return at;
  });
}
