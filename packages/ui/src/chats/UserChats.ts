import { createHash, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { JsonValue, Message } from 'toolwright';
import type { HistoryEntry, QuestionReply } from 'toolwright/conversations';
import type { ChatRecord, DurableRun, OpenQuestion, RunRecord, Runs } from '@toolwright/durable';
import { ensureWellFormed } from 'toolwright/internal';
import { HttpProblem } from '../http/HttpProblem.js';
import { FIRST_TITLE_CHARS, MAX_PAGE, MAX_TITLE_CHARS, RESUME_AFTER_END_MS } from '../limits.js';
import type { ChatMessage, ChatUser } from './ChatOptions.js';
import type { Approvals } from './Approvals.js';
import { type AskedQuestion, listQuestions } from './listQuestions.js';
import { fitReply } from './readDecision.js';

/** A chat as lists show it. */
export type ChatSummary = Pick<ChatRecord, 'id' | 'title' | 'createdAt' | 'changedAt'>;

/** A message of the model that a client reads: its run, and the part that the client has. */
export interface MessagePlace {
  readonly run: string;
  /** The client has the message up to this place in the log; 0 for a new message. */
  readonly after: number;
}

/** A decision that changed nothing, because the question was answered otherwise or its run had ended. */
export interface LateDecision {
  readonly question: string;
  /** The reply that counts; undefined if the run ended without one. */
  readonly reply: QuestionReply | undefined;
}

/** The last request that changes each chat, in this process: the next one waits for it. */
export type ChatTurns = Map<string, Promise<void>>;

/** A decision of a person, by the id of the question. */
export type Decisions = ReadonlyMap<string, QuestionReply>;

/** The route of questions, which stands where chats have their id. */
export const QUESTIONS = 'questions';

const OPEN = ['queued', 'running', 'waiting', 'paused'] as const;

/**
 * The chats of one user. The record is the server's: a chat is a list of conversations, of which the last one is shown, and each message
 * of the user is a run in it. An edited or repeated message begins a copy of the conversation.
 */
export class UserChats<I extends JsonValue = JsonValue> {
  readonly #runs: Runs<I>;
  readonly #user: ChatUser;
  readonly #turns: ChatTurns;

  /** @param runs of the user's tenant */
  constructor(runs: Runs<I>, user: ChatUser, turns: ChatTurns) {
    this.#runs = runs;
    this.#user = user;
    this.#turns = turns;
  }

  /** Lists the user's chats, the last changed first. @param before the `changedAt` of the last chat of the page before */
  async list(before?: number): Promise<readonly ChatSummary[]> {
    const chats = await this.#runs.chats.list(this.#user.id, {
      limit: MAX_PAGE,
      ...(before === undefined ? {} : { before }),
    });
    return chats.map(({ id, title, createdAt, changedAt }) => ({ id, title, createdAt, changedAt }));
  }

  /** Returns a chat. @throws HttpProblem 404, also for a chat of another user */
  async get(id: string): Promise<ChatRecord> {
    const chat = await this.#runs.chats.get(this.#user.id, id);
    if (chat === undefined) throw new HttpProblem(404, 'There is no such chat.');
    return chat;
  }

  /** Returns the entries of the shown conversation of a chat, from its first message. @throws HttpProblem 404 */
  async history(id: string): Promise<readonly HistoryEntry[]> {
    return this.#historyOf(await this.get(id));
  }

  /** Like `history`, and empty for a chat that the user has not begun. */
  async historyIfAny(id: string): Promise<readonly HistoryEntry[]> {
    const chat = await this.#runs.chats.get(this.#user.id, id);
    return chat === undefined ? [] : this.#historyOf(chat);
  }

  /**
   * Begins a run with a new message. The same message again returns its run.
   *
   * @param input makes the input of the run
   * @throws HttpProblem 409 while the chat answers another message
   */
  submit(id: string, message: ChatMessage, input: () => Promise<I>): Promise<MessagePlace> {
    return this.#inTurn(id, async () => {
      const chat = (await this.#runs.chats.get(this.#user.id, id)) ?? (await this.#create(id, message));
      const known = await this.#searchRun(chat, (each) => messageIdOf(each.id) === message.id);
      return known === undefined ? this.#begin(chat, message, input) : { run: known.id, after: 0 };
    });
  }

  /**
   * Puts another message in the place of an earlier one: the chat goes on in a copy of its conversation up to there.
   *
   * @throws HttpProblem 404 for a message that is not in the chat, 409
   */
  edit(id: string, message: ChatMessage, input: () => Promise<I>): Promise<MessagePlace> {
    return this.#inTurn(id, async () => {
      const chat = await this.get(id);
      const run = await this.#findRun(chat, (each) => messageIdOf(each.id) === message.id);
      return this.#beginInCopy(chat, run, message, input);
    });
  }

  /**
   * Lets the model answer a message again, in a copy of the conversation up to there.
   *
   * @param answer the id of the message that is answered anew; the last one when left out
   * @throws HttpProblem 404, 409
   */
  regenerate(id: string, answer: string | undefined, input: () => Promise<I>): Promise<MessagePlace> {
    return this.#inTurn(id, async () => {
      const chat = await this.get(id);
      const run = await this.#findRun(
        chat,
        (each) => answer === undefined || each.id === answer || messageIdOf(each.id) === answer,
      );
      return this.#beginInCopy(chat, run, toChatMessage(run), input);
    });
  }

  /** Returns the run that a client resumes: the open one, or one that has just ended; undefined without one. */
  async current(id: string): Promise<MessagePlace | undefined> {
    const last = await this.#lastRun(id);
    if (last === undefined) return undefined;
    return isOpenRun(last) || Date.now() - last.changedAt < RESUME_AFTER_END_MS
      ? { run: last.id, after: 0 }
      : undefined;
  }

  /** Returns the last run of a chat; undefined without one. */
  async last(id: string): Promise<{ readonly run: string; readonly isOpen: boolean } | undefined> {
    const last = await this.#lastRun(id);
    return last && { run: last.id, isOpen: isOpenRun(last) };
  }

  /**
   * Answers questions of a message of the model. Questions that were answered before stay as they are.
   *
   * @param approvals the questions that the user may answer
   * @returns the rest of the message, from its questions on, and the decisions that other ones preceded
   * @throws HttpProblem 404, 403 for a question that another person has to answer
   */
  async answer(
    id: string,
    run: string,
    decisions: Decisions,
    approvals: Approvals<I>,
  ): Promise<MessagePlace & { readonly late: readonly LateDecision[] }> {
    const { id: found } = await this.#findRun(await this.get(id), (each) => each.id === run);
    const asked = (await this.#runs.history(found)).filter((entry) => entry.kind === 'question');
    let after = 0;
    const late: AskedQuestion[] = [];
    for (const { id: question, seq = 0 } of asked) {
      const decision = decisions.get(question);
      if (decision === undefined) continue;
      after = Math.max(after, seq);
      if ((await approvals.replyInChat(question, decision)) === 'taken') continue;
      const now = listQuestions(await this.#runs.history(found)).get(question);
      if (now !== undefined && !isSameDecision(now, decision)) late.push(now);
    }
    return { run, after, late: late.map(({ id: question, reply }) => ({ question, reply })) };
  }

  /** Stops the answer that is being written, and keeps its beginning. @throws HttpProblem 404 */
  async stop(id: string): Promise<void> {
    const run = await this.#openRun(branchOf(await this.get(id)));
    if (run !== undefined) await this.#runs.cancel(run.id, 'The user stopped the answer.');
  }

  /**
   * Writes to the model while it answers.
   *
   * @throws HttpProblem 404; 409 if it has finished, so that the message begins a run instead
   */
  async steer(id: string, { id: messageId, text }: Pick<ChatMessage, 'id' | 'text'>): Promise<void> {
    const chat = await this.get(id);
    const run = await this.#openRun(branchOf(chat));
    const taken = run && (await this.#runs.steer(run.id, text, { id: messageId }));
    if (taken === 'taken') return;
    // A message that comes again is late as well, and was taken before.
    const isOpen = run !== undefined && (await this.#openRun(branchOf(chat)))?.id === run.id;
    const isKnown = ({ kind, id: known }: { readonly kind: string; readonly id?: string }): boolean =>
      kind === 'steering' && known === messageId;
    if (isOpen || (await this.#historyOf(chat)).some((entry) => isKnown(entry))) return;
    throw new HttpProblem(409, 'The answer is finished. Send the message as a new one.');
  }

  /** @throws HttpProblem 404 */
  async rename(id: string, title: string): Promise<void> {
    const branch = branchOf(await this.get(id));
    await this.#runs.chats.change({ owner: this.#user.id, id, branch }, { title: shorten(title, MAX_TITLE_CHARS) });
  }

  /** Deletes a chat with its conversations, runs and questions. A run that goes on is cancelled. @throws HttpProblem 404 */
  delete(id: string): Promise<void> {
    return this.#inTurn(id, async () => {
      const { branches } = await this.get(id);
      await this.#deleteBranches(branches);
      await this.#runs.chats.delete(this.#user.id, id);
      // A request that came between found the chat, and its run sees only afterwards that it is gone.
      await this.#deleteBranches(branches);
    });
  }

  async #deleteBranches(branches: readonly string[]): Promise<void> {
    for (const branch of branches) {
      for (const run of await this.#runsOf(branch))
        if (isOpenRun(run)) await this.#runs.cancel(run.id, 'The user deleted the chat.');
      await this.#runs.deleteConversation(branch);
    }
  }

  /** Returns everything that is kept of a chat. @throws HttpProblem 404 */
  async export(id: string): Promise<Readonly<Record<string, unknown>>> {
    const { branches, owner: _owner, ...chat } = await this.get(id);
    const conversations = await Promise.all(
      branches.map(async (branch) => {
        const run = (await this.#runsOf(branch)).at(-1);
        return run === undefined ? [] : this.#runs.history(run.id);
      }),
    );
    return { ...chat, branches, conversations };
  }

  /** Lists the open questions of the user's chats. */
  isOwnQuestion({ conversation }: OpenQuestion): boolean {
    return conversation.startsWith(`${prefixOf(this.#user.id)}-`);
  }

  async #historyOf(chat: ChatRecord): Promise<readonly HistoryEntry[]> {
    const run = (await this.#runsOf(branchOf(chat))).at(-1);
    return run === undefined ? [] : this.#runs.history(run.id);
  }

  /** Does the work after all earlier requests that change the chat: each of them reads its state first. */
  #inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const key = JSON.stringify([this.#runs.tenant, this.#user.id, id]);
    const done = (this.#turns.get(key) ?? Promise.resolve()).then(work);
    const settled = done.then(
      () => undefined,
      () => undefined,
    );
    this.#turns.set(key, settled);
    void settled.then(() => {
      if (this.#turns.get(key) === settled) this.#turns.delete(key);
    });
    return done;
  }

  async #create(id: string, message: ChatMessage): Promise<ChatRecord> {
    if (id === QUESTIONS) throw new HttpProblem(400, `The id ${QUESTIONS} is not possible for a chat.`);
    const owner = this.#user.id;
    const branch = `${prefixOf(owner)}-${digest([id, randomUUID()])}`;
    const title = shorten(message.text.trim().replace(/\s+/g, ' '), FIRST_TITLE_CHARS) || null;
    await this.#runs.chats.create({ owner, id, branches: [branch], title });
    return this.get(id);
  }

  async #begin(chat: ChatRecord, message: ChatMessage, input: () => Promise<I>): Promise<MessagePlace> {
    const conversation = branchOf(chat);
    const run = `${conversation}/${message.id}`;
    const open = await this.#openRun(conversation);
    if (open !== undefined && open.id !== run) {
      if (open.status !== 'waiting')
        throw new HttpProblem(409, 'The chat answers another message. Wait for its end, or stop it.');
      // The user goes on without deciding, which gives the waiting calls up.
      await this.#runs.cancel(open.id, 'The user wrote something else.');
    }
    const messages: readonly Message[] = [
      { role: 'user', content: message.text, ...(message.parts.length === 0 ? {} : { parts: message.parts }) },
    ];
    const started: DurableRun = await this.#runs.start({ id: run, conversation, input: await input(), messages });
    // The chat becomes the first of the list, unless another request has deleted or changed it meanwhile.
    const { owner, id, branches } = chat;
    const changed = await this.#runs.chats.change({ owner, id, branch: conversation }, { branches });
    if (changed !== undefined) return { run: started.id, after: 0 };
    await this.#runs.cancel(started.id, 'The chat was changed by another request.');
    if ((await this.#runs.chats.get(owner, id)) === undefined) await this.#runs.deleteConversation(conversation);
    throw new HttpProblem(409, 'The chat was changed by another request. Load it again.');
  }

  async #beginInCopy(
    chat: ChatRecord,
    run: RunRecord,
    message: ChatMessage,
    input: () => Promise<I>,
  ): Promise<MessagePlace> {
    const branch = branchOf(chat);
    const open = await this.#openRun(branch);
    if (open !== undefined && open.status !== 'waiting')
      throw new HttpProblem(409, 'The chat answers another message. Wait for its end, or stop it.');
    if (open !== undefined) await this.#runs.cancel(open.id, 'The user wrote something else.');
    const copy = `${prefixOf(this.#user.id)}-${digest([branch, run.id, randomUUID()])}`;
    await this.#runs.fork(run.id, { conversation: copy });
    const { owner, id, branches } = chat;
    const changed = await this.#runs.chats.change({ owner, id, branch }, { branches: [...branches, copy] });
    if (changed === undefined) throw new HttpProblem(409, 'The chat was changed by another request. Load it again.');
    return this.#begin(changed, message, input);
  }

  async #findRun(chat: ChatRecord, matches: (run: RunRecord) => boolean): Promise<RunRecord> {
    const run = await this.#searchRun(chat, matches);
    if (run === undefined) throw new HttpProblem(404, 'There is no such message in the chat.');
    return run;
  }

  /** Finds the newest run that matches, in the shown conversation and in those before it. */
  async #searchRun({ branches }: ChatRecord, matches: (run: RunRecord) => boolean): Promise<RunRecord | undefined> {
    for (const branch of [...branches].reverse()) {
      const run = (await this.#runsOf(branch)).findLast(matches);
      if (run !== undefined) return run;
    }
    return undefined;
  }

  async #lastRun(id: string): Promise<RunRecord | undefined> {
    const chat = await this.#runs.chats.get(this.#user.id, id);
    return chat && (await this.#runsOf(branchOf(chat))).at(-1);
  }

  async #openRun(conversation: string): Promise<RunRecord | undefined> {
    return (await this.#runs.list({ conversation, status: OPEN, limit: 1 })).at(0);
  }

  async #runsOf(conversation: string): Promise<readonly RunRecord[]> {
    const found: RunRecord[] = [];
    for (;;) {
      const after = found.at(-1)?.order ?? 0;
      const page = await this.#runs.list({ conversation, limit: MAX_PAGE, after });
      found.push(...page);
      if (page.length < MAX_PAGE) return found;
    }
  }
}

/** True if a question has the reply that a person gives again, or one that lets the same call run or not. */
function isSameDecision(asked: AskedQuestion, decision: QuestionReply): boolean {
  const { reply } = asked;
  const given = fitReply(asked, decision);
  if (reply?.kind !== given.kind) return false;
  if (reply.kind === 'approved' && given.kind === 'approved')
    return isDeepStrictEqual(reply.arguments, given.arguments);
  return reply.kind !== 'outcome' || given.kind !== 'outcome' || reply.text === given.text;
}

/** Returns the conversation that a chat shows. */
function branchOf({ branches }: ChatRecord): string {
  const branch = branches.at(-1);
  if (branch === undefined) throw new HttpProblem(404, 'There is no such chat.');
  return branch;
}

/** Returns the client's id of the message that began a run. */
export function messageIdOf(run: string): string {
  return run.slice(run.indexOf('/') + 1);
}

function toChatMessage({ id, messages }: RunRecord): ChatMessage {
  const [message] = messages;
  if (message?.role !== 'user') throw new HttpProblem(404, 'There is no such message in the chat.');
  return { id: messageIdOf(id), text: message.content, parts: message.parts ?? [] };
}

function isOpenRun({ status }: RunRecord): boolean {
  return (OPEN as readonly string[]).includes(status);
}

/** Conversations of one user have ids with the same beginning, which does not tell who the user is. */
function prefixOf(owner: string): string {
  return `chat-${digest([owner])}`;
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}

function shorten(text: string, chars: number): string {
  return text.length <= chars ? text : `${ensureWellFormed(text.slice(0, chars - 1))}…`;
}
