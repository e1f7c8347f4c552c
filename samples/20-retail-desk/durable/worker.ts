// A process that runs tasks, one after the other, until all are done or it is killed. It prints which ones have ended.
import 'reflect-metadata';
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { readData, readTasks } from '../comparison/readInput.js';
import { RetailStore } from '../store/RetailStore.js';
import { carryTask } from './carryTask.js';
import { KillingRuns } from './KillingRuns.js';
import type { KillPoint } from './points.js';

/** The work of a process, as JSON on its standard input. */
export interface Work {
  readonly data: string;
  readonly tasks: string;
  /** Holds the logs and the shop's data. */
  readonly folder: string;
  /** The places of the tasks in their file, in order. */
  readonly places: readonly number[];
  /** Where the process is killed, by the place of the task. */
  readonly points: Readonly<Record<number, KillPoint>>;
}

async function main({ data, tasks, folder, places, points }: Work): Promise<void> {
  const desk = {
    base: RetailStore.of(readData(data)),
    runs: new KillingRuns(join(folder, 'runs.db')),
    database: join(folder, 'database.jsonl'),
  };
  const all = readTasks(tasks);
  for (const place of places) {
    const task = all[place];
    if (task !== undefined) await carryTask(desk, task, points[place]);
    // Written synchronously, since the process may be killed next.
    writeSync(1, `${place}\n`);
  }
}

main(JSON.parse(process.argv[2] ?? '') as Work).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
