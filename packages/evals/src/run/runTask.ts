import { cut, describeValue, isRecord, messageOf } from 'toolwright/internal/light';
import { shortenText, writeJsonText } from '../describeJson.js';
import { EvalError } from '../EvalError.js';
import type { Eval, EvalCall, EvalRun, RunContext, ScoredRun } from '../Eval.js';
import { MAX_KEPT_ARGUMENTS_CHARS, MAX_KEPT_CALLS, MAX_KEPT_TEXT_CHARS, MAX_REASON_CHARS } from '../limits.js';
import type { ResultCall, ScoreResult, TaskResult } from '../results/TaskResult.js';
import { readScore } from '../score/readScore.js';
import type { PlacedTask } from '../tasks/readTasks.js';
import { listCalls } from './listCalls.js';
import { runInTime } from './runInTime.js';

/** One run of one task. */
export interface TaskRun<I = unknown> extends PlacedTask<I> {
  readonly epoch: number;
}

/** A finished run before it is scored. */
export type UnscoredRun<I = unknown> = Omit<ScoredRun<I>, 'signal'>;

/**
 * Runs and scores a task once. Errors of the run and of scorers become a part of the result.
 *
 * @throws the reason of the signal
 */
export async function runTask<I>(evaluation: Eval<I>, taskRun: TaskRun<I>, signal: AbortSignal): Promise<TaskResult> {
  const { task, index, epoch } = taskRun;
  const startedAt = performance.now();
  const head = { task: task.id, index, epoch, group: task.group };
  try {
    return await withRun(evaluation, taskRun, signal, async (run) => {
      const scores = await scoreRun(evaluation, run, signal);
      const pass = Object.values(scores).every((score) => score.pass !== false && score.failed !== true);
      const { usage, cost, turns, durationMs } = run;
      return { ...head, pass, scores, ...keepTexts(run), usage, cost, turns, durationMs };
    });
  } catch (error) {
    signal.throwIfAborted();
    const durationMs = Math.round(performance.now() - startedAt);
    return { ...head, pass: false, error: cut(messageOf(error), MAX_REASON_CHARS), scores: {}, durationMs };
  }
}

/**
 * Runs a task once, passes the finished run to `use`, and then does the work that the run deferred.
 *
 * @throws EvalError E998, E999; the error of the run or of `use`; the reason of the signal
 */
export async function withRun<I, T>(
  evaluation: Pick<Eval<I>, 'run' | 'timeoutMs'>,
  { task, epoch }: Pick<TaskRun<I>, 'task' | 'epoch'>,
  signal: AbortSignal,
  use: (run: UnscoredRun<I>) => Promise<T> | T,
): Promise<T> {
  const { timeoutMs } = evaluation;
  const deferred: (() => unknown)[] = [];
  const startedAt = performance.now();
  try {
    const limit = { timeoutMs, signal, place: `run of ${task.id}` };
    const run = await runInTime(async (own) => {
      const context: RunContext = { epoch, signal: own, defer: (work) => void deferred.push(work) };
      return requireRun(await evaluation.run(task, context));
    }, limit);
    const durationMs = Math.round(performance.now() - startedAt);
    return await use({ ...describeRun(run), task, epoch, durationMs });
  } finally {
    await runDeferred(deferred, evaluation, signal);
  }
}

/** @throws EvalError E999 */
function requireRun(run: unknown): EvalRun {
  if (isRecord(run) && ('response' in run || 'text' in run)) return run;
  const problem = `expected { response } or { text }, got ${describeValue(run)}`;
  throw new EvalError(problem, { code: 'E999', place: 'run' });
}

type DescribedRun = Omit<ScoredRun, 'task' | 'epoch' | 'durationMs' | 'signal'>;

function describeRun(run: EvalRun): DescribedRun {
  const { response, session, resources = {} } = run;
  const transcript = response?.transcript ?? [];
  return {
    text: 'text' in run ? (run.text ?? null) : (response?.text ?? null),
    output: 'output' in run ? run.output : response?.output,
    calls: run.calls ?? listCalls(transcript),
    transcript,
    session,
    resources,
    usage: run.usage ?? response?.usage,
    cost: run.cost ?? response?.cost,
    turns: response?.turns,
  };
}

async function scoreRun<I>(
  { score, scoreTimeoutMs }: Eval<I>,
  run: UnscoredRun<I>,
  signal: AbortSignal,
): Promise<Record<string, ScoreResult>> {
  const scored = await Promise.all(
    Object.entries(score).map(async ([name, scorer]): Promise<[string, ScoreResult][]> => {
      try {
        const limit = { timeoutMs: scoreTimeoutMs, signal, place: `scorer ${name}` };
        const given = await runInTime((own) => scorer({ ...run, signal: own }), limit);
        return given === undefined ? [] : [[name, readScore(given, name)]];
      } catch (error) {
        signal.throwIfAborted();
        const reason = cut(`The scorer failed: ${messageOf(error)}`, MAX_REASON_CHARS);
        return [[name, { value: 0, reason, failed: true }]];
      }
    }),
  );
  return Object.fromEntries(scored.flat());
}

function keepTexts({ text, calls }: Pick<DescribedRun, 'text' | 'calls'>): Pick<TaskResult, 'text' | 'calls'> {
  return {
    text: text === null ? undefined : shortenText(text, MAX_KEPT_TEXT_CHARS),
    calls: calls.length === 0 ? undefined : calls.slice(0, MAX_KEPT_CALLS).map(keepCall),
  };
}

function keepCall({ name, arguments: given, failed }: EvalCall): ResultCall {
  const text = typeof given === 'string' ? given : (writeJsonText(given) ?? '');
  return { name, arguments: shortenText(text, MAX_KEPT_ARGUMENTS_CHARS), ...(failed ? { failed } : {}) };
}

/** A failed or endless cleanup does not change a result that is known. */
async function runDeferred(
  deferred: readonly (() => unknown)[],
  { timeoutMs }: Pick<Eval, 'timeoutMs'>,
  signal: AbortSignal,
): Promise<void> {
  for (const work of [...deferred].reverse())
    await runInTime(work, { timeoutMs, signal, place: 'defer' }).catch(() => undefined);
}
