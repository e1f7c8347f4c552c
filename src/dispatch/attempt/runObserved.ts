import { memoize } from '../../common/memoize.js';
import { messageOf } from '../../common/text.js';
import type { InterceptedToolCall, Next } from '../../interface/Interceptor.js';
import { type RaceLimits, waitWithGrace } from '../../limit/raceLimits.js';
import type { ToolCall } from '../../value/ToolCall.js';
import type { ToolOutcome } from '../../value/ToolOutcome.js';
import { getCaller, getParentCallId } from '../HandlerCallInfo.js';
import type { Placement, DispatchContext, DispatchServices } from '../DispatchContext.js';
import { getThread } from '../idempotencyKey.js';
import type { Around } from './runIntercepted.js';

/** Creates the view of a call for interceptors; computes redacted parts on first use. */
export function createInterceptedToolCall(
  { redaction }: DispatchServices,
  call: ToolCall,
  run: DispatchContext,
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
 * Makes a call within the layers, outermost first. Layers only observe: the call is made once, whether or not they call `next`,
 * and an error that a layer itself throws is logged.
 *
 * @throws the error of the call
 */
export function runObserved(
  layers: readonly Around<InterceptedToolCall, ToolOutcome>[],
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
      // The layer may not await it, and an unhandled rejection would end the process.
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
