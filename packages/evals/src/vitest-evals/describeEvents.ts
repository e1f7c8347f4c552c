import type { Message } from 'toolwright';
import { isRecord } from 'toolwright/internal/light';
import { toJsonValue, type TranscriptEvent } from 'vitest-evals/harness';
import { writeJsonText } from '../describeJson.js';
import type { EvalCall } from '../Eval.js';
import { listCalls } from '../run/listCalls.js';
import { splitTranscript } from '../run/listRounds.js';
import type { UnscoredRun } from '../run/runTask.js';

/** Describes a run as events of vitest-evals. Calls in the messages of the task are left out, because judges would count them. */
export function describeEvents<I>(run: UnscoredRun<I>): TranscriptEvent[] {
  const { given, own } = splitTranscript(run);
  if (own.length === 0) return describeAnswer(run);
  const events = given.flatMap(describeText);
  // Ids are unique within one answer only, but within a session of vitest-evals.
  let ids = new Map<string, string>();
  let count = 0;
  for (const message of own) {
    if (message.role === 'tool') {
      events.push(describeResult(ids.get(message.toolCallId) ?? message.toolCallId, message));
      continue;
    }
    events.push(...describeText(message));
    if (message.role !== 'assistant') continue;
    ids = new Map();
    const calls = listCalls([message]);
    for (const [at, { id }] of (message.toolCalls ?? []).entries()) {
      const unique = `call-${String(++count)}`;
      ids.set(id, unique);
      const call = calls[at];
      if (call !== undefined) events.push(describeCall(unique, call));
    }
  }
  return events;
}

/** Describes a run of which only the calls and the answer are known. */
function describeAnswer<I>({ task, calls, text }: UnscoredRun<I>): TranscriptEvent[] {
  const { input } = task;
  const content = typeof input === 'string' ? input : (writeJsonText(input) ?? '');
  return [
    { type: 'message', role: 'user', content },
    ...calls.flatMap((call, index): TranscriptEvent[] => {
      const id = `call-${String(index + 1)}`;
      const error = call.failed ? { error: { message: 'The call failed.' } } : {};
      return [describeCall(id, call), { type: 'tool_result', toolCallId: id, name: call.name, ...error }];
    }),
    ...(text === null ? [] : [{ type: 'message' as const, role: 'assistant' as const, content: text }]),
  ];
}

function describeText(message: Message): TranscriptEvent[] {
  if (message.role === 'tool' || message.content === null || message.content === '') return [];
  return [{ type: 'message', role: message.role, content: message.content }];
}

function describeCall(id: string, { name, arguments: given }: EvalCall): TranscriptEvent {
  const head = { type: 'tool_call' as const, id, name };
  // Arguments that are not an object are a mistake of the model, for which vitest-evals has no place but the metadata.
  if (!isRecord(given)) return { ...head, metadata: { arguments: toJsonValue(given) ?? null } };
  return {
    ...head,
    arguments: toJsonValue(given) as NonNullable<Extract<TranscriptEvent, { type: 'tool_call' }>['arguments']>,
  };
}

function describeResult(toolCallId: string, message: Extract<Message, { role: 'tool' }>): TranscriptEvent {
  const { name, content, failed } = message;
  const outcome = failed ? { error: { message: content } } : { content };
  return { type: 'tool_result', toolCallId, name, ...outcome };
}
