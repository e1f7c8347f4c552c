import type { Command } from 'commander';
import type { CommandContext } from '../Context.js';
import type { InspectOptions } from '../actions/inspect.js';
import { onApplication, port } from '../options.js';

/** Declares `toolwright inspect`. */
export function addInspect(program: Command, context: CommandContext): void {
  onApplication(program.command('inspect'))
    .description('look at an application or a recorded run on a page (of @toolwright/inspector)')
    .argument('[bundle]', 'a recorded run; the application alone when left out')
    .option('--port <port>', 'the port; any free one when left out', port)
    .option('--allow-calls', 'let the page rehearse calls, answer approvals, and let runs go on from a moment')
    .action(async (file: string | undefined, options: InspectOptions) =>
      (await import('../actions/inspect.js')).inspect(context, file, options),
    );
}
