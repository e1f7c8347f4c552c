import type { OpenAI } from 'openai';
import { CallIds } from '../../provider/CallIds.js';
import { legalName } from '../../provider/refuseTools.js';
import type { Message } from '../../value/Message.js';
import type { ToolCall } from '../../value/ToolCall.js';
import { argumentsText } from './argumentsText.js';

type ChatMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type ChatToolCall = OpenAI.Chat.Completions.ChatCompletionMessageFunctionToolCall;

/** Writes a conversation as the messages of a Chat Completions request (docs/contract.md, 16). */
export function chatMessages(messages: readonly Message[]): ChatMessage[] {
  let ids = new CallIds();
  return messages.map((message): ChatMessage => {
    switch (message.role) {
      case 'system':
      case 'user':
        return { role: message.role, content: message.content };
      case 'assistant': {
        const { content, toolCalls = [] } = message;
        // An id of an earlier turn may be used again.
        ids = new CallIds();
        const sent = ids.begin(toolCalls.map(({ id }) => id));
        // Without calls the provider requires text; an answer without any becomes an empty one.
        if (toolCalls.length === 0) return { role: 'assistant', content: content ?? '' };
        const tool_calls = toolCalls.map((call, index) => chatToolCall(call, sent[index] ?? ''));
        return { role: 'assistant', content, tool_calls };
      }
      case 'tool':
        return {
          role: 'tool',
          tool_call_id: ids.answered(message.toolCallId) ?? message.toolCallId,
          content: message.content,
        };
    }
  });
}

function chatToolCall(call: ToolCall, id: string): ChatToolCall {
  return { id, type: 'function', function: { name: legalName(call.name), arguments: argumentsText(call.arguments) } };
}
