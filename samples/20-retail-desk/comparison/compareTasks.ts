import { createRetailApplication, quietLogger } from '../application.js';
import { everyChapter } from '../everyChapter.js';
import { RetailDesk } from '../RetailDesk.js';
import { unsupervised } from '../services/Supervisor.js';
import { RetailStore } from '../store/RetailStore.js';
import { tableNames, type RetailData, type TableName } from '../store/rows.js';
import { canonicalJson, hashOf, hashOfResult } from './canonicalJson.js';
import { asOneProgram, callByCall, type PlayedCall } from './players.js';
import type { ExpectedCall, RetailTask } from './readInput.js';

/** One difference from the expectations of a task. */
export interface Difference {
  readonly task: string;
  readonly place: string;
  readonly expected: string;
  readonly actual: string;
}

export interface Comparison {
  readonly tasks: number;
  /** Tasks with at least one difference. */
  readonly different: number;
  readonly differences: readonly Difference[];
}

/**
 * Plays the calls of every task through the application and compares the results. One application serves all
 * tasks: its store is an overlay over the data, and dropping that overlay restores the data.
 *
 * @param asPrograms true to run each task as one program, rather than one call after the other
 */
export async function compareTasks(
  data: RetailData,
  tasks: readonly RetailTask[],
  asPrograms = false,
): Promise<Comparison> {
  const base = RetailStore.of(data);
  const store = base.begin();
  const app = await createRetailApplication(store, { logger: quietLogger, approver: unsupervised });
  const prompt = app.prompt(RetailDesk);
  const rendered = await prompt.render(everyChapter(prompt));
  const player = asPrograms ? await asOneProgram(app, rendered) : callByCall(app, rendered);
  const results: (readonly Difference[])[] = [];
  for (const task of tasks) {
    results.push(compareResults({ task, played: await player(task), base, store }));
    store.reset();
  }
  return {
    tasks: tasks.length,
    different: results.filter((differences) => differences.length > 0).length,
    differences: results.flat(),
  };
}

/** The calls of a task as they were played, and the store after them. */
interface PlayedTask {
  readonly task: RetailTask;
  readonly played: readonly (PlayedCall | undefined)[];
  /** The untouched data. */
  readonly base: RetailStore;
  /** An overlay of it. */
  readonly store: RetailStore;
}

/** Compares results and records with the expectations of the task. */
export function compareResults({ task, played, base, store }: PlayedTask): Difference[] {
  const found: Difference[] = [];
  for (const [index, call] of task.calls.entries()) {
    const place = `call ${index + 1}, ${call.name}`;
    for (const difference of compareCall(call, played[index])) found.push({ task: task.label, place, ...difference });
  }
  for (const table of tableNames) found.push(...compareTable(task, table, base, store));
  return found;
}

// Rows of the base are deeply frozen, so a row that is still the same object has not changed.
function compareTable(
  task: RetailTask,
  table: TableName,
  base: RetailStore,
  store: RetailStore,
): readonly Difference[] {
  const expected = new Map(Object.entries(task.changed[table] ?? {}));
  const found: Difference[] = [];
  const report = (id: string, wanted: string, actual: string): void => {
    found.push({ task: task.label, place: `${table} ${id}`, expected: wanted, actual });
  };
  for (const [id, row] of store[table].entries()) {
    const sha = expected.get(id);
    const untouched: object | undefined = base[table].get(id);
    expected.delete(id);
    if (row === untouched && sha === undefined) continue;
    const actual = hashOf(row);
    if (sha === undefined ? actual !== hashOf(untouched) : actual !== sha) {
      report(id, sha ?? 'no change', `${actual} of ${canonicalJson(row)}`);
    }
  }
  for (const [id, sha] of expected) report(id, sha, 'no such record');
  return found;
}

function compareCall(
  call: ExpectedCall,
  played: PlayedCall | undefined,
): readonly Pick<Difference, 'expected' | 'actual'>[] {
  const { success = false, value, text = 'no answer' } = played ?? {};
  if (call.error !== !success) {
    return [{ expected: call.error ? 'a failed result' : 'a successful result', actual: text }];
  }
  if (call.error || call.sha === undefined) return [];
  const sha = hashOfResult(value);
  return sha === call.sha ? [] : [{ expected: call.sha, actual: `${sha} of ${canonicalJson(value)}` }];
}
