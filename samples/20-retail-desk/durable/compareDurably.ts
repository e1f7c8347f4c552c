import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { RunEntry } from 'toolwright/conversations';
import { SqliteRuns } from '@toolwright/durable/sqlite';
import { compareResults, type Comparison, type Difference } from '../comparison/compareTasks.js';
import type { PlayedCall } from '../comparison/players.js';
import { readData, readTasks } from '../comparison/readInput.js';
import { RetailStore } from '../store/RetailStore.js';
import { hasEnded } from './carryTask.js';
import { killPoints, nameOf, type KillPoint } from './points.js';
import { ShopDatabase } from './ShopDatabase.js';
import type { Work } from './worker.js';

export interface DurableOptions {
  readonly data: string;
  readonly tasks: string;
  /** The number of tasks, evenly spread over the file; all of them when left out. */
  readonly count?: number | undefined;
  /** The number of times that a task is killed. */
  readonly killsEach: number;
}

/** A comparison of results that many processes have worked on. */
export interface DurableComparison extends Comparison {
  /** The number of killed processes, by the name of the point. */
  readonly kills: ReadonlyMap<string, number>;
  readonly processes: number;
}

/**
 * Runs tasks in processes that are killed at one point after the other, each continued by the next process. Then compares the logs
 * and the shop's data with the expectations of each task.
 */
export async function compareDurably(options: DurableOptions): Promise<DurableComparison> {
  const folder = mkdtempSync(join(tmpdir(), 'retail-durable-'));
  try {
    const places = placesOf(readTasks(options.tasks).length, options.count);
    const carried = await carryAll(options, folder, places);
    return { ...carried, ...(await compareLogs(options, folder, places)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function placesOf(total: number, count = total): readonly number[] {
  const taken = Math.min(count, total);
  return Array.from({ length: taken }, (_none, index) => Math.floor((index * total) / taken));
}

/** Starts one process after the other until all tasks have ended. */
async function carryAll(
  { data, tasks, killsEach }: DurableOptions,
  folder: string,
  places: readonly number[],
): Promise<Pick<DurableComparison, 'kills' | 'processes'>> {
  const kills = new Map<string, number>();
  const killed = new Map<number, number>();
  /** Every task begins at another point. After a kill there, points follow that were not reached yet. */
  const pointOf = (index: number, times: number): KillPoint | undefined => {
    if (times >= killsEach) return undefined;
    const missed = killPoints.filter((point) => !kills.has(nameOf(point)));
    const points = times === 0 || missed.length === 0 ? killPoints : missed;
    return points[(index * killsEach + times) % points.length];
  };
  let left = places;
  let processes = 0;
  while (left.length > 0) {
    const next = left.map((place) => [place, pointOf(places.indexOf(place), killed.get(place) ?? 0)] as const);
    const points = Object.fromEntries(next.filter(([, point]) => point !== undefined)) as Work['points'];
    const ended = await runWorker({ data, tasks, folder, places: left, points });
    processes += 1;
    left = left.slice(ended);
    const [current] = left;
    if (current === undefined) break;
    killed.set(current, (killed.get(current) ?? 0) + 1);
    const point = points[current];
    if (point !== undefined) kills.set(nameOf(point), (kills.get(nameOf(point)) ?? 0) + 1);
  }
  return { kills, processes };
}

/** Starts a worker process, and returns the number of tasks that have ended in it. */
async function runWorker(work: Work): Promise<number> {
  const worker = spawn(process.execPath, [join(__dirname, 'worker.js'), JSON.stringify(work)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<string | number | null>((resolve) => {
    worker.once('close', (code, signal) => resolve(signal ?? code));
  });
  const said = await text(worker.stdout);
  const how = await ended;
  if (how !== 0 && how !== 'SIGKILL') throw new Error(`A process ended with ${String(how)}.`);
  return said.split('\n').length - 1;
}

async function compareLogs(options: DurableOptions, folder: string, places: readonly number[]): Promise<Comparison> {
  const base = RetailStore.of(readData(options.data));
  await using runs = new SqliteRuns(join(folder, 'runs.db'));
  const all = readTasks(options.tasks);
  const results: (readonly Difference[])[] = [];
  for (const place of places) {
    const task = all[place];
    if (task === undefined) continue;
    const entries = await runs.entries(task.label);
    const outcomes = entries.filter((entry): entry is RunEntry<'outcome'> => entry.kind === 'outcome');
    const played = task.calls.map((_call, index) =>
      readPlayedCall(outcomes.find(({ call }) => call === `${index + 1}.0`)),
    );
    const store = ShopDatabase.open(base, join(folder, 'database.jsonl'), task.label);
    const found = compareResults({ task, played, base, store });
    const [place0, calls] = ['its log', store.committed().map(({ call }) => call)];
    if (!hasEnded(entries)) found.push({ task: task.label, place: place0, expected: 'an end', actual: 'none' });
    const twice = calls.filter((call, index) => calls.indexOf(call) !== index);
    if (twice.length > 0)
      found.push({ task: task.label, place: 'its commits', expected: 'each once', actual: `${twice.join()} twice` });
    results.push(found);
  }
  return {
    tasks: results.length,
    different: results.filter(({ length }) => length > 0).length,
    differences: results.flat(),
  };
}

/** Reads from the log the outcome of a call as the model read it. */
function readPlayedCall(outcome: RunEntry<'outcome'> | undefined): PlayedCall | undefined {
  if (outcome === undefined) return undefined;
  const { content } = outcome.message;
  return { success: outcome.outcome === 'succeeded', value: content, text: content };
}
