import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { compareTasks, type Comparison, type Difference } from './comparison/compareTasks.js';
import { compareDurably } from './durable/compareDurably.js';
import { killPoints, nameOf } from './durable/points.js';
import { InputError } from './comparison/InputError.js';
import { readData, readTasks } from './comparison/readInput.js';
import { runDeskEval } from './eval/runDeskEval.js';

const usage =
  'usage: node build/samples/20-retail-desk/compare.js --data DIR --tasks FILE ' +
  '[--programs | --durable [--count N | --all] | --eval [--results FOLDER] [--html FOLDER]]';
const durableTasks = 40;
/** How often the processes of a task are killed with --durable. */
const killsEach = 2;
const shownDifferences = 20;
const shownCharacters = 600;

/** Runs the comparison that the arguments ask for and returns the exit code: 0 equal, 1 different, 2 wrong input. */
export async function runComparison(
  args: readonly string[],
  print: (line: string) => void,
  complain: (line: string) => void,
): Promise<number> {
  try {
    const options = readOptions(args);
    const { data, tasks, programs } = options;
    if (options.durable) return await runDurably(options, print);
    if (options.evaluates) return (await runDeskEval(readData(data), readTasks(tasks), { ...options, print })) ? 0 : 1;
    const comparison = await compareTasks(readData(data), readTasks(tasks), programs);
    report(comparison, print);
    return comparison.different === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    complain(error.message);
    return 2;
  }
}

interface Options {
  readonly data: string;
  readonly tasks: string;
  /** Each task as one program. */
  readonly programs: boolean;
  /** Each task in processes that are killed. */
  readonly durable: boolean;
  /** How many tasks with --durable; undefined for all. */
  readonly count: number | undefined;
  /** Each task by agents with and without faults. */
  readonly evaluates: boolean;
  /** Folders of the eval. */
  readonly results: string | undefined;
  readonly html: string | undefined;
}

/** Options as they are written. */
interface Given {
  readonly data?: string;
  readonly tasks?: string;
  readonly programs?: boolean;
  readonly durable?: boolean;
  readonly all?: boolean;
  readonly count?: string;
  readonly eval?: boolean;
  readonly results?: string;
  readonly html?: string;
}

async function runDurably({ data, tasks, count }: Options, print: (line: string) => void): Promise<number> {
  const comparison = await compareDurably({ data, tasks, count, killsEach });
  const { kills, processes, different } = comparison;
  const missed = killPoints.map(nameOf).filter((name) => !kills.has(name));
  for (const [name, times] of kills) print(`killed ${name}: ${times} times`);
  if (missed.length > 0) print(`never came to: ${missed.join(', ')}`);
  report(comparison, print);
  const total = [...kills.values()].reduce((sum, times) => sum + times, 0);
  print(`durable: ${total} kills in ${processes} processes, ${different} tasks different`);
  return different === 0 && total > 0 ? 0 : 1;
}

function readOptions(args: readonly string[]): Options {
  const values = parse(args);
  const missing = (['data', 'tasks'] as const).filter((name) => values[name] === undefined);
  if (missing.length > 0)
    throw new InputError(`Missing: ${missing.map((name) => `--${name}`).join(' and ')}\n${usage}`);
  const { data = '', tasks = '', programs = false, durable = false, all = false, count = durableTasks } = values;
  const { eval: evaluates = false, results, html } = values;
  if (!(Number(count) >= 1)) throw new InputError(`--count takes a number from 1 up\n${usage}`);
  return { data, tasks, programs, durable, count: all ? undefined : Number(count), evaluates, results, html };
}

function parse(args: readonly string[]): Given {
  try {
    const options = {
      data: { type: 'string' },
      tasks: { type: 'string' },
      count: { type: 'string' },
      programs: { type: 'boolean' },
      durable: { type: 'boolean' },
      all: { type: 'boolean' },
      eval: { type: 'boolean' },
      results: { type: 'string' },
      html: { type: 'string' },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new InputError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}

function report({ tasks, different, differences }: Comparison, print: (line: string) => void): void {
  for (const difference of differences.slice(0, shownDifferences)) print(describe(difference));
  const hidden = differences.length - shownDifferences;
  if (hidden > 0) print(`... and ${hidden} more differences\n`);
  print(`retail: ${tasks} tasks, ${tasks - different} equal, ${different} different`);
}

function describe({ task, place, expected, actual }: Difference): string {
  const shown = actual.length > shownCharacters ? `${actual.slice(0, shownCharacters)}...` : actual;
  return `task ${task}: ${place}\n  expected ${expected}\n  got      ${shown}\n`;
}

if (require.main === module) {
  runComparison(process.argv.slice(2), console.log, console.error).then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    },
  );
}
