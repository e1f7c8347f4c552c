import type { Command } from 'commander';
import type { CommandContext } from '../Context.js';

/** Declares `toolwright explain`. */
export function addExplain(program: Command, context: CommandContext): void {
  program
    .command('explain')
    .argument('<code>', 'the code of an error, such as E304')
    .description('say what an error means and what to do about it')
    .option('--json', 'write the result as JSON')
    .action(async (code: string, options: { readonly json?: boolean }) =>
      (await import('../actions/explain.js')).explain(context, code, options),
    );
}
