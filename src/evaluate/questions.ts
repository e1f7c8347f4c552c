import type { ApprovalAnswer } from '../interface/Approver.js';
import { describeMisfit } from '../common/dataForm.js';
import { listed } from '../common/text.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import type { LogEntry, QuestionAsked, QuestionReply } from '../interface/RunStore.js';
import { replyForm } from './conversation/entryForms.js';

/** The kinds of replies that a question takes. */
const REPLIES: Readonly<Record<QuestionAsked['about'], readonly QuestionReply['kind'][]>> = {
  approval: ['approved', 'denied'],
  unknown: ['approved', 'denied', 'repeat', 'outcome'],
};

/** Returns the questions that can be answered: of a run that has not ended, the last one about each call. */
export function openQuestions(entries: readonly LogEntry[]): readonly QuestionAsked[] {
  const open = new Map<string, QuestionAsked>();
  for (const entry of entries) {
    if (entry.kind === 'run' || entry.kind === 'end') open.clear();
    if (entry.kind === 'question') open.set(entry.call, entry);
    if (entry.kind === 'reply' || entry.kind === 'outcome') open.delete(entry.call);
  }
  return [...open.values()];
}

/**
 * Decides what becomes of a reply: `open` if it can be taken, `late` if the question was answered or its run or call has ended,
 * `none` if it was never asked.
 *
 * @throws PromptEvaluationError E735 for a reply of another form, or of a kind that the open question does not take
 */
export function replyTo(
  entries: readonly LogEntry[],
  conversation: string,
  call: string,
  reply: QuestionReply,
): 'open' | 'late' | 'none' {
  const question = openQuestions(entries).find((open) => open.call === call);
  if (question === undefined)
    return entries.some((entry) => entry.kind === 'question' && entry.call === call) ? 'late' : 'none';
  const kinds = REPLIES[question.about];
  const asked = `The question of conversation ${conversation} about the call ${call} (${question.about})`;
  const details = { phase: 'tool', code: 'E735', place: `conversation ${conversation}, call ${call}` } as const;
  const misfit = replyForm(reply);
  if (misfit !== undefined) {
    const where = misfit.path === '' ? 'the reply' : `reply.${misfit.path}`;
    throw new PromptEvaluationError(`${asked} was not answered: ${where}: ${describeMisfit(misfit)}.`, details);
  }
  if (kinds.includes(reply.kind)) return 'open';
  throw new PromptEvaluationError(`${asked} takes a reply of kind ${listed(kinds)}, not ${reply.kind}.`, details);
}

/** Reads a reply as the answer of an approver; undefined if it decides about no approval. */
export function approvalIn(reply: QuestionReply | undefined): ApprovalAnswer | undefined {
  if (reply?.kind === 'approved') return { kind: 'approved' };
  return reply?.kind === 'denied' ? { kind: 'denied', reason: reply.reason } : undefined;
}
