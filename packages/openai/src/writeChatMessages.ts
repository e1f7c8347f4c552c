import type { OpenAI } from 'openai';
import type { Message, ToolCall } from 'toolwright';
import { CallIds, makeLegalName, type ToolPlan, wrapBridgeCall, type WrittenMessages } from 'toolwright/internal';
import { createContentErrors } from './createContentErrors.js';
import { type Fields, isRecord } from 'toolwright/internal/light';
import { writeArguments } from './writeArguments.js';
import { writeChatContent, writeChatResult } from './writeChatContent.js';
import type { NoteRole } from './decideChatMeans.js';

/** A message of a Chat Completions request. */
export type ChatMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type ChatToolUse = OpenAI.Chat.Completions.ChatCompletionMessageFunctionToolCall;
type Assistant = Extract<Message, { role: 'assistant' }>;

/** The name of this API in native content of a conversation. */
export const CHAT = 'openai-chat';

/** The fields in which compatible servers show a model's reasoning. */
export const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_details'] as const;

/** The settings that decide, together with the conversation, how its messages are written. */
export interface MessageSettings {
  /** The name that errors show. */
  readonly adapter: string;
  readonly plan: Pick<ToolPlan, 'textOf'>;
  /** The role of the framework's own notes. */
  readonly notes: NoteRole;
  /** True if reasoning goes back to the server. */
  readonly reasoning: boolean;
  /** The messages that earlier requests of the adapter wrote. */
  readonly written: WrittenMessages<ChatMessage>;
}

/**
 * Writes a conversation as the messages of a Chat Completions request (docs/contract.md, 16). The text of a message depends only on
 * the message itself and on earlier ones, so that each request begins with the previous one.
 *
 * @throws PromptEvaluationError with phase `request` for content that the API does not take
 */
export function writeChatMessages(messages: readonly Message[], settings: MessageSettings): ChatMessage[] {
  const { adapter, plan, notes, reasoning, written } = settings;
  let ids = new CallIds();
  return messages.flatMap((message, index): readonly ChatMessage[] => {
    const refuse = createContentErrors(adapter, message, index);
    switch (message.role) {
      case 'system':
        return written.of(message, '', () => [{ role: 'system', content: message.content }]);
      case 'user': {
        const { note, parts } = message;
        const text = plan.textOf(message);
        // Only the role `user` takes parts.
        const role = note === 'operator' && (parts ?? []).length === 0 ? notes : 'user';
        return written.of(message, `${role} ${text}`, () =>
          role === 'user' ? [{ role, content: writeChatContent(text, parts, refuse) }] : [{ role, content: text }],
        );
      }
      case 'assistant': {
        // A later turn may use an id of an earlier one again.
        ids = new CallIds();
        const sent = ids.begin((message.toolCalls ?? []).map(({ id }) => id));
        return written.of(message, `${String(reasoning)} ${sent.join(' ')}`, () => [
          writeAssistantMessage(message, sent, reasoning),
        ]);
      }
      case 'tool': {
        const tool_call_id = ids.matchAnswer(message.toolCallId) ?? message.toolCallId;
        const text = plan.textOf(message);
        return written.of(message, `${tool_call_id} ${text}`, () => [
          { role: 'tool', tool_call_id, content: writeChatResult(text, message.parts, refuse) },
        ]);
      }
    }
  });
}

function writeAssistantMessage(message: Assistant, sent: readonly string[], reasoning: boolean): ChatMessage {
  const { content, toolCalls = [] } = message;
  const native = nativeOf(message);
  const thoughts = reasoning ? fieldsOf(native, REASONING_FIELDS) : {};
  // Without calls the provider requires a text; a missing one becomes empty.
  if (toolCalls.length === 0) return { role: 'assistant', content: content ?? '', ...thoughts };
  const given: unknown = native['tool_calls'];
  const natives: readonly unknown[] = Array.isArray(given) ? given : [];
  const tool_calls = toolCalls.map((call, index) => writeToolCall(call, sent[index] ?? '', natives[index]));
  return { role: 'assistant', content, ...thoughts, tool_calls };
}

/** Returns the message as the server sent it; an empty object for a message of another provider. */
function nativeOf({ native }: Assistant): Fields {
  const [message] = native?.provider === CHAT ? native.content : [];
  return isRecord(message) ? message : {};
}

function fieldsOf(from: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}

/** Writes a call as the model wrote it, if that is known. */
function writeToolCall(call: ToolCall, id: string, native: unknown): ChatToolUse {
  const written = wrapBridgeCall(call);
  const said: unknown = isRecord(native) ? native['function'] : undefined;
  const { name = written.name, arguments: args } = isRecord(said) ? said : {};
  const text = typeof args === 'string' && args.trim() !== '' ? args : writeArguments(written.arguments);
  return { id, type: 'function', function: { name: makeLegalName(String(name)), arguments: text } };
}
