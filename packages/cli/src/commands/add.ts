import type { Command } from 'commander';
import type { AddOptions } from '../actions/add.js';
import type { CommandContext } from '../Context.js';

/** Declares `toolwright add`. */
export function addAdd(program: Command, context: CommandContext): void {
  program
    .command('add')
    .description('put Toolwright into the application of this folder, and show the difference first')
    .option('-y, --yes', 'ask nothing, and write the files')
    .option('--json', 'write the plan as JSON, and change nothing without --yes')
    .action(async (options: AddOptions) => (await import('../actions/add.js')).add(context, options));
}
