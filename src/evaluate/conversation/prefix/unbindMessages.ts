import type { ModelAdapter } from '../../../interface/ModelAdapter.js';
import type { Message } from '../../../value/Message.js';

/** Messages for requests that begin otherwise than before. */
export interface UnboundMessages {
  readonly messages: readonly Message[];
  /** The number of answers that lost a part. */
  readonly unbound: number;
}

/**
 * Removes what the provider binds to everything before an answer: where something before it changes, the provider would refuse
 * the request, or drop all later thinking as well.
 */
export function unbindMessages(messages: readonly Message[], adapter: ModelAdapter): UnboundMessages {
  let unbound = 0;
  const left = messages.map((message) => {
    const without = unbindMessage(message, adapter);
    if (without !== message) unbound++;
    return without;
  });
  return { messages: left, unbound };
}

/** True if an answer holds something that the adapter's provider binds to everything before it. */
export function hasBound(messages: readonly Message[], adapter: ModelAdapter): boolean {
  return messages.some((message) => unbindMessage(message, adapter) !== message);
}

function unbindMessage(message: Message, adapter: ModelAdapter): Message {
  if (message.role !== 'assistant' || message.native === undefined || adapter.unbind === undefined) return message;
  const left = adapter.unbind(message.native);
  if (left === message.native) return message;
  const { native: _bound, ...rest } = message;
  return left === undefined ? rest : { ...rest, native: left };
}
