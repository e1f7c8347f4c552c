import { diagnosticsChannel } from '../../../common/builtins.js';
import { memoize } from '../../../common/memoize.js';
import type { DispatchContext, DispatchServices } from '../../../dispatch/DispatchContext.js';
import { hasListeners } from '../../../dispatch/finish/publishEvents.js';
import { PrefixMeasured } from '../../../event/PrefixMeasured.js';
import { PromptDrifted } from '../../../event/PromptDrifted.js';
import type { ModelResponse } from '../../../interface/ModelAdapter.js';
import type { PrefixMeasure } from '../../../interface/Interceptor.js';
import { publishRun } from '../../publishRun.js';
import { findDriftedSections } from '../beginConversation.js';
import type { Conversation } from '../Conversation.js';

/** For monitoring, and for tests that look at all requests of a process. */
const channel = memoize(() => diagnosticsChannel().channel('toolwright.prefix'));

/** True if requests are to be compared: it has listeners, or a record keeps the differences. */
export function isMeasured(services: DispatchServices, run: DispatchContext, { isKept }: Conversation): boolean {
  return isKept || channel().hasSubscribers || hasListeners(services, run, PrefixMeasured);
}

/** A request, its common prefix with the one before, and its answer. */
interface MeasuredRequest {
  readonly conversation: Pick<Conversation, 'id' | 'state'>;
  readonly turn: number;
  readonly measure: () => PrefixMeasure;
  /** Undefined for a request that was refused, or not answered. */
  readonly response: ModelResponse | undefined;
}

/** Publishes how much of the request before a request repeats, as measured here and as its provider says. */
export function publishPrefix(services: DispatchServices, run: DispatchContext, request: MeasuredRequest): void {
  const { turn, measure, response } = request;
  const { id: conversation, state } = request.conversation;
  const unboundAnswers = state.unbound;
  if (channel().hasSubscribers) channel().publish({ conversation, turn, unboundAnswers, ...measure() });
  publishRun(services, run, PrefixMeasured, () => {
    const { cachedInputTokens, cacheWriteTokens } = response?.usage ?? {};
    const answered = response !== undefined;
    const reported = { answered, cachedInputTokens, cacheWriteTokens, cacheMiss: response?.cacheMiss };
    return { conversation, turn, unboundAnswers, ...measure(), ...reported };
  });
}

/** Publishes once which sections would read differently now than in a conversation that has begun. */
export function publishDrift(services: DispatchServices, run: DispatchContext, conversation: Conversation): void {
  const { head } = conversation.state;
  if (head === undefined || !conversation.isKept || head.text === run.rendered.text) return;
  const sections = findDriftedSections(head, run.rendered);
  if (sections.length === 0 || !conversation.driftsNow(sections)) return;
  services.logger.warn('A conversation keeps its words, although its prompt reads differently now', {
    conversation: conversation.id,
    sections,
  });
  publishRun(services, run, PromptDrifted, () => ({ conversation: conversation.id, sections }));
}
