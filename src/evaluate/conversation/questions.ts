import { randomId } from '../../common/builtins.js';
import { keyText, joinBounded, quote } from '../../common/text.js';
import { createEvaluationError, type PromptEvaluationError } from '../../error/PromptError.js';
import type { RunEntry, QuestionReply } from '../../interface/RunEntry.js';
import type { ToolCall } from '../../value/ToolCall.js';
import { copyReply } from '../check/requireReply.js';
import { Denials } from './log/Denials.js';
import { withVersion } from './log/entryFormat.js';
import { Recording } from './log/Recording.js';

/** The kinds of replies that a question takes. */
const REPLIES: Readonly<Record<RunEntry<'question'>['about'], readonly QuestionReply['kind'][]>> = {
  approval: ['approved', 'denied'],
  unknown: ['denied', 'repeat', 'outcome'],
};

/** Returns a question about a call that began in a process that ended. */
export function askAboutCutOff(
  call: string,
  { name, arguments: given }: ToolCall,
  askedAt: number,
): RunEntry<'question'> {
  return { kind: 'question', id: randomId(), call, name, arguments: given, about: 'unknown', askedAt };
}

/** Returns the questions that can be answered: of a run that has not ended, the last one about each call. */
export function listOpenQuestions(entries: readonly RunEntry[]): readonly RunEntry<'question'>[] {
  const open = new Map<string, RunEntry<'question'>>();
  for (const entry of entries) {
    if (entry.kind === 'run' || entry.kind === 'end') open.clear();
    if (entry.kind === 'question') open.set(entry.call, entry);
    if (entry.kind === 'outcome') open.delete(entry.call);
    // A denial of an earlier call at the same place may be lifted meanwhile.
    if (entry.kind === 'reply' && entry.reply.kind !== 'lifted') open.delete(entry.call);
  }
  return [...open.values()];
}

/**
 * Decides the outcome of a reply: its entry if the question is open, `late` if it was answered or its run or call has ended.
 *
 * @param run the run that asked it; any when left out
 * @throws PromptEvaluationError E709 for a question that was never asked, E735 for a reply of another form or too long, or of a kind that
 * the open question does not take
 */
export function createReply(
  entries: readonly RunEntry[],
  conversation: string,
  id: string,
  given: QuestionReply,
  run?: string,
): RunEntry<'reply'> | 'late' {
  const question = listOpenQuestions(entries).find((open) => open.id === id);
  const asker = findAsker(entries, id);
  if (asker === undefined) throw createNoQuestionError(describePlace(conversation), id, listOpenQuestions(entries));
  const reply = copyReply(given);
  const isLift = typeof reply !== 'string' && reply.kind === 'lifted';
  if (question === undefined && !isLift) return 'late';
  if (run !== undefined && asker !== '' && asker !== run)
    throw createNoQuestionError(describePlace(conversation, run), id);
  if (question === undefined) return createLift(entries, conversation, id, reply as LiftReply);
  const { about, call } = question;
  const kinds = REPLIES[about];
  const asked = `its question (${about})`;
  if (typeof reply === 'string') throw createReplyError(conversation, call, `${asked} was not answered: ${reply}`);
  if (about === 'unknown' && reply.kind === 'denied' && reply.until !== undefined)
    throw createReplyError(
      conversation,
      call,
      `${asked} was not answered: reply.until: only the denial of an approval can hold for later calls; leave it out`,
    );
  if (kinds.includes(reply.kind)) return createReplyEntry(id, call, reply);
  const problem = `${asked} takes a reply of kind ${joinBounded(kinds)}, not ${reply.kind}`;
  throw createReplyError(conversation, call, problem);
}

function createReplyEntry(question: string, call: string, reply: QuestionReply): RunEntry<'reply'> {
  return withVersion<RunEntry<'reply'> & RunEntry>({ kind: 'reply', question, call, reply });
}

function createReplyError(conversation: string, call: string, problem: string): PromptEvaluationError {
  const place = `conversation ${keyText(conversation)}, call ${call}`;
  return createEvaluationError(problem, { phase: 'tool', code: 'E735', place });
}

type LiftReply = Extract<QuestionReply, { readonly kind: 'lifted' }>;

/** Decides the outcome of a reply that lifts a denial, between the steps of a run. */
function createLift(
  entries: readonly RunEntry[],
  conversation: string,
  id: string,
  reply: LiftReply,
): RunEntry<'reply'> | 'late' {
  const asked = entries.find((entry) => entry.kind === 'question' && entry.id === id) as RunEntry<'question'>;
  const { call } = asked;
  const state = new Denials(entries).stateOf(id);
  if (state === 'lifted') return 'late';
  const problem =
    state === undefined ? 'no denial answered it that holds until it is lifted' : describeGoingOn(entries);
  if (problem === undefined) return createReplyEntry(id, call, reply);
  throw createReplyError(conversation, call, `its question takes no reply of kind lifted: ${problem}`);
}

/** Says that a run may write to the log at any time; undefined for a run that waits or has ended. */
function describeGoingOn(entries: readonly RunEntry[]): string | undefined {
  const last = entries.findLast(({ kind }) => kind === 'run' || kind === 'end');
  return last?.kind !== 'run' || listOpenQuestions(entries).length > 0
    ? undefined
    : `the run ${quote(last.run)} goes on; the denial can be lifted when its run waits or has ended`;
}

function describePlace(conversation: string, run?: string): string {
  const place = `conversation ${quote(conversation)}`;
  return run === undefined ? place : `${place}, run ${quote(run)}`;
}

/** A reply names a question that was never asked. @param open the questions that wait */
export function createNoQuestionError(
  place: string,
  id: string,
  open: readonly RunEntry<'question'>[] = [],
): PromptEvaluationError {
  const names = open.map((question) => `${question.id} (call ${question.call} of ${question.name})`);
  const waiting = names.length === 0 ? '' : `; what waits is ${joinBounded(names)}`;
  const remedy = 'Take the id of the question, its conversation and its run from the question itself.';
  const problem = `it has never asked a question ${quote(id)}${waiting}`;
  return createEvaluationError(problem, { code: 'E709', place, remedy });
}

function isHeldDenial(entry: RunEntry): entry is RunEntry<'reply'> {
  return entry.kind === 'reply' && entry.reply.kind === 'denied' && entry.reply.until === 'lifted';
}

/** Returns the run that asked a question, an empty text if the log does not say; undefined if it was never asked. */
export function findAsker(entries: readonly RunEntry[], id: string): string | undefined {
  let run: string | undefined;
  for (const entry of entries) {
    if (entry.kind === 'run') run = entry.run;
    if (entry.kind === 'question' && entry.id === id) return run ?? '';
  }
  return undefined;
}

/** Returns the arguments that a person approved for a call of the open run in place of the model's; undefined without any. */
export function findEdit(entries: readonly RunEntry[], call: string): ToolCall['arguments'] | undefined {
  const begin = entries.map(({ kind }) => kind).lastIndexOf('run');
  return new Recording(entries.slice(begin)).approvals.get(call)?.edited;
}

/**
 * Returns the entries of a copy: without the questions and replies about calls of the open run that have not ended. An approval holds for
 * one call, and not for its copies. A denial that holds until it is lifted stays.
 */
export function removeOpenQuestions(entries: readonly RunEntry[]): readonly RunEntry[] {
  const kinds = entries.map(({ kind }) => kind);
  const [begin, end] = [kinds.lastIndexOf('run'), kinds.lastIndexOf('end')];
  if (begin < 0 || end > begin) return entries;
  const ended = new Set(entries.slice(begin).flatMap((entry) => (entry.kind === 'outcome' ? [entry.call] : [])));
  const held = new Set(entries.slice(begin).flatMap((entry) => (isHeldDenial(entry) ? [entry.question] : [])));
  return entries.filter((entry, at) => {
    if (at < begin || (entry.kind !== 'question' && entry.kind !== 'reply')) return true;
    if (entry.kind === 'reply' && entry.reply.kind === 'lifted') return true;
    return ended.has(entry.call) || held.has(entry.kind === 'question' ? entry.id : entry.question);
  });
}
