import { CallIds } from '../../provider/CallIds.js';
import { isFields } from '../../provider/fields.js';
import { inputOf } from '../../provider/inputOf.js';
import { legalName } from '../../provider/refuseTools.js';
import type { Message } from '../../value/Message.js';
import type { NativeContent } from '../../value/NativeContent.js';
import type { ToolCall } from '../../value/ToolCall.js';
import type { AiMessage, AiProviderOptions, AiTextPart, AiToolCallPart, AiToolResultPart } from './AiLanguageModel.js';
import { isOwnCall, nativeName } from './nativeParts.js';

type AssistantPart = AiTextPart | AiToolCallPart;

/** Several providers require a user message first; a run may begin with its prompt alone. */
const OPENING = 'Begin.';

/**
 * Writes a conversation as the prompt of a request: system messages only at its beginning, the results of a turn's calls in one
 * message, and no blank text (docs/contract.md, 16).
 *
 * @param provider the model's name of the provider, which gets the native parts of its own answers back
 */
export function modelPrompt(provider: string, conversation: readonly Message[]): AiMessage[] {
  const ids = new CallIds();
  const begun = conversation.findIndex(({ role }) => role !== 'system');
  const first = begun < 0 ? conversation.length : begun;
  const system = conversation.slice(0, first).flatMap(({ content }): AiMessage[] => {
    return content === null || isBlank(content) ? [] : [{ role: 'system', content }];
  });
  const rest: AiMessage[] = [];
  for (const message of conversation.slice(first)) {
    const written = messageOf(provider, message, ids);
    const last = rest.at(-1);
    if (written.content.length === 0) continue;
    if (written.role === 'tool' && last?.role === 'tool') last.content.push(...written.content);
    else rest.push(written);
  }
  if (rest[0]?.role !== 'user') rest.unshift({ role: 'user', content: texts(OPENING) });
  return [...system, ...rest];
}

/** Marks the ends of the parts that later requests repeat: of the prompt, and of the conversation so far. */
export function markPrompt(prompt: readonly AiMessage[], mark: AiProviderOptions): void {
  const prefix = prompt.filter(({ role }) => role === 'system').at(-1);
  for (const message of [prefix, prompt.at(-1)]) if (message !== undefined) message.providerOptions = mark;
}

function messageOf(provider: string, message: Message, ids: CallIds): AiMessage {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: 'user', content: texts(message.content) };
    case 'assistant': {
      const { content, native, toolCalls = [] } = message;
      const sent = ids.begin(toolCalls.map(({ id }) => id));
      const calls = toolCalls.map((call, index) => callPart(call, sent[index] ?? ''));
      const isOwn = native?.provider === nativeName(provider);
      return { role: 'assistant', content: isOwn ? partsAsGiven(native, calls) : [...texts(content), ...calls] };
    }
    case 'tool':
      return { role: 'tool', content: [resultPart(message, ids.answered(message.toolCallId))] };
  }
}

/** Returns the parts unchanged, so that signatures stay valid; calls are taken from the conversation. */
function partsAsGiven({ content }: NativeContent, calls: AiToolCallPart[]): AssistantPart[] {
  const parts = content.flatMap((part): AssistantPart[] => {
    if (!isFields(part)) return [];
    if (isOwnCall(part)) return calls.splice(0, 1).map((call) => ({ ...call, ...optionsOf(part['providerOptions']) }));
    if (part['type'] === 'text' && isBlank(part['text'])) return [];
    return [{ ...part } as unknown as AssistantPart];
  });
  return [...parts, ...calls];
}

function optionsOf(given: unknown): Pick<AiToolCallPart, 'providerOptions'> {
  return isFields(given) ? { providerOptions: given as AiProviderOptions } : {};
}

function isBlank(text: unknown): boolean {
  return typeof text !== 'string' || text.trim() === '';
}

/** Leaves out blank text, which several providers refuse. */
function texts(text: string | null): AiTextPart[] {
  return text === null || isBlank(text) ? [] : [{ type: 'text', text }];
}

function callPart({ name, arguments: given }: ToolCall, toolCallId: string): AiToolCallPart {
  return { type: 'tool-call', toolCallId, toolName: legalName(name), input: inputOf(given) };
}

function resultPart(
  { toolCallId, name, content, failed }: Extract<Message, { role: 'tool' }>,
  id: string | undefined,
): AiToolResultPart {
  const value = content.trim() === '' ? (failed ? 'The tool failed.' : 'OK') : content;
  return {
    type: 'tool-result',
    toolCallId: id ?? toolCallId,
    toolName: legalName(name),
    output: { type: failed ? 'error-text' : 'text', value },
  };
}
