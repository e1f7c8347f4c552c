import type { JsonSchema } from '../common/types.js';
import type { Message } from '../value/Message.js';

/**
 * Returns the messages with the schema of the answer at the end of the system message, for providers that take no schema. The
 * conversation itself is not changed: it is the same for every adapter.
 */
export function describeOutput(messages: readonly Message[], schema: JsonSchema): readonly Message[] {
  const form = `Give your final answer as JSON and nothing else. It must fit this JSON Schema:\n\n${JSON.stringify(schema)}`;
  return messages.map((message, index) =>
    index === 0 && message.role === 'system'
      ? { ...message, content: [message.content, form].filter((part) => part !== '').join('\n\n') }
      : message,
  );
}
