import { memoize } from '../../common/memoize.js';
import { messageOf } from '../../common/text.js';
import type { InterceptedToolCall, Next } from '../../interface/Interceptor.js';
import { type RaceLimits, waitWithGrace } from '../../limit/raceLimits.js';
import type { ToolCall } from '../../value/ToolCall.js';
import type { ToolOutcome } from '../../value/ToolOutcome.js';
import { getCaller, getParentCallId } from '../HandlerCallInfo.js';
import type { Placement, CallRun, DispatchServices } from '../CallRun.js';
import { getThread } from '../idempotencyKey.js';
import type { AroundCall } from './runIntercepted.js';

/** Makes the view of a call for interceptors; what it may show is computed on first use. */
export function createInterceptedToolCall(
  { redaction }: DispatchServices,
  call: ToolCall,
  run: CallRun,
  place: Placement,
): InterceptedToolCall {
  const { prompt, toolsByName } = run.rendered;
  const tool = place.tool ?? toolsByName.get(call.name);
  const ofCall = memoize(() => redaction.ofCall(tool, call.arguments, toolsByName));
  return Object.freeze({
    call,
    tool,
    prompt,
    caller: getCaller(place),
    parentCallId: getParentCallId(run, place),
    turn: place.turn ?? 1,
    sessionId: run.session.id,
    metadata: run.metadata,
    thread: getThread(run),
    run: run.id,
    session: run.observer?.session,
    secrets: () => ofCall()?.secrets ?? [],
    recordedCall: () => redaction.call(call, run.rendered.toolsByName),
    recorded: (text: string) => ofCall()?.redact(text) ?? text,
  });
}

/**
 * Makes a call within the layers, the first outermost. They only observe: the call is made once, whether they call `next` or
 * not, and what a layer throws by itself is logged.
 *
 * @throws what the call throws
 */
export function runObserved(
  layers: readonly AroundCall[],
  incoming: InterceptedToolCall,
  core: Next<ToolOutcome>,
  { logger, redaction }: Pick<DispatchServices, 'logger' | 'redaction'>,
  limits: RaceLimits,
): Promise<ToolOutcome> {
  const enter = async (index: number): Promise<ToolOutcome> => {
    const around = layers[index];
    if (around === undefined) return core();
    const inner = memoize(() => {
      const entered = enter(index + 1);
      // The layer may not await it.
      entered.catch(() => undefined);
      return entered;
    });
    let leaving: { readonly error: unknown } | undefined;
    try {
      const layer = around(incoming, inner);
      if ((await waitWithGrace(layer, limits)) === undefined) await layer;
      else leaving = { error: 'it had not ended when the run was stopped' };
    } catch (error) {
      leaving = { error };
    }
    const outcome = inner();
    if (leaving !== undefined) {
      const { error } = leaving;
      const own = await outcome.then(
        () => true,
        (reason: unknown) => reason !== error,
      );
      const kept = redaction.ofTexts(incoming.secrets?.() ?? [])?.wrapLogger(logger) ?? logger;
      if (own) kept.error(`An interceptor around ${incoming.call.name} failed: ${messageOf(error)}`, { error });
    }
    return outcome;
  };
  return enter(0);
}
