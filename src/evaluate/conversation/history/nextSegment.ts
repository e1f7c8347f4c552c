import { omitUndefined } from '../../../common/objects.js';
import { describeValue, ensureWellFormed } from '../../../common/text.js';
import type { JsonValue } from '../../../common/types.js';
import type { ModelAdapter } from '../../../interface/ModelAdapter.js';
import type { RunEntry } from '../../../interface/RunEntry.js';
import type { TokenEstimator } from '../../../interface/ports.js';
import type { Message } from '../../../value/Message.js';
import { createHead, isFormSent, type ConversationStart } from '../beginConversation.js';
import type { Conversation } from '../Conversation.js';
import { createRefusal } from '../conversationErrors.js';
import { LongResults } from './LongResults.js';
import {
  estimateRequest,
  SHARE_KEPT,
  splitHistory,
  estimateMessage,
  createHistoryError,
  type HistoryOptions,
  type SplitHistory,
} from './shortenHistory.js';

/** A request that the conversation may not be able to send as it is. */
interface NextRequest extends ConversationStart {
  readonly turn: number;
  /** Undefined if requests may be of any size. */
  readonly history: HistoryOptions | undefined;
}

/** The list of long results takes at most this share of the window. */
const SHARE_LISTED = 0.125;

/**
 * Returns the segment with which a conversation goes on if its next request cannot begin with the one before: it would be larger
 * than its window, have another form of the answer, or go to a model that gets other tools. Undefined if it can. What its provider
 * binds to the earlier messages is removed from those that go on.
 *
 * @throws PromptEvaluationError E734, E749; errors of `summarise`, unchanged
 */
export async function nextSegment(
  conversation: Conversation,
  request: NextRequest,
): Promise<RunEntry<'segment'> | undefined> {
  const { history } = request;
  const shorter = history === undefined ? undefined : await shortenSegment(conversation, request, history);
  return shorter ?? changeSegment(conversation, request);
}

/** Returns the segment with the same messages, if the head before them has to change. */
function changeSegment(conversation: Conversation, request: NextRequest): RunEntry<'segment'> | undefined {
  const { adapter, turn } = request;
  const { head, model, earlierModels } = conversation.state;
  if (head === undefined) return undefined;
  const isOtherForm = adapter.bindsOutputSchema === true && head.form !== undefined && !isFormSent(request, head);
  const isOtherModel = earlierModels.some(
    // Only adapters of one provider read each other's native answers.
    (earlier) => getProvider(earlier.adapter) === getProvider(adapter.name) && !isSameJson(earlier.means, model?.means),
  );
  if (!isOtherForm && !isOtherModel) return undefined;
  const [, ...past] = conversation.nextMessages;
  if (past.length === 0 || !(isOtherForm || hasBound(past, adapter))) return undefined;
  const { text, offered, closed, fingerprint, sections, output, form } = head;
  const kept = { text, offered, closed, fingerprint, sections, output, form: isOtherForm ? undefined : form };
  const reason = isOtherForm ? 'rendering' : 'model';
  return { kind: 'segment', reason, turn, ...omitUndefined(kept), ...unbindMessages(past, adapter) };
}

/**
 * Returns the segment for a request that would be larger than its window. It begins with the prompt as it is now, a summary, and
 * the last messages; with `spillAbove`, long results are shortened, and left-out results are listed.
 */
async function shortenSegment(
  conversation: Conversation,
  request: NextRequest,
  history: HistoryOptions,
): Promise<RunEntry<'segment'> | undefined> {
  const { id, state, log, isKept, nextMessages: messages } = conversation;
  const { rendered, turn, adapter } = request;
  const { maxTokens, spillAbove } = history;
  const { estimator } = rendered;
  if (state.head === undefined || estimateRequest(state.head, messages, estimator) <= maxTokens) return undefined;
  const head = await createHead(request, isKept, state.head);
  const room = maxTokens - estimateRequest(head, [], estimator);
  const [, ...past] = messages;
  const results = spillAbove === undefined ? undefined : new LongResults(log.entries, spillAbove, estimator);
  const { start, kept, size } = fitHistory(past, results, room, estimator);
  if (size > room) throw createHistoryError(size, room);
  // Shorter results may make room enough.
  const note = start === 0 ? undefined : writeSegmentNote(await history.summarise(past.slice(0, start)), id);
  const rest = room - size - (note === undefined ? 0 : estimateMessage(note, estimator));
  if (rest < 0) throw createHistoryError(room - rest, room);
  const list = results?.listResults(kept, Math.min(rest, maxTokens * SHARE_LISTED), estimator);
  const following = [note, list, ...kept].filter((message) => message !== undefined);
  return { kind: 'segment', reason: 'history', turn, ...head, ...unbindMessages(following, adapter) };
}

function getProvider(adapter: string): string {
  return adapter.split(':', 1).join('');
}

function isSameJson(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Splits a history. Results that the model has not answered yet stay whole, if there is room. */
function fitHistory(
  messages: readonly Message[],
  results: LongResults | undefined,
  room: number,
  estimator: TokenEstimator,
): SplitHistory {
  if (results === undefined) return splitHistory(messages, room, estimator);
  const answered = messages.map(({ role }) => role).lastIndexOf('assistant');
  const shortened = messages.map((message) => results.shortenMessage(message));
  const asSent = shortened.map((message, index) => (index > answered ? (messages[index] ?? message) : message));
  const split = splitHistory(asSent, room, estimator);
  return split.size <= room * SHARE_KEPT ? split : splitHistory(shortened, room, estimator);
}

/** @throws PromptEvaluationError E749: a summary that is not a text would stay in the conversation for good */
function writeSegmentNote(summary: unknown, conversation: string): Message {
  if (typeof summary !== 'string' || summary.trim() === '') {
    const got = typeof summary === 'string' ? 'an empty text' : describeValue(summary);
    const problem = `its history was not shortened: history.summarise must return a text, and returned ${got}`;
    throw createRefusal(conversation, problem, 'E749');
  }
  return {
    role: 'user',
    content: `[Summary of the conversation so far:\n${ensureWellFormed(summary)}]`,
    note: 'application',
  };
}

/**
 * Removes what the provider binds to everything before an answer: where something before it changes, the provider would refuse
 * the request, or drop all later thinking as well.
 */
function unbindMessages(
  messages: readonly Message[],
  adapter: ModelAdapter,
): Pick<RunEntry<'segment'>, 'messages' | 'unbound'> {
  let unbound = 0;
  const left = messages.map((message) => {
    const without = unbindMessage(message, adapter);
    if (without !== message) unbound++;
    return without;
  });
  return { messages: left, unbound };
}

/** True if an answer holds something that the adapter's provider binds to everything before it. */
function hasBound(messages: readonly Message[], adapter: ModelAdapter): boolean {
  return messages.some((message) => unbindMessage(message, adapter) !== message);
}

function unbindMessage(message: Message, adapter: ModelAdapter): Message {
  if (message.role !== 'assistant' || message.native === undefined || adapter.unbind === undefined) return message;
  const left = adapter.unbind(message.native);
  if (left === message.native) return message;
  const { native: _bound, ...rest } = message;
  return left === undefined ? rest : { ...rest, native: left };
}
