import type { Command } from 'commander';
import type { CommandContext } from '../Context.js';
import type { CallOptions } from '../actions/call.js';
import { onApplication, openingSections, showingSecrets, withMetadata } from '../options.js';

/** Declares `toolwright call`. */
export function addCall(program: Command, context: CommandContext): void {
  showingSecrets(openingSections(withMetadata(onApplication(program.command('call')))))
    .description('run one tool: as a rehearsal, which is rolled back and shows what would change')
    .argument('<tool>', 'the name of the tool')
    .argument('[arguments]', 'JSON, @file, or - for standard input', '{}')
    .option('--commit', 'run it for good: keep its changes, and let it act outside')
    .action(async (name: string, given: string, options: CallOptions) =>
      (await import('../actions/call.js')).call(context, name, given, options),
    );
}
