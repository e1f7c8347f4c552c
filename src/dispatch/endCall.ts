import { messageOf } from '../common/text.js';
import type { Logger } from '../interface/Logger.js';
import { ToolResult } from '../value/ToolResult.js';
import type { CallTransaction } from './CallTransaction.js';
import type { CallResult } from './finalise.js';
import { notPutBackText } from './messages.js';

/** Writes down what went wrong beside the call. */
export type CallLogger = (level: keyof Logger, what: string, error: unknown) => void;

/**
 * What takes time at the end of a call, once all its doors are shut: puts back what was changed in place, unless it is kept,
 * and closes what was opened for it. Undefined for the many calls that leave nothing to do.
 */
export function endCall(
  name: string,
  callResult: CallResult,
  transaction: CallTransaction,
  log: CallLogger,
): Promise<CallResult> | undefined {
  const isKept = callResult.kind === 'succeeded' && !transaction.readOnly;
  const finishing = transaction.resources.finish(isKept, ({ name: resource, error }) => {
    log('error', `The resource ${resource} failed to close after ${name}`, error);
  });
  return finishing?.then((fault) => {
    if (fault === undefined) return callResult;
    log('error', `A resource was not left as it should be by ${name}`, fault);
    if (isKept || callResult.result === null) return callResult;
    const kind = callResult.kind === 'timed_out' ? 'timed_out' : 'failed';
    const why = messageOf(callResult.error ?? fault);
    return { kind, result: ToolResult.error(notPutBackText(name, why)), error: fault, effect: 'unknown' };
  });
}
