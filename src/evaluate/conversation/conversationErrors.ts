import { joinBounded, keyText } from '../../common/text.js';
import { createEvaluationError, type PromptEvaluationError } from '../../error/PromptError.js';
import type { RunEntry } from '../../interface/RunEntry.js';

export function createNoSuchRunError(id: string, run: string, entries: readonly RunEntry[]): PromptEvaluationError {
  const runs = entries.flatMap((entry) => (entry.kind === 'run' ? [entry.run] : []));
  const choice = runs.length === 0 ? 'it has none' : `its runs are ${joinBounded(runs)}`;
  return createRefusal(id, `it has no run ${run}; ${choice}`, 'E727');
}

export function createUnansweredError(id: string, call: string): PromptEvaluationError {
  return createRefusal(id, `it waits for the reply to its question about the call ${call}`, 'E731');
}

/** Creates the error for a run that cannot begin or go on in a conversation. */
export function createRefusal(
  id: string,
  problem: string,
  code: 'E709' | 'E727' | 'E728' | 'E729' | 'E730' | 'E731' | 'E732' | 'E741' | 'E749',
): PromptEvaluationError {
  return createEvaluationError(problem, { code, place: describeConversation(id) });
}

/** Names a conversation as the place of an error. The messages of a run without one have the id ''. */
export function describeConversation(id: string): string {
  return id === '' ? 'the conversation' : `conversation ${keyText(id)}`;
}
