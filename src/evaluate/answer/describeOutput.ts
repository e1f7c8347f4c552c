import { getOrCreate } from '../../common/memoize.js';
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
  const known = getOrCreate(described, first, () => new Map<string, Message>());
  const message = getOrCreate(known, text, (): Message => {
    return { role: 'system', content: first.content === '' ? text : `${first.content}\n\n${text}` };
  });
  return [message, ...rest];
}
