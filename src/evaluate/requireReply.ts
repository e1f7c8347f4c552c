import { describeMisfit } from '../common/dataForm.js';
import { unknownOption } from '../error/optionNames.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import { report } from '../error/ToolwrightError.js';
import type { QuestionReply } from '../interface/RunStore.js';
import { replyFields, replyForm } from './conversation/entryForms.js';

/** A reply is an entry, which every later reader of the log reads: a longer one would hold up all of them. */
const LONGEST_REPLY = 100_000;

/**
 * Returns why this cannot be a reply to any question: its form, a field that replies do not have, or its length. Undefined if it can be one.
 * Replies that were recorded before are read without it.
 */
export function replyProblem(reply: unknown): string | undefined {
  const misfit = replyForm(reply);
  if (misfit !== undefined) {
    const where = misfit.path === '' ? 'the reply' : `reply.${misfit.path}`;
    return `${where}: ${describeMisfit(misfit)}`;
  }
  const { kind, ...given } = reply as QuestionReply;
  const [required, optional] = replyFields[kind];
  // Left alone, an approval with a misspelt `seen` would hold for any changes.
  const unknown = unknownOption(given, { ...required, ...optional }, 'field');
  if (unknown !== undefined) return `the reply: ${unknown}`;
  const length = Object.values<string | undefined>(given).reduce((sum, text = '') => sum + text.length, 0);
  if (length <= LONGEST_REPLY) return undefined;
  return `the reply: expected texts of at most ${String(LONGEST_REPLY)} characters together, got ${String(length)}`;
}

/**
 * Refuses a value that cannot answer any question, before it reaches the store.
 *
 * @param place the method that was called
 * @throws PromptEvaluationError E735
 */
export function requireReply(place: string, reply: unknown): void {
  const problem = replyProblem(reply);
  if (problem !== undefined) throw wrongReply(place, problem);
}

/**
 * Like `requireReply`, for a call that waits for an approval and has no conversation.
 *
 * @throws PromptEvaluationError E735
 */
export function requireApproval(place: string, answer: unknown): void {
  requireReply(place, answer);
  const { kind } = answer as QuestionReply;
  if (kind !== 'approved' && kind !== 'denied')
    throw wrongReply(place, `a call that waits for an approval takes approved or denied, not ${kind}`);
}

function wrongReply(place: string, problem: string): PromptEvaluationError {
  const details = { code: 'E735', place } as const;
  return new PromptEvaluationError(report(problem, details), { ...details, phase: 'request' });
}
