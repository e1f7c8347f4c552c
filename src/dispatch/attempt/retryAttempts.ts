import { ignoreRejection } from '../../common/classes.js';
import { MAX_CONFLICT_ATTEMPTS } from '../../common/limits.js';
import { describeValue, messageOf } from '../../common/text.js';
import type { Awaitable } from '../../common/types.js';
import { ResourceError } from '../../error/infrastructureErrors.js';
import { ToolwrightError } from '../../error/ToolwrightError.js';
import { raceLimits } from '../../limit/raceLimits.js';
import { waitFor } from '../../limit/clocks.js';
import type { ToolRetry } from '../../metadata/args/ToolMetadataArgs.js';
import { getEffect } from '../../value/ToolHints.js';
import type { DispatchServices } from '../CallRun.js';
import { LinkedSignal } from './LinkedSignal.js';
import { createFailureResult } from '../finish/createFailureResult.js';
import type { GuardedCall } from '../admit/IncomingCall.js';
import { logError } from '../finish/logError.js';
import type { AttemptResult } from '../finish/outcomes.js';

/**
 * Repeats a call while its tool's `retry` and its effect allow it (docs/contract.md, 7.11). Awaits nothing for a call that is not
 * repeated.
 *
 * @param last the result of the last attempt
 * @param again makes one more attempt, in its own transaction
 * @param attempt the number of the next attempt
 */
export function retryAttempts(
  services: DispatchServices,
  call: GuardedCall,
  last: AttemptResult,
  again: (attempt: number, last: AttemptResult) => Awaitable<AttemptResult>,
  attempt = 2,
): Awaitable<AttemptResult> {
  if (!mayRepeat(services, call, last, attempt)) return last;
  const { backoffMs = 0 } = call.tool.metadata.retry ?? {};
  const wait = backoffMs * 2 ** (attempt - 2);
  if (wait >= (call.run.deadline?.remaining ?? Infinity)) return last;
  const repeat = async (): Promise<AttemptResult> => {
    const stopped = wait === 0 ? undefined : await pauseBeforeRetry(services, call, wait);
    return stopped ?? retryAttempts(services, call, await again(attempt, last), again, attempt + 1);
  };
  return repeat();
}

function mayRepeat(services: DispatchServices, call: GuardedCall, last: AttemptResult, attempt: number): boolean {
  const { hints, metadata } = call.tool;
  const { retry } = metadata;
  if (getEffect(hints) === 'unknown' || last.rolledBack === false || last.result === null) return false;
  if (last.kind === 'conflicted') return attempt <= (retry?.attempts ?? MAX_CONFLICT_ATTEMPTS);
  if (retry === null || attempt > retry.attempts) return false;
  if (last.kind !== 'failed' && last.kind !== 'timed_out') return false;
  return 'error' in last && isTransient(last.error) && isWanted(services, call, retry, last.error);
}

/** Returns false for errors that the tool or this framework reports on purpose: they would occur again. */
function isTransient(error: unknown): boolean {
  return !(error instanceof ToolwrightError) || (error instanceof ResourceError && error.code === 'E913');
}

function isWanted(services: DispatchServices, call: GuardedCall, { on }: ToolRetry, error: unknown): boolean {
  if (on === undefined) return true;
  const refused = (fault: string, thrown?: unknown): false => {
    logError(services, call, 'error', `retry.on of ${call.tool.name} ${fault}`, thrown);
    return false;
  };
  try {
    const wanted: unknown = on(error);
    if (typeof wanted === 'boolean') return wanted;
    ignoreRejection(wanted);
    return refused(`gave ${describeValue(wanted)} in place of true or false`);
  } catch (thrown) {
    return refused(`threw: ${messageOf(thrown)}`, thrown);
  }
}

/** Waits; returns a result if the call is stopped meanwhile. */
async function pauseBeforeRetry(
  services: DispatchServices,
  call: GuardedCall,
  milliseconds: number,
): Promise<AttemptResult | undefined> {
  const stop = new LinkedSignal();
  try {
    await raceLimits(waitFor(services.clock, milliseconds, stop.signal), call.run, { signal: stop });
    return undefined;
  } catch (thrown) {
    return createFailureResult(thrown, call, 'handler');
  }
}
