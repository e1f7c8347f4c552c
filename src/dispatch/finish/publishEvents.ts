import type { AbstractConstructor } from '../../common/types.js';
import { FeedbackGiven } from '../../event/FeedbackGiven.js';
import { publishTo, reaches } from '../../event/publishTo.js';
import { SectionsRequested } from '../../event/SectionsRequested.js';
import { ToolInvoked, type EventHead, type Expansion } from '../../event/ToolInvoked.js';
import { VisibilityExpansionRequired } from '../../error/VisibilityExpansionRequired.js';
import type { RenderedPrompt } from '../../prompt/RenderedPrompt.js';
import type { ContentPart } from '../../value/ContentPart.js';
import { summarisePart } from '../../value/describePart.js';
import { ToolResult } from '../../value/ToolResult.js';
import { getCaller, getParentCallId } from '../HandlerCallInfo.js';
import type { DispatchServices, EventAudience } from '../DispatchContext.js';
import type { IncomingCall } from '../admit/IncomingCall.js';
import type { AttemptResult } from './outcomes.js';
import type { SecretRedaction } from '../redact/SecretRedaction.js';

/** Checks whether events of the class reach a subscriber of the bus, the run's listener, or a reducer of the session. */
export function hasListeners(
  { eventBus, logger }: DispatchServices,
  run: EventAudience,
  type: AbstractConstructor<unknown>,
): boolean {
  return run.onEvent !== undefined || reaches(eventBus, type, logger) || run.observer?.hasReducerFor(type) === true;
}

/** Checks whether the end of a call reaches a listener. */
export function hasCallListeners(services: DispatchServices, run: EventAudience): boolean {
  return hasListeners(services, run, ToolInvoked);
}

/** Creates the fields that every event of a run begins with. */
export function createEventHead({ clock, ids }: DispatchServices, { session, metadata }: EventAudience): EventHead {
  return { id: ids(), time: clock.now(), sessionId: session.id, runMetadata: metadata };
}

/** Passes an event to the session's reducers, the bus and the run's listener, in this order. */
export function publish({ eventBus, logger }: DispatchServices, run: EventAudience, event: object): void {
  run.observer?.observe(event);
  publishTo(event, eventBus, run.onEvent, logger);
}

/** The parts of an outcome that the model gets: the value as text, the whole text, and the parts after it. */
export interface OutcomeTexts {
  readonly renderedOutput: string;
  readonly toolMessage: string;
  readonly parts: readonly ContentPart[] | undefined;
}

/** Publishes the end of a call: `SectionsRequested` if it asked for sections, then `ToolInvoked`. */
export function publishOutcome(
  incoming: IncomingCall,
  params: unknown,
  callResult: AttemptResult,
  { parts, ...texts }: OutcomeTexts,
): void {
  const { services, call, run, startedAt, redaction, place } = incoming;
  const { kind, result, error, effect, rolledBack, approved, costs, resultIssues } = callResult;
  // An error that a policy throws has no costs: the call did not ask for sections.
  const isRequest = costs !== undefined && error instanceof VisibilityExpansionRequired;
  if (isRequest) publishRequest(incoming, error, costs);
  if (!hasCallListeners(services, run)) return;
  // Bytes would stay in memory, and in everything a subscriber writes, as long as the event does.
  const shown = parts === undefined ? {} : { parts: Object.freeze(parts.map(summarisePart)) };
  const described = { result: removeParts(result), ...texts, ...shown, ...('error' in callResult ? { error } : {}) };
  const expansion =
    isRequest && kind === 'expanded' ? { expansion: redactValue(redaction, createExpansion(run.rendered, error)) } : {};
  const event = new ToolInvoked({
    ...createEventHead(services, run),
    name: call.name,
    callId: call.id,
    caller: getCaller(place),
    parentCallId: getParentCallId(run, place),
    kind,
    params: redaction === undefined ? params : redaction.redactParams(params),
    ...redactValue(redaction, described),
    effect,
    ...(rolledBack === undefined ? {} : { rolledBack }),
    ...(approved === undefined ? {} : { approved }),
    ...(incoming.repairs === undefined ? {} : { repairs: redactValue(redaction, incoming.repairs) }),
    ...(resultIssues === undefined ? {} : { resultIssues: redactValue(redaction, resultIssues) }),
    ...expansion,
    durationMs: services.clock.monotonic() - startedAt,
  });
  publish(services, run, event);
}

/** Returns the result without its parts; the event describes them separately. */
function removeParts(result: ToolResult | null): ToolResult | null {
  if (result?.parts === undefined) return result;
  const { message, value, success, excludeValueFromContext } = result;
  return new ToolResult({ message, value, success, excludeValueFromContext });
}

export function publishFeedback(
  { services, call, run, redaction }: IncomingCall,
  { provider, text }: { readonly provider: string; readonly text: string },
): void {
  if (!hasListeners(services, run, FeedbackGiven)) return;
  const head = createEventHead(services, run);
  const event = new FeedbackGiven({
    ...head,
    name: call.name,
    callId: call.id,
    provider,
    text: redactValue(redaction, text),
  });
  publish(services, run, event);
}

/**
 * Checks whether `SectionsRequested` is published for calls made at this place; a call of a handler does not publish it, because
 * the handler's own call will.
 */
export function hasRequestListeners({ services, run, place }: IncomingCall): boolean {
  return place.parentCall === undefined && hasListeners(services, run, SectionsRequested);
}

function publishRequest(
  incoming: IncomingCall,
  { sectionKeys, reason }: VisibilityExpansionRequired,
  costs: NonNullable<AttemptResult['costs']>,
): void {
  if (!hasRequestListeners(incoming)) return;
  const { services, call, run, redaction } = incoming;
  const { ns, key } = run.rendered.prompt;
  const event = new SectionsRequested({
    ...createEventHead(services, run),
    prompt: `${ns}/${key}`,
    name: call.name,
    callId: call.id,
    ...redactValue(redaction, { sectionKeys, reason, costs }),
  });
  publish(services, run, event);
}

/** Lists the requested sections, and the visibility of all sections at that moment. */
function createExpansion(
  rendered: RenderedPrompt,
  { requestedOverrides, reason }: VisibilityExpansionRequired,
): Expansion {
  return Object.freeze({
    sections: Object.freeze(Object.keys(requestedOverrides)),
    reason,
    visibility: rendered.visibility,
  });
}

function redactValue<T>(redaction: SecretRedaction | undefined, value: T): T {
  return redaction === undefined ? value : redaction.redact(value);
}
