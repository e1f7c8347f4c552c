import type { DispatchServices } from './CallRun.js';
import { noteOpening, type Arrival, type Ending } from './conclude.js';
import { requestOf } from './tellRequest.js';

/**
 * What becomes of a call that asks for sections: an answer, where its run opens them; otherwise the request leaves. It is
 * written down before it is committed, as every success is.
 */
export async function answerRequest(services: DispatchServices, arrival: Arrival, ending: Ending): Promise<Ending> {
  const request = requestOf(ending);
  const { opener } = arrival.place;
  if (request === undefined || opener === undefined) return ending;
  const opening = await opener.prepare(request);
  if (opening === undefined) return ending;
  if (opening.kind !== 'expanded') return { ...opening, error: request };
  const { kind, result, changes } = opening;
  try {
    noteOpening(services, arrival, { result, error: request }, changes);
  } catch (error) {
    changes.close();
    return { kind: 'failed', result: null, error };
  }
  opener.commit(opening);
  return { kind, result, error: request };
}
