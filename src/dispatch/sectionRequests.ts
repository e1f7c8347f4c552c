import { messageOf } from '../common/text.js';
import { VisibilityExpansionRequired } from '../error/VisibilityExpansionRequired.js';
import { SectionsRequested } from '../event/SectionsRequested.js';
import type { Expansion } from '../event/ToolInvoked.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import { SessionTransaction } from '../session/SessionTransaction.js';
import type { SectionCost } from '../value/SectionCost.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { CallPlace, CallRun, DispatchServices } from './CallRun.js';
import { eventHead, hasListeners, publish } from './publish.js';
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

/** What the sections would cost that nobody opens for the call; known only where somebody hears of it. */
export async function costsOf(
  services: DispatchServices,
  { run, place }: Pick<AskingCall, 'run' | 'place'>,
  { requestedOverrides }: VisibilityExpansionRequired,
): Promise<readonly SectionCost[]> {
  if (!isTold(services, run, place)) return [];
  const session = new SessionTransaction(run.session, { ...services, readOnly: true });
  try {
    return await run.rendered.openingCosts(session, Object.keys(requestedOverrides));
  } catch (error) {
    services.logger.warn(`What sections would cost is not known: ${messageOf(error)}`, { error });
    return [];
  } finally {
    session.close();
  }
}

/** Tells that a call asks for sections; a call from within a handler asks in the name of the handler's own. */
export function publishSectionsRequested(
  services: DispatchServices,
  { call, run, place, redaction }: AskingCall,
  { sectionKeys, reason }: VisibilityExpansionRequired,
  costs: readonly SectionCost[],
): void {
  if (!isTold(services, run, place)) return;
  const { ns, key } = run.rendered.prompt;
  const told = { sectionKeys, reason, costs };
  const event = new SectionsRequested({
    ...eventHead(services, run),
    prompt: `${ns}/${key}`,
    name: call.name,
    callId: call.id,
    ...(redaction === undefined ? told : redaction.recorded(told)),
  });
  publish(services, run, event);
}

function isTold(services: DispatchServices, run: CallRun, { parentCall }: CallPlace): boolean {
  return parentCall === undefined && hasListeners(services, run, SectionsRequested);
}
