import { getOrCreate } from '../common/memoize.js';
import type { ModelRequest } from '../interface/ModelAdapter.js';
import type { ContentPart } from '../value/ContentPart.js';
import { describePart } from '../value/describePart.js';
import type { Message } from '../value/Message.js';

/** A part with bytes or an address. */
export type MediaPart = Exclude<ContentPart, { kind: 'text' }>;

/** The role of the message that a part belongs to. */
export type MediaRole = 'user' | 'tool';

/** Returns true if a provider accepts a part in a message of this role. */
export type IsTaken = (part: MediaPart, role: MediaRole) => boolean;

/**
 * Replaces content that a provider does not accept by a text that says so, in the messages of a conversation: a tool
 * returned it, or another model accepted it. Refusing it would fail every later request, because the record holds it.
 */
export class LeftOutParts {
  /** So that each request holds the same objects as the previous one. */
  readonly #replaced = new WeakMap<Message, Message>();

  /**
   * Returns the messages of a request, with texts instead of the unaccepted content. Without a conversation they stay
   * unchanged: the request is then refused, because its caller can change it.
   */
  ofRequest(
    request: ModelRequest,
    isTaken: IsTaken,
    messages: readonly Message[] = request.messages,
  ): readonly Message[] {
    const isConversation = request.offeredTools !== undefined || request.closedTools !== undefined;
    return isConversation ? this.replace(messages, isTaken) : messages;
  }

  /** Returns messages of a conversation, with texts instead of the unaccepted content. */
  replace(messages: readonly Message[], isTaken: IsTaken): readonly Message[] {
    return messages.map((message) => {
      if ((message.role !== 'user' && message.role !== 'tool') || message.parts === undefined) return message;
      const { role, parts } = message;
      const isLeftOut = (part: ContentPart): boolean => part.kind !== 'text' && !isTaken(part, role);
      if (!parts.some(isLeftOut)) return message;
      return getOrCreate(this.#replaced, message, (): Message => {
        return { ...message, parts: parts.map((part) => (isLeftOut(part) ? replaceWithText(part) : part)) };
      });
    });
  }
}

function replaceWithText(part: ContentPart): ContentPart {
  const text = `${describePart(part).slice(0, -1)}: left out, since this model cannot read it]`;
  return { kind: 'text', text };
}
