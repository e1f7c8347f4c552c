import type { Message } from '../../value/Message.js';
import type { ToolCall } from '../../value/ToolCall.js';
import type { ToolOutcome } from '../../value/ToolOutcome.js';

const messages = new WeakMap<ToolOutcome, Extract<Message, { readonly role: 'tool' }>>();

/** The message that answers a call: the same object for the same outcome. */
export function toolMessage(call: ToolCall, outcome: ToolOutcome): Extract<Message, { readonly role: 'tool' }> {
  const { id: toolCallId, name } = call;
  const known = messages.get(outcome);
  if (known?.toolCallId === toolCallId) return known;
  const { text: content, result } = outcome;
  const tools = outcome.kind === 'succeeded' ? undefined : outcome.tools;
  const parts = outcome.kind === 'succeeded' ? outcome.parts : undefined;
  const message = {
    ...({ role: 'tool', toolCallId, name, content } as const),
    ...(parts === undefined ? {} : { parts }),
    failed: !result.success,
    ...(tools === undefined || tools.added.length === 0 ? {} : { tools }),
  };
  messages.set(outcome, message);
  return message;
}
