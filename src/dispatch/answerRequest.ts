import type { DispatchServices } from './CallRun.js';
import { recordExpansion, type IncomingCall, type CallResult } from './finalise.js';
import { costsOf, requestOf } from './sectionRequests.js';

/**
 * What becomes of a call that asks for sections: an answer, where its run opens them; otherwise the request leaves. It is
 * written down before it is committed, as every success is.
 */
export async function answerRequest(
  services: DispatchServices,
  incoming: IncomingCall,
  callResult: CallResult,
): Promise<CallResult> {
  const request = requestOf(callResult);
  if (request === undefined) return callResult;
  const { expander } = incoming.place;
  const opening = await expander?.prepare(request);
  if (expander === undefined || opening === undefined)
    return { ...callResult, costs: await costsOf(services, incoming, request) };
  if (opening.kind !== 'expanded') return { ...opening, error: request };
  const { kind, result, costs, changes } = opening;
  try {
    recordExpansion(services, incoming, { result, error: request }, changes);
  } catch (error) {
    changes.close();
    return { kind: 'failed', result: null, error };
  }
  expander.commit(opening);
  return { kind, result, costs, error: request };
}
