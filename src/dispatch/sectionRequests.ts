import { messageOf } from '../common/text.js';
import { VisibilityExpansionRequired } from '../error/VisibilityExpansionRequired.js';
import { SessionTransaction } from '../session/SessionTransaction.js';
import type { SectionCost } from '../value/SectionCost.js';
import { raceLimits } from '../limit/raceLimits.js';
import { createFailureResult } from './finish/createFailureResult.js';
import type { IncomingCall } from './admit/IncomingCall.js';
import type { AttemptResult } from './finish/outcomes.js';
import { hasRequestListeners } from './finish/publishEvents.js';

/** Answers a call that asks for sections, if its run can open them; otherwise the request escapes. */
export async function answerRequest(incoming: IncomingCall, callResult: AttemptResult): Promise<AttemptResult> {
  const { error: request } = callResult;
  if (!(request instanceof VisibilityExpansionRequired)) return callResult;
  const { expander } = incoming.place;
  const prepared = expander?.prepare(request);
  let expansion: Awaited<typeof prepared>;
  try {
    // Hooks of the sections run now, and may hang.
    expansion = prepared && (await raceLimits(prepared, incoming.run));
  } catch (stopped) {
    return createFailureResult(stopped, incoming, 'handler');
  }
  if (expander === undefined || expansion === undefined)
    return { ...callResult, costs: await estimateCosts(incoming, request) };
  if (expansion.kind !== 'expanded') return { ...expansion, error: request };
  const { kind, result, costs, opened, added } = expansion;
  expander.commit(expansion);
  return { kind, result, costs, error: request, opened, tools: { added, removed: [] } };
}

/** Estimates the costs of sections that the run does not open; only if an event will show them. */
async function estimateCosts(
  incoming: IncomingCall,
  { requestedOverrides }: VisibilityExpansionRequired,
): Promise<readonly SectionCost[]> {
  if (!hasRequestListeners(incoming)) return [];
  const { services, run } = incoming;
  const session = new SessionTransaction(run.session, { ...services, readOnly: true });
  try {
    return await raceLimits(run.rendered.openingCosts(session, Object.keys(requestedOverrides)), run);
  } catch (error) {
    services.logger.warn(`The costs of sections are not known: ${messageOf(error)}`, { error });
    return [];
  } finally {
    session.close();
  }
}
