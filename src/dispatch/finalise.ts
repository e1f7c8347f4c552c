import { wellFormed } from '../common/wellFormed.js';
import type { Awaitable } from '../common/types.js';
import { FeedbackGiven } from '../event/FeedbackGiven.js';
import { ToolInvoked } from '../event/ToolInvoked.js';
import type { RenderedTool } from '../prompt/RenderedTool.js';
import type { SessionTransaction } from '../session/SessionTransaction.js';
import type { SectionCost } from '../value/SectionCost.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { CallEffect, OutcomeKind, ToolOutcome } from '../value/ToolOutcome.js';
import type { ToolResult } from '../value/ToolResult.js';
import { callerAt, parentOf } from './CallDetails.js';
import type { CallPlace, CallRun, DispatchServices } from './CallRun.js';
import { giveFeedback, type GivenFeedback, type ScheduledFeedback } from './giveFeedback.js';
import { eventHead, hasListeners, publish } from './publish.js';
import type { CallRedaction } from './Redaction.js';
import { expansionOf, requestOf, publishSectionsRequested } from './sectionRequests.js';
import { renderResult, renderValue } from './renderResult.js';
import { textWithFeedback } from './messages.js';

/** One call from its arrival on. */
export interface IncomingCall {
  readonly call: ToolCall;
  readonly run: CallRun;
  /** Undefined when the rendering offers no such tool. */
  readonly tool: RenderedTool | undefined;
  readonly startedAt: number;
  readonly place: CallPlace;
  /** Undefined when the call holds nothing to hide. */
  readonly redaction: CallRedaction | undefined;
}

/** How one call ended, before it is told to anybody. */
export interface CallResult {
  readonly kind: OutcomeKind;
  /** Null when an error leaves the dispatcher. */
  readonly result: ToolResult | null;
  readonly error?: unknown;
  readonly effect?: CallEffect;
  /** What the sections cost that the call asked for. */
  readonly costs?: readonly SectionCost[];
  /** What went wrong, without what is said around it for a model; the result's message when left out. */
  readonly reason?: string;
}

/**
 * Tells the bus, the run and the caller how the call ended: the last step of a dispatch (docs/contract.md, 7.8).
 *
 * @param speakers whose guidance the model reads below the outcome; nobody is waited for without any
 * @throws the ending's error when there is no result, and PromptEvaluationError E709
 */
export function finalise(
  services: DispatchServices,
  incoming: IncomingCall,
  params: unknown,
  callResult: CallResult,
  scheduled?: ScheduledFeedback,
): Awaitable<ToolOutcome> {
  const { kind, result, error } = callResult;
  const { place, tool } = incoming;
  const { output, text } = wordsOf(services, incoming, result);
  const outcome = result === null ? undefined : outcomeOf(incoming, callResult, result, text);
  // A successful call, and one that opened sections, was written down before it was committed.
  if (outcome !== undefined && kind !== 'succeeded' && kind !== 'expanded' && place.record !== undefined) {
    try {
      note(incoming, outcome, undefined);
    } catch (unwritten) {
      return finalise(services, { ...incoming, place: {} }, params, { kind, result: null, error: unwritten });
    }
  }
  if (outcome !== undefined && scheduled !== undefined && tool !== undefined) {
    return giveFeedback(services, { ...incoming, tool, params, outcome }, scheduled).then((given) => {
      const said = given.map((feedback) => feedback.text);
      const withFeedback = { ...outcome, text: textWithFeedback(text, said) };
      tell(services, incoming, params, callResult, output, withFeedback.text);
      for (const feedback of given) tellFeedback(services, incoming, feedback);
      return withFeedback;
    });
  }
  tell(services, incoming, params, callResult, output, text);
  if (outcome === undefined) throw error;
  return outcome;
}

/**
 * Writes down how a successful call will have ended, before it is committed; nothing without a record.
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
  const { text } = wordsOf(services, incoming, result);
  note(incoming, { kind: 'succeeded', result, text }, changes);
}

/**
 * Writes down that sections will have been opened, before the session knows of it; nothing without a record.
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
  const { text } = wordsOf(services, incoming, result);
  note(incoming, { kind: 'expanded', result, text, error }, changes);
}

function note({ call, place }: IncomingCall, outcome: ToolOutcome, changes: SessionTransaction | undefined): void {
  place.record?.record(Number(place.position), call, outcome, changes);
}

function wordsOf(
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

function outcomeOf(
  { place, redaction }: IncomingCall,
  callResult: CallResult,
  result: ToolResult,
  text: string,
): ToolOutcome {
  const { kind, error, effect, reason = result.message } = callResult;
  if (kind === 'succeeded') return { kind, result, text };
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

function tell(
  services: DispatchServices,
  incoming: IncomingCall,
  params: unknown,
  callResult: CallResult,
  renderedOutput: string,
  toolMessage: string,
): void {
  const request = requestOf(callResult);
  if (request !== undefined) publishSectionsRequested(services, incoming, request, callResult.costs ?? []);
  if (!hasListeners(services, incoming.run, ToolInvoked)) return;
  const { call, run, startedAt, redaction, place } = incoming;
  const told = {
    result: callResult.result,
    renderedOutput,
    toolMessage,
    ...('error' in callResult ? { error: callResult.error } : {}),
  };
  const expansion =
    request === undefined || callResult.kind !== 'expanded' ? undefined : expansionOf(run.rendered, request);
  const event = new ToolInvoked({
    ...eventHead(services, run),
    name: call.name,
    callId: call.id,
    caller: callerAt(place),
    parentCallId: parentOf(run, place),
    kind: callResult.kind,
    params: redaction === undefined ? params : redaction.params(params),
    ...(redaction === undefined ? told : redaction.recorded(told)),
    effect: callResult.effect,
    ...(expansion === undefined
      ? {}
      : { expansion: redaction === undefined ? expansion : redaction.recorded(expansion) }),
    durationMs: services.clock.monotonic() - startedAt,
  });
  publish(services, run, event);
}

function tellFeedback(services: DispatchServices, { call, run, redaction }: IncomingCall, given: GivenFeedback): void {
  if (!hasListeners(services, run, FeedbackGiven)) return;
  const event = new FeedbackGiven({
    ...eventHead(services, run),
    name: call.name,
    callId: call.id,
    provider: given.provider,
    text: redaction === undefined ? given.text : redaction.recorded(given.text),
  });
  publish(services, run, event);
}
