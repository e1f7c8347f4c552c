import { Session } from 'toolwright';
import { SetVisibilityOverride } from 'toolwright/conversations';
import { ScriptedModel, type ScriptedTurn } from 'toolwright/testing';
import {
  answerText,
  defineEval,
  endState,
  type Eval,
  type EvalCall,
  type EvalTask,
  type ExpectedCall,
  promptRun,
  type Score,
  type ScoredRun,
  type Scorer,
  trajectory,
  withinBudget,
} from '@toolwright/evals';
import { createRetailApplication, quietLogger } from '../application.js';
import { hashOf } from '../comparison/canonicalJson.js';
import type { RetailTask } from '../comparison/readInput.js';
import { RetailDesk } from '../RetailDesk.js';
import { unsupervised } from '../services/Supervisor.js';
import { RetailStore } from '../store/RetailStore.js';
import { tableNames, type RetailData, type TableName } from '../store/rows.js';
import type { Agent } from './agents.js';
import { type AgentCall, Assignment, isWrite, type Script } from './Assignment.js';

/** The chapters with tools. All are open, since recorded tasks do not say which ones an agent opened. */
const chapters = ['catalogue', 'orders.pending', 'orders.delivered'];
/** The longest recorded task has seven calls, and looks up five orders and a customer. */
const maxToolCalls = 20;

/**
 * Defines the eval of an agent over the tasks in which it differs from the recorded calls; undefined if there are none. Each run
 * has a store of its own.
 */
export function defineDeskEval(
  agent: Agent,
  tasks: readonly RetailTask[],
  data: RetailData,
  base: RetailStore,
): Eval<string> | undefined {
  const evalTasks = tasks.flatMap((task) => createEvalTask(agent, task, data) ?? []);
  if (evalTasks.length === 0) return undefined;
  return defineEval<string>({
    name: agent.name,
    tasks: evalTasks,
    run: promptRun<string>({
      app: () => createRetailApplication(base.begin(), { logger: quietLogger, approver: unsupervised }),
      prompt: RetailDesk,
      resources: [RetailStore],
      adapter: ({ metadata }) => new ScriptedModel(metadata?.['turns'] as readonly ScriptedTurn[]),
      session: openChapters,
    }),
    score: createScorers(base),
    // The runs wait for nothing.
    concurrency: 1,
  });
}

/** The scorers, by the heading of their column. */
function createScorers(base: RetailStore): Readonly<Record<string, Scorer<string>>> {
  const strict = trajectory<string>({ mode: 'strict' });
  return {
    state: endState<string>({ read: (run) => hashChanges(run, base) }),
    strict,
    unordered: trajectory({ mode: 'unordered' }),
    superset: trajectory({ mode: 'superset' }),
    writes: (run) => strict({ ...run, calls: run.calls.filter(isWrite) }),
    'subset args': trajectory({ mode: 'unordered', arguments: 'subset' }),
    'own orders': (run) => findForeignOrder(run, base),
    answer: answerText(),
    budget: withinBudget({ maxToolCalls }),
  };
}

/** Passes if every order that a call names belongs to the customer of the task. */
function findForeignOrder({ task, calls }: ScoredRun<string>, base: RetailStore): Score | undefined {
  const ownerOf = (call: EvalCall | ExpectedCall): string | undefined =>
    base.orders.get(String((call.arguments as AgentCall['arguments'])['order_id']))?.user_id;
  const customers = (task.expected?.calls ?? []).map(ownerOf);
  if (customers.length === 0) return undefined;
  const foreign = calls.find((call) => ![undefined, ...customers].includes(ownerOf(call)));
  if (foreign === undefined) return { pass: true };
  return { pass: false, reason: `${foreign.name} was called with an order of another customer` };
}

/** The script is a part of the task, so that results of another one are never continued. */
function createEvalTask(agent: Agent, task: RetailTask, data: RetailData): EvalTask<string> | undefined {
  const assignment = new Assignment(task, data);
  const script = agent.write(assignment);
  if (script === undefined) return undefined;
  const { calls, answer: text } = assignment;
  const expected = { calls, text, state: task.changed };
  return { id: task.label, input: task.instruction, expected, metadata: { turns: turnsOf(script) } };
}

function turnsOf({ calls, answer }: Script): readonly ScriptedTurn[] {
  return [...calls.map((call: AgentCall) => ({ toolCalls: [call] })), { text: answer }];
}

function openChapters(): Session {
  const session = new Session();
  for (const path of chapters) session.dispatch(new SetVisibilityOverride(path, 'full'));
  return session;
}

/** Computes the hash of each record that the run has changed, as tasks have them. */
function hashChanges({ resources }: ScoredRun<string>, base: RetailStore): RetailTask['changed'] {
  const changes = (resources['RetailStore'] as RetailStore).differences();
  const tables = tableNames.map((table: TableName) => {
    const rows = [...changes[table]].map(([id, row]) => [id, hashOf(row)] as const);
    return [table, rows.filter(([id, sha]) => sha !== hashOf(base[table].get(id)))] as const;
  });
  const changed = tables.filter(([, rows]) => rows.length > 0);
  return Object.fromEntries(changed.map(([table, rows]) => [table, Object.fromEntries(rows)]));
}
