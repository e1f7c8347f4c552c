import type { LogEntry, ModelAnswered } from '../../interface/RunStore.js';
import type { ToolCall } from '../../value/ToolCall.js';

/** The id of a call in its log: `2.1` for the second one of turn 2. */
export function callId(turn: number, position: number): string {
  return `${String(turn)}.${String(position)}`;
}

/** The position of the first call that is the same. */
export function firstOf(calls: readonly ToolCall[], call: ToolCall): number {
  return calls.findIndex((one) => isSameCall(one, call));
}

/** The calls of an answer without an outcome, each once, with their positions. */
export function openCalls(entries: readonly LogEntry[]): readonly { readonly call: ToolCall; readonly id: string }[] {
  const last = lastAnswer(entries);
  if (last === undefined || last.toolCalls.length === 0) return [];
  const ended = new Set(entries.flatMap((entry) => (entry.kind === 'outcome' ? [entry.call] : [])));
  return last.toolCalls.flatMap((call, position) => {
    const id = callId(last.turn, position);
    const isRepeated = firstOf(last.toolCalls, call) !== position;
    return isRepeated || ended.has(id) ? [] : [{ call, id }];
  });
}

function lastAnswer(entries: readonly LogEntry[]): ModelAnswered | undefined {
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at];
    if (entry?.kind === 'answer') return entry;
  }
  return undefined;
}

/** True for a call that a provider sent twice; two calls that only share an id are two. */
function isSameCall(one: ToolCall, other: ToolCall): boolean {
  return (
    one === other ||
    (one.id === other.id &&
      one.name === other.name &&
      JSON.stringify(one.arguments) === JSON.stringify(other.arguments))
  );
}
