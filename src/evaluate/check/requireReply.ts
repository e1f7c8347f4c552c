import { describeMisfit } from '../../common/dataForm.js';
import { isRecord } from '../../common/guards.js';
import { MAX_REPLY_CHARS } from '../../common/limits.js';
import { messageOf } from '../../common/text.js';
import { findUnknownOption } from '../../error/optionNames.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import { formatMessage } from '../../error/ToolwrightError.js';
import type { ApprovalDecision } from '../../interface/Approver.js';
import type { QuestionReply } from '../../interface/RunEntry.js';
import { replyFields, replyForm } from '../conversation/log/entryForms.js';

/**
 * Copies a reply, and checks the copy, which is then written: the caller's object may give another value when it is read again.
 *
 * @returns the copy; or why this cannot be a reply to any question: its form, a field that replies do not have, or its length. Replies that
 * were recorded before are read without it
 */
export function copyReply(given: unknown): QuestionReply | string {
  let copy: unknown;
  try {
    copy = copyFields(given);
  } catch (error) {
    return `the reply: a field of it cannot be read: ${messageOf(error)}`;
  }
  const misfit = replyForm(copy);
  if (misfit !== undefined) {
    const where = misfit.path === '' ? 'the reply' : `reply.${misfit.path}`;
    return `${where}: ${describeMisfit(misfit)}`;
  }
  const { kind, ...rest } = copy as QuestionReply;
  const [required, optional] = replyFields[kind];
  // Left alone, an approval with a misspelt `seen` would hold for any changes.
  const unknown = findUnknownOption(rest, { ...required, ...optional }, 'field');
  if (unknown !== undefined) return `the reply: ${unknown}`;
  const length = Object.values<string | undefined>(rest).reduce((sum, text = '') => sum + text.length, 0);
  if (length <= MAX_REPLY_CHARS) return copy as QuestionReply;
  return `the reply: expected texts of at most ${String(MAX_REPLY_CHARS)} characters together, got ${String(length)}`;
}

/** Reads each own property once, also those that JSON would leave out. Anything but an object stays as it is. */
function copyFields(given: unknown): unknown {
  if (!isRecord(given)) return given;
  return Object.fromEntries(Object.getOwnPropertyNames(given).map((name) => [name, given[name]]));
}

/**
 * Refuses a value that cannot answer any question, before it reaches the store.
 *
 * @param place the method that was called
 * @returns a copy of the reply
 * @throws PromptEvaluationError E735
 */
export function requireReply(place: string, given: unknown): QuestionReply {
  const reply = copyReply(given);
  if (typeof reply === 'string') throw createReplyError(place, reply);
  return reply;
}

/**
 * Like `requireReply`, for a call that waits for an approval and has no conversation.
 *
 * @throws PromptEvaluationError E735, also for `seen`: only `runs.preview` gives it, and only for questions of runs
 */
export function requireApproval(place: string, given: unknown): ApprovalDecision {
  const answer = requireReply(place, given);
  if (answer.kind !== 'approved' && answer.kind !== 'denied')
    throw createReplyError(place, `a call that waits for an approval takes approved or denied, not ${answer.kind}`);
  if (answer.kind === 'approved' && answer.seen !== undefined)
    throw createReplyError(
      place,
      'reply.seen: it is compared only for questions of runs and conversations; leave it out',
    );
  return answer;
}

function createReplyError(place: string, problem: string): PromptEvaluationError {
  const details = { code: 'E735', place } as const;
  return new PromptEvaluationError(formatMessage(problem, details), { ...details, phase: 'request' });
}
