import { isDeepStrictEqual } from 'node:util';
import { type JsonValue, PromptEvaluationError } from 'toolwright';
import type { HistoryEntry, QuestionReply } from 'toolwright/conversations';
import type { ChatMessage } from '../chats/ChatOptions.js';
import type { ChatRequest } from '../chats/ChatService.js';
import { type AskedQuestion, listQuestions } from '../chats/listQuestions.js';
import { checkMessage } from '../chats/readMessage.js';
import { type MessagePlace, type Decisions, messageIdOf } from '../chats/UserChats.js';
import { HttpProblem } from '../http/HttpProblem.js';
import type { AgUiInput } from './readAgUiInput.js';
import { toReply } from './toReply.js';

/** The run that a request shows, and the place from which it does. */
export interface StreamPlace extends MessagePlace {
  /** True if it is unknown which messages the client has: it gets all of them first. */
  readonly needsSnapshot: boolean;
  /** True if the client gives up a question that has ended: its request is fulfilled however the run has ended. */
  readonly isGivenUp?: boolean | undefined;
}

/** A request that the conversation does not allow. */
export interface ResumeRefusal {
  readonly code: 'interrupts_open' | 'interrupt_unknown' | 'answer_invalid' | 'answer_late';
  /** A sentence for the developer of the client. */
  readonly refusal: string;
}

/** Does what a request asks for: begins a run, or continues or shows the last one. @throws HttpProblem 400, 403, 404, 409, 413, 415 */
export async function beginStream(
  chat: ChatRequest,
  input: AgUiInput,
  body: Readonly<Record<string, unknown>>,
): Promise<StreamPlace | ResumeRefusal> {
  const { chats, options } = chat;
  const { thread, answers, change } = input;
  const history = await chats.historyIfAny(thread);
  const questions = listQuestions(history);
  const open = [...questions.values()].filter(({ isOpen }) => isOpen);
  const refusal = findUnanswered(open, answers) ?? findLate(questions, answers);
  if (refusal !== undefined) return refusal;
  if (change !== undefined && open.some(({ id }) => answers.get(id)?.status === 'resolved'))
    throw new HttpProblem(
      400,
      `The trigger ${change.kind} ends the calls that wait for answers: send the answers alone first, or cancel the questions.`,
    );
  const makeInput = (): Promise<JsonValue> => chat.input({ chat: thread, body });
  if (change?.kind === 'regenerate') {
    const run = await chats.regenerate(thread, change.answer && runOf(change.answer), makeInput);
    return { ...run, needsSnapshot: true };
  }
  const message = input.message && checkMessage(input.message, options);
  if (change?.kind === 'edit') {
    if (message === undefined) throw new HttpProblem(400, 'An edited message has to be the last one.');
    return { ...(await chats.edit(thread, message, makeInput)), needsSnapshot: true };
  }
  const fresh = message === undefined || isKnown(history, message.id) ? undefined : message;
  const givesUp = open.every(({ id }) => answers.get(id)?.status === 'cancelled');
  // A message in place of answers begins a run, which ends the one that waits.
  if (fresh !== undefined && givesUp)
    return { ...(await chats.submit(thread, fresh, makeInput)), needsSnapshot: answers.size > 0 };
  if (open.length > 0) return answerQuestions(chat, thread, open, input, fresh);
  return {
    ...(await findLast(chat, thread, history)),
    needsSnapshot: true,
    isGivenUp: answers.size > 0 && isAllGivenUp(answers),
  };
}

/** Returns the place from which a client goes on that has lost its stream; undefined without a run. */
export async function resumeStream(chat: ChatRequest, thread: string): Promise<StreamPlace | undefined> {
  const current = await chat.chats.current(thread);
  if (current === undefined) return undefined;
  const history = await chat.runs.history(current.run);
  return { ...placeBehind(history, current.run), needsSnapshot: true };
}

/** Every request has to answer all open questions. */
function findUnanswered(open: readonly AskedQuestion[], answers: AgUiInput['answers']): ResumeRefusal | undefined {
  const missing = open.map(({ id }) => id).filter((id) => !answers.has(id));
  if (missing.length === 0) return undefined;
  const refusal = `The chat waits for answers to ${missing.join(', ')}. Send them as resume, all in one request.`;
  return { code: 'interrupts_open', refusal };
}

function findLate(
  questions: ReadonlyMap<string, AskedQuestion>,
  answers: AgUiInput['answers'],
): ResumeRefusal | undefined {
  for (const [id, answer] of answers) {
    const asked = questions.get(id);
    if (asked === undefined) return { code: 'interrupt_unknown', refusal: `The chat has no question ${id}.` };
    const reply = toReply(asked, answer);
    if (reply === undefined)
      return {
        code: 'answer_invalid',
        refusal: `The answer to ${id} does not match the responseSchema of the question.`,
      };
    if (asked.isOpen || answer.status === 'cancelled') continue;
    const { by: _by, ...given } = asked.reply ?? {};
    if (!isDeepStrictEqual(given, { ...reply })) return createLateRefusal(id);
  }
  return undefined;
}

function createLateRefusal(id: string): ResumeRefusal {
  const refusal = `The question ${id} has ended: another person has answered it, or its run has ended. Cancel it to go on.`;
  return { code: 'answer_late', refusal };
}

async function answerQuestions(
  { chats, approvals, runs }: ChatRequest,
  thread: string,
  open: readonly AskedQuestion[],
  { answers }: AgUiInput,
  message: ChatMessage | undefined,
): Promise<StreamPlace | ResumeRefusal> {
  const [{ run } = { run: '' }] = open;
  const decisions: Decisions = new Map(
    open.flatMap((asked) => {
      const answer = answers.get(asked.id);
      const reply = answer && toReply(asked, answer);
      return reply === undefined ? [] : [[asked.id, reply]];
    }),
  );
  // One answer that cannot be taken keeps all others back, because the client sends them again together.
  for (const [question, reply] of decisions)
    if (reply.kind === 'approved' && reply.arguments !== undefined && !(await isAccepted(runs, run, question, reply)))
      return {
        code: 'answer_invalid',
        refusal: `The tool refuses the arguments in the answer to ${question}. Change them, and send the answer again.`,
      };
  if (message !== undefined) {
    if (message.parts.length > 0)
      throw new HttpProblem(400, 'Send the files as a message of its own, after the answers.');
    // The model hears it behind the outcomes of the answered calls.
    await chats.steer(thread, message);
  }
  const { late, ...place } = await chats.answer(thread, run, decisions, approvals);
  const refused = late.find(({ question }) => answers.get(question)?.status === 'resolved');
  return refused === undefined ? { ...place, needsSnapshot: false } : createLateRefusal(refused.question);
}

/** Checks edited arguments as the tool does before it runs. A question that was answered meanwhile accepts all. */
async function isAccepted(
  runs: ChatRequest['runs'],
  run: string,
  question: string,
  { arguments: edited }: Extract<QuestionReply, { kind: 'approved' }>,
): Promise<boolean> {
  try {
    await runs.preview(run, question, { rehearses: false, arguments: edited });
    return true;
  } catch (error) {
    const code = error instanceof PromptEvaluationError ? error.code : undefined;
    // E743: it is open no longer.
    if (code === 'E735' || code === 'E743') return code === 'E743';
    throw error;
  }
}

async function findLast(chat: ChatRequest, thread: string, history: readonly HistoryEntry[]): Promise<MessagePlace> {
  const last = history.findLast((entry): entry is HistoryEntry & { readonly kind: 'run' } => entry.kind === 'run');
  const run = (await chat.chats.current(thread))?.run ?? last?.run;
  if (run === undefined) throw new HttpProblem(400, 'The last message has to be a new one of the user.');
  return placeBehind(history, run);
}

/** Returns the place behind all entries of a run that are there. */
function placeBehind(history: readonly HistoryEntry[], run: string): MessagePlace {
  const begin = history.findLastIndex((entry) => entry.kind === 'run' && entry.run === run);
  const last = begin === -1 ? undefined : history.slice(begin + 1).at(-1);
  return { run, after: last?.seq ?? 0 };
}

function isKnown(history: readonly HistoryEntry[], message: string): boolean {
  return history.some(
    (entry) =>
      (entry.kind === 'run' && messageIdOf(entry.run) === message) ||
      (entry.kind === 'steering' && entry.id === message),
  );
}

function isAllGivenUp(answers: AgUiInput['answers']): boolean {
  return [...answers.values()].every(({ status }) => status === 'cancelled');
}

/** Returns the run of a message of the assistant, whose id is `RUN:TURN`. Ids that clients choose have no slash, and are left as they are. */
function runOf(message: string): string {
  return message.includes('/') ? message.slice(0, message.lastIndexOf(':')) : message;
}
