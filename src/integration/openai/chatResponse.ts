import { describeValue } from '../../common/text.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import type { FinishReason, ModelResponse } from '../../interface/ModelAdapter.js';
import type { ToolCall } from '../../value/ToolCall.js';
import type { Usage } from '../../value/Usage.js';
import { redactText } from './redact.js';

const FINISH_REASONS: ReadonlyMap<unknown, FinishReason> = new Map([
  ['stop', 'stop'],
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['length', 'length'],
  ['content_filter', 'content_filter'],
] as const);

const LONGEST_SHOWN = 300;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a chat completion. Its type is a promise of the provider, and compatible servers keep it less well, so nothing
 * is taken for granted (runtime contract, 16).
 *
 * @param adapter the name that the error shows
 * @throws PromptEvaluationError with phase `response` (E702), saying what came
 */
export function readCompletion(adapter: string, completion: unknown): ModelResponse {
  const refuse = (problem: string, came: unknown): PromptEvaluationError =>
    new PromptEvaluationError(`${adapter} ${problem}: ${shown(came)}`, { phase: 'response', code: 'E702' });
  if (!isFields(completion) || !Array.isArray(completion['choices'])) {
    throw refuse('did not answer with a chat completion', completion);
  }
  const choice: unknown = completion['choices'][0];
  if (choice === undefined) throw refuse('answered without any choice', completion);
  const message = isFields(choice) ? choice['message'] : undefined;
  if (!isFields(choice) || !isFields(message)) throw refuse('answered a choice without a message', choice);
  const usage = readUsage(completion['usage']);
  const refusal = message['refusal'];
  // A model that declines has called nothing, whatever else the message holds.
  if (typeof refusal === 'string' && refusal !== '') {
    return { text: refusal, toolCalls: [], finishReason: 'refusal', usage };
  }
  const text = readText(message['content']);
  if (text === undefined) throw refuse('answered a text that is none', message['content']);
  const toolCalls = readCalls(message, refuse);
  const given = FINISH_REASONS.get(choice['finish_reason']) ?? 'other';
  // Several servers, and the provider itself when a tool was demanded, say `stop` beside tool calls.
  const finishReason = given === 'stop' && toolCalls.length > 0 ? 'tool_calls' : given;
  return { text, toolCalls, finishReason, usage };
}

/** Text, or null; undefined for anything else. Some servers send the parts of a text. */
function readText(content: unknown): string | null | undefined {
  if (content === null || content === undefined) return null;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const parts: readonly unknown[] = content;
  return parts.map((part) => (isFields(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('');
}

type Refuse = (problem: string, came: unknown) => PromptEvaluationError;

function readCalls(message: Fields, refuse: Refuse): readonly ToolCall[] {
  const { tool_calls: calls, function_call: single } = message;
  // Servers of an older date answer the older form, with one call and no id.
  if ((calls === null || calls === undefined) && isFields(single)) {
    return [readCall({ function: single }, 0, new Set(), refuse)];
  }
  if (calls === null || calls === undefined) return [];
  if (!Array.isArray(calls)) throw refuse('answered tool calls that are no list', calls);
  const entries: readonly unknown[] = calls;
  const taken = new Set(entries.map((entry) => (isFields(entry) ? entry['id'] : undefined)));
  return entries.map((entry, index) => readCall(entry, index, taken, refuse));
}

function readCall(entry: unknown, index: number, taken: ReadonlySet<unknown>, refuse: Refuse): ToolCall {
  const what = `tool call ${String(index)}`;
  if (!isFields(entry)) throw refuse(`answered a ${what} that is none`, entry);
  const { id, type = 'function', function: called } = entry;
  if (type !== 'function') throw refuse(`answered a ${what} of a type that was not offered`, entry);
  const name = isFields(called) ? called['name'] : undefined;
  if (!isFields(called) || typeof name !== 'string' || name.trim() === '') {
    throw refuse(`answered a ${what} without the name of a tool`, entry);
  }
  return {
    id: typeof id === 'string' && id !== '' ? id : freeId(index, taken),
    name,
    arguments: readArguments(called['arguments']),
  };
}

/** `call_<index>`, unless the model gave that very id to another call, which would then be taken for the same one. */
function freeId(index: number, taken: ReadonlySet<unknown>): string {
  let id = `call_${String(index)}`;
  while (taken.has(id)) id += '_';
  return id;
}

/** Text as it came, malformed or not: the dispatcher tells the model what is wrong with it. */
function readArguments(given: unknown): ToolCall['arguments'] {
  if (given === null || given === undefined) return null;
  if (typeof given === 'string' || isFields(given)) return given;
  return JSON.stringify(given);
}

function readUsage(usage: unknown): Usage | undefined {
  if (!isFields(usage)) return undefined;
  const { prompt_tokens_details: details } = usage;
  return {
    inputTokens: count(usage['prompt_tokens']),
    outputTokens: count(usage['completion_tokens']),
    totalTokens: count(usage['total_tokens']),
    cachedInputTokens: isFields(details) ? count(details['cached_tokens']) : undefined,
  };
}

function count(figure: unknown): number | undefined {
  return typeof figure === 'number' && Number.isFinite(figure) ? figure : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(came: unknown): string {
  if (typeof came !== 'object' || came === null) return describeValue(came);
  try {
    const text = redactText(JSON.stringify(came));
    return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
  } catch {
    // An answer nested some thousand levels deep can be parsed, but not written again.
    return describeValue(came);
  }
}
