import { PATIENCE_MS, withinPatience } from '../common/withinPatience.js';
import { ResourceError } from '../error/infrastructureErrors.js';
import type { CallRun } from './CallRun.js';
import { CallSignal } from './CallSignal.js';
import type { CommitOutcome } from './CallTransaction.js';
import { raceHandler } from './raceHandler.js';

/**
 * Waits for a commit. The deadline and the caller do not interrupt it, since what it has done would not be known; but they do
 * not wait for ever, either.
 *
 * @throws what the commit throws
 */
export async function stoppedLate(commit: Promise<CommitOutcome>, run: CallRun): Promise<CommitOutcome> {
  const ended = commit.then(
    () => undefined,
    () => undefined,
  );
  const isStopped = await raceHandler(ended, run, undefined, new CallSignal()).then(
    () => false,
    () => true,
  );
  if (!isStopped || (await withinPatience(ended))) return commit;
  const problem = `a commit had not ended ${String(PATIENCE_MS)} ms after the call was stopped`;
  return { kind: 'half', error: new ResourceError(problem, { code: 'E914' }) };
}
