import { messageOf } from '../../common/text.js';
import type { Awaitable } from '../../common/types.js';
import { createFallbackError, type FailedRequest } from '../../error/createFallbackError.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import type { ModelAdapter, ModelResponse, ModelRoute } from '../../interface/ModelAdapter.js';
import { askModel, type Asker } from './askModel.js';

/** A request that another adapter gets, because one did not answer it. */
export interface AdapterSwitch extends FailedRequest {
  readonly to: ModelAdapter;
  readonly problem: string;
}

/**
 * Asks the model of a run once, and if it does not answer, the other adapters of its route.
 *
 * @param recordSwitch records that the run goes on with another adapter, before that one is asked
 * @throws PromptEvaluationError E756 if no adapter answers; errors of `askModel` after which no other adapter is asked
 */
export async function askWithFallback(
  asker: Asker,
  turn: number,
  recordSwitch: (adapterSwitch: AdapterSwitch) => Awaitable<void>,
): Promise<ModelResponse> {
  const { route } = asker;
  if (route === undefined) return askModel(asker, turn);
  const failed: FailedRequest[] = [];
  const tried = new Set<string>();
  for (;;) {
    const { adapter } = asker;
    tried.add(adapter.name);
    const result = await askOnce(asker, route, turn, tried);
    const { response, failure, error } = result;
    const to = route.next(tried);
    // The refusal of the last model is its answer.
    if (response !== undefined && (failure === undefined || to === undefined)) return response;
    if (failure === undefined) throw error;
    failed.push({ adapter: adapter.name, failure, error });
    if (to === undefined) throw createFallbackError([...failed, ...route.listOpen(tried)]);
    await recordSwitch({ adapter: adapter.name, failure, error, to, problem: messageOf(error) });
  }
}

interface Result {
  readonly response?: ModelResponse;
  readonly failure: FailedRequest['failure'] | undefined;
  readonly error?: unknown;
}

async function askOnce(asker: Asker, route: ModelRoute, turn: number, tried: ReadonlySet<string>): Promise<Result> {
  const { adapter } = asker;
  // The last adapter gets as many attempts as one without others.
  const retries = route.next(tried) === undefined ? undefined : route.retries;
  try {
    const response = await askModel(asker, turn, { retries, send: (ask) => route.ask(adapter, ask) });
    const failure = route.readRefusal(response);
    if (failure === undefined) return { response, failure };
    const error = new PromptEvaluationError(`${adapter.name} refused to answer.`, { phase: 'response', failure });
    return { response, failure, error };
  } catch (error) {
    return { error, failure: route.readFailure(error) };
  }
}
