import type { ScoredRun } from '@toolwright/evals';

/** A finished run for a scorer. */
export function createRun(given: Partial<ScoredRun> = {}): ScoredRun {
  return {
    task: { id: 't', input: '' },
    epoch: 1,
    text: null,
    output: undefined,
    calls: [],
    transcript: [],
    session: undefined,
    resources: {},
    usage: undefined,
    cost: undefined,
    turns: undefined,
    durationMs: 0,
    signal: new AbortController().signal,
    ...given,
  };
}
