import type { Message } from 'toolwright';
import type { EvalCall } from '../Eval.js';
import { listCalls } from './listCalls.js';
import type { UnscoredRun } from './runTask.js';

/** The messages of a transcript before a run, such as the task's, and the messages that the run added. */
export interface SplitTranscript {
  readonly given: readonly Message[];
  readonly own: readonly Message[];
}

/** Splits the transcript of a run before its first answer; each request has one answer. */
export function splitTranscript({ transcript, turns = 0 }: Pick<UnscoredRun, 'transcript' | 'turns'>): SplitTranscript {
  const answers = [...transcript.keys()].filter((at) => transcript[at]?.role === 'assistant');
  const first = turns === 0 ? transcript.length : (answers.slice(-turns)[0] ?? transcript.length);
  return { given: transcript.slice(0, first), own: transcript.slice(first) };
}

/**
 * Lists the calls of each request of a run. A run without a transcript has one round, and so has a run whose function replaced
 * the calls, because their requests are unknown.
 */
export function listRounds<I>(run: UnscoredRun<I>): readonly (readonly EvalCall[])[] {
  const { own } = splitTranscript(run);
  const starts = [...own.keys()].filter((at) => own[at]?.role === 'assistant');
  const rounds = starts.map((start, round) => listCalls(own.slice(start, starts[round + 1])));
  return rounds.flat().length === run.calls.length && rounds.length > 0 ? rounds : [run.calls];
}
