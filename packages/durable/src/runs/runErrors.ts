import { type ErrorCode, PromptError, PromptEvaluationError } from 'toolwright';
import { keyText, formatMessage } from 'toolwright/internal/light';
import type { RunRecord } from 'toolwright/internal';

/** There is no run of this id. */
export function createNoRunError(id: string): PromptEvaluationError {
  return createRunError('E738', id, 'there is no such run');
}

/** The id belongs to a run of another conversation. */
export function createOtherConversationError({ id, conversation }: RunRecord, given: string): PromptEvaluationError {
  return createRunError(
    'E739',
    id,
    `the run belongs to the conversation ${keyText(conversation)}, not to ${keyText(given)}`,
  );
}

/** `prepare` returned a session, where the log of the conversation has it. */
export function createHostSessionError(): PromptError {
  const problem =
    'a run has the session that its store keeps: that of its conversation, or a shared one; no other can be given';
  const remedy =
    "Return the classes of its state: slices: [Cart]. For a session that several conversations share, add its name: sharedSession: 'cart-17'.";
  const details = { code: 'E413', place: 'prepare', remedy } as const;
  return new PromptError(formatMessage(problem, details), details);
}

/** The run ended without an answer. */
export function createNotAnsweredError({ id, status, problem }: RunRecord): PromptEvaluationError {
  return createRunError('E740', id, `the run ended (${status}): ${problem ?? 'no reason is recorded'}`);
}

/** The run ended its workers again and again. */
export function createGivenUpError(id: string, takeovers: number): PromptEvaluationError {
  return createRunError(
    'E742',
    id,
    `${String(takeovers)} workers ended, or could not write its log, while they had the run, and it made no progress`,
  );
}

/** What was asked for does not fit the state of the run. */
export function createWrongStateError(id: string, problem: string): PromptEvaluationError {
  return createRunError('E743', id, problem);
}

/** The prompt has changed since the run began. */
export function createOtherVersionError(id: string): PromptEvaluationError {
  return createRunError('E744', id, 'the texts or tools of its prompt have changed since it began');
}

/** Several processes share runs, and the application has no keys to sign questions with. */
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
