import type { OpenAI } from 'openai';
import type { Message } from '../../value/Message.js';
import type { ToolCall } from '../../value/ToolCall.js';

type ChatMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type ChatToolCall = OpenAI.Chat.Completions.ChatCompletionMessageFunctionToolCall;

const LONGEST_NAME = 64;

/** Writes a conversation as the messages of a Chat Completions request (runtime contract, 16). */
export function chatMessages(messages: readonly Message[]): ChatMessage[] {
  let ids = new TurnIds([]);
  return messages.map((message): ChatMessage => {
    switch (message.role) {
      case 'system':
      case 'user':
        return { role: message.role, content: message.content };
      case 'assistant': {
        const { content, toolCalls = [] } = message;
        ids = new TurnIds(toolCalls.map(({ id }) => id));
        // Without calls the provider wants text; an answer that had none is an empty one.
        if (toolCalls.length === 0) return { role: 'assistant', content: content ?? '' };
        const tool_calls = toolCalls.map((call, index) => chatToolCall(call, ids.ofCall(index)));
        return { role: 'assistant', content, tool_calls };
      }
      case 'tool':
        return { role: 'tool', tool_call_id: ids.ofAnswer(message.toolCallId), content: message.content };
    }
  });
}

/**
 * The ids of one turn as they go over the wire. A model may give two calls one id, and the provider then refuses the whole
 * conversation from the next request on; so the second `x` is sent as `x_2`, in the call and in its answer.
 */
class TurnIds {
  readonly #sent: readonly string[];
  readonly #unanswered = new Map<string, string[]>();

  constructor(given: readonly string[]) {
    const taken = new Set(given);
    const seen = new Set<string>();
    this.#sent = given.map((id) => {
      let unique = id;
      for (let copy = 2; seen.has(unique) || (copy > 2 && taken.has(unique)); copy++) unique = `${id}_${String(copy)}`;
      seen.add(unique);
      this.#unanswered.set(id, [...(this.#unanswered.get(id) ?? []), unique]);
      return unique;
    });
  }

  ofCall(index: number): string {
    return this.#sent[index] ?? '';
  }

  ofAnswer(id: string): string {
    return this.#unanswered.get(id)?.shift() ?? id;
  }
}

function chatToolCall(call: ToolCall, id: string): ChatToolCall {
  return { id, type: 'function', function: { name: legalName(call.name), arguments: argumentsText(call.arguments) } };
}

/** A made-up name like `functions.find` has been answered already; sent back as it is, the provider would refuse it. */
function legalName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, LONGEST_NAME) || 'unnamed';
}

function argumentsText(given: ToolCall['arguments']): string {
  if (typeof given === 'string') return given.trim() === '' ? '{}' : given;
  return JSON.stringify(given ?? {});
}
