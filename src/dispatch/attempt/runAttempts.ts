import { ignoreRejection, isThenable } from '../../common/classes.js';
import { MAX_CONFLICT_ATTEMPTS } from '../../common/limits.js';
import { describeValue, messageOf } from '../../common/text.js';
import type { Awaitable } from '../../common/types.js';
import { ResourceError } from '../../error/infrastructureErrors.js';
import { ToolwrightError } from '../../error/ToolwrightError.js';
import { raceLimits } from '../../limit/raceLimits.js';
import { waitFor } from '../../limit/clocks.js';
import type { ToolRetry } from '../../metadata/args/ToolMetadataArgs.js';
import { getEffect } from '../../value/ToolHints.js';
import { admitCall } from '../admit/admitCall.js';
import { parseArguments } from '../admit/parseArguments.js';
import { prepareRehearsal } from '../rehearse/prepareRehearsal.js';
import { attemptCall, type AttemptOptions } from './Attempt.js';
import { LinkedSignal } from './LinkedSignal.js';
import { createFailureResult } from '../finish/createFailureResult.js';
import type { GuardedCall } from '../admit/IncomingCall.js';
import { logError } from '../finish/logError.js';
import type { AttemptResult } from '../finish/outcomes.js';

/**
 * Runs the handler of a call, and repeats it while its tool's `retry` and its effect allow it (docs/contract.md, 7.11). Awaits
 * nothing unless an attempt takes time.
 */
export function runAttempts(call: GuardedCall, params: unknown, options: AttemptOptions): Awaitable<AttemptResult> {
  const first = runAttempt(call, params, options);
  return isThenable(first) ? retryLater(call, first, options) : retryAttempt(call, first, options);
}

function runAttempt(call: GuardedCall, params: unknown, options: AttemptOptions): Awaitable<AttemptResult> {
  const rehearsal = call.run.rehearsal === undefined ? call : prepareRehearsal(call);
  return 'kind' in rehearsal ? rehearsal : attemptCall(rehearsal, params, options);
}

/** Apart from `runAttempts`, where a closure would cost calls that wait for nothing, too. */
function retryLater(
  call: GuardedCall,
  attempt: Promise<AttemptResult>,
  options: AttemptOptions,
): Promise<AttemptResult> {
  return attempt.then((last) => retryAttempt(call, last, options));
}

/** Repeats an attempt if the tool allows it; returns its result otherwise. */
function retryAttempt(
  call: GuardedCall,
  last: AttemptResult,
  { number, admission, dispatch }: AttemptOptions,
): Awaitable<AttemptResult> {
  if (!mayRepeat(call, last, number + 1)) return last;
  const { backoffMs = 0 } = call.tool.metadata.retry ?? {};
  const wait = backoffMs * 2 ** (number - 1);
  if (wait >= (call.run.deadline?.remaining ?? Infinity)) return last;
  return repeatAttempt(call, last, { number: number + 1, admission, dispatch }, wait);
}

/** Waits, then admits the call again, whose approval stays valid, and runs its handler. */
async function repeatAttempt(
  call: GuardedCall,
  last: AttemptResult,
  { number, admission, dispatch }: AttemptOptions,
  waitMs: number,
): Promise<AttemptResult> {
  const stopped = waitMs === 0 ? undefined : await pauseBeforeRetry(call, waitMs);
  if (stopped !== undefined) return stopped;
  // Parsed again: the previous attempt may have changed its params.
  const parsed = parseArguments(call.tool.metadata, call.call.arguments, call.reading);
  if (!parsed.ok) return last;
  const admitted = admission && (await admitCall(call, parsed, admission, number));
  if (admitted !== undefined && 'kind' in admitted)
    return retryAttempt(call, admitted, { number, admission, dispatch });
  const attempt = { number, admission: admitted, dispatch };
  return retryAttempt(call, await runAttempt(call, parsed.params, attempt), attempt);
}

function mayRepeat(call: GuardedCall, last: AttemptResult, attempt: number): boolean {
  if (last.kind === 'succeeded') return false;
  const { hints, metadata } = call.tool;
  const { retry } = metadata;
  if (getEffect(hints) === 'unknown' || last.rolledBack === false || last.result === null) return false;
  if (last.kind === 'conflicted') return attempt <= (retry?.attempts ?? MAX_CONFLICT_ATTEMPTS);
  if (retry === null || attempt > retry.attempts) return false;
  if (last.kind !== 'failed' && last.kind !== 'timed_out') return false;
  return 'error' in last && isTransient(last.error) && isWanted(call, retry, last.error);
}

/** Returns false for errors that the tool or this framework reports on purpose: they would occur again. */
function isTransient(error: unknown): boolean {
  return !(error instanceof ToolwrightError) || (error instanceof ResourceError && error.code === 'E913');
}

function isWanted(call: GuardedCall, { on }: ToolRetry, error: unknown): boolean {
  if (on === undefined) return true;
  const refused = (fault: string, thrown?: unknown): false => {
    logError(call, 'error', `retry.on of ${call.tool.name} ${fault}`, thrown);
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
async function pauseBeforeRetry(call: GuardedCall, milliseconds: number): Promise<AttemptResult | undefined> {
  const stop = new LinkedSignal();
  try {
    await raceLimits(waitFor(call.services.clock, milliseconds, stop.signal), call.run, { signal: stop });
    return undefined;
  } catch (thrown) {
    return createFailureResult(thrown, call, 'handler');
  }
}
