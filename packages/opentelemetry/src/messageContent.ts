import type { Attributes } from '@opentelemetry/api';
import type { Message, ModelRequest, ModelResponse, ToolCall } from 'toolwright';
import type { ContentPartSummary } from 'toolwright/events';
import { summarisePart } from 'toolwright/internal';

/** Redacts messages as in a transcript. */
export type Recorded = (messages: readonly Message[]) => readonly Message[];

/** Returns a request as attributes: instructions, conversation and tools, each as JSON text. */
export function writeQuestionContent(request: ModelRequest, recorded: Recorded): Attributes {
  const kept = recorded(request.messages);
  const first = kept.findIndex(({ role }) => role !== 'system');
  const end = first === -1 ? kept.length : first;
  const tools = request.toolSchemas('json-schema').map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    parameters,
  }));
  return {
    'gen_ai.system_instructions': JSON.stringify(kept.slice(0, end).flatMap((message) => partsOf(message))),
    'gen_ai.input.messages': JSON.stringify(
      kept.slice(end).map((message, index) => writeMessage(message, request.messages[end + index])),
    ),
    'gen_ai.tool.definitions': redactText(JSON.stringify(tools), recorded),
  };
}

export function writeAnswerContent({ text, toolCalls, finishReason }: ModelResponse, recorded: Recorded): Attributes {
  const kept = recorded([{ role: 'assistant', content: text, toolCalls }]);
  const reason = finishReason === 'tool_calls' ? 'tool_call' : finishReason;
  return {
    'gen_ai.output.messages': JSON.stringify(kept.map((one) => ({ ...writeMessage(one), finish_reason: reason }))),
  };
}

export function writeArgumentsContent({ arguments: given }: ToolCall): Attributes {
  return { 'gen_ai.tool.call.arguments': typeof given === 'string' ? given : JSON.stringify(given ?? {}) };
}

type BlobSummary = Exclude<ContentPartSummary, { readonly kind: 'text' }>;

interface Part {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Writes a message by the conventions.
 *
 * @param sent the message before redaction, which has the bytes of its parts
 */
function writeMessage(
  message: Message,
  sent?: Message,
): { readonly role: Message['role']; readonly parts: readonly Part[] } {
  return { role: message.role, parts: [...partsOf(message), ...writeContentParts(message, sent)] };
}

/** Writes parts as the conventions do, with the number of bytes in place of the bytes. */
function writeContentParts(message: Message, sent: Message | undefined): readonly Part[] {
  if (message.role !== 'user' && message.role !== 'tool') return [];
  const originals = sent?.role === message.role ? (sent.parts ?? []) : [];
  return (message.parts ?? []).map((part, index) => {
    const original = originals[index];
    if (part.kind !== 'text') return { type: 'uri', modality: part.kind, mime_type: part.mediaType, uri: part.url };
    const { kind, mediaType: mime_type, bytes: byte_size } = summarisePart(original ?? part) as Partial<BlobSummary>;
    if (byte_size === undefined) return { type: 'text', content: part.text };
    return { type: 'blob', modality: kind, mime_type, content: '', byte_size };
  });
}

function partsOf(message: Message): readonly Part[] {
  if (message.role === 'tool')
    return [{ type: 'tool_call_response', id: message.toolCallId, response: message.content }];
  const { content } = message;
  const texts = content === null || content === '' ? [] : [{ type: 'text', content }];
  if (message.role !== 'assistant') return texts;
  const calls = (message.toolCalls ?? []).map(({ id, name, arguments: given }) => ({
    type: 'tool_call',
    id,
    name,
    arguments: read(given),
  }));
  return [...texts, ...calls];
}

/** Parses arguments that are a JSON object, so that backends show their fields. */
function read(given: ToolCall['arguments']): unknown {
  if (typeof given !== 'string') return given ?? {};
  try {
    return JSON.parse(given) as unknown;
  } catch {
    return given;
  }
}

export function redactText(text: string, recorded: Recorded): string {
  return recorded([{ role: 'system', content: text }])[0]?.content ?? '';
}
