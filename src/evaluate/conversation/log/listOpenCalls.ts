import type { RunEntry } from '../../../interface/RunEntry.js';
import { findFirstPositions, type ToolCall } from '../../../value/ToolCall.js';

/** The id of a call in its log: `2.1` for the second one of turn 2. */
export function createCallId(turn: number, position: number): string {
  return `${String(turn)}.${String(position)}`;
}

/** The position of a call in its answer, by its id. */
export function parsePosition(id: string): number {
  return Number(id.slice(id.indexOf('.') + 1));
}

/** The calls of an answer without an outcome, each once, with their positions. */
export function listOpenCalls(
  entries: readonly RunEntry[],
): readonly { readonly call: ToolCall; readonly id: string }[] {
  const last = entries.findLast((entry) => entry.kind === 'answer');
  if (last === undefined || last.toolCalls.length === 0) return [];
  const ended = new Set(entries.flatMap((entry) => (entry.kind === 'outcome' ? [entry.call] : [])));
  const first = findFirstPositions(last.toolCalls);
  return last.toolCalls.flatMap((call, position) => {
    const id = createCallId(last.turn, position);
    return first[position] !== position || ended.has(id) ? [] : [{ call, id }];
  });
}
