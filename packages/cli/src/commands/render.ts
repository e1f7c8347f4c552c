import { Option, type Command } from 'commander';
import type { CommandContext } from '../Context.js';
import type { RenderOptions } from '../actions/render.js';
import { onApplication, openingSections, repeated, withMetadata } from '../options.js';

/** Declares `toolwright render`. */
export function addRender(program: Command, context: CommandContext): void {
  openingSections(withMetadata(onApplication(program.command('render'))))
    .description('render a prompt: the text that a model gets')
    .option('--param <name=value|@file>', 'the value of a parameter; repeat it for others', repeated)
    .addOption(new Option('--format <format>', 'how to write it').choices(['text', 'messages']).default('text'))
    .option('--tokens', 'count the tokens of each section, in place of the text')
    .action(async (options: RenderOptions) => (await import('../actions/render.js')).render(context, options));
}
