import type { JsonSchema } from '../../common/types.js';
import type { Message } from '../../value/Message.js';

export function writeOutputText(schema: JsonSchema): string {
  return `Give your final answer as JSON and nothing else. It must fit this JSON Schema:\n\n${JSON.stringify(schema)}`;
}

const described = new WeakMap<Message, Map<string, Message>>();

/**
 * Returns the messages with a description of the answer's form at the end of the system message, for providers that take no
 * schema. The conversation itself is not changed: it is the same for every adapter.
 */
export function describeOutput(messages: readonly Message[], form: JsonSchema | string): readonly Message[] {
  const [first, ...rest] = messages;
  if (first?.role !== 'system') return messages;
  const text = typeof form === 'string' ? form : writeOutputText(form);
  const known = described.get(first) ?? new Map<string, Message>();
  described.set(first, known);
  const content = [first.content, text].filter((part) => part !== '').join('\n\n');
  const message = known.get(text) ?? { role: 'system', content };
  known.set(text, message);
  return [message, ...rest];
}
