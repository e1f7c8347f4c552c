import { CommanderError } from 'commander';
import type { CommandContext } from './Context.js';
import { createProgram } from './program.js';

/**
 * Runs one command, and shows its error.
 *
 * @param argv as in `process.argv`: the arguments follow the first two entries
 * @returns the exit code of an error; undefined if the command ended normally, also after `context.fail`
 */
export async function runProgram(context: CommandContext, argv: readonly string[]): Promise<number | undefined> {
  const { signal, terminal } = context;
  const json = isGiven(argv, '--json');
  try {
    await createProgram(context).parseAsync(argv);
    return signal.aborted ? 130 : undefined;
  } catch (error) {
    const isUsage = error instanceof CommanderError;
    if (isUsage && error.exitCode === 0) return 0;
    if (!isUsage && signal.aborted) return 130;
    const [{ chooseExitCode: exitCodeOf, showError }, { CliError }] = await Promise.all([
      import('./errors.js'),
      import('./CliError.js'),
    ]);
    if (!isUsage) {
      showError(terminal, error, { json, verbose: isGiven(argv, '--verbose') });
      return exitCodeOf(error);
    }
    showError(terminal, new CliError(error.message.replace(/^error: /, '').trim(), { code: 'E973' }), { json });
    return 2;
  }
}

/** Checks whether the command line has a flag, even if it is invalid otherwise. */
export function isGiven(argv: readonly string[], flag: '--json' | '--verbose'): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? undefined : end).includes(flag);
}
