import { VisibilityExpansionRequired } from '../error/VisibilityExpansionRequired.js';
import { SectionsRequested } from '../event/SectionsRequested.js';
import type { Expansion } from '../event/ToolInvoked.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { CallPlace, CallRun, DispatchServices } from './CallRun.js';
import { headOf, isHeard, publish } from './publish.js';
import type { CallRedaction } from './Redaction.js';

/** A call that asks for sections. */
interface AskingCall {
  readonly call: ToolCall;
  readonly run: CallRun;
  readonly place: CallPlace;
  readonly redaction: CallRedaction | undefined;
}

/** The sections that a call asked for, whatever became of it; undefined when it asked for none. */
export function requestOf({ error }: { readonly error?: unknown }): VisibilityExpansionRequired | undefined {
  return VisibilityExpansionRequired.is(error) ? error : undefined;
}

/** What an event tells of the sections that a call asked for, and of all others at that moment. */
export function expansionOf(
  rendered: RenderedPrompt,
  { requestedOverrides, reason }: VisibilityExpansionRequired,
): Expansion {
  return Object.freeze({
    sections: Object.freeze(Object.keys(requestedOverrides)),
    reason,
    visibility: rendered.visibility,
  });
}

/** Tells that a call asks for sections; a call from within a handler asks in the name of the handler's own. */
export function tellRequest(
  services: DispatchServices,
  { call, run, place, redaction }: AskingCall,
  { sectionKeys, reason }: VisibilityExpansionRequired,
): void {
  if (place.within !== undefined || !isHeard(services, run, SectionsRequested)) return;
  const { ns, key } = run.rendered.prompt;
  const event = new SectionsRequested({
    ...headOf(services, run),
    prompt: `${ns}/${key}`,
    name: call.name,
    callId: call.id,
    ...(redaction === undefined ? { sectionKeys, reason } : redaction.recorded({ sectionKeys, reason })),
  });
  publish(services, run, event);
}
