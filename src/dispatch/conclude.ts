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
import { giveFeedback, type GivenFeedback, type Speakers } from './giveFeedback.js';
import { headOf, isHeard, publish } from './publish.js';
import type { CallRedaction } from './Redaction.js';
import { expansionOf, requestOf, tellRequest } from './tellRequest.js';
import { renderResult, renderValue } from './renderResult.js';
import { guidedText } from './words.js';

/** One call from its arrival on. */
export interface Arrival {
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
export interface Ending {
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
export function conclude(
  services: DispatchServices,
  arrival: Arrival,
  params: unknown,
  ending: Ending,
  speakers?: Speakers,
): Awaitable<ToolOutcome> {
  const { kind, result, error } = ending;
  const { place, tool } = arrival;
  const { output, text } = wordsOf(services, arrival, result);
  const outcome = result === null ? undefined : outcomeOf(arrival, ending, result, text);
  // A successful call, and one that opened sections, was written down before it was committed.
  if (outcome !== undefined && kind !== 'succeeded' && kind !== 'expanded' && place.record !== undefined) {
    try {
      note(arrival, outcome, undefined);
    } catch (unwritten) {
      return conclude(services, { ...arrival, place: {} }, params, { kind, result: null, error: unwritten });
    }
  }
  if (outcome !== undefined && speakers !== undefined && tool !== undefined) {
    return giveFeedback(services, { ...arrival, tool, params, outcome }, speakers).then((given) => {
      const said = given.map((feedback) => feedback.text);
      const guided = { ...outcome, text: guidedText(text, said) };
      tell(services, arrival, params, ending, output, guided.text);
      for (const feedback of given) tellFeedback(services, arrival, feedback);
      return guided;
    });
  }
  tell(services, arrival, params, ending, output, text);
  if (outcome === undefined) throw error;
  return outcome;
}

/**
 * Writes down how a successful call will have ended, before it is committed; nothing without a record.
 *
 * @throws PromptEvaluationError E709
 */
export function noteSuccess(
  services: DispatchServices,
  arrival: Arrival,
  result: ToolResult,
  changes: SessionTransaction,
): void {
  if (arrival.place.record === undefined) return;
  const { text } = wordsOf(services, arrival, result);
  note(arrival, { kind: 'succeeded', result, text }, changes);
}

/**
 * Writes down that sections will have been opened, before the session knows of it; nothing without a record.
 *
 * @throws PromptEvaluationError E709
 */
export function noteOpening(
  services: DispatchServices,
  arrival: Arrival,
  { error, result }: Pick<Ending, 'error'> & { readonly result: ToolResult },
  changes: SessionTransaction,
): void {
  if (arrival.place.record === undefined) return;
  const { text } = wordsOf(services, arrival, result);
  note(arrival, { kind: 'expanded', result, text, error }, changes);
}

function note({ call, place }: Arrival, outcome: ToolOutcome, changes: SessionTransaction | undefined): void {
  place.record?.record(Number(place.position), call, outcome, changes);
}

function wordsOf(
  { serialiser, resultLimit }: DispatchServices,
  { tool, redaction }: Arrival,
  result: ToolResult | null,
): { readonly output: string; readonly text: string } {
  if (result === null) return { output: '', text: '' };
  const rules = { serialiser, limit: tool?.metadata.resultLimit ?? resultLimit, declared: tool?.metadata.result };
  const output = wellFormed(renderValue(result.value, rules));
  const written = wellFormed(renderResult(result, output));
  return { output, text: redaction === undefined ? written : redaction.spoken(written) };
}

function outcomeOf({ place, redaction }: Arrival, ending: Ending, result: ToolResult, text: string): ToolOutcome {
  const { kind, error, effect, reason = result.message } = ending;
  if (kind === 'succeeded') return { kind, result, text };
  const spoken = redaction === undefined ? reason : redaction.spoken(reason);
  return {
    kind,
    result,
    text,
    ...('error' in ending ? { error } : {}),
    ...(effect === undefined ? {} : { effect }),
    ...(place.program === undefined ? {} : { reason: spoken }),
  };
}

function tell(
  services: DispatchServices,
  arrival: Arrival,
  params: unknown,
  ending: Ending,
  renderedOutput: string,
  toolMessage: string,
): void {
  const request = requestOf(ending);
  if (request !== undefined) tellRequest(services, arrival, request, ending.costs ?? []);
  if (!isHeard(services, arrival.run, ToolInvoked)) return;
  const { call, run, startedAt, redaction, place } = arrival;
  const told = {
    result: ending.result,
    renderedOutput,
    toolMessage,
    ...('error' in ending ? { error: ending.error } : {}),
  };
  const expansion =
    request === undefined || ending.kind !== 'expanded' ? undefined : expansionOf(run.rendered, request);
  const event = new ToolInvoked({
    ...headOf(services, run),
    name: call.name,
    callId: call.id,
    caller: callerAt(place),
    parentCallId: parentOf(run, place),
    kind: ending.kind,
    params: redaction === undefined ? params : redaction.params(params),
    ...(redaction === undefined ? told : redaction.recorded(told)),
    effect: ending.effect,
    ...(expansion === undefined
      ? {}
      : { expansion: redaction === undefined ? expansion : redaction.recorded(expansion) }),
    durationMs: services.clock.monotonic() - startedAt,
  });
  publish(services, run, event);
}

function tellFeedback(services: DispatchServices, { call, run, redaction }: Arrival, given: GivenFeedback): void {
  if (!isHeard(services, run, FeedbackGiven)) return;
  const event = new FeedbackGiven({
    ...headOf(services, run),
    name: call.name,
    callId: call.id,
    provider: given.provider,
    text: redaction === undefined ? given.text : redaction.recorded(given.text),
  });
  publish(services, run, event);
}
