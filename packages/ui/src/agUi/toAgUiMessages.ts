import type { Message } from 'toolwright';
import type { HistoryEntry } from 'toolwright/conversations';
import { messageIdOf } from '../chats/UserChats.js';
import { AgUiEventWriter } from './AgUiEventWriter.js';
import type { AgUiEvent, AgUiGeneration, AgUiMessage, AgUiToolCall } from './agUiEvents.js';
import { toAgUiContent } from './toAgUiContent.js';

/**
 * Returns the messages of a conversation, as a client has them that has read all its streams.
 *
 * @param entries of the conversation, from the first one
 */
export function toAgUiMessages(
  entries: readonly HistoryEntry[],
  generation: AgUiGeneration = 'legacy',
): readonly AgUiMessage[] {
  const runs: AgUiMessage[][] = [];
  let writer: AgUiEventWriter | undefined;
  for (const entry of entries) {
    const messages = runs.at(-1) ?? [];
    if (entry.kind === 'run') {
      const { run } = entry;
      writer = new AgUiEventWriter({ generation, run, thread: run, request: run });
      runs.push(entry.messages.flatMap((message, index) => toUserMessage(run, message, index)));
    } else if (entry.kind === 'steering') {
      const { id, message } = entry;
      messages.push({ id, role: 'user', content: toAgUiContent(message.content, message.parts ?? []) });
    } else for (const event of writer?.write(entry) ?? []) addEvent(messages, event);
  }
  return runs.flat();
}

function toUserMessage(run: string, message: Message, index: number): readonly AgUiMessage[] {
  if (message.role !== 'user' || message.note !== undefined) return [];
  const id = index === 0 ? messageIdOf(run) : `${messageIdOf(run)}.${String(index)}`;
  return [{ id, role: 'user', content: toAgUiContent(message.content, message.parts ?? []) }];
}

/** Adds an event to the messages of its run as a client does. */
function addEvent(messages: AgUiMessage[], event: AgUiEvent): void {
  switch (event.type) {
    case 'TEXT_MESSAGE_CONTENT':
      changeAssistant(messages, event.messageId, ({ content = '', ...rest }) => ({
        ...rest,
        content: content + event.delta,
      }));
      return;
    case 'TOOL_CALL_START': {
      const { toolCallId: id, toolCallName: name } = event;
      const call = { id, type: 'function', function: { name, arguments: '' } } as const;
      changeAssistant(messages, event.parentMessageId, ({ toolCalls = [], ...rest }) => ({
        ...rest,
        toolCalls: [...toolCalls, call],
      }));
      return;
    }
    case 'TOOL_CALL_ARGS': {
      const { toolCallId, delta } = event;
      const owner = findOwner(messages, toolCallId);
      if (owner === undefined) return;
      changeAssistant(messages, owner.id, ({ toolCalls = [], ...rest }) => ({
        ...rest,
        toolCalls: toolCalls.map((call) => (call.id === toolCallId ? addArguments(call, delta) : call)),
      }));
      return;
    }
    case 'TOOL_CALL_RESULT': {
      const { type: _type, messageId: id, ...result } = event;
      // Results stand behind their calls, even if something was said since.
      let place = messages.findIndex((message) => message === findOwner(messages, result.toolCallId)) + 1;
      while (messages[place]?.role === 'tool') place++;
      messages.splice(place, 0, { id, ...result });
      return;
    }
    default:
  }
}

type AssistantMessage = Extract<AgUiMessage, { readonly role: 'assistant' }>;

/** Replaces a message of the assistant, which begins with its first event. */
function changeAssistant(
  messages: AgUiMessage[],
  id: string,
  change: (message: AssistantMessage) => AssistantMessage,
): void {
  const place = messages.findIndex((message) => message.id === id);
  const found = messages[place];
  if (found === undefined) messages.push(change({ id, role: 'assistant' }));
  else if (found.role === 'assistant') messages[place] = change(found);
}

function findOwner(messages: readonly AgUiMessage[], toolCallId: string): AssistantMessage | undefined {
  const isOwner = (message: AgUiMessage): message is AssistantMessage =>
    message.role === 'assistant' && message.toolCalls?.some(({ id }) => id === toolCallId) === true;
  return messages.find(isOwner);
}

function addArguments(call: AgUiToolCall, delta: string): AgUiToolCall {
  const { name, arguments: given } = call.function;
  return { ...call, function: { name, arguments: given + delta } };
}
