import { describeMisfit } from '../../common/dataForm.js';
import { isRecord } from '../../common/guards.js';
import { aJsonValue } from '../../common/jsonForm.js';
import { MAX_REPLY_CHARS } from '../../common/limits.js';
import { messageOf } from '../../common/text.js';
import { parseArguments } from '../../dispatch/admit/parseArguments.js';
import { describeIssues } from '../../dispatch/finish/outcomeTexts.js';
import type { Redaction } from '../../dispatch/redact/Redaction.js';
import { findUnknownOption } from '../../error/optionNames.js';
import { createEvaluationError, type PromptEvaluationError } from '../../error/PromptError.js';
import type { ApprovalDecision } from '../../interface/Approver.js';
import type { QuestionReply } from '../../interface/RunEntry.js';
import type { RenderedTool } from '../../prompt/RenderedTool.js';
import type { ToolCall } from '../../value/ToolCall.js';
import { copyArguments } from '../../schema/parse/copyArguments.js';
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
  const { arguments: edited } = rest as { readonly arguments?: unknown };
  const edit = isRecord(edited) ? copyEdit(edited) : {};
  if (typeof edit === 'string') return edit;
  const reply = { kind, ...rest, ...edit } as QuestionReply;
  const length = Object.values({ ...rest, ...edit }).reduce((sum, field) => sum + measureField(field), 0);
  if (length <= MAX_REPLY_CHARS) return reply;
  return `the reply: expected texts of at most ${String(MAX_REPLY_CHARS)} characters together, got ${String(length)}`;
}

/** Reads each own property once, even if JSON would leave it out. Anything but an object stays as it is. */
function copyFields(given: unknown): unknown {
  if (!isRecord(given)) return given;
  return Object.fromEntries(Object.getOwnPropertyNames(given).map((name) => [name, given[name]]));
}

/**
 * Copies the arguments of a reply as the log holds them. The same limits hold as for the arguments of a model.
 *
 * @returns the copy, or the first part that is not JSON
 */
function copyEdit(given: object): { readonly arguments: unknown } | string {
  const describe = (path: string, problem: string): string =>
    `reply.${path === '' ? 'arguments' : `arguments.${path}`}: ${problem}`;
  const copied = copyArguments(given);
  if (!copied.ok)
    return copied.issues
      .slice(0, 1)
      .map(({ path, message }) => describe(path, message))
      .join();
  const misfit = aJsonValue(copied.value);
  if (misfit !== undefined) return describe(misfit.path, describeMisfit(misfit));
  return { arguments: JSON.parse(JSON.stringify(copied.value)) as unknown };
}

/** The length of a field in characters; of arguments, the length of their JSON. */
function measureField(field: unknown): number {
  if (typeof field === 'string') return field.length;
  return field === undefined ? 0 : JSON.stringify(field).length;
}

/** Refuses a value that cannot answer any question, before it reaches the store. @throws PromptEvaluationError E735 */
export function requireReply(place: string, given: unknown): QuestionReply {
  const reply = copyReply(given);
  if (typeof reply === 'string') throw createReplyError(place, reply);
  return reply;
}

/**
 * Refuses arguments that a person wrote, if the tool would refuse them when the call runs.
 *
 * @throws PromptEvaluationError E735 with the issues, redacted
 */
export function requireEdit(
  place: string,
  { name, metadata }: RenderedTool,
  edited: ToolCall['arguments'],
  redaction: Redaction,
): void {
  const parsed = parseArguments(metadata, edited, { repair: 'off' });
  if (parsed.ok) return;
  throw createReplyError(place, `reply.arguments: ${redaction.redact(describeIssues(name, parsed.issues))}`);
}

/**
 * Like `requireReply`, for a call that waits for an approval and has no conversation.
 *
 * @throws PromptEvaluationError E735, also for `seen` and `arguments`, which only replies to questions may have
 */
export function requireApproval(place: string, given: unknown): ApprovalDecision {
  const answer = requireReply(place, given);
  if (answer.kind !== 'approved' && answer.kind !== 'denied')
    throw createReplyError(place, `a call that waits for an approval takes approved or denied, not ${answer.kind}`);
  for (const field of ['seen', 'arguments'] as const)
    if (answer.kind === 'approved' && answer[field] !== undefined)
      throw createReplyError(
        place,
        `reply.${field}: it is used only for questions of runs and conversations; leave it out`,
      );
  return answer;
}

function createReplyError(place: string, problem: string): PromptEvaluationError {
  return createEvaluationError(problem, { code: 'E735', place });
}
