import type { Command } from 'commander';
import type { CommandContext } from '../Context.js';

/** Declares `toolwright explain`. */
export function addExplain(program: Command, context: CommandContext): void {
  program
    .command('explain')
    .argument(
      '<code or page>',
      'the code of an error, such as E304 or 304, or what a message names, such as docs/cli.md#checks-in-ci',
    )
    .description('say what an error means and what to do about it, or show a page of the documentation')
    .option('--json', 'write the result as JSON')
    .action(async (name: string, options: { readonly json?: boolean }) =>
      (await import('../actions/explain.js')).explain(context, name, options),
    );
}
