import { ApprovalPendingError, type BoundPrompt, type ModelAdapter, PromptEvaluationError, Session } from 'toolwright';
import { Conversation, type RunEntry, type QuestionReply, SetVisibilityOverride } from 'toolwright/conversations';
import { Plan } from 'toolwright/sections';
import { ScriptedModel } from 'toolwright/testing';
import { createRetailApplication, quietLogger } from '../application.js';
import { RetailDesk } from '../RetailDesk.js';
import type { RetailTask } from '../comparison/readInput.js';
import type { RetailStore } from '../store/RetailStore.js';
import type { KillingRuns } from './KillingRuns.js';
import type { KillPoint } from './points.js';
import { ShopDatabase } from './ShopDatabase.js';

/** Everything that a process needs for a task. */
export interface Desk {
  readonly base: RetailStore;
  readonly runs: KillingRuns;
  /** The file of the shop's data. */
  readonly database: string;
}

/**
 * Runs a task as one run of a conversation until it has ended or this process is killed. If an earlier process was killed, continues
 * its run from the log, which holds the messages.
 */
export async function carryTask({ base, runs, database }: Desk, task: RetailTask, point?: KillPoint): Promise<void> {
  const store = ShopDatabase.open(base, database, task.label);
  runs.point = point?.what === 'commit' ? undefined : point;
  store.point = point?.what === 'commit' ? point : undefined;
  const app = await createRetailApplication(store, {
    logger: quietLogger,
    // A person answers each approval later.
    approver: { approve: () => ({ kind: 'later' }) },
    interceptors: [store.interceptor],
  });
  const conversation = await Conversation.open(runs, task.label);
  const prompt = app.prompt(RetailDesk);
  while (!hasEnded(entriesOf(conversation))) {
    await answerQuestions(conversation, store);
    try {
      await app.evaluate(prompt, {
        adapter: callerOf(task),
        session: sessionOf(conversation, prompt),
        conversation,
        onUnknown: 'ask',
        runId: task.label,
        messages: [{ role: 'user', content: 'Do what the task says.' }],
      });
    } catch (error) {
      if (!isWaiting(error)) throw error;
    }
  }
  await app.close();
}

/** Creates an adapter that makes the calls of the task, one in each turn; it is not a model. */
function callerOf({ calls }: RetailTask): ModelAdapter {
  const turns = calls.map(({ name, args }, turn) => {
    return { toolCalls: [{ id: idOf(turn + 1), name, arguments: JSON.stringify(args) }] };
  });
  return new ScriptedModel([...turns, { text: 'Done.' }], { by: 'position' });
}

/** Returns the id of the only call of a turn. */
function idOf(turn: number | string): string {
  return `call-${turn}`;
}

/** Creates a session with every chapter open; when a run is continued, the log gives an empty session its state back. */
function sessionOf(conversation: Conversation, { sections }: BoundPrompt): Session {
  const session = new Session({ slices: [Plan] });
  if (!entriesOf(conversation).some(({ kind }) => kind === 'run'))
    for (const { path } of sections) session.dispatch(new SetVisibilityOverride(path, 'full'));
  return session;
}

/**
 * Acts for a person: approves calls, and looks up in the database whether a call was committed before its process was killed. The
 * outcome of a committed call is its result; any other call had no effect, and is made again.
 */
async function answerQuestions(conversation: Conversation, store: ShopDatabase): Promise<void> {
  for (const { id, call, about } of conversation.questions) {
    const result = store.resultOf(idOf(call.split('.')[0] ?? ''));
    const reply: QuestionReply =
      about === 'approval'
        ? { kind: 'approved', by: 'kim' }
        : result === undefined
          ? { kind: 'repeat' }
          : { kind: 'outcome', text: result };
    await conversation.reply(id, reply);
  }
}

function isWaiting(error: unknown): boolean {
  return error instanceof ApprovalPendingError || (error instanceof PromptEvaluationError && error.code === 'E731');
}

function entriesOf(conversation: Conversation): readonly RunEntry[] {
  return conversation.toJSON().entries;
}

/** Returns true if the only run of the log has ended. */
export function hasEnded(entries: readonly RunEntry[]): boolean {
  return entries.at(-1)?.kind === 'end';
}
