import type { ParamIssue } from '../../error/toolErrors.js';
import { MAX_ISSUES } from '../../schema/limits.js';
import type { DispatchServices } from '../CallRun.js';
import type { GuardedCall } from '../admit/IncomingCall.js';
import { logError } from './logError.js';
import type { AttemptResult } from './outcomes.js';

/** The most issues of a result that one log line names. */
const MOST_LOGGED = 5;

/** Logs how a result deviates from its declared type, and adds the issues to a successful call. */
export function warnAboutResult(
  services: DispatchServices,
  call: GuardedCall,
  callResult: AttemptResult,
  issues: readonly ParamIssue[],
): AttemptResult {
  if (callResult.kind !== 'succeeded') return callResult;
  const shown = Object.freeze(issues.slice(0, MAX_ISSUES));
  const found = shown.slice(0, MOST_LOGGED).map(({ path, message }) => `${path === '' ? 'result' : path}: ${message}`);
  const more = issues.length > MOST_LOGGED ? `; and ${String(issues.length - MOST_LOGGED)} more` : '';
  const message = `Tool ${call.tool.name} gave a result that is not what it declares: ${found.join('; ')}${more}`;
  logError(services, call, 'warn', message);
  return { ...callResult, resultIssues: shown };
}
