import { joinBounded } from '../../common/text.js';
import { createEvaluationError, type PromptEvaluationError } from '../../error/PromptError.js';
import type { RunEntry } from '../../interface/RunEntry.js';

export function createNoSuchRunError(id: string, run: string, entries: readonly RunEntry[]): PromptEvaluationError {
  const runs = entries.flatMap((entry) => (entry.kind === 'run' ? [entry.run] : []));
  const choice = runs.length === 0 ? 'It has none.' : `Its runs: ${joinBounded(runs)}.`;
  return createRefusal(`Conversation ${id} has no run ${run}. ${choice}`, 'E727');
}

export function createUnansweredError(id: string, call: string): PromptEvaluationError {
  return createRefusal(`Conversation ${id} waits for the reply to its question about the call ${call}.`, 'E731');
}

/** Creates the error for a run that cannot begin or go on in a conversation. */
export function createRefusal(
  problem: string,
  code: 'E709' | 'E727' | 'E728' | 'E729' | 'E730' | 'E731' | 'E732' | 'E741' | 'E749',
): PromptEvaluationError {
  return createEvaluationError(problem, { code });
}
