import type { Loaded } from '../load/loadApplication.js';
import { compareRun } from './compareRun.js';
import { createProblem, readRuns, type RecordedRun } from './readRuns.js';
import { replayRun, type ReplayLimits } from './replayRun.js';
import type { RunProblem, RunReport } from './RunChange.js';

export interface RunsOptions extends ReplayLimits {
  /** The most replays at the same time. */
  readonly concurrency: number;
  /** Replays only the runs of this prompt, as `ns/key`. */
  readonly prompt?: string | undefined;
}

/** The changes of all recorded runs, in the order of the files and their entries. */
export interface RunsReport {
  readonly runs: readonly RunReport[];
  readonly problems: readonly RunProblem[];
}

/** Replays the runs of bundles, and reports how each one changes. @param files the bundles, relative to the folder */
export async function checkRuns(
  loaded: Pick<Loaded, 'app' | 'session'>,
  files: readonly string[],
  folder: string,
  options: RunsOptions,
): Promise<RunsReport> {
  const results: (RunReport | RunProblem | undefined)[] = [];
  const source = readRuns(files, folder);
  let next = 0;
  const work = async (): Promise<void> => {
    // An asynchronous generator answers its callers one after the other, so every run is taken once.
    for (let taken = await source.next(); taken.done !== true; taken = await source.next()) {
      const at = next++;
      results[at] = 'bundle' in taken.value ? await checkRun(loaded, taken.value, options) : taken.value;
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, work));
  const found = results.filter((result) => result !== undefined);
  return {
    runs: found.filter((result) => 'changes' in result),
    problems: found.filter((result): result is RunProblem => 'code' in result),
  };
}

async function checkRun(
  loaded: Pick<Loaded, 'app' | 'session'>,
  recorded: RecordedRun,
  { prompt: only, timeoutMs, signal }: RunsOptions,
): Promise<RunReport | RunProblem | undefined> {
  const { file, begun, lineOf } = recorded;
  const { run, prompt, conversation = null } = begun;
  if (only !== undefined && prompt !== only) return undefined;
  const line = lineOf(begun);
  try {
    const replayed = await replayRun(loaded, recorded, { timeoutMs, signal });
    const changes = compareRun(recorded, replayed, timeoutMs);
    const fromRecord = [...new Set(replayed.answered.values())];
    return { file, line, run, conversation, prompt, changes, fromRecord };
  } catch (error) {
    signal?.throwIfAborted();
    return createProblem(file, line, error, run);
  }
}
