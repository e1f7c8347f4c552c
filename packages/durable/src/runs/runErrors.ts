import { type ErrorCode, PromptError, PromptEvaluationError } from 'toolwright';
import { keyText, formatMessage } from 'toolwright/internal/light';
import type { OpenQuestion, RunRecord } from '../records/RunRecords.js';

/** Creates the error for an unknown run. */
export function createNoRunError(id: string): PromptEvaluationError {
  return createRunError('E738', id, 'there is no such run');
}

/** Creates the error for an id of a run in another conversation. */
export function createOtherConversationError({ id, conversation }: RunRecord, given: string): PromptEvaluationError {
  return createRunError(
    'E739',
    id,
    `the run belongs to the conversation ${keyText(conversation)}, not to ${keyText(given)}`,
  );
}

/** Creates the error for a session returned by `prepare`. The session of a run comes from its store. */
export function createHostSessionError(): PromptError {
  const problem =
    'a run has the session that its store keeps: that of its conversation, or a shared one; no other can be given';
  const remedy =
    "Return the classes of its state: slices: [Cart]. For a session that several conversations share, add its name: sharedSession: 'cart-17'.";
  const details = { code: 'E413', place: 'prepare', remedy } as const;
  return new PromptError(formatMessage(problem, details), details);
}

/** Creates the error for a run that ended without an answer. */
export function createNotAnsweredError({ id, status, problem }: RunRecord): PromptEvaluationError {
  return createRunError('E740', id, `the run ended (${status}): ${problem ?? 'no reason is recorded'}`);
}

/** Creates the error for a run with too many takeovers. */
export function createGivenUpError(id: string, takeovers: number): PromptEvaluationError {
  return createRunError(
    'E742',
    id,
    `${String(takeovers)} workers ended, or could not write its log, while they had the run, and it made no progress`,
  );
}

/** Creates the error for a request that the state of the run does not allow. */
export function createWrongStateError(id: string, problem: string): PromptEvaluationError {
  return createRunError('E743', id, problem);
}

/** Creates the error for edited arguments of a question that is not about an approval. */
export function createNotEditableError(id: string, { call, name }: OpenQuestion): PromptEvaluationError {
  const problem = `the question about the call ${call} of ${name} asks about its effect; only an approval takes other arguments`;
  return createRunError('E735', id, problem);
}

/** Creates the error for a run with a prompt that has changed since the run began. */
export function createOtherVersionError(id: string): PromptEvaluationError {
  return createRunError('E744', id, 'the texts or tools of its prompt have changed since it began');
}

/** Creates the error for an application that shares runs with other processes but has no keys to sign questions. */
export function createNoKeysError(): PromptEvaluationError {
  const details = { code: 'E747', place: 'openRuns' } as const;
  const problem =
    'other processes work on its runs (engine, or work: false), and the application has no keys that sign questions';
  return new PromptEvaluationError(formatMessage(problem, details), { ...details, phase: 'request' });
}

function createRunError(code: ErrorCode, run: string, problem: string): PromptEvaluationError {
  const details = { code, place: `run ${keyText(run)}` };
  return new PromptEvaluationError(formatMessage(problem, details), { ...details, phase: 'request' });
}
