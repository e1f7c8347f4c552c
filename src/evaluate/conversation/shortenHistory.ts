import { PromptEvaluationError } from '../../error/PromptError.js';
import type { ConversationHead } from '../../interface/RunStore.js';
import type { TokenEstimator } from '../../interface/TokenEstimator.js';
import type { Message } from '../../value/Message.js';

/** How a conversation is kept within the window of its model. */
export interface HistoryOptions {
  /** The most estimated tokens of a request: system text, tools and messages. */
  readonly maxTokens: number;
  /**
   * Writes down what the model has to know of messages that are left out from here on, e.g. with a smaller model. It gets them as
   * they were sent, an earlier summary included.
   */
  readonly summarise: (messages: readonly Message[]) => Promise<string> | string;
}

/** A new segment is to have room for this share of the window. */
const SHARE_KEPT = 0.5;

const sizes = new WeakMap<object, number>();

/** Estimates the tokens of a request; what was estimated once is not estimated again. */
export function requestTokens(
  { text, offered, closed }: Pick<ConversationHead, 'text' | 'offered' | 'closed'>,
  messages: readonly Message[],
  estimator: TokenEstimator,
): number {
  const [, ...rest] = messages;
  const tools = tokensOf(offered, estimator) + tokensOf(closed, estimator);
  return rest.reduce((sum, message) => sum + tokensOf(message, estimator), estimator(text) + tools);
}

/**
 * Splits the messages of a conversation: what is summarised, and what goes on as it is. The second part begins with a message of
 * a user or an answer of the model, so that no outcome loses its call, and takes at most half of the window.
 *
 * @param room the tokens that the messages may take
 * @throws PromptEvaluationError E734 if the last turn alone is larger
 */
export function splitHistory(
  messages: readonly Message[],
  room: number,
  estimator: TokenEstimator,
): { readonly past: readonly Message[]; readonly kept: readonly Message[] } {
  const [, ...rest] = messages;
  let tokens = 0;
  let start = rest.length;
  for (let index = rest.length - 1; index >= 0; index--) {
    const message = rest[index] as Message;
    tokens += tokensOf(message, estimator);
    if (tokens > room * SHARE_KEPT && start < rest.length) break;
    if (message.role !== 'tool' && !isNote(message)) start = index;
  }
  const kept = rest.slice(start);
  const size = kept.reduce((sum, message) => sum + tokensOf(message, estimator), 0);
  if (size > room) throw tooLarge(size, room);
  return { past: rest.slice(0, start), kept };
}

function isNote(message: Message): boolean {
  return message.role === 'user' && message.note !== undefined;
}

function tokensOf(value: object, estimator: TokenEstimator): number {
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const tokens = estimator(JSON.stringify(value));
  sizes.set(value, tokens);
  return tokens;
}

function tooLarge(size: number, room: number): PromptEvaluationError {
  return new PromptEvaluationError(
    `The last turn is estimated at ${String(size)} tokens, and history.maxTokens leaves ${String(Math.max(0, room))} for messages.`,
    { phase: 'request', code: 'E734' },
  );
}
