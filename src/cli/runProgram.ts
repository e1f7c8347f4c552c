import { CommanderError } from 'commander';
import type { CommandContext } from './Context.js';
import { exitCodeOf, showError } from './errors.js';
import { createProgram } from './program.js';

/**
 * Runs one command, and shows why it failed.
 *
 * @param argv as a process gets it: the program itself comes after two others
 * @returns its exit code; undefined if it ended as it should, and may have called `context.fail`
 */
export async function runProgram(context: CommandContext, argv: readonly string[]): Promise<number | undefined> {
  const { signal, terminal } = context;
  const json = isJson(argv);
  try {
    await createProgram(context, json).parseAsync(argv);
    return signal.aborted ? 130 : undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (signal.aborted) return 130;
    showError(terminal, error, json);
    return exitCodeOf(error);
  }
}

/** True if the command line asks for JSON, also where it is wrong otherwise. */
export function isJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? undefined : end).includes('--json');
}
