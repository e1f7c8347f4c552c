import { createEvaluationError, type PromptEvaluationError } from '../../../error/PromptError.js';
import type { ConversationHead } from '../../../interface/RunEntry.js';
import type { TokenEstimator } from '../../../interface/ports.js';
import type { Message } from '../../../value/Message.js';

/** How a conversation is kept within the window of its model. */
export interface HistoryOptions {
  /** The most estimated tokens of a request: system text, tools and messages. */
  readonly maxTokens: number;
  /**
   * Writes down what the model has to know of messages that are left out from here on, e.g. with a smaller model. It gets them as
   * they were sent, an earlier summary included.
   */
  readonly summarise: (messages: readonly Message[]) => Promise<string> | string;
  /**
   * Results of tools that are estimated to take more tokens than this, at least 200, give way to their beginning and a handle
   * when the history is shortened. The tool `read_result` of `ResultsSection` (`toolwright/sections`) reads them. When left out,
   * they stay as they are.
   */
  readonly spillAbove?: number | undefined;
}

/** A new segment is to have room for this share of the window. */
export const SHARE_KEPT = 0.5;

export interface SplitHistory {
  /** The number of messages that are summarised. */
  readonly start: number;
  readonly kept: readonly Message[];
  /** The estimated tokens of the kept messages. */
  readonly size: number;
}

const sizes = new WeakMap<object, number>();

/** Estimates the tokens of a request; no message is estimated twice. */
export function estimateRequest(
  { text, offered, closed }: Pick<ConversationHead, 'text' | 'offered' | 'closed'>,
  messages: readonly Message[],
  estimator: TokenEstimator,
): number {
  const [, ...rest] = messages;
  const tools = estimateMessage(offered, estimator) + estimateMessage(closed, estimator);
  return rest.reduce((sum, message) => sum + estimateMessage(message, estimator), estimator(text) + tools);
}

/**
 * Splits the messages of a conversation after the system message: what is summarised, and what goes on. The second part begins
 * with a message of a user or an answer of the model, so that no outcome loses its call, and takes at most half of the window,
 * unless the last turn alone is larger.
 *
 * @param room the tokens that the messages may take
 */
export function splitHistory(messages: readonly Message[], room: number, estimator: TokenEstimator): SplitHistory {
  let tokens = 0;
  let start = messages.length;
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index] as Message;
    tokens += estimateMessage(message, estimator);
    if (tokens > room * SHARE_KEPT && start < messages.length) break;
    if (message.role !== 'tool' && !isNote(message)) start = index;
  }
  const kept = messages.slice(start);
  return { start, kept, size: kept.reduce((sum, message) => sum + estimateMessage(message, estimator), 0) };
}

function isNote(message: Message): boolean {
  return message.role === 'user' && message.note !== undefined;
}

/** Estimates the tokens of a value as JSON; no object is estimated twice. */
export function estimateMessage(value: object, estimator: TokenEstimator): number {
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const tokens = estimator(JSON.stringify(value));
  sizes.set(value, tokens);
  return tokens;
}

export function createHistoryError(size: number, room: number): PromptEvaluationError {
  const left = String(Math.max(0, room));
  return createEvaluationError(
    `the summary and the last turn are estimated at ${String(size)} tokens, and ${left} are left for messages`,
    { code: 'E734', place: 'history.maxTokens' },
  );
}
