import { describeValue, listed } from '../../common/text.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import type { LogEntry, RunEnded } from '../../interface/RunStore.js';

/** A run is going on in the conversation already. */
export function busy(id: string): PromptEvaluationError {
  return refusal(`Conversation ${id} has a run that has not ended: one at a time can go on.`, 'E728');
}

/** There is nothing that the model could answer. */
export function nothingToAnswer(id: string): PromptEvaluationError {
  return refusal(`Conversation ${id} has an answer already, and no message was given.`, 'E729');
}

/** The conversation is one of another prompt. */
export function otherPrompt(id: string, prompt: string, given: string): PromptEvaluationError {
  return refusal(`Conversation ${id} is one of the prompt ${prompt}, not of ${given}.`, 'E730');
}

/** An entry was not written, since it could not be read again. */
export function tooLarge(id: string, { kind }: LogEntry, problem: string): PromptEvaluationError {
  return refusal(`Conversation ${id} cannot record the entry "${kind}": ${problem}.`, 'E709');
}

/** There is no such run. */
export function noSuchRun(id: string, run: string, entries: readonly LogEntry[]): PromptEvaluationError {
  const runs = entries.flatMap((entry) => (entry.kind === 'run' ? [entry.run] : []));
  const choice = runs.length === 0 ? 'It has none.' : `Its runs: ${listed(runs)}.`;
  return refusal(`Conversation ${id} has no run ${run}. ${choice}`, 'E727');
}

/** `history.summarise` returned something that is not a summary. */
export function noSummary(id: string, given: unknown): PromptEvaluationError {
  const got = typeof given === 'string' ? 'an empty text' : describeValue(given);
  const history = id === '' ? 'The history' : `The history of conversation ${id}`;
  return refusal(`${history} was not shortened: history.summarise must return a text, and returned ${got}.`, 'E749');
}

/** A question about a call of the run waits for its reply. */
export function unanswered(id: string, call: string): PromptEvaluationError {
  return refusal(`Conversation ${id} waits for the reply to its question about the call ${call}.`, 'E731');
}

/** The run of this id has ended without an answer. */
export function hasEnded(id: string, { run, how, problem = 'no reason is recorded' }: RunEnded): PromptEvaluationError {
  return refusal(`The run ${run} of conversation ${id} has ended (${how}): ${problem}`, 'E732');
}

/** The run stops before its next step, and stays open. */
export function released(id: string, run: string): PromptEvaluationError {
  return refusal(`The run ${run} of conversation ${id} was released before its next step.`, 'E741');
}

function refusal(
  problem: string,
  code: 'E709' | 'E727' | 'E728' | 'E729' | 'E730' | 'E731' | 'E732' | 'E741' | 'E749',
): PromptEvaluationError {
  return new PromptEvaluationError(problem, { phase: 'request', code });
}
