import type { DispatchServices } from './CallRun.js';
import { noteOpening, type Arrival, type Ending } from './conclude.js';
import { costsOf, requestOf } from './tellRequest.js';

/**
 * What becomes of a call that asks for sections: an answer, where its run opens them; otherwise the request leaves. It is
 * written down before it is committed, as every success is.
 */
export async function answerRequest(services: DispatchServices, arrival: Arrival, ending: Ending): Promise<Ending> {
  const request = requestOf(ending);
  if (request === undefined) return ending;
  const { opener } = arrival.place;
  const opening = await opener?.prepare(request);
  if (opener === undefined || opening === undefined)
    return { ...ending, costs: await costsOf(services, arrival, request) };
  if (opening.kind !== 'expanded') return { ...opening, error: request };
  const { kind, result, costs, changes } = opening;
  try {
    noteOpening(services, arrival, { result, error: request }, changes);
  } catch (error) {
    changes.close();
    return { kind: 'failed', result: null, error };
  }
  opener.commit(opening);
  return { kind, result, costs, error: request };
}
