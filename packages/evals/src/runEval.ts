import {
  aBoolean,
  aFunction,
  aSignal,
  allowManyListeners,
  aText,
  type OptionForms,
  requireOptions,
} from 'toolwright/internal';
import type { Eval } from './Eval.js';
import type { EvalReport } from './report/EvalReport.js';
import { ReportBuilder } from './report/ReportBuilder.js';
import { numberRun, ResultsFile } from './results/ResultsFile.js';
import { hasFailed, type ResultsHeader, type TaskResult } from './results/TaskResult.js';
import { runTask, type TaskRun } from './run/runTask.js';
import { readTasks, surveyTasks } from './tasks/readTasks.js';

/** How far an eval is. */
export interface EvalProgress {
  /** Finished runs, with the runs in the file of results. */
  readonly done: number;
  readonly total: number;
  /** Finished runs that do not pass. */
  readonly failed: number;
  /** Milliseconds until the end, by the runs of this process; undefined before the first of them has ended. */
  readonly remainingMs: number | undefined;
}

/** The options of `runEval`. */
export interface RunEvalOptions {
  /**
   * A file to which each result is appended as soon as it is known. If it has results of this eval, their runs are not repeated. Without
   * it, an interrupted eval begins again.
   */
  readonly results?: string | undefined;
  /** True to repeat runs of the file whose run or scorer has failed, such as by a provider's error; false by default. */
  readonly retryFailed?: boolean | undefined;
  /** Ends the eval. Runs that have not ended are not recorded. */
  readonly signal?: AbortSignal | undefined;
  /** Called at the start and after each run; `createProgressBar` makes one. */
  readonly onProgress?: ((progress: EvalProgress) => void) | undefined;
}

const optionForms: OptionForms<RunEvalOptions> = {
  results: aText,
  retryFailed: aBoolean,
  signal: aSignal,
  onProgress: aFunction,
};

/**
 * Runs the tasks of an eval and reports their scores. Errors of runs and scorers are a part of the report.
 *
 * @throws EvalError E990, E991, E992 for tasks, E993 and E994 for a file of results; the reason of the signal; errors of the file system
 */
export async function runEval<I>(evaluation: Eval<I>, options: RunEvalOptions = {}): Promise<EvalReport> {
  requireOptions('runEval', options, optionForms);
  const { count, hash } = await surveyTasks(evaluation.tasks);
  return new EvalRunner(evaluation, createHeader(evaluation, count, hash), options).run();
}

/** The header of the results of an eval. */
function createHeader<I>(evaluation: Eval<I>, tasks: number, tasksHash: string): ResultsHeader {
  const { name, version, epochs, score } = evaluation;
  return {
    format: 'toolwright/eval-results',
    formatVersion: 1,
    name,
    version,
    tasksHash,
    tasks,
    epochs,
    scorers: Object.keys(score),
  };
}

/** Runs the tasks that have no result yet, some at the same time. */
class EvalRunner<I> {
  readonly #evaluation: Eval<I>;
  readonly #header: ResultsHeader;
  readonly #options: RunEvalOptions;
  readonly #report: ReportBuilder;
  readonly #finished = new Set<number>();
  readonly #stop = new AbortController();
  #failed = 0;
  /** Runs of this process, and when the first began. */
  #ended = 0;
  #startedAt = performance.now();

  constructor(evaluation: Eval<I>, header: ResultsHeader, options: RunEvalOptions) {
    this.#evaluation = evaluation;
    this.#header = header;
    this.#options = options;
    this.#report = new ReportBuilder(header, evaluation.gates);
    allowManyListeners(this.#stop.signal);
  }

  async run(): Promise<EvalReport> {
    const { results, signal } = this.#options;
    signal?.throwIfAborted();
    const onAbort = (): void => {
      this.#stop.abort(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    const file = results === undefined ? undefined : await this.#openResults(results);
    try {
      await this.#runAll(file);
    } finally {
      file?.close();
      signal?.removeEventListener('abort', onAbort);
    }
    signal?.throwIfAborted();
    return this.#report.build();
  }

  #openResults(path: string): Promise<ResultsFile> {
    return ResultsFile.open(path, this.#header, (result) => {
      if (this.#options.retryFailed === true && hasFailed(result)) return;
      this.#add(result);
    });
  }

  async #runAll(file: ResultsFile | undefined): Promise<void> {
    this.#startedAt = performance.now();
    this.#showProgress();
    const pending = this.#listPending();
    const workers = Array.from({ length: this.#evaluation.concurrency }, () => this.#work(pending, file));
    // All workers have ended before the file is closed.
    const ends = await Promise.allSettled(workers);
    const failure = ends.find((end) => end.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  }

  async #work(pending: AsyncGenerator<TaskRun<I>, void>, file: ResultsFile | undefined): Promise<void> {
    const { signal } = this.#stop;
    try {
      for (;;) {
        const next = await pending.next();
        if (next.done === true) return;
        const result = await runTask(this.#evaluation, next.value, signal);
        file?.append(result);
        this.#ended++;
        this.#add(result);
        this.#showProgress();
      }
    } catch (error) {
      // Ends the other workers, too.
      this.#stop.abort(error);
      throw error;
    }
  }

  async *#listPending(): AsyncGenerator<TaskRun<I>, void> {
    const { epochs } = this.#header;
    for await (const placed of readTasks(this.#evaluation.tasks)) {
      for (let epoch = 1; epoch <= epochs; epoch++) {
        this.#stop.signal.throwIfAborted();
        const { index } = placed;
        if (!this.#finished.has(numberRun({ index, epoch }, this.#header))) yield { ...placed, epoch };
      }
    }
  }

  #add(result: TaskResult): void {
    this.#finished.add(numberRun(result, this.#header));
    if (!result.pass) this.#failed++;
    this.#report.add(result);
  }

  #showProgress(): void {
    const { onProgress } = this.#options;
    if (onProgress === undefined) return;
    const [done, total] = [this.#finished.size, this.#header.tasks * this.#header.epochs];
    const elapsedMs = performance.now() - this.#startedAt;
    const remainingMs = this.#ended === 0 ? undefined : (elapsedMs / this.#ended) * (total - done);
    onProgress({ done, total, failed: this.#failed, remainingMs });
  }
}
