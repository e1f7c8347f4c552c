import { Argument, Option, type Command } from 'commander';
import type { CommandContext } from '../Context.js';
import type { ToolsOptions } from '../actions/tools.js';
import { onApplication, openingSections, TOOL_FORMATS } from '../options.js';

/** Declares `toolwright tools`. */
export function addTools(program: Command, context: CommandContext): void {
  openingSections(onApplication(program.command('tools')))
    .description('list the tools, or write them as a provider gets them')
    .addArgument(new Argument('[names...]', 'the tools; all when left out'))
    .addOption(new Option('-f, --format <format>', 'write their schemas').choices([...TOOL_FORMATS, 'ts']))
    .option('--no-strict', 'without the strict mode of the provider')
    .action(async (names: readonly string[], options: ToolsOptions) =>
      (await import('../actions/tools.js')).tools(context, names, options),
    );
}
