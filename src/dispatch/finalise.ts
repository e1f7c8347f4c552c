import type { Awaitable } from '../common/types.js';
import { wellFormed } from '../common/wellFormed.js';
import type { SessionTransaction } from '../session/SessionTransaction.js';
import type { ContentPart } from '../value/ContentPart.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';
import type { ToolResult } from '../value/ToolResult.js';
import type { DispatchServices } from './CallRun.js';
import { resultOf } from './failurePolicy.js';
import { giveFeedback, type ScheduledFeedback } from './giveFeedback.js';
import type { IncomingCall } from './IncomingCall.js';
import { textWithFeedback } from './messages.js';
import type { CallResult } from './outcomes.js';
import { publishFeedback, publishOutcome } from './publish.js';
import { renderParts, renderResult, renderValue } from './renderResult.js';

/**
 * Records, publishes and returns the outcome of a call: the last step of a dispatch (docs/contract.md, 7.8).
 *
 * @param scheduled the feedback providers whose texts follow the outcome; without any, nothing is awaited
 * @throws the error of a result that escapes
 */
export function finalise(
  services: DispatchServices,
  incoming: IncomingCall,
  params: unknown,
  callResult: CallResult,
  scheduled?: ScheduledFeedback,
): Awaitable<ToolOutcome> {
  const { kind, result, error, isSilent } = callResult;
  const { place, tool } = incoming;
  if (isSilent === true) throw error;
  const { output, text } = textsOf(services, incoming, result);
  const parts = kind === 'succeeded' ? partsOf(services, incoming, result) : undefined;
  const finished = (toolMessage: string): void => {
    publishOutcome(services, incoming, params, callResult, { renderedOutput: output, toolMessage, parts });
  };
  if (result === null) {
    finished(text);
    throw error;
  }
  const outcome = outcomeOf(incoming, callResult, result, { text, parts });
  // A successful call, and one that opened sections, was recorded before it was committed.
  if (kind !== 'succeeded' && kind !== 'expanded' && place.record !== undefined) {
    try {
      record(incoming, outcome, undefined);
    } catch (unwritten) {
      const escaped = { ...resultOf(unwritten, incoming, 'handler'), kind };
      return finalise(services, { ...incoming, place: {} }, params, escaped);
    }
  }
  if (scheduled === undefined || tool === undefined) {
    finished(text);
    return outcome;
  }
  return giveFeedback(services, { ...incoming, tool, params, outcome }, scheduled).then((given) => {
    const texts = given.map((feedback) => feedback.text);
    const withFeedback = { ...outcome, text: textWithFeedback(text, texts) };
    finished(withFeedback.text);
    for (const feedback of given) publishFeedback(services, incoming, feedback);
    return withFeedback;
  });
}

/**
 * Records the outcome of a successful call before it is committed; does nothing without a record.
 *
 * @throws PromptEvaluationError E709
 */
export function recordSuccess(
  services: DispatchServices,
  incoming: IncomingCall,
  result: ToolResult,
  changes: SessionTransaction,
): void {
  if (incoming.place.record === undefined) return;
  const { text } = textsOf(services, incoming, result);
  const parts = partsOf(services, incoming, result);
  record(incoming, { kind: 'succeeded', result, text, ...(parts === undefined ? {} : { parts }) }, changes);
}

/**
 * Records that sections are opened, before the session changes; does nothing without a record.
 *
 * @throws PromptEvaluationError E709
 */
export function recordExpansion(
  services: DispatchServices,
  incoming: IncomingCall,
  { error, result }: Pick<CallResult, 'error'> & { readonly result: ToolResult },
  changes: SessionTransaction,
): void {
  if (incoming.place.record === undefined) return;
  const { text } = textsOf(services, incoming, result);
  record(incoming, { kind: 'expanded', result, text, error }, changes);
}

function record({ call, place }: IncomingCall, outcome: ToolOutcome, changes: SessionTransaction | undefined): void {
  place.record?.record(Number(place.position), call, outcome, changes);
}

/** The value as text, and the whole text that the model reads; both empty for an error that escapes. */
function textsOf(
  { serialiser, resultLimit }: DispatchServices,
  { tool, redaction }: IncomingCall,
  result: ToolResult | null,
): { readonly output: string; readonly text: string } {
  if (result === null) return { output: '', text: '' };
  const rules = { serialiser, limit: tool?.metadata.resultLimit ?? resultLimit, declared: tool?.metadata.result };
  const output = wellFormed(renderValue(result.value, rules));
  const written = wellFormed(renderResult(result, output));
  return { output, text: redaction === undefined ? written : redaction.spoken(written) };
}

/** The parts that the model gets: their texts and names within the limit of values, and without the secrets of the call. */
function partsOf(
  { resultLimit }: DispatchServices,
  { tool, redaction }: IncomingCall,
  result: ToolResult | null,
): readonly ContentPart[] | undefined {
  if (result?.parts === undefined) return undefined;
  const limit = tool?.metadata.resultLimit ?? resultLimit;
  return renderParts(result.parts, limit, (text) => redaction?.spoken(text) ?? text);
}

function outcomeOf(
  { place, redaction }: IncomingCall,
  callResult: CallResult,
  result: ToolResult,
  { text, parts }: { readonly text: string; readonly parts: readonly ContentPart[] | undefined },
): ToolOutcome {
  const { kind, error, effect, reason = result.message } = callResult;
  if (kind === 'succeeded') return { kind, result, text, ...(parts === undefined ? {} : { parts }) };
  const spoken = redaction === undefined ? reason : redaction.spoken(reason);
  return {
    kind,
    result,
    text,
    ...('error' in callResult ? { error } : {}),
    ...(effect === undefined ? {} : { effect }),
    ...(place.program === undefined ? {} : { reason: spoken }),
  };
}
