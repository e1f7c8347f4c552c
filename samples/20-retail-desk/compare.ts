import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { compareTasks, type Comparison, type Difference } from './comparison/compareTasks.js';
import { InputError } from './comparison/InputError.js';
import { readData, readTasks } from './comparison/readInput.js';

const usage = 'usage: npm run retail -- [--programs] --data DIR --tasks FILE';
const shownDifferences = 20;
const shownCharacters = 600;

/** Runs the comparison that the arguments ask for and returns the exit code: 0 equal, 1 different, 2 wrong input. */
export async function runComparison(
  args: readonly string[],
  print: (line: string) => void,
  complain: (line: string) => void,
): Promise<number> {
  try {
    const { data, tasks, programs } = readOptions(args);
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
}

function readOptions(args: readonly string[]): Options {
  const values = parse(args);
  const missing = (['data', 'tasks'] as const).filter((name) => values[name] === undefined);
  if (missing.length > 0)
    throw new InputError(`Missing: ${missing.map((name) => `--${name}`).join(' and ')}\n${usage}`);
  return { data: values.data ?? '', tasks: values.tasks ?? '', programs: values.programs ?? false };
}

function parse(args: readonly string[]): { readonly [Name in keyof Options]?: Options[Name] | undefined } {
  try {
    const options = { data: { type: 'string' }, tasks: { type: 'string' }, programs: { type: 'boolean' } } as const;
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
