import type { Command } from 'commander';
import type { CommandContext } from '../Context.js';

/** Declares `toolwright trace`. */
export function addTrace(program: Command, context: CommandContext): void {
  program
    .command('trace')
    .description('show a recorded run as a tree: requests, calls, outcomes, state')
    .argument('<file>', 'a bundle, or a transcript')
    .option('--json', 'write the result as JSON')
    .action(async (file: string, options: { readonly json?: boolean }) =>
      (await import('../actions/trace.js')).trace(context, file, options),
    );
}
