import { AssertionError } from 'node:assert';
import { formOf, MAX_TIMER_MS, requireValue } from 'toolwright/internal';
import type { Eval } from './Eval.js';
import { describeFailure } from './report/describeFailure.js';
import type { EvalReport } from './report/EvalReport.js';
import { writeSummary } from './report/writeSummary.js';
import { runEval } from './runEval.js';
import { readTasksAtOnce } from './tasks/readTasks.js';

/** The functions of a test runner, such as jest, vitest or `node:test`. */
export interface TestHost {
  readonly describe: (name: string, define: () => void) => unknown;
  readonly test: (name: string, run: () => Promise<void>, timeoutMs?: number) => unknown;
}

const aHost = formOf('{ describe, test } of a test runner', (value) => {
  const { describe, test } = (value ?? {}) as Partial<TestHost>;
  return typeof describe === 'function' && typeof test === 'function';
});

/**
 * Declares an eval as tests: a test for each task, or one for the gates of an eval that has gates, since single tasks may fail there.
 *
 * @param host the functions of the runner; by default the globals `describe` and `test`, which jest has. Pass the functions of `vitest` or
 * `node:test`
 * @throws PromptError E413 without the functions of a runner; EvalError E990, E991, E992 for tasks
 * @example
 * import { describe, test } from 'vitest';
 * evalTests(seats, { describe, test });
 */
export function evalTests<I>(evaluation: Eval<I>, host: TestHost = readGlobals() as TestHost): void {
  requireValue('evalTests', 'host', host, aHost);
  const tasks = readTasksAtOnce(evaluation.tasks);
  const hasGates = Object.keys(evaluation.gates).length > 0;
  host.describe(evaluation.name, () => {
    if (hasGates)
      host.test('the eval meets its gates', () => requirePassed(evaluation), countMs(evaluation, tasks.length));
    else
      for (const task of tasks)
        host.test(task.id, () => requirePassed({ ...evaluation, tasks: [task] }), countMs(evaluation, 1));
  });
}

/** The compiler knows the globals of some runners in the repository, and of none in a build. */
function readGlobals(): unknown {
  return globalThis;
}

/** The eval has its own time limits, so the limits of the runner only have to be longer. */
function countMs<I>({ epochs, timeoutMs, scoreTimeoutMs }: Eval<I>, tasks: number): number {
  return Math.min(MAX_TIMER_MS, tasks * epochs * (timeoutMs + scoreTimeoutMs));
}

/** @throws AssertionError with the summary and the first failures */
async function requirePassed<I>(evaluation: Eval<I>): Promise<void> {
  const report = await runEval(evaluation);
  if (!report.passed) throw new AssertionError({ message: describeReport(report) });
}

function describeReport(report: EvalReport): string {
  const failures = report.failures.slice(0, 10).map((failure) => {
    return `${failure.task}, run ${String(failure.epoch)}:\n${describeFailure(failure)}`;
  });
  return [writeSummary(report), ...failures].join('\n\n');
}
