import { wellFormed } from '../../common/wellFormed.js';
import type { SegmentBegan } from '../../interface/RunStore.js';
import type { TokenEstimator } from '../../interface/TokenEstimator.js';
import type { Message } from '../../value/Message.js';
import { describedOutput, headOf, type ConversationStart } from './beginConversation.js';
import type { Conversation } from './Conversation.js';
import { noSummary } from './conversationFaults.js';
import { LongResults } from './LongResults.js';
import {
  requestTokens,
  SHARE_KEPT,
  splitHistory,
  tokensOf,
  tooLarge,
  type HistoryOptions,
  type SplitHistory,
} from './shortenHistory.js';

/** A request that may be too large. */
interface LargeRequest extends ConversationStart {
  readonly turn: number;
  readonly history: HistoryOptions;
  readonly messages: readonly Message[];
}

/** The list of long results takes at most this share of the window. */
const SHARE_LISTED = 0.125;

/**
 * Returns the segment with which a conversation goes on if its next request would be larger than its window; undefined if it
 * would not. It begins with the prompt as it is now, a summary, and the last messages; with `spillAbove`, long results are
 * shortened, and those that are left out are listed.
 *
 * @throws PromptEvaluationError E734, E749, and what `summarise` throws
 */
export async function nextSegment(
  { id, state, log, isKept }: Conversation,
  request: LargeRequest,
): Promise<SegmentBegan | undefined> {
  const { rendered, turn, history, messages } = request;
  const { estimator } = rendered;
  const { maxTokens, spillAbove } = history;
  if (state.head === undefined || requestTokens(state.head, messages, estimator) <= maxTokens) return undefined;
  const head = await headOf(request, isKept);
  const room = maxTokens - requestTokens(head, [], estimator);
  const [, ...past] = messages;
  const results = spillAbove === undefined ? undefined : new LongResults(log.entries, spillAbove, estimator);
  const { start, kept, size } = fitted(past, results, room, estimator);
  if (size > room) throw tooLarge(size, room);
  // Shorter results may make room enough.
  const note = start === 0 ? undefined : noteOf(await history.summarise(past.slice(0, start)), id);
  const rest = room - size - (note === undefined ? 0 : tokensOf(note, estimator));
  if (rest < 0) throw tooLarge(room - rest, room);
  const list = results?.listed(kept, Math.min(rest, maxTokens * SHARE_LISTED), estimator);
  const described = describedOutput(request);
  return {
    ...{ kind: 'segment', reason: 'history', turn },
    ...head,
    ...(described === undefined ? {} : { output: described }),
    messages: [...(note === undefined ? [] : [note]), ...(list === undefined ? [] : [list]), ...kept],
  };
}

/** Splits a history. Results that the model has not answered yet stay whole, if there is room. */
function fitted(
  messages: readonly Message[],
  results: LongResults | undefined,
  room: number,
  estimator: TokenEstimator,
): SplitHistory {
  if (results === undefined) return splitHistory(messages, room, estimator);
  const answered = messages.map(({ role }) => role).lastIndexOf('assistant');
  const shortened = messages.map((message) => results.shortened(message));
  const asSent = shortened.map((message, index) => (index > answered ? (messages[index] ?? message) : message));
  const split = splitHistory(asSent, room, estimator);
  return split.size <= room * SHARE_KEPT ? split : splitHistory(shortened, room, estimator);
}

/** @throws PromptEvaluationError E749: a summary that is not a text would stay in the conversation for good */
function noteOf(summary: unknown, conversation: string): Message {
  if (typeof summary !== 'string' || summary.trim() === '') throw noSummary(conversation, summary);
  return {
    role: 'user',
    content: `[Summary of the conversation so far:\n${wellFormed(summary)}]`,
    note: 'application',
  };
}
