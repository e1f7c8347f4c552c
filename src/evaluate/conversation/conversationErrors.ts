import { describeValue, joinBounded } from '../../common/text.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import type { RunEntry } from '../../interface/RunEntry.js';

/** A run is going on in the conversation already. */
export function createBusyError(id: string): PromptEvaluationError {
  return createRefusal(`Conversation ${id} has a run that has not ended: one at a time can go on.`, 'E728');
}

/** There is nothing that the model could answer. */
export function createNothingToAnswerError(id: string): PromptEvaluationError {
  return createRefusal(`Conversation ${id} has an answer already, and no message was given.`, 'E729');
}

/** The conversation is one of another prompt. */
export function createOtherPromptError(id: string, prompt: string, given: string): PromptEvaluationError {
  return createRefusal(`Conversation ${id} is one of the prompt ${prompt}, not of ${given}.`, 'E730');
}

/** An entry was not written, since it could not be read again. */
export function createTooLargeError(id: string, { kind }: RunEntry, problem: string): PromptEvaluationError {
  return createRefusal(`Conversation ${id} cannot record the entry "${kind}": ${problem}.`, 'E709');
}

/** There is no such run. */
export function createNoSuchRunError(id: string, run: string, entries: readonly RunEntry[]): PromptEvaluationError {
  const runs = entries.flatMap((entry) => (entry.kind === 'run' ? [entry.run] : []));
  const choice = runs.length === 0 ? 'It has none.' : `Its runs: ${joinBounded(runs)}.`;
  return createRefusal(`Conversation ${id} has no run ${run}. ${choice}`, 'E727');
}

/** `history.summarise` returned something that is not a summary. */
export function createNoSummaryError(id: string, given: unknown): PromptEvaluationError {
  const got = typeof given === 'string' ? 'an empty text' : describeValue(given);
  const history = id === '' ? 'The history' : `The history of conversation ${id}`;
  return createRefusal(
    `${history} was not shortened: history.summarise must return a text, and returned ${got}.`,
    'E749',
  );
}

/** A question about a call of the run waits for its reply. */
export function createUnansweredError(id: string, call: string): PromptEvaluationError {
  return createRefusal(`Conversation ${id} waits for the reply to its question about the call ${call}.`, 'E731');
}

/** The run of this id has ended without an answer. */
export function createEndedError(
  id: string,
  { run, how, problem = 'no reason is recorded' }: RunEntry<'end'>,
): PromptEvaluationError {
  return createRefusal(`The run ${run} of conversation ${id} has ended (${how}): ${problem}`, 'E732');
}

/** The run stops before its next step, and stays open. */
export function createReleasedError(id: string, run: string): PromptEvaluationError {
  return createRefusal(`The run ${run} of conversation ${id} was released before its next step.`, 'E741');
}

function createRefusal(
  problem: string,
  code: 'E709' | 'E727' | 'E728' | 'E729' | 'E730' | 'E731' | 'E732' | 'E741' | 'E749',
): PromptEvaluationError {
  return new PromptEvaluationError(problem, { phase: 'request', code });
}
