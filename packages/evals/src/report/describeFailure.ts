import type { TaskResult } from '../results/TaskResult.js';

/** Describes in a few lines why a run does not pass. */
export function describeFailure({ error, scores }: TaskResult): string {
  const reasons = Object.entries(scores)
    .filter(([, { pass, failed }]) => pass === false || failed === true)
    .map(([name, { reason = 'it does not pass' }]) => `${name}: ${reason}`);
  return [...(error === undefined ? [] : [error]), ...reasons].join('\n');
}
