import type { Message } from 'toolwright';
import type { EvalCall } from '../Eval.js';

/** Lists the calls of a transcript in the order in which the model made them. */
export function listCalls(transcript: readonly Message[]): readonly EvalCall[] {
  const calls: { name: string; arguments: unknown; failed: boolean }[] = [];
  // Ids are unique within one answer only.
  let open = new Map<string, (typeof calls)[number]>();
  for (const message of transcript) {
    if (message.role === 'assistant') {
      open = new Map();
      for (const { id, name, arguments: given } of message.toolCalls ?? []) {
        const call = { name, arguments: readArguments(given), failed: false };
        calls.push(call);
        open.set(id, call);
      }
    } else if (message.role === 'tool') {
      const call = open.get(message.toolCallId);
      if (call !== undefined) call.failed = message.failed;
    }
  }
  return calls;
}

function readArguments(given: unknown): unknown {
  if (given === null || given === '') return {};
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given) as unknown;
  } catch {
    return given;
  }
}
