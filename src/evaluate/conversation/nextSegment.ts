import type { DispatchServices } from '../../dispatch/CallRun.js';
import type { SegmentBegan } from '../../interface/RunStore.js';
import type { Message } from '../../value/Message.js';
import { describedOutput, headOf, type ConversationStart } from './beginConversation.js';
import type { Conversation } from './Conversation.js';
import { requestTokens, splitHistory, type HistoryOptions } from './shortenHistory.js';

/** A request that may be too large. */
interface LargeRequest extends ConversationStart {
  readonly turn: number;
  readonly history: HistoryOptions;
  readonly messages: readonly Message[];
}

/**
 * Returns the segment with which a conversation goes on if its next request would be larger than its window; undefined if it
 * would not. It begins with the prompt as it is now, a summary, and the last messages as they were.
 *
 * @throws PromptEvaluationError E734, and what `summarise` throws
 */
export async function nextSegment(
  { serialiser }: Pick<DispatchServices, 'serialiser'>,
  { state, isKept }: Conversation,
  request: LargeRequest,
): Promise<SegmentBegan | undefined> {
  const { rendered, turn, history, messages } = request;
  const { estimator } = rendered;
  const { maxTokens, summarise } = history;
  if (state.head === undefined || requestTokens(state.head, messages, estimator) <= maxTokens) return undefined;
  const head = await headOf(request, serialiser, isKept);
  const room = maxTokens - requestTokens(head, [], estimator);
  const { past, kept } = splitHistory(messages, room, estimator);
  const summary = await summarise(past);
  const described = describedOutput(request);
  const note: Message = {
    role: 'user',
    content: `[Summary of the conversation so far:\n${summary}]`,
    note: 'application',
  };
  return {
    ...{ kind: 'segment', reason: 'history', turn },
    ...head,
    ...(described === undefined ? {} : { output: described }),
    messages: [note, ...kept],
  };
}
